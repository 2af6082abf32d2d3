-- Near: a crowd walks by. Agents near the camera become full characters and look at you. Click on one to hit
-- it; it falls.
--
--   galatea play scripts/examples/near.lua      left button: hit the agent under the pointer

light.rig "noon"
ground.set { color = vec(0.4, 0.36, 0.31), surface = "stone", color_variation = 0.5, grid = 0 }
camera.orbit { target = vec(0, 1.3, 1), distance = 4.5, yaw = 0, pitch = 4, fov = 46 }

local cloth = { vec(0.9, 0.3, 0.25), vec(0.25, 0.4, 0.8), vec(0.9, 0.8, 0.55), vec(0.35, 0.6, 0.4), vec(0.55, 0.5, 0.6) }

local function looks_here(_, _, hero)
	hero:look_at(camera)
	hero.face:mood("happiness", { intensity = 0.6 })
end

local people = crowd {
	model = { "assets/man.glb", "assets/galatea.glb", "assets/elder.glb" },
	count = 120,
	position = vec(0, 0, -22),
	size = vec(14, 0, 36),
	group_size = { 1, 2 },
	colors = { cloth = cloth, teal = cloth },
	promote_distance = { distance = 7.5, max_characters = 8 },
	on_promote = looks_here,
	start = "go",
	states = {
		go = {
			on_enter = function(own, i)
				local at = own:position(i)
				own:walk_to(i, vec(math.clamp(at.x + random_range(-2, 2), -7, 7), 0, if at.z < 0 then 9 else -32))
			end,
			on = { arrived = "go" },
		},
	},
}

function update(_dt)
	if input.pressed "mouse_left" then
		local aim = camera.ray()
		local hit = physics.raycast(aim.from, aim.to, { exact = true })
		if hit and hit.character then
			hit.character:hit { position = hit.position, impulse = vector.normalize(aim.direction) * 170 }
		end
	end
end
