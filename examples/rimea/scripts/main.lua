-- RiMEA test case 9: agents leave a room through four exits. d closes two of them. The tests are in tests/rimea.lua.
local scenes = require "scenes"
scenes.body = "assets/man.glb"

scenes.room(-15, -10, 15, 10, {
	{ wall = "north", at = -7.5, width = 1 },
	{ wall = "north", at = 7.5, width = 1 },
	{ wall = "south", at = -7.5, width = 1 },
	{ wall = "south", at = 7.5, width = 1 },
})
local level = scenes.mesh(vec(50, 4, 44))
local doors = {
	level:add_door { position = vec(-7.5, 0, -10.15), size = vec(1, 2, 0.3) },
	level:add_door { position = vec(7.5, 0, -10.15), size = vec(1, 2, 0.3) },
}
local people = scenes.agents(level, 300, vec(0, 0, 0), vec(28, 0, 18))
local status = ui.text("d closes two exits", { position = vec(24, 24, 0), outline = 2 })
local began

function update()
	if not began and now() > 1 then
		began = now()
		for i = 1, people.count do
			local z = people:position(i).z
			people:walk_to(i, vec(0, 0, z > 0 and 18 or -18))
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
		status.text = string.format("%d inside after %.0f s; d closes two exits", inside, now() - began)
	end
end

camera.orbit { target = vec(0, 0, 0), distance = 40, yaw = 20, pitch = 50 }
light.rig "noon"
