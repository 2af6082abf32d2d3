-- 13.2  Crowd: agents walk to random goals and avoid each other.
--
--   1            the book's rules: pushed by all agents within 3 m, always 2 m/s, 1 m apart
--   2            exercise: variable speed: agents look ahead, slow down, and wait while they are blocked
--   L            exercise: the agents follow a leader, drawn in red
--   O            exercise: smart objects: an agent near the fire stops, salutes it, and continues
--   Up, Down     number of agents: use fewer on a slow machine

light.rig "noon"
light.sun { yaw = 40, pitch = 42 }
light.post_process { tonemap = "agx", contrast = 1.06 }
ground.set { color = vec(0.36, 0.32, 0.26), surface = "stone", color_variation = 0.5, grid = 0 }
ground.patch { position = vector.zero, radius = 12, surface = "stone", color = vec(0.44, 0.39, 0.31) }
camera.orbit { target = vec(0, 0.6, 0), distance = 17, yaw = 25, pitch = 22, fov = 36 }

local SIZE = 18 -- metres, side length of the ground
local FIRE = vec(2.2, 0, 1.5)
character("assets/gallery/torch.glb", { position = FIRE, scale = 2.6 })
light.point { position = FIRE + vec(0, 1.9, 0), color = vec(1, 0.6, 0.25), intensity = 2, range = 5, shadows = false }
particles("embers", FIRE + vec(0, 1.65, 0), { rate = 8 })

local CLOTH = { vec(0.75, 0.72, 0.65), vec(0.25, 0.4, 0.7), vec(0.35, 0.55, 0.4), vec(0.8, 0.65, 0.35) }
local COUNTS = { 20, 40, 80, 160 }
local state = { kind = 1, led = false, fire = false, count = 2, people = nil, leader = nil, arrivals = 0, salutes = 0 }

local function somewhere()
	return vec(random_range(-0.5, 0.5) * SIZE, 0, random_range(-0.5, 0.5) * SIZE)
end

local post
local function salutes()
	if post then
		post:remove()
		post = nil
	end
	if state.fire then
		local slots = {}
		for i = 1, 6 do
			local turn = i / 6 * 2 * math.pi
			slots[i] = { position = vec(math.sin(turn), 0, math.cos(turn)) * 1.5, yaw = math.deg(turn) + 180 }
		end
		post = smart_object {
			name = "fire", position = FIRE, slots = slots, clip = "wave", once = true, attract_radius = 5, attract_chance = 0.35,
			on_enter = function()
				state.salutes += 1
			end,
		}
	end
end

local function begin()
	if state.people then
		state.people:remove()
	end
	if state.leader then
		state.leader:remove()
		state.leader = nil
	end
	local avoidance = if state.kind == 1 then "push" else "orca"
	state.people = crowd {
		name = `people {state.kind} {state.count}`, model = { "assets/man.glb", "assets/galatea.glb" },
		count = COUNTS[state.count], size = vec(SIZE, 0, SIZE), avoidance = avoidance, colors = { cloth = CLOTH },
	}
	if state.led then
		state.leader = crowd {
			name = `leader {state.kind}`, model = "assets/man.glb", count = 1, size = vec(2, 0, 2), avoidance = avoidance, colors = { cloth = { vec(0.8, 0.05, 0.04) } }, scale = 1.08,
		}
		local own = state.leader:promote(1)
		state.leader:walk_to(1, somewhere())
		local row = math.ceil(math.sqrt(COUNTS[state.count]))
		for i = 1, COUNTS[state.count] do
			state.people:follow(i, own, ((i - 1) % row - (row - 1) / 2) * 1.2, -1.5 - ((i - 1) // row) * 1.2)
		end
	else
		for i = 1, COUNTS[state.count] do
			state.people:walk_to(i, somewhere())
		end
	end
	salutes()
end
begin()

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("13.2  Crowd", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

function update()
	for kind = 1, 2 do
		if input.pressed(tostring(kind)) and kind ~= state.kind then
			state.kind = kind
			begin()
		end
	end
	local more = (if input.pressed "up" then 1 else 0) - (if input.pressed "down" then 1 else 0)
	if input.pressed "l" or more ~= 0 then
		state.led = state.led ~= input.pressed "l"
		state.count = math.clamp(state.count + more, 1, #COUNTS)
		begin()
	end
	if input.pressed "o" then
		state.fire = not state.fire
		salutes()
	end
	for _, who in { state.people, state.leader } do
		for _, i in who:arrived() do
			if who == state.leader or not state.led then
				state.arrivals += 1
				who:walk_to(i, somewhere())
			end
		end
	end
	keys.text = table.concat({
		`1 2  {if state.kind == 1 then "the program's rules" else "free pace"}`,
		`L  leader {if state.led then "on" else "off"}`,
		`O  salute the fire {if state.fire then `on, {state.salutes} did` else "off"}`,
		`Up Down  {COUNTS[state.count]} people`,
		`{state.arrivals} arrivals`,
	}, "     ")
end

return { state = state }
