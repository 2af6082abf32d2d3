-- Counterflow: two groups of 200 people pass each other in a corridor 5 m wide.
local v = vector.create

light.rig "noon"
ground.set { color = v(0.42, 0.4, 0.37), surface = "stone", grid = 0 }
camera.orbit { target = v(0, 0, 0), distance = 19, yaw = 14, pitch = 50, fov = 42, cut = true }
for side = -1, 1, 2 do
	physics.box { position = v(0, 0.5, side * 2.65), size = v(80, 1, 0.3), color = v(0.62, 0.55, 0.46), body_type = "static" }
end
local walls = { { v(-40, 0, 2.5), v(40, 0, 2.5) }, { v(-40, 0, -2.5), v(40, 0, -2.5) } }
for side = -1, 1, 2 do
	local color = side < 0 and v(0.2, 0.4, 0.9) or v(0.9, 0.25, 0.2)
	local people = crowd {
		model = { "assets/man.glb", "assets/galatea.glb" },
		count = 200,
		position = v(side * 19, 0, 0),
		size = v(34, 0, 4.2),
		walls = walls,
		speed = { 1.1, 1.5 },
		colors = { cloth = { color }, teal = { color } },
		seed = side + 3,
	}
	for i = 1, people.count do
		people:walk_to(i, v(side * -60, 0, people:position(i).z))
	end
end
