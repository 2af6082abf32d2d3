-- 13.3  Terrain and obstacles: the same crowd on hills, with pillars that push agents away.
--
--   F            the pillars' force on or off: strongest at the pillar, zero beyond three radii
--   R            shows the range of the force as a ring around each pillar
--   P            the book's rules: always 2 m/s; agents turn too slowly to avoid a near pillar
--   W            exercise: walls with doors, and pathfinding through them (A* and Dijkstra)
--   G            agents cross to the other side and back, instead of random goals
--   Up, Down     number of agents

light.rig "noon"
light.sun { yaw = 55, pitch = 36 }
light.post_process { tonemap = "agx", contrast = 1.06 }
ground.set { visible = false, height = -6 }
camera.orbit { target = vec(0, 0.6, 0), distance = 24, yaw = 25, pitch = 27, fov = 36 }

local SIZE = 22
local function height(x, z)
	return 0.9 * math.noise(x * 0.16, z * 0.16, 0.7) + 0.25 * math.noise(x * 0.4, z * 0.4, 3.3)
end
physics.terrain {
	name = "hills", size = vec(SIZE + 10, 1, SIZE + 10), columns = 121, rows = 121, heights = height, surface = "grass", roughness = 0.95,
	surfaces = function(x, z) return if math.noise(x * 0.3, z * 0.3, 1.5) > 0.1 then "gravel" else "grass" end,
	colors = { grass = vec(0.13, 0.16, 0.06), gravel = vec(0.27, 0.24, 0.19) },
}

local PILLARS = { { vec(-4, 0, -3), 0.6 }, { vec(3, 0, -4.5), 0.9 }, { vec(0.5, 0, 1.5), 1.1 }, { vec(-5.5, 0, 4), 0.7 }, { vec(5.5, 0, 4), 0.6 } }
local pillars, rings = {}, {}
for i, pillar in PILLARS do
	local at, radius = pillar[1], pillar[2]
	at = vec(at.x, height(at.x, at.z), at.z)
	physics.cylinder { position = at + vec(0, 0.6, 0), radius = radius, height = 2.4, color = vec(0.5, 0.46, 0.4), roughness = 0.8 }
	physics.cylinder { position = at + vec(0, 1.85, 0), radius = radius * 1.18, height = 0.18, collider = false, color = vec(0.55, 0.5, 0.44) }
	pillars[i] = { at = at, radius = radius }
	for k = 1, 32 do
		local turn = k / 32 * 2 * math.pi
		local x, z = at.x + math.sin(turn) * radius * 3, at.z + math.cos(turn) * radius * 3
		table.insert(rings, physics.sphere { position = vec(x, height(x, z) - 5, z), radius = 0.07, collider = false, color = vec(1, 0.35, 0.1) })
	end
end

local state = { force = true, rings = false, ways = false, book = false, across = false, count = 2, people = nil, arrivals = 0, pillars = pillars, height = height }
local COUNTS = { 20, 40, 80, 160 }

local function push()
	for i, pillar in pillars do
		-- Points away from the pillar and decreases with distance; never negative.
		pillar.object = smart_object { name = `pillar {i}`, position = pillar.at, push_speed = if state.force then 10 else 0, push_radius = pillar.radius * 3, attract_chance = 0 }
	end
end
push()

local function goal(at)
	if state.across then
		return vec(random_range(-0.4, 0.4) * SIZE, 0, (if at.z > 0 then -1 else 1) * random_range(0.35, 0.45) * SIZE)
	end
	return vec(random_range(-0.45, 0.45) * SIZE, 0, random_range(-0.45, 0.45) * SIZE)
end
-- Two walls across the area, each with two doors.
local walls, level = {}, nil
local function build(on)
	for _, wall in walls do
		wall:remove()
	end
	walls, level = {}, nil
	if on then
		for _, row in { { -1, { { -13.2, -5 }, { -3.2, 4.5 }, { 6.3, 13.2 } } }, { 6.4, { { -13.2, -8 }, { -6.2, 2 }, { 3.8, 13.2 } } } } do
			for _, span in row[2] do
				local x = (span[1] + span[2]) / 2
				table.insert(walls, physics.box { position = vec(x, height(x, row[1]) + 0.5, row[1]), size = vec(span[2] - span[1], 2.6, 0.35), color = vec(0.42, 0.36, 0.3), roughness = 0.9 })
			end
		end
		level = navmesh { name = "level", size = vec(SIZE + 4, 8, SIZE + 4), agent_radius = 0.3 }
	end
end

local function inside(at)
	for _, pillar in pillars do
		if vector.magnitude((at - pillar.at) * vec(1, 0, 1)) < pillar.radius + 0.5 then
			return true
		end
	end
	return false
end

local function begin()
	if state.people then
		state.people:remove()
	end
	state.people = crowd {
		name = `people {state.ways} {state.book} {state.count}`, model = { "assets/man.glb", "assets/galatea.glb" }, count = COUNTS[state.count],
		size = vec(SIZE * 0.85, 0, SIZE * 0.85), avoidance = if state.book then "push" else "orca", navmesh = level, obstacles = PILLARS,
		colors = { cloth = { vec(0.75, 0.72, 0.65), vec(0.25, 0.4, 0.7), vec(0.75, 0.25, 0.2), vec(0.8, 0.65, 0.35) } },
	}
	for i = 1, state.people.count do
		while inside(state.people:position(i)) do
			state.people:teleport(i, goal(state.people:position(i)))
		end
		state.people:walk_to(i, goal(state.people:position(i)))
	end
end
begin()

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("13.3  Terrain and obstacles", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

function update()
	if input.pressed "f" then
		state.force = not state.force
		for _, pillar in pillars do
			pillar.object.push_speed = if state.force then 10 else 0
		end
	end
	if input.pressed "r" then
		state.rings = not state.rings
		for _, dot in rings do
			dot.position += vec(0, if state.rings then 5.1 else -5.1, 0)
		end
	end
	local more = (if input.pressed "up" then 1 else 0) - (if input.pressed "down" then 1 else 0)
	if input.pressed "w" or input.pressed "p" or more ~= 0 then
		-- The book's rules have no pathfinding.
		state.ways = state.ways ~= input.pressed "w" and not input.pressed "p"
		state.book = state.book ~= input.pressed "p" and not state.ways
		state.count = math.clamp(state.count + more, 1, #COUNTS)
		build(state.ways)
		begin()
	end
	if input.pressed "g" then
		state.across = not state.across
		begin()
	end
	for _, i in state.people:arrived() do
		state.arrivals += 1
		state.people:walk_to(i, goal(state.people:position(i)))
	end
	for _, i in state.people:no_path() do
		state.people:walk_to(i, goal(state.people:position(i)))
	end
	keys.text = table.concat({
		`F  force {if state.force then "on" else "off"}`,
		"R  show it",
		`P  the program's rules {if state.book then "on" else "off"}`,
		`W  walls {if state.ways then "on" else "off"}`,
		`G  {if state.across then "across and back" else "anywhere"}`,
		`Up Down  {COUNTS[state.count]} people`,
		`{state.arrivals} arrivals`,
	}, "     ")
end

return { state = state }
