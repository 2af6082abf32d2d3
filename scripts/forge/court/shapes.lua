-- Building blocks of the court: blocks with worn edges, lathe shapes, fluted shafts. Each function adds a closed shape
-- to a given cage, so one part can contain many.

local v = vector.create

local shapes = {}

-- Deterministic random value, 0 to 1, from two numbers.
function shapes.chance(a, b)
	local x = math.sin(a * 12.9898 + b * 78.233) * 43758.5453
	return x - math.floor(x)
end

-- Half cross-section of a block: eight corners, with edges cut by `bevel`.
local function octagon(low, high, y, bevel)
	local x0, x1, z0, z1 = low.x, high.x, low.z, high.z
	return {
		v(x0 + bevel, y, z0), v(x1 - bevel, y, z0), v(x1, y, z0 + bevel), v(x1, y, z1 - bevel),
		v(x1 - bevel, y, z1), v(x0 + bevel, y, z1), v(x0, y, z1 - bevel), v(x0, y, z0 + bevel),
	}
end

local function lid(c, ring)
	c:quad(ring[1], ring[2], ring[3], ring[8])
	c:quad(ring[8], ring[3], ring[4], ring[7])
	c:quad(ring[7], ring[4], ring[5], ring[6])
end

-- A block between two corners; `wear` rounds its corners at random.
function shapes.block(c, low, high, bevel, wear)
	local cut = bevel + (wear or 0) * shapes.chance(low.x + high.z, low.z - high.y)
	local rows = {
		octagon(low, high, low.y, bevel),
		octagon(low, high, high.y - bevel, cut),
		octagon(low + v(bevel, 0, bevel), high - v(bevel, 0, bevel), high.y, cut * 0.6),
	}
	local points = {}
	for i, row in rows do
		points[i] = {}
		for k, at in row do
			points[i][k] = c:point(at)
		end
	end
	for k = 1, 8 do
		local n = k % 8 + 1
		c:chart(`side {k % 2}`)
		c:quad(points[1][k], points[1][n], points[2][n], points[2][k])
	end
	c:chart "top"
	c:bridge(points[2], points[3])
	lid(c, points[3])
	c:chart "bottom"
	lid(c, points[1])
end

-- A slab of which only the top is visible: four corners at slightly different heights, open below. Its part takes the
-- normals from a field.
function shapes.slab(c, low, high, bevel, heights)
	local corners = { v(low.x, 0, low.z), v(high.x, 0, low.z), v(high.x, 0, high.z), v(low.x, 0, high.z) }
	local inner = {
		v(low.x + bevel, 0, low.z + bevel), v(high.x - bevel, 0, low.z + bevel),
		v(high.x - bevel, 0, high.z - bevel), v(low.x + bevel, 0, high.z - bevel),
	}
	local foot, edge, top = {}, {}, {}
	for k = 1, 4 do
		foot[k] = c:point(corners[k] + v(0, low.y, 0), 1)
		edge[k] = c:point(corners[k] + v(0, high.y + heights[k] - bevel, 0), 1)
		top[k] = c:point(inner[k] + v(0, high.y + heights[k], 0), 1)
	end
	c:bridge(foot, edge)
	c:bridge(edge, top)
	c:quad(top[1], top[2], top[3], top[4])
end

-- Closes a ring with an even number of points by quads that share a centre point.
function shapes.cap(c, ring, middle)
	local top = c:point(middle)
	for k = 1, #ring, 2 do
		c:quad(top, ring[k], ring[k + 1], ring[(k + 1) % #ring + 1])
	end
end

-- A lathe shape around a vertical line through `at`: rows of { y, radius }, bottom to top; closed at both ends.
function shapes.lathe(c, at, rows, around, place)
	local rings, seam = {}, {}
	place = place or function(p)
		return p
	end
	c:chart "round"
	for i, row in rows do
		rings[i] = {}
		for k = 1, around do
			local a = 2 * math.pi * k / around
			rings[i][k] = c:point(place(at + v(math.cos(a) * row[2], row[1], math.sin(a) * row[2])))
		end
		seam[i] = rings[i][1]
		if i > 1 then
			c:bridge(rings[i - 1], rings[i])
		end
	end
	c:seam(seam)
	c:chart "cap"
	shapes.cap(c, rings[1], place(at + v(0, rows[1][1], 0)))
	shapes.cap(c, rings[#rings], place(at + v(0, rows[#rows][1], 0)))
end

local FLUTES = 16

-- A Doric shaft: flutes with sharp arrises, and entasis (a swelling). If `height` is less than `full` the shaft is broken,
-- and `slant` tilts its upper end. `place` transforms it, for example for a fallen drum.
function shapes.shaft(c, at, full, radius, height, slant, place)
	local levels = math.max(2, math.ceil(height / full * 6))
	local around = FLUTES * 3
	local rings, seam = {}, {}
	place = place or function(p)
		return p
	end
	c:chart "round"
	for i = 0, levels do
		local y = height * i / levels
		local u = y / full
		local r = radius * (1 - 0.22 * u + 0.05 * math.sin(math.pi * u))
		rings[i + 1] = {}
		for k = 1, around do
			local a = 2 * math.pi * k / around
			local deep = if k % 3 == 0 then 0 else 0.085
			local lift = 0
			if i == levels and slant > 0 then
				lift = slant * (0.7 * math.sin(a + at.x) + 0.5 * (shapes.chance(k // 3, at.x) - 0.5))
			end
			local from_axis = r * (1 - deep)
			rings[i + 1][k] = c:point(place(at + v(math.cos(a) * from_axis, y + lift, math.sin(a) * from_axis)))
		end
		seam[i + 1] = rings[i + 1][1]
		if i > 0 then
			c:bridge(rings[i], rings[i + 1])
		end
	end
	c:seam(seam)
	c:chart "cap"
	shapes.cap(c, rings[1], place(at))
	shapes.cap(c, rings[#rings], place(at + v(0, height - slant * 0.3, 0)))
end

-- The capital of a shaft: necking, echinus, abacus.
function shapes.capital(c, at, radius, place)
	shapes.lathe(c, at, {
		{ 0, radius * 0.78 }, { 0.05, radius * 0.8 }, { 0.12, radius * 0.98 }, { 0.19, radius * 1.16 }, {
			0.22,
			radius * 1.18,
		},
	}, 24, place)
	if not place then
		local half = radius * 1.24
		shapes.block(c, at + v(-half, 0.22, -half), at + v(half, 0.38, half), 0.015)
	end
end

return shapes
