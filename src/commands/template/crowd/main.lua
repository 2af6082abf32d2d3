-- Two hundred people walk around and avoid each other. WASD moves your character, space calls all agents.

ground.set { color = vec(0.36, 0.33, 0.29), surface = "stone" }
light.rig "noon"

local hero = character("assets/galatea.glb", { yaw = 20 })
hero:controller {}
hero.machine = machine {
	params = { speed = 0 },
	state "move" { blend1d { param = "speed", match_speed = true, { 0.1, "idle" }, { 1.4, "walk" }, { 3.4, "run" } } },
}
camera.follow(hero, { distance = 8, pitch = 22, yaw = -150, fov = 40 })

local people = crowd {
	model = "assets/galatea.glb",
	count = 200,
	size = vec(34, 0, 34),
	walls = { { vec(-19, 0, -19), vec(19, 0, -19) }, { vec(-19, 0, 19), vec(19, 0, 19) } },
}

local function somewhere()
	return vec(random_range(-16, 16), 0, random_range(-16, 16))
end

for i = 1, people.count do
	people:walk_to(i, somewhere())
end

local is_called = false

function update(_dt)
	local x, y = input.axis("move_x"), input.axis("move_y")
	local ahead = vector.normalize(camera.forward() * vec(1, 0, 1))
	hero:move((ahead * y + vec(-ahead.z, 0, ahead.x) * x) * (if input.down("run") then 3.4 else 1.4))
	hero.machine.params.speed = hero.speed
	if input.pressed("space") then
		is_called = not is_called
		if is_called then
			people:walk_all_to(hero.position, 2)
			return
		end
		for i = 1, people.count do
			people:walk_to(i, somewhere())
		end
	elseif not is_called then
		for _, i in people:arrived() do
			people:walk_to(i, somewhere())
		end
	end
end

-- The return value is for tests.
return people
