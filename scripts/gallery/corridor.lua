-- Two-way traffic in a corridor: people who walk in opposite directions form lanes.
local v = vector.create

light.rig "noon"
ground.set { color = v(0.42, 0.4, 0.37), surface = "stone", grid = 0 }
camera.orbit { target = v(0, 0.6, 0), distance = 15, yaw = 22, pitch = 38, fov = 42, cut = true }
for side = -1, 1, 2 do
	physics.box { position = v(0, 0.5, side * 2.6), size = v(40, 1, 0.3), color = v(0.62, 0.55, 0.46), body_type = "static" }
end
local walls = { { v(-20, 0, 2.45), v(20, 0, 2.45) }, { v(-20, 0, -2.45), v(20, 0, -2.45) } }
-- Agents that walk to the right wear blue, the others red.
local function those(x, color)
	local own = crowd {
		model = { "assets/man.glb", "assets/galatea.glb" },
		count = 60,
		position = v(0, 0, 0),
		size = v(28, 0, 4.2),
		walls = walls,
		colors = { cloth = { color }, teal = { color } },
		seed = x + 30,
		start = "go",
		states = {
			go = {
				on_enter = function(own, i)
					local at = own:position(i)
					own:walk_to(i, v(if x < 0 then 16 else -16, 0, at.z))
				end,
				on = {
					arrived = function(own, i)
						own:teleport(i, v(if x < 0 then -16 else 16, 0, random_range(-2, 2)))
						return "go"
					end,
				},
			},
		},
	}
	return own
end
those(-7.5, v(0.2, 0.4, 0.9))
those(7.5, v(0.9, 0.25, 0.2))
