local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

test("highlights are there, and the lamp moves", function(t)
	local main = require "main"
	local from = main.lamp.position
	t:run(5)
	t:expect(vector.magnitude(main.lamp.position - from) > 0.3)
	t:expect(main.man:material("skin").specular == 1)
	t:expect(main.man:material("eye").roughness < main.man:material("skin").roughness, "eyes are smoother than skin")
end)

test("1 takes them away, 2 gives them back, 3 shows the map", function(t)
	local main = require "main"
	tap(t, "1")
	t:expect(main.man:material("skin").specular == 0 and main.man:material("eye").specular == 0)
	tap(t, "2")
	t:expect(main.man:material("skin").specular == 1)
	tap(t, "3")
	t:run(0.1)
	t:expect(main.state.mode == 3)
end)

test("arrows change roughness and strength within their ranges", function(t)
	local main = require "main"
	local before = main.man:material("skin").roughness
	tap(t, "right")
	t:expect(main.man:material("skin").roughness < before)
	for _ = 1, 9 do
		tap(t, "up")
	end
	t:expect(main.state.strength == 2 and main.man:material("skin").clearcoat > 0.5)
	tap(t, "e")
	t:expect(main.man:material("eye").roughness > 0.8)
	tap(t, "f")
	tap(t, "l")
	t:run(0.5)
	t:expect(main.state.book and main.state.several)
end)
