-- Two hundred people leave a room through a door 1.2 m wide.
local v = vector.create

light.rig "noon"
ground.set { color = v(0.42, 0.4, 0.37), surface = "stone", grid = 0 }
camera.orbit { target = v(0, 0, -2.5), distance = 19, yaw = 0, pitch = 52, fov = 42, cut = true }
for side = -1, 1, 2 do
	physics.box { position = v(side * 5.3, 0.5, 0), size = v(9.4, 1, 0.3), color = v(0.62, 0.55, 0.46), body_type = "static" }
	physics.box { position = v(side * 9.85, 0.5, -6), size = v(0.3, 1, 12), color = v(0.62, 0.55, 0.46), body_type = "static" }
end
physics.box { position = v(0, 0.5, -12), size = v(20, 1, 0.3), color = v(0.62, 0.55, 0.46), body_type = "static" }
local level = navmesh { position = v(0, 0, 0), size = v(30, 4, 50), cell_size = 0.1, agent_radius = 0.25 }
local people = crowd {
	model = { "assets/man.glb", "assets/galatea.glb" },
	count = 200,
	position = v(0, 0, -6),
	size = v(18.6, 0, 10.6),
	navmesh = level,
	speed = { 1.1, 1.5 },
	seed = 2,
}
for i = 1, people.count do
	people:walk_to(i, v(people:position(i).x, 0, 20))
end
