local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

test("one face has its map and the other has none, while lamp and face move", function(t)
	local main = require "main"
	local faces = main.state.faces
	local from, smiles = main.lamp.position, {}
	for i = 1, 300 do
		t:run_ticks()
		smiles[i] = faces[2].face:get "happiness"
	end
	t:expect(vector.magnitude(main.lamp.position - from) > 0.5, "the lamp stands")
	t:expect(math.max(table.unpack(smiles)) > 0.55 and math.min(table.unpack(smiles)) < 0.05, "the face stands")
	t:expect(faces[1]:material("skin").normal_scale == 0)
	t:expect(faces[2]:material("skin").normal_scale == 1)
end)

test("the depth goes from 0 to 2, and the lamp stops", function(t)
	local main = require "main"
	for _ = 1, 6 do
		tap(t, "up")
	end
	t:expect_near(main.state.faces[2]:material("skin").normal_scale, 2)
	tap(t, "space")
	local at = main.lamp.position
	t:run(0.5)
	t:expect(vector.magnitude(main.lamp.position - at) < 0.001)
end)

test("the exercises: several lamps, the body that walks, and the views", function(t)
	local main = require "main"
	tap(t, "l")
	tap(t, "k")
	local one = main.state.faces[2]
	local from, far = one:bone_position "left_foot", 0
	for _ = 1, 120 do
		t:run_ticks()
		far = math.max(far, vector.magnitude(one:bone_position "left_foot" - from))
	end
	t:expect(far > 0.3, "it does not walk")
	t:expect(vector.magnitude(one.position - vec(0.45, 0, 0)) < 0.05, "on the spot")
	tap(t, "n")
	t:expect(main.state.view == 2)
	tap(t, "n")
	tap(t, "n")
	tap(t, "f")
	t:run(0.2)
	t:expect(main.state.view == 1 and main.state.book and main.state.several)
end)

test("it goes on for 300 ticks without a fault", function(t)
	require "main"
	t:run(5)
end)
