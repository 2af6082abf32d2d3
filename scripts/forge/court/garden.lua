-- The area in front of the terrace: a gravel path, boards over a ditch, a grassy rise, steps up to a gate in a wall,
-- and farther away cypresses and hills.

local shapes = require "./shapes"
local v = vector.create
local chance = shapes.chance

local garden = {}

local function smooth(from, to, x)
	local u = math.clamp((x - from) / (to - from), 0, 1)
	return u * u * (3 - 2 * u)
end

-- Returns the middle of the path at a distance along it.
local function path(z)
	return 0.25 * math.sin((z - 5.2) * 0.9)
end

local function off_path(x, z)
	return math.abs(x - path(z)) - 0.75 - 0.12 * math.noise(x * 1.3, z * 1.3)
end

-- Returns the height of the ground.
local function ground(x, z)
	local wild = smooth(-0.1, 0.9, off_path(x, z))
	local y = -0.56 + wild * (0.12 * math.noise(x / 2.1, z / 2.1) + 0.05)
	y += 0.24 * smooth(8.9, 10.2, z) -- up to the gate's steps
	y += 0.48 * smooth(11.4, 12.6, z)
	-- The ditch.
	local d = z - 8.05 - 0.16 * x
	y -= 0.5 * math.exp(-(d / 0.5) ^ 2)
	-- Hillocks at the sides.
	y += 0.5 * smooth(5, 13, math.abs(x)) * (1 + math.noise(x / 4, z / 4))
	return y
end

-- The path and the ditch as fields, used to paint the ground.
local function along(from, to, x_at, radius)
	local points, radii = {}, {}
	for i = 0, 16 do
		local z = from + (to - from) * i / 16
		local x = x_at(z)
		points[i + 1], radii[i + 1] = v(x, ground(x, z), z), radius
	end
	return field.path(points, radii)
end

function garden.path()
	return along(4.6, 8.9, path, 0.62):join(along(12.4, 21, path, 0.62))
end

function garden.ditch()
	local points, radii = {}, {}
	for i = 0, 24 do
		local x = -15 + 30 * i / 24
		local z = 8.05 + 0.16 * x
		points[i + 1], radii[i + 1] = v(x, ground(x, z), z), 0.2
	end
	return field.path(points, radii)
end

function garden.land()
	local c = cage()
	local columns, rows = 44, 34
	local points = {}
	for r = 0, rows do
		points[r] = {}
		local z = 4.6 + 17 * r / rows
		for i = 0, columns do
			-- The mesh is finer in the middle, where she walks.
			local u = 2 * i / columns - 1
			local x = 15 * (0.42 * u + 0.58 * u ^ 3)
			points[r][i] = { c:point(v(x, ground(x, z), z), 1), x, z }
		end
	end
	for r = 1, rows do
		for i = 1, columns do
			local p = points[r][i]
			local x, z = (points[r][i - 1][2] + p[2]) / 2, (points[r - 1][i][3] + p[3]) / 2
			local d = z - 8.05 - 0.16 * x
			local gravel = off_path(x, z) < 0 and (z < 8.9 or z > 12.4)
			c:paint(if math.abs(d) < 0.42 then "earth" elseif gravel then "gravel" else "grass")
			c:quad(points[r - 1][i - 1][1], points[r - 1][i][1], p[1], points[r][i - 1][1])
		end
	end
	return c
end

-- Boards across the ditch, on two beams.
function garden.boards()
	local c = cage()
	for i = 0, 9 do
		local z = 7.22 + i * 0.178
		local x = path(z)
		c:paint(if chance(i, 3) < 0.4 then "board_dark" else "board")
		local side = (chance(i, 1) - 0.5) * 0.1
		local top = -0.47 + (chance(i, 9) - 0.5) * 0.012
		shapes.block(c, v(x - 0.72 + side, -0.53, z), v(x + 0.72 + side, top, z + 0.162), 0.008)
	end
	c:paint "board_dark"
	-- Closed below, so that feet do not sink between the boards.
	shapes.block(c, v(-0.42, -0.54, 7.24), v(0.66, -0.484, 8.98), 0.005)
	for _, x in { -0.45, 0.5 } do
		shapes.block(c, v(x - 0.07, -0.68, 7.15), v(x + 0.07, -0.53, 9.1), 0.01)
	end
	return c
