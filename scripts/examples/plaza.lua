-- Plaza: people stroll in small groups, stop to talk, sit on benches, queue at a stall, and listen to a speaker. A bang
-- makes them flee, and their fear spreads to others.
--
--   galatea play scripts/examples/plaza.lua      space: the bang

light.rig "noon"
ground.set { color = vec(0.4, 0.36, 0.31), surface = "stone", color_variation = 0.5, grid = 0 }
camera.orbit { target = vec(0, 0.9, 1), distance = 17, yaw = 28, pitch = 24, fov = 40 }

local function wood(at, size, yaw)
	physics.box { position = at, size = size, yaw = yaw, color = vec(0.34, 0.22, 0.13), body_type = "static" }
end

-- A bench with two seats. Agents that come near sometimes sit down. It faces along yaw.
local function bench(at, yaw)
	local angle = math.rad(yaw)
	local back = vec(math.sin(angle), 0, math.cos(angle)) * -0.42
	wood(at + vec(0, 0.22, 0) + back, vec(1.7, 0.44, 0.42), yaw)
	smart_object {
		position = at,
		yaw = yaw,
		slots = { vec(-0.42, 0, 0), vec(0.42, 0, 0) },
		intro = "sit_down",
		clip = "sit",
		outro = "stand_up",
		duration = { 8, 20 },
		attract_radius = 3.5,
		attract_chance = 0.12,
	}
end
for side = -1, 1, 2 do
	bench(vec(side * 6.5, 0, -2), -90 * side)
	bench(vec(side * 6.5, 0, 2.5), -90 * side)
end

-- A stall: one agent is served, the others queue.
wood(vec(-3.4, 0.5, -7), vec(2.6, 1, 0.6))
wood(vec(-3.4, 2.2, -7.2), vec(3, 0.08, 1.4))
for side = -1, 1, 2 do
	wood(vec(-3.4 + side * 1.35, 1.1, -7.4), vec(0.1, 2.2, 0.1))
end
local stall = smart_object {
	position = vec(-3.4, 0, -6.3),
	yaw = 180,
	queue = { position = vec(0, 0, -0.8), spacing = 0.75 },
	clip = { "talk_beat_1", "reach", "point" },
	duration = { 3, 6 },
	attract_radius = 5,
	attract_chance = 0.06,
}

-- The speaker is a full character on a step. Agents that come near stop and listen.
physics.box { position = vec(3.6, 0.2, -5), size = vec(1.6, 0.4, 1.6), color = vec(0.45, 0.42, 0.4), body_type = "static" }
local speaker = character("assets/galatea.glb", { position = vec(3.6, 0.4, -5), yaw = -10 })
speaker:say("Citizens of marble and bronze! Who of us did not begin as a stone?")
local ears = {}
for ring = 0, 1 do
	for k = -2, 2 do
		local angle = math.rad(-10 + k * 24)
		local away = 2.2 + ring * 0.95
		ears[#ears + 1] = {
			position = vec(math.sin(angle), 0, math.cos(angle)) * away,
			yaw = 180 - 10 + k * 24,
		}
	end
end
smart_object {
	position = vec(3.6, 0, -5),
	slots = ears,
	clip = { "idle", "idle_look", "idle_shift" },
	duration = { 10, 25 },
	attract_radius = 5,
	attract_chance = 0.25,
}

local function somewhere()
	return vec(random_range(-6, 6), 0, random_range(-5, 9))
end

local cloth = { vec(0.9, 0.3, 0.25), vec(0.25, 0.4, 0.8), vec(0.9, 0.8, 0.55), vec(0.35, 0.6, 0.4), vec(0.55, 0.5, 0.6) }
local level = navmesh { size = vec(44, 6, 44), cell_size = 0.12, agent_radius = 0.28, max_step_height = 0.15 }
local people = crowd {
	model = { "assets/man.glb", "assets/elder.glb", "assets/galatea.glb" },
	count = 60,
	position = vec(0, 0, 2.5),
	size = vec(11, 0, 13),
	group_size = { 1, 3 },
	navmesh = level,
	colors = { cloth = cloth, teal = cloth },
	meet_chance = 0.5,
	seed = 3,
	start = "stroll",
	states = {
		stroll = {
			on_enter = function(people, i) people:walk_to(i, somewhere()) end,
			on = { arrived = "look", no_path = "look", met = "talk", use_end = "stroll", bang = "panic" },
		},
		look = {
			clip = { "idle", "idle_look", "idle_shift" },
			duration = { 2, 6 },
			next = "stroll",
			on = { bang = "panic", met = "talk" },
		},
		talk = {
			clip = { "talk_beat_1", "talk_beat_2", "talk_beat_3", "talk_beat_5", "laugh", "idle", "shrug" },
			duration = { 6, 14 },
			use_objects = false,
			next = "stroll",
			on = { bang = "panic" },
		},
		panic = {
			speed = { 2.6, 3.6 },
			flee_distance = 18,
			spread_event = "bang",
			range = 1.5,
			duration = { 6, 9 },
			use_objects = false,
			next = "stroll",
			on_enter = function(people, i) people:stop_using(i) end,
		},
	},
}

function update(_dt)
	if input.pressed("space") then
		people:send_near(vec(1, 0, 0), 4, "bang")
	end
end
