-- Five hundred people leave a room through doors of 1.2 and 2.4 m. Agents far back in a queue choose the other door.
local v = vector.create

light.rig "noon"
ground.set { color = v(0.42, 0.4, 0.37), surface = "stone", grid = 0 }
camera.orbit { target = v(0, 0, 3), distance = 29, yaw = 0, pitch = 56, fov = 42, cut = true }
local function wall(x: number, z: number, width: number, depth: number)
	physics.box { position = v(x, 0.5, z), size = v(width, 1, depth), color = v(0.62, 0.55, 0.46), body_type = "static" }
end
wall(-7.95, 10.15, 4.7, 0.3)
wall(-0.3, 10.15, 8.2, 0.3)
wall(8.25, 10.15, 4.1, 0.3)
wall(0, -10.15, 20.6, 0.3)
wall(-10.15, 0, 0.3, 20)
wall(10.15, 0, 0.3, 20)
local level = navmesh { position = v(0, 0, 6), size = v(50, 4, 56), cell_size = 0.1, agent_radius = 0.25 }
local people = crowd {
	model = { "assets/man.glb", "assets/galatea.glb" },
	count = 500,
	position = v(0, 0, 0),
	size = v(18.5, 0, 18.5),
	navmesh = level,
	speed = { 1.1, 1.5 },
	seed = 4,
}
people:walk_all_to(v(0, 0, 30))