end

-- The gate's steps and landing, the wall with its opening.
function garden.wall()
	local c = cage()
	for step = 1, 3 do
		local top = -0.32 + 0.17 * step
		local z = 10.42 + 0.34 * (step - 1)
		local x = -1.7 + 0.1 * step
		for i = 0, 2 do
			local from, to = x + i * -2 * x / 3, x + (i + 1) * -2 * x / 3
			c:paint(if step == 3 then "block_white" elseif chance(i, step) < 0.5 then "block_warm" else "block")
			shapes.block(c, v(from, -0.8, z), v(to, top, if step == 3 then 12.7 else z + 0.36), 0.015, 0.012)
		end
	end
	-- Courses of ashlar; the joints are staggered.
	for side = -1, 1, 2 do
		for course = 0, 6 do
			local low = -0.1 + course * 0.38
			local from = 0.78
			local odd = course % 2
			local missing = math.max(0, course - (if side < 0 then 2 else 3))
			local ends = 7.4 - missing * (1.1 + 0.5 * chance(course, side))
			local n = 0
			while from < ends do
				local long = if n == 0 then 0.55 + odd * 0.35 else 0.85 + 0.3 * chance(n, course)
				local to = math.min(from + long, ends)
				if ends - to < 0.3 then
					to = ends
				end
				local out = 0.015 * chance(n + side, course)
				if chance(n, course + side) < 0.35 then
					c:paint "block_dark"
				else
					c:paint(if chance(course, n) < 0.5 then "block" else "block_warm")
				end
				local x0, x1 = math.min(side * from, side * to) + 0.004, math.max(side * from, side * to) - 0.004
				shapes.block(c, v(x0, low, 12.2 - out), v(x1, low + 0.374, 12.62 + out), 0.014, 0.02)
				from, n = to, n + 1
			end
		end
	end
	-- Posts and lintel of marble.
	c:paint "block_white"
	shapes.block(c, v(-0.98, 0.17, 12.12), v(-0.76, 2.52, 12.7), 0.015)
	shapes.block(c, v(0.76, 0.17, 12.12), v(0.98, 2.52, 12.7), 0.015)
	shapes.block(c, v(-1.25, 2.52, 12.08), v(1.25, 2.86, 12.74), 0.02, 0.02)
	shapes.block(c, v(-1.4, 2.86, 12.0), v(1.4, 2.98, 12.82), 0.015, 0.02)
	return c
end

local function blade(c, at, lean, wide, high)
	local a = c:point(at - v(lean.z, 0, -lean.x) * wide)
	local b = c:point(at + v(lean.z, 0, -lean.x) * wide)
	local tip = c:point(at + v(0, high, 0) + lean * high * 0.6)
	c:quad(a, b, tip)
end

-- Tufts of grass outside the walkable area, with poppies among them.
function garden.tufts()
	local c = cage()
	for i = 1, 520 do
		local z = 5.3 + 12 * chance(i, 1) ^ 1.2
		local x = 9 * (chance(i, 2) - 0.5) * (0.4 + chance(i, 3)) * 1.3
		local wall = math.abs(z - 12.2) < 0.9 and math.abs(x) < 7
		local steps = z > 10.2 and z < 12.8 and math.abs(x) < 1.9
		if off_path(x, z) > -0.02 and not wall and not steps and math.abs(z - 8.05 - 0.16 * x) > 0.35 then
			local at = v(x, ground(x, z) - 0.01, z)
			local high = 0.1 + 0.16 * chance(i, 4)
			c:paint(if chance(i, 5) < 0.5 then "blade" else "blade_light")
			for n = 1, 4 do
				local a = chance(i, n + 9) * 6.28
				local lean = v(math.cos(a), 0, math.sin(a))
				blade(c, at + lean * 0.04 * chance(n, i), lean, 0.012, high * (0.7 + 0.5 * chance(n, i + 3)))
			end
			if i % 9 == 0 then
				c:paint "poppy"
				local top = at + v(0, high + 0.05, 0)
				for n = 0, 3 do
					local a = n * 1.57 + i
					blade(c, top, v(math.cos(a), 0, math.sin(a)), 0.025, 0.045)
				end
			end
		end
	end
	return c
