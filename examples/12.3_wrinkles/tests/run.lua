local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

test("surprise folds the forehead, a smile the cheeks, and the other face never folds", function(t)
	local main = require "main"
	local left, right = main.state.faces[1].face, main.state.faces[2].face
	local seen = {}
	for _ = 1, 450 do
		t:run_ticks()
		local weights = left:wrinkles()
		local shown = main.expressions[main.state.shown].name
		seen[shown] = seen[shown] or { brow = 0, smile = 0 }
		seen[shown].brow = math.max(seen[shown].brow, weights.brow_inner)
		seen[shown].smile = math.max(seen[shown].smile, weights.smile_left)
		for region, weight in right:wrinkles() do
			t:expect(weight < 0.001, `{region} folds by {weight}`)
		end
	end
	t:expect(seen.surprise.brow > 0.5, `surprise folds the forehead by {seen.surprise.brow}`)
	t:expect(seen["a broad smile"].smile > 0.4, `a smile folds the cheeks by {seen["a broad smile"].smile}`)
end)

test("W takes them away and hands hold them", function(t)
	local main = require "main"
	local face = main.state.faces[1].face
	t:run(1)
	t:expect(face:wrinkles().brow_inner > 0.4)
	tap(t, "w")
	t:run(0.4)
	t:expect(face:wrinkles().brow_inner < 0.01)
	tap(t, "w")
	tap(t, "right")
	tap(t, "right")
	t:run(0.4)
	t:expect_near(face:wrinkles().smile_left, 0.5, 0.01)
	tap(t, "a")
	tap(t, "f")
	t:expect(main.state.cheeks == nil and main.state.depth == 2)
end)

test("it goes on for 300 ticks without a fault", function(t)
	require "main"
	t:run(5)
end)
