-- Foot placement on rough ground: a height field with stones. Each foot adapts to the height and slope of the ground
-- under it. She walks between waypoints by herself.
--
--   galatea play scripts/examples/rubble.lua

local function height(x, z)
	return 0.1 * math.noise(x * 0.9, z * 0.9, 0.3) + 0.5 * math.noise(x * 0.21, z * 0.21, 4.7)
end

ground.set { visible = false, collider = true, height = -3 }
physics.terrain {
	name = "hills", size = vec(24, 1, 24), columns = 121, rows = 121, heights = height, roughness = 0.95,
	surface = "grass",
	surfaces = function(x, z) return if math.noise(x * 0.35, z * 0.35, 1.5) > 0.05 then "gravel" else "grass" end,
	colors = { grass = vec(0.1, 0.15, 0.045), gravel = vec(0.24, 0.21, 0.17) },
}
for i = 1, 150 do
	local x, z = 13 * math.noise(i * 7.31, 0.5, 2.2), 13 * math.noise(0.7, i * 3.17, 9.1)
	local size = 0.1 + 0.35 * math.abs(math.noise(i * 1.7, 5.5))
	local grey = 0.2 + 0.12 * math.noise(i * 0.9, 2.5)
	physics.box {
		position = vec(x, height(x, z) + 0.02, z), size = vec(size, 0.45 * size, 0.8 * size), yaw = i * 50, pitch = 14 * math.sin(i), roll = 12 * math.cos(i * 3),
		color = vec(grey * 1.05, grey, grey * 0.93), roughness = 0.9,
	}
end

local hero = character("assets/galatea.glb", { position = vec(0, height(0, -3) + 0.05, -3) })
hero:controller {}
hero:foot_ik()
hero:lean()
hero:look_at(camera, { gaze_mode = "listening" })
hero.machine = machine {
	params = { speed = 0 },
	state "stand" { "idle" },
	state "walk" { "walk" },
	transition_to "walk" { from = "stand", when = "speed > 0.15", fade = 0.2 },
	transition_to "stand" { from = "walk", when = "speed < 0.1", fade = 0.25 },
}
hero:on("step", function(e)
	sound.play("step_" .. e.surface, { position = e.position, volume = 0.6 })
end)

local ROUND = { vec(0, 0, 3), vec(3, 0, 1), vec(0.5, 0, -1), vec(-2, 0, -2.5), vec(0, 0, -3) }
local leg, rests = 1, 0.3

function update(dt)
	local way = (ROUND[leg] - hero.position) * vec(1, 0, 1)
	if vector.magnitude(way) < 0.25 then
		leg, rests = leg % #ROUND + 1, 1
	end
	rests -= dt
	hero:move(if rests > 0 then vector.zero else vector.normalize(way) * 1.4)
	hero.machine.params.speed = hero.speed
end

light.sun { yaw = 50, pitch = 32, intensity = 3.2, color = vec(1, 0.92, 0.8) }
camera.follow(hero, { distance = 4.6, pitch = 9, yaw = 118, fov = 32 })
