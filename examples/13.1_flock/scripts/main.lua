-- 13.1  Flock: boids that react only to near neighbours. Rules: separation, alignment, cohesion,
-- steering to a point 15 m up, and ground avoidance.
--
--   1            the book's rules and numbers
--   2            the runtime's flock, with variable speeds
--   S, A, C      rules on and off: separation, alignment, cohesion (only with 2)
--   Up, Down     neighbourhood radius
--   N            exercise: 150 or 1000 boids, with a neighbour search that does not test all pairs
--   P            exercise: a predator that eats boids within a small attack radius; the others flee from it

light.rig "sunset"
light.sun { yaw = 50, pitch = 32 }
ground.set { color = vec(0.30, 0.33, 0.18), surface = "grass", color_variation = 0.8, grid = 0 }
camera.orbit { target = vec(0, 11, 0), distance = 34, yaw = 20, pitch = -9, fov = 38 }
-- Trees as a height reference for the flying birds.
for i = 1, 7 do
	local turn = i * 2.4
	character("assets/tree.glb", { position = vec(math.sin(turn) * (9 + i), 0, math.cos(turn) * (9 + i) - 12), yaw = i * 77, scale = 1.6 })
end

local HOME = vec(0, 15, 0)
local EATS = 0.9 -- metres, attack radius
local state = { kind = 1, many = false, reach = 3.5, separation = true, alignment = true, cohesion = true, hunts = false, eaten = 0, birds = nil, hawk = nil }

local function apply()
	local birds = state.birds
	birds.neighbor_radius = state.reach
	if state.kind == 2 then
		birds.separation = if state.separation then 9 else 0
		birds.alignment = if state.alignment then 1.2 else 0
		birds.cohesion = if state.cohesion then 3 else 0
	end
end

local function begin()
	if state.birds then
		state.birds:remove()
	end
	local options = {
		model = "assets/bird.glb", name = `birds {state.kind} {state.many}`,
		count = if state.many then 1000 else 150,
		position = HOME - vec(0, 3, 0), size = if state.many then vec(24, 10, 24) else vec(9, 5, 9),
		-- Larger than real swallows, so that they are visible.
		scale = { 3.4, 4 },
	}
	if state.kind == 1 then
		options.preset = "classic"
	else
		options.speed, options.home_radius, options.home_weight, options.turn_rate, options.separation_distance = { 4, 7 }, 12, 10, 2.2, 1.4
	end
	state.birds = flock(options)
	apply()
end
begin()

-- The hawk is a flock of one boid, steered by this script.
local way = vec(0, 0, 5)
local function call_hawk(on)
	state.hunts = on
	if on then
		state.hawk = flock {
			model = "assets/bird.glb", name = "hawk", count = 1, leaders = 1,
			position = HOME + vec(18, 4, 0), size = vec(1, 1, 1), scale = 8, speed = { 3, 7 },
			colors = { feathers = { vec(0.4, 0.25, 0.15) } },
		}
	else
		state.hawk:remove()
		state.hawk = nil
		state.birds:set_attractor "hawk"
	end
end

local function nearest(at)
	local best, least = nil, math.huge
	for i = 1, state.birds.count do
		local far = vector.magnitude(state.birds:position(i) - at)
		if far < least then
			best, least = i, far
		end
	end
	return best, least
end

local function hunt(dt)
	local at = state.hawk:position(1)
	local prey, far = nearest(at)
	way += vector.normalize(state.birds:position(prey) - at) * 9 * dt
	way = vector.normalize(way) * 6.5
	state.hawk:steer(1, way)
	-- Fleeing has a much larger weight than any other rule.
	state.birds:set_attractor("hawk", at, -120, 5)
	if far < EATS then
		state.eaten += 1
		particles("plain", state.birds:position(prey), {
			burst = 24, lifetime = { 0.8, 1.6 }, speed = { 0.3, 1.6 }, spread = 180, drag = 2, gravity_scale = 0.1,
			size = { 0.05, 0.12 }, color = vec(0.5, 0.5, 0.55),
		})
		-- Keeps the size of the flock: a new bird joins from far away.
		state.birds:teleport(prey, HOME + vec(random_range(-25, 25), 6, -25))
	end
end

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("13.1  Flock", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

local function tell(on)
	return if on then "on" else "off"
end

function update(dt)
	for kind = 1, 2 do
		if input.pressed(tostring(kind)) and state.kind ~= kind then
			state.kind = kind
			begin()
		end
	end
	if input.pressed "n" then
		state.many = not state.many
		begin()
	end
	if input.pressed "p" then
		call_hawk(not state.hunts)
	end
	for key, name in { s = "separation", a = "alignment", c = "cohesion" } do
		if input.pressed(key) then
			state[name] = not state[name]
			apply()
		end
	end
	local more = (if input.pressed "up" then 0.5 else 0) - (if input.pressed "down" then 0.5 else 0)
	if more ~= 0 then
		state.reach = math.clamp(state.reach + more, 1, 8)
		apply()
	end
	if state.hunts then
		hunt(dt)
	end
	keys.text = table.concat({
		`1 2  {if state.kind == 1 then "the program's rules" else "free speeds"}`,
		`S {tell(state.separation)}  A {tell(state.alignment)}  C {tell(state.cohesion)}`,
		`Up Down  they see {string.format("%.1f", state.reach)} m`,
		`N  {state.birds.count} birds`,
		`P  predator {tell(state.hunts)}{if state.eaten > 0 then `, {state.eaten} eaten` else ""}`,
	}, "     ")
end

return { state = state, EATS = EATS }
