local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

test("three faces of one model show three emotions at once", function(t)
	local state = (require "main").state
	t:run(5)
	local seen = {}
	for _, face in state.faces do
		t:expect(face.emotion ~= nil)
		t:expect(not seen[face.emotion], `two show {face.emotion}`)
		seen[face.emotion] = true
		t:expect(face.hero.face:get(face.emotion) > 0.2, `{face.emotion} shows`)
	end
end)

test("keys set the emotion of the chosen face alone", function(t)
	local state = (require "main").state
	tap(t, "8")
	tap(t, "right")
	tap(t, "0")
	t:run(5)
	t:expect(state.faces[2].hero.face:get "happiness" > 0.7)
	t:expect(state.faces[3].hero.face:get "sadness" > 0.7)
	t:expect(state.faces[3].hero.face:get "happiness" < 0.1)
	tap(t, "down")
	tap(t, "down")
	t:run(1.5)
	t:expect(state.faces[3].hero.face:get "sadness" < 0.65, "less of it")
	tap(t, "n")
	t:run(2)
	t:expect(state.faces[3].hero.face:get "sadness" < 0.05, "none of it")
end)

test("in the book's channels one emotion goes before the next comes", function(t)
	local state = (require "main").state
	tap(t, "8")
	t:run(2)
	tap(t, "c")
	t:run(0.5)
	local face = state.faces[2].hero.face
	t:expect(face:get "happiness" > 0.7)
	t:press "0"
	local both = 0
	for _ = 1, 120 do
		t:run_ticks()
		both = math.max(both, math.min(face:get "happiness", face:get "sadness"))
	end
	t:release "0"
	t:expect(face:get "sadness" > 0.7, "the next came")
	t:expect(both < 0.1, `both showed at once, by {both}`)
end)
