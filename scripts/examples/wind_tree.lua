-- Wind in an olive tree: trunk, boughs and twigs are chains of spring bones, softer towards the tips. There are no
-- clips; the wind of the stage moves the bones, and gusts pass through the crown.
--
--   galatea play scripts/examples/wind_tree.lua      space: wind on or off; up and down: wind strength

local tree = character "assets/tree.glb"

-- Returns the names of the first bones of all boughs or twigs.
local function first_bones(word, boughs, twigs)
	local names = {}
	for bough = 1, boughs do
		for twig = 1, twigs do
			table.insert(names, if twigs > 1 then `{word}_{bough}_{twig}_1` else `{word}_{bough}_1`)
		end
	end
	return names
end

tree:spring_bone("trunk_2", { stiffness = 4, drag = 0.25, wind_scale = 0.008, max_angle = 4 })
tree:spring_bone(first_bones("bough", 6, 1), { stiffness = 2.4, drag = 0.14, wind_scale = 0.016, max_angle = 14 })
tree:spring_bone(first_bones("twig", 6, 3), { stiffness = 1.1, drag = 0.08, wind_scale = 0.030, max_angle = 40 })

local speed, blows = 6, true
local function blow()
	wind { direction = vec(1, 0, -0.35), speed = if blows then speed else 0, gusts = 0.8, gust_size = 3 }
end
blow()

light.sun { yaw = 40, pitch = 40 }
camera.orbit { target = vec(0, 2.1, 0), distance = 10, yaw = 20, pitch = 4, fov = 28 }

function update(_dt)
	if input.pressed "space" then
		blows = not blows
		blow()
	elseif input.pressed "up" or input.pressed "down" then
		speed = math.clamp(speed + (if input.pressed "up" then 2 else -2), 2, 16)
		blow()
	end
end
