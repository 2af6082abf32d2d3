-- 6.3 Springs: particles joined by springs of fixed length fall on boxes. Rods between particles make
-- rigid shapes: a tetrahedron from four, a box from eight.
--
--   1 2 3      pairs, as in the book; exercise: tetrahedra and boxes; a bridge of both
--   h          exercise: elastic springs (Hooke's law)
--   up down    their stiffness
--   m          exercise: random masses and restitution; heavy particles are dark
--   space      restart

local verlet = require "verlet"

light.rig("studio", { position = vec(0, 1, 0), size = 3 })
light.post_process { tonemap = "agx", contrast = 1.06 }
ground.set { color = vec(0.5, 0.49, 0.47), grid = 1 }
camera.orbit { target = vec(0, 0.9, 0), distance = 5.8, yaw = 18, pitch = 10, fov = 28 }

local BOXES = { { vec(-0.5, 0.75, 0), vec(1.3, 0.1, 1), 0, 0, -20 }, { vec(0.75, 0.3, 0), vec(0.9, 0.1, 1), 0, 0, 18 }, { vec(-1.3, 0.2, 0), vec(0.4, 0.4, 0.4), 30, 0, 0 } }
for _, one in BOXES do
	physics.box { position = one[1], size = one[2], yaw = one[3], pitch = one[4], roll = one[5], color = vec(0.09, 0.2, 0.3) }
end

local world
local kind, hooke, stiffness, varied = 1, false, 400, false
local bodies = {}
local LIGHT, HEAVY = vec(0.85, 0.5, 0.08), vec(0.2, 0.02, 0.02)

local function point(at, held)
	local mass = if varied then random_range(0.3, 4) else 1
	local one = verlet.particle(world, at, { mass = mass, bounce = if varied then random_range(0, 0.9) else 0.4, radius = 0.045, held = held })
	one.body = physics.sphere { radius = 0.045, collider = false, color = LIGHT + (HEAVY - LIGHT) * ((mass - 0.3) / 3.7), roughness = 0.35 }
	table.insert(bodies, one.body)
	return one
end

-- The visible spring: a rod that is rotated to point from one particle to the other. A rod
-- cannot change its length, so elastic springs are drawn as rows of beads.
local BEADS = 6
local function join(a, b)
	local spring = verlet.spring(world, a, b, if hooke then stiffness else nil, 3)
	if hooke then
		spring.beads = {}
		for i = 1, BEADS do
			spring.beads[i] = physics.sphere { radius = 0.014, collider = false, color = vec(0.2, 0.2, 0.2) }
			table.insert(bodies, spring.beads[i])
		end
	else
		spring.rod = physics.capsule { radius = 0.013, height = spring.rest, collider = false, color = vec(0.25, 0.25, 0.26), metallic = 0.8, roughness = 0.4 }
		spring.rod:add_modifier("point", function(pose)
			local way = vector.normalize(b.at - a.at)
			local axis = vector.cross(vec(0, 1, 0), way)
			if vector.magnitude(axis) > 1e-5 then
				pose:rotate("capsule", axis, math.deg(math.acos(math.clamp(way.y, -1, 1))), "character")
			end
		end)
		table.insert(bodies, spring.rod)
	end
	return spring
end

local function solid(corners)
	for i = 1, #corners do
		for j = i + 1, #corners do
			join(corners[i], corners[j])
		end
	end
end

local function tetrahedron(at, size)
	solid { point(at + vec(0, size, 0)), point(at + vec(size, -0.4 * size, 0)), point(at + vec(-0.5 * size, -0.4 * size, 0.87 * size)), point(at + vec(-0.5 * size, -0.4 * size, -0.87 * size)) }
end

local function box(at, size, turn)
	local corners = {}
	for i = 0, 7 do
		local x, y, z = (i % 2) * 2 - 1, (i // 2 % 2) * 2 - 1, (i // 4) * 2 - 1
		corners[i + 1] = point(at + vec(x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn), z) * size)
	end
	solid(corners)
end

local SHAPES = {
	function()
		for i = 1, 12 do
			local at, a = vec(random_range(-1.1, 0.1), 1.5 + i * 0.12, random_range(-0.3, 0.3)), random_range(0, 6.3)
			join(point(at), point(at + vec(0.3 * math.cos(a), 0.1, 0.3 * math.sin(a))))
		end
	end,
	function()
		tetrahedron(vec(-0.7, 1.6, 0.1), 0.28)
		tetrahedron(vec(0.35, 2.1, 0.2), 0.22)
		box(vec(-0.3, 2.5, -0.1), 0.2, 0.5)
		box(vec(0.6, 1.4, 0), 0.15, 0.2)
	end,
	function()
		local last
		for i = 0, 14 do
			local one = point(vec(-1.7 + i * 0.243, 1.75, 0), i == 0 or i == 14)
			if last then
				join(last, one)
			end
			last = one
		end
		tetrahedron(vec(0, 2.4, 0), 0.25)
		box(vec(-0.6, 2.2, 0), 0.15, 0.4)
	end,
}

local function build()
	for _, body in bodies do
		body:remove()
	end
	bodies, world = {}, verlet.world()
	verlet.box(world, vec(0, -0.5, 0), vec(40, 1, 40))
	for _, one in BOXES do
		verlet.box(world, one[1], one[2], one[3], one[4], one[5])
	end
	SHAPES[kind]()
end
build()

ui.text("6.3  Springs", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("1 2 3: pairs, shapes, bridge    h: Hooke's law    up down: strength    m: masses    space: again", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

local stretch = 0
function update(dt)
	for i = 1, #SHAPES do
		if input.pressed(tostring(i)) then
			kind = i
			build()
		end
	end
	if input.pressed "space" then
		build()
	elseif input.pressed "h" then
		hooke = not hooke
		build()
	elseif input.pressed "m" then
		varied = not varied
		build()
	end
	local wish = (if input.down "up" then 1 else 0) - (if input.down "down" then 1 else 0)
	stiffness = math.clamp(stiffness * (1 + wish * dt), 30, 3000)
	verlet.update(world, dt)
	for _, one in world.particles do
		one.body.position = one.at
	end
	stretch = 0
	for _, spring in world.springs do
		local a, b = spring.a.at, spring.b.at
		stretch = math.max(stretch, math.abs(vector.magnitude(b - a) - spring.rest) / spring.rest)
		if spring.rod then
			spring.rod.position = (a + b) / 2
		else
			spring.stiffness = stiffness
			for i, bead in spring.beads do
				bead.position = a + (b - a) * (i / (BEADS + 1))
			end
		end
	end
	state.text = string.format("%d particles, %d springs%s; longest error of a length %.1f %%", #world.particles, #world.springs, if hooke then string.format(" of %.0f N/m", stiffness) else " without any give", stretch * 100)
end

return { world = function() return world end, stretch = function() return stretch end }
