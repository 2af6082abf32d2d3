-- Crowd: people walk back and forth across a square and avoid each other and her.
--
--   galatea play scripts/examples/crowd.lua      WASD: move her; space: call all agents, or send them off again

ground.set { color = vec(0.36, 0.33, 0.29), surface = "stone" }
light.rig "noon"

local hero = character("assets/galatea.glb", { yaw = 20 })
hero:controller {}
hero.machine = machine {
	params = { speed = 0 },
	state "move" { blend1d { param = "speed", match_speed = true, { 0.1, "idle" }, { 1.4, "walk" }, { 3.4, "run" } } },
}
camera.follow(hero, { distance = 8, pitch = 22, yaw = -150, fov = 40 })

-- One model is enough for a crowd. With a list of models, each agent gets a random one.
local people = crowd {
	model = { "assets/man.glb", "assets/mannequin.glb", "assets/elder.glb" },
	count = 160,
	size = vec(30, 0, 30),
	walls = { { vec(-17, 0, -17), vec(17, 0, -17) }, { vec(-17, 0, 17), vec(17, 0, 17) } },
}

local is_called = false

local function somewhere()
	return vec(random_range(-14, 14), 0, random_range(-14, 14))
end

for i = 1, people.count do
	people:walk_to(i, somewhere())
end

local function wish()
	local x, y = input.axis("move_x"), input.axis("move_y")
	local ahead = vector.normalize(camera.forward() * vec(1, 0, 1))
	local way = ahead * y + vec(-ahead.z, 0, ahead.x) * x
	return way * (if input.down("run") then 3.4 else 1.4)
end

function update(_dt)
	hero:move(wish())
	hero.machine.params.speed = hero.speed
	if input.pressed("space") then
		is_called = not is_called
		if is_called then
			people:walk_all_to(hero.position, 2)
		else
			for i = 1, people.count do
				people:walk_to(i, somewhere(), random_range(1.1, 1.5))
			end
		end
	elseif not is_called then
		for _, i in people:arrived() do
			people:walk_to(i, somewhere())
		end
	end
end