end

local CYPRESS = {
	{ 0, 0.24 }, { 0.03, 0.36 }, { 0.08, 0.46 }, { 0.15, 0.56 }, { 0.23, 0.62 }, { 0.31, 0.66 }, { 0.4, 0.66 },
	{ 0.5, 0.6 }, { 0.6, 0.5 }, { 0.7, 0.4 },
	{ 0.8, 0.28 }, { 0.88, 0.18 }, { 0.95, 0.09 }, { 1, 0.02 },
}

function garden.trees()
	local c = cage()
	for i, tree in {
		{ -8.5, -7, 6.5 }, { -10.5, -4, 7.5 }, { -9.4, 1.5, 5.5 }, { 9, -8.5, 7 }, { 11.5, -5, 6 },
		{ -3.6, -11, 7 }, { 4.6, -12.5, 8 }, { -6.2, 15.5, 6 }, { -8.4, 17, 7.5 }, { 6.4, 17.5, 7 },
		{ 3.4, 23, 7 }, { -2.6, 27, 8 }, { 9.5, 13.4, 5.5 }, { 12.5, 6, 6.5 }, { -12.5, 8.5, 7 },
	} do
		c:paint(if i % 2 == 0 then "cypress" else "cypress_dark")
		local rows = {}
		for k, row in CYPRESS do
			rows[k] = { row[1] * tree[3], row[2] * tree[3] * 0.24 }
		end
		shapes.lathe(c, v(tree[1], -1.1, tree[2]), rows, 14, function(p)
			local n = math.noise(p.x * 2.3, p.y * 1.4, p.z * 2.3 + i)
			return p + v(p.x - tree[1], 0, p.z - tree[2]) * 0.5 * n
		end)
	end
	return c
end

-- One piece of the hills: three ranges, each paler because of the haze, with spurs that the low sun reveals. It gets flat
-- at both ends, so several rotated and scaled copies can overlap.
local ACROSS, UP, HALF = 26, 5, math.rad(31)

function garden.hills()
	local c = cage()
	for range, far in { 88, 120, 170 } do
		c:paint(if range == 1 then "hill_near" elseif range == 2 then "hill" else "hill_far")
		local rows = {}
		for row = 0, UP do
			local u = row / UP
			rows[row] = {}
			for k = 0, ACROSS do
				local along = 2 * k / ACROSS - 1
				local a = along * HALF * (1.12 - 0.06 * range)
				local x, z = math.sin(a), math.cos(a)
				local n = math.noise(x * 2.6 + range * 7, z * 2.6) + 0.5 * math.noise(x * 7.3, z * 7.3 + range)
				local high = far * (0.04 + 0.075 * math.max(0, n + 0.4)) * (1 - along ^ 4) + 0.1
				local spur = math.noise(x * 11 + range, z * 11, u * 1.2) * (1 - u) * u * 4
				local away = far * (0.8 + 0.2 * u + 0.05 * spur)
				rows[row][k + 1] = c:point(v(x * away, -1.6 + high * u ^ 1.25 + far * 0.01 * spur, z * away))
			end
			if row > 0 then
				c:bridge(rows[row - 1], rows[row], false)
			end
		end
	end
	return c
end

return garden
