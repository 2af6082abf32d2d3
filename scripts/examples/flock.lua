-- Flock: swallows over a field. They avoid the posts and split around a hawk that hunts them.
--
--   galatea play scripts/examples/flock.lua      space: send the hawk away, or call it back

light.rig "sunset"
ground.set { color = vec(0.30, 0.33, 0.18), surface = "grass", color_variation = 0.8, grid = 0 }
camera.orbit { target = vec(0, 8, 0), distance = 30, yaw = 20, pitch = -4, fov = 45 }

for i = -2, 2 do
	physics.box { position = vec(i * 6, 4, -6), size = vec(0.5, 8, 0.5), color = vec(0.35, 0.28, 0.2), body_type = "static" }
end

local birds = flock {
	model = "assets/bird.glb",
	count = 900,
	position = vec(0, 10, 0),
	size = vec(14, 6, 14),
	-- Larger than real swallows, so that they are easy to see.
	scale = { 1.7, 2.2 },
	speed = { 5, 8 },
	turn_rate = 2.4,
	home_radius = 7,
	home_weight = 16,
	neighbor_radius = 3.5,
	cohesion = 4,
	alignment = 1.2,
	separation = 9,
	separation_distance = 1.3,
}

local hawk = flock {
	model = "assets/bird.glb",
	count = 1,
	position = vec(0, 14, -20),
	size = vec(1, 1, 1),
	scale = 5,
	speed = { 4, 11 },
	leaders = 1,
	colors = { feathers = { vec(0.32, 0.22, 0.15) } },
}
local hunts, way = true, vec(0, 0, 6)

function update(dt)
	if input.pressed("space") then
		hunts = not hunts
	end
	local at = hawk:position(1)
	-- The hawk flies through the middle of the flock, or far away while it does not hunt.
	local goal = if hunts then birds.center else vec(0, 40, -80)
	local wish = goal - at
	if vector.magnitude(wish) > 4 then
		way += vector.normalize(wish) * 9 * dt
	end
	way = vector.normalize(way) * (if hunts then 9.5 else 7)
	hawk:steer(1, way)
	birds:set_attractor("hawk", at, -70, 6)
end
