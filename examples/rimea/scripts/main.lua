-- RiMEA test case 9: four exits of a room, of which two close after a while. Space sends everybody out, d closes two exits.
local scenes = require "scenes"
local v = vector.create

scenes.room(-15, -10, 15, 10, {
	{ wall = "north", at = -7.5, width = 1 },
	{ wall = "north", at = 7.5, width = 1 },
	{ wall = "south", at = -7.5, width = 1 },
	{ wall = "south", at = 7.5, width = 1 },
})
local level = scenes.mesh(v(50, 4, 44))
local doors = {
	level:door { at = v(-7.5, 0, -10.15), size = v(1, 2, 0.3) },
	level:door { at = v(7.5, 0, -10.15), size = v(1, 2, 0.3) },
}
local people = scenes.agents(level, 300, v(0, 0, 0), v(28, 0, 18))
local time = ui.text { at = { 0.02, 0.04 }, text = "space: everybody leaves; d: close two exits" }
local began

function update()
	if input.pressed "space" then
		began = now()
		for i = 1, people.count do
			local z = people:position(i).z
			people:go(i, v(0, 0, z > 0 and 18 or -18))
		end
	end
	if input.pressed "d" then
		for _, door in doors do
			door.open = not door.open
		end
	end
	local inside = 0
	for i = 1, people.count do
		local at = people:position(i)
		inside += (math.abs(at.x) < 15 and math.abs(at.z) < 10) and 1 or 0
	end
	if began then
		time.text = string.format("%d inside after %.0f s", inside, now() - began)
	end
end

camera.orbit { target = v(0, 0, 0), distance = 40, yaw = 20, pitch = 50 }
light.rig "noon"
