-- The hound's skin: a half cage around the field in `form`. Nine columns run from the spine (1) over the side (5) to the
-- breast bone (9), from the rump through trunk and neck to the lips. Legs are tubes of ten columns that start in holes of
-- the trunk.
-- The head from the collar on is a separate cage. Returns both cages, and rows of points for the morphs.
local v = vector.create
local F = require "./form"
local sin, cos, rad = math.sin, math.cos, math.rad

local c = cage()
c:paint "coat"
local B = { cage = c }

local function mix(a, b, t)
	return a + (b - a) * t
end

-- Projects a nearby position onto a field.
local function onto(f, p)
	for _ = 1, 8 do
		p -= f:normal(p) * math.clamp(f:at(p), -0.02, 0.02)
	end
	return p
end

local COLUMNS = { 0, 22, 45, 67, 90, 113, 135, 158, 180 }
local whole = F.core:join(F.head, 0.035)

-- Positions of a half ring from its top to its bottom; `wide` is its half width.
local function half_ring(f, top, bottom, wide, angles)
	local middle, up = (top + bottom) / 2, (top - bottom) / 2
	local places = {}
	for j, a in angles or COLUMNS do
		local dir = vector.normalize(up * cos(rad(a)) + v(wide * sin(rad(a)), 0, 0))
		local p = f:out(middle, dir, 0.26) or error(`no ring at {middle}, column {j}`)
		places[j] = if j == 1 or j == #COLUMNS then v(0, p.y, p.z) else p
	end
	return places
end

local function points(places, hold, to)
	local row = {}
	for j, p in places do
		row[j] = (to or c):point(p, hold)
	end
	return row
end

local function quads(a, b, from, to)
	for j = from or 1, (to or #a) - 1 do
		c:quad(a[j], a[j + 1], b[j + 1], b[j])
	end
end

-- Trunk and neck ----------------------------------------------------------------------------------------------------
-- Height and position along the body of each ring's top and bottom, and its half width.

local RINGS = {
	{ 0.648, -0.352, 0.512, -0.352, 0.055 },
	{ 0.668, -0.318, 0.487, -0.325, 0.075 },
	{ 0.680, -0.268, 0.486, -0.275, 0.080 },
	{ 0.688, -0.216, 0.488, -0.225, 0.075 },
	{ 0.693, -0.165, 0.494, -0.172, 0.068 },
	{ 0.703, -0.095, 0.502, -0.100, 0.067 },
	{ 0.703, -0.020, 0.478, -0.022, 0.076 },
	{ 0.698, 0.045, 0.440, 0.050, 0.087 },
	{ 0.692, 0.105, 0.388, 0.128, 0.095 },
	{ 0.690, 0.138, 0.370, 0.184, 0.095 },
	{ 0.692, 0.165, 0.372, 0.240, 0.090 },
	{ 0.700, 0.188, 0.405, 0.292, 0.080 },
	{ 0.718, 0.208, 0.468, 0.332, 0.066 },
	{ 0.737, 0.227, 0.590, 0.337, 0.052 },
	{ 0.760, 0.247, 0.702, 0.346, 0.044 },
	{ 0.822, 0.278, 0.752, 0.363, 0.041 },
	{ 0.884, 0.302, 0.800, 0.378, 0.039 },
}
-- The part of the head starts under the collar.
local COLLAR = 15
-- Holes for the legs: rings from back to front, with the positions of the loop on the outer side (column 6) and the
-- inner side (8), and behind and in front (7).
local HIND = { first = 2, last = 5 }
local FORE = { first = 9, last = 12 }
HIND.outer = { v(0.100, 0.530, -0.322), v(0.116, 0.532, -0.285), v(0.118, 0.520, -0.235), v(0.106, 0.500, -0.185) }
HIND.inner = { v(0.026, 0.478, -0.318), v(0.027, 0.470, -0.282), v(0.028, 0.470, -0.240), v(0.030, 0.482, -0.195) }
HIND.behind, HIND.before = v(0.068, 0.497, -0.350), v(0.060, 0.508, -0.116)
FORE.outer = { v(0.110, 0.462, 0.138), v(0.114, 0.470, 0.180), v(0.112, 0.488, 0.232), v(0.100, 0.502, 0.284) }
FORE.inner = { v(0.042, 0.388, 0.140), v(0.043, 0.380, 0.180), v(0.042, 0.384, 0.220), v(0.040, 0.406, 0.262) }
FORE.behind, FORE.before = v(0.080, 0.425, 0.118), v(0.076, 0.455, 0.312)

local rings = {}
for i, r in RINGS do
	local top, bottom = v(0, r[1], r[2]), v(0, r[3], r[4])
	local places = half_ring(if i >= COLLAR then whole else F.core, top, bottom, r[5])
	for _, hole in { HIND, FORE } do
		local k = i - hole.first + 1
		if i >= hole.first and i <= hole.last then
			places[6], places[8] = onto(F.body, hole.outer[k]), onto(F.body, hole.inner[k])
			places[5] = onto(F.body, mix(places[4], places[6], 0.5))
			if i == hole.first then
				places[7] = onto(F.body, hole.behind)
			elseif i == hole.last then
				places[7] = onto(F.body, hole.before)
			else
				-- No faces in the hole.
				places[7] = places[6]
			end
		end
	end
	rings[i] = places
end
c:chart "trunk"
local grid = {}
for i = 1, COLLAR do
	grid[i] = {}
	for j, p in rings[i] do
		local inside = j == 7 and ((i > HIND.first and i < HIND.last) or (i > FORE.first and i < FORE.last))
		grid[i][j] = if inside then 0 else c:point(p)
	end
end
local function in_hole(i, j)
	return (j == 6 or j == 7) and ((i >= HIND.first and i < HIND.last) or (i >= FORE.first and i < FORE.last))
end
for i = 1, #grid - 1 do
	for j = 1, 8 do
		if not in_hole(i, j) then
			c:quad(grid[i][j], grid[i][j + 1], grid[i + 1][j + 1], grid[i + 1][j])
		end
	end
end
B.grid = grid

-- Tail and rump -----------------------------------------------------------------------------------------------------
-- The tail's half rings have five columns from its top to below.

local T = F.joint.tail
local tail_rings = {}
do
	local spots = { { 1, 0.15 }, { 1, 0.55 }, { 2, 0 }, { 2, 0.6 }, { 3, 0.2 }, { 4, 0 }, { 4, 0.85 } }
	for i, spot in spots do
		local k = spot[1]
		local from, to = T[k], T[k + 1]
		local middle = mix(from, to, spot[2])
		local before = T[math.max(k - 1, 1)]
		local along = if spot[2] == 0 then vector.normalize(to - before) else vector.normalize(to - from)
		local up = vector.normalize(vector.cross(v(1, 0, 0), along))
		local places = {}
		for j, a in { 0, 45, 90, 135, 180 } do
			local dir = up * cos(rad(a)) + v(sin(rad(a)), 0, 0)
			local p = F.tail:out(middle, dir, 0.05) or error "no tail"
			places[j] = if j == 1 or j == 5 then v(0, p.y, p.z) else p
		end
		tail_rings[i] = places
	end
end
c:chart "tail"
local tail = {}
for i, places in tail_rings do
	tail[i] = points(places)
	if i > 1 then
		quads(tail[i - 1], tail[i])
	end
end
do
	local last = tail[#tail]
	local tip = c:point(T[5] + vector.normalize(T[5] - T[4]) * 0.005)
	c:quad(last[1], last[2], last[3], tip)
	c:quad(tip, last[3], last[4], last[5])
	local below = {}
	for i, row in tail do
		below[i] = row[5]
	end
	c:seam(below)
end
c:chart "trunk"
do
	local R, a = grid[1], tail[1]
	local low = {}
	for k, p in { v(0, 0.585, -0.372), v(0, 0.560, -0.368), v(0, 0.540, -0.363), v(0, 0.525, -0.357) } do
		low[k] = c:point(p)
	end
	for j = 1, 3 do
		c:quad(R[j], R[j + 1], a[j + 1], a[j])
	end
	c:quad(a[4], a[5], low[1], R[4])
	c:quad(R[4], low[1], low[2], R[5])
	c:quad(R[5], low[2], low[3], R[6])
	c:quad(R[6], low[3], low[4], R[7])
	c:quad(R[7], low[4], R[9], R[8])
	c:seam { a[5], low[1], low[2], low[3], low[4], R[9] }
	c:seam { R[1], a[1] }
end

-- Legs --------------------------------------------------------------------------------------------------------------

local TEN = { 0, 36, 72, 108, 144, 180, 216, 252, 288, 324 }

-- The loop of a hole as the first ring of a leg: from its front over the outer side to the back and along the inner side.
local function loop(hole)
	local a, b, d, e = grid[hole.first], grid[hole.first + 1], grid[hole.last - 1], grid[hole.last]
	return { e[7], e[6], d[6], b[6], a[6], a[7], a[8], b[8], d[8], e[8] }
end

-- A ring around a centre; `front` is the direction of its first position, `side` that of its third and fourth.
local function ring(f, middle, front, side)
	local places = {}
	for k, a in TEN do
		local dir = vector.normalize(vector.normalize(front) * cos(rad(a)) + vector.normalize(side) * sin(rad(a)))
		places[k] = f:out(middle, dir, 0.07) or error(`no leg at {middle}, {a}`)
	end
	return places
end

-- Rows of { middle, front, side? } down a leg, then the paw at its knuckles.
local function leg(f, hole, rows, knuckles, small, chart, split)
	local X = v(1, 0, 0)
	local all = { loop(hole) }
	-- Down to ring `split` the outer side is part of the trunk on the texture sheet, and the inner side is separate. Below
	-- it the leg is a tube.
	local function go(places)
		local before, own = all[#all], points(places)
		for k = 1, 10 do
			local n = k % 10 + 1
			c:chart(if #all > split then chart elseif k < 6 then "trunk" else chart .. " within")
			c:quad(before[k], before[n], own[n], own[k])
		end
		table.insert(all, own)
	end
	for _, row in rows do
		go(ring(f, row[1], row[2], row[3] or X))
	end
	local paw = F.paw_of(knuckles, small):join(f, 0.008)
	for _, row in {
		{ v(0, 0.006, 0.000), v(0, 0.25, 0.97) },
		{ v(0, -0.008, 0.006), v(0, 0.60, 0.80) },
		{ v(0, -0.014, 0.020), v(0, 0.98, 0.20) },
	} do
		go(ring(paw, knuckles + row[1] * small, row[2], X))
	end
	-- Closed between the toes.
	local r = all[#all]
	local tip = knuckles + v(0, -0.014, 0.0) * small
	local a = c:point(paw:out(tip, v(0, 0.15, 1), 0.08))
	local b = c:point(paw:out(tip, v(0, -0.08, 1), 0.08))
	c:quad(r[10], r[1], a, r[9])
	c:quad(r[1], r[2], r[3], a)
	c:quad(r[9], a, b, r[8])
	c:quad(a, r[3], r[4], b)
	c:quad(r[8], b, r[6], r[7])
	c:quad(b, r[4], r[5], r[6])
	-- The seam of the tube runs down the inner side.
	local seam = {}
	for k = split + 1, #all - 2 do
		table.insert(seam, all[k][9])
	end
	c:seam(seam)
end

local P = F.joint.fore
leg(F.foreleg, FORE, {
	{ v(0.078, 0.420, 0.208), v(0, 0.42, 0.91), v(0.92, 0.38, 0) },
	{ v(0.079, 0.390, 0.192), v(0, 0.22, 0.98), v(0.97, 0.18, 0) },
	{ v(0.078, 0.356, 0.188), v(0, 0.05, 1) },
	{ v(0.076, 0.295, 0.190), v(0, 0, 1) },
	{ v(0.073, 0.195, 0.195), v(0, 0, 1) },
	{ v(0.073, 0.156, 0.197), v(0, 0.06, 1) },
	{ v(0.073, 0.125, 0.200), v(0, 0.08, 1) },
}, P[5], 1, "foreleg", 3)

local Q = F.joint.hind
leg(F.hindleg, HIND, {
	{ v(0.081, 0.460, -0.243), v(0, 0.05, 1), v(0.97, 0.22, 0) },
	{ v(0.086, 0.405, -0.218), v(0, -0.22, 0.98) },
	{ v(0.087, 0.370, -0.228), v(0, -0.50, 0.87) },
	{ v(0.086, 0.310, -0.289), v(0, -0.68, 0.73) },
	{ v(0.083, 0.245, -0.362), v(0, -0.62, 0.79) },
	{ v(0.082, 0.210, -0.399), v(0, -0.36, 0.93) },
	{ v(0.082, 0.176, -0.401), v(0, -0.05, 1) },
	{ v(0.082, 0.095, -0.382), v(0, 0.22, 0.97) },
}, Q[4], 0.95, "hindleg", 4)

-- Head --------------------------------------------------------------------------------------------------------------

local h = cage()
B.head = h
h:paint "coat"
h:chart "head"
local at = F.in_head
-- Height and position of each ring's top and bottom, half width, height of the lip line.
local HEAD = {
	{ 0.046, -0.030, -0.050, 0.000, 0.045 },
	{ 0.048, 0.000, -0.053, 0.020, 0.048 },
	{ 0.047, 0.026, -0.053, 0.038, 0.047 },
	{ 0.042, 0.052, -0.053, 0.060, 0.043 },
	{ 0.028, 0.078, -0.053, 0.082, 0.036 },
	{ 0.015, 0.102, -0.053, 0.104, 0.029, -0.0335 },
	{ 0.010, 0.130, -0.053, 0.130, 0.025, -0.0345 },
	{ 0.006, 0.158, -0.052, 0.156, 0.023, -0.0355 },
	{ 0.002, 0.184, -0.050, 0.178, 0.020, -0.0345 },
	{ 0.000, 0.201, -0.044, 0.192, 0.015, -0.0325 },
}
local CORNER = 6 -- ring at the corner of the mouth
local ANGLES = { 0, 24, 47, 68, 90, 118, 138, 158, 180 }
local mouth = { upper = {}, lower = {}, palate = {}, floor = {} }
local head = {}
local before = points(rings[COLLAR], nil, h)
local below = { before[9] }
for i = COLLAR + 1, #rings do
	local row = points(rings[i], nil, h)
	for j = 1, 8 do
		h:quad(before[j], before[j + 1], row[j + 1], row[j])
	end
	before = row
	table.insert(below, row[9])
end
for i, r in HEAD do
	local top, bottom = at(0, r[1], r[2]), at(0, r[3], r[4])
	local places = half_ring(if i < 3 then whole else F.head, top, bottom, r[5], ANGLES)
	local lip = r[6]
	if lip then
		local ahead = mix(r[2], r[4], 0.6)
		places[6] = F.head:cast(at(0.2, lip, ahead), v(-1, 0, 0))
		places[5] = F.head:cast(at(0.2, mix(lip, -0.018, 0.55), ahead), v(-1, 0, 0))
		places[7] = F.head:cast(at(0.2, lip - 0.007, ahead), v(-1, 0, 0))
	end
	head[i] = points(places, nil, h)
	if i <= CORNER then
		table.insert(below, head[i][9])
	end
	local eye = i > 3 and i <= 5
	for j = 1, 8 do
		if i > CORNER and j == 6 or eye and (j == 3 or j == 4) then
			continue
		end
		h:chart(if i > CORNER and j > 6 then "jaw" else "head")
		h:quad(before[j], before[j + 1], head[i][j + 1], head[i][j])
	end
	before = head[i]
end
B.rings = head
for i = CORNER, #head do
	h:hold(head[i][6], 0.9)
end
-- The edge of the lower lip touches the upper one; the mouth is behind both.
local inner = {}
for i = CORNER, #head do
	local edge = h:get(head[i][6])
	local within = v(edge.x * 0.62, edge.y, edge.z) - F.axis * 0.004
	local middle = v(0, edge.y, edge.z) - F.axis * 0.006
	if i == CORNER then
		local corner, back = h:point(within - F.axis * 0.006, 1), h:point(middle - F.axis * 0.012, 1)
		inner[i] = { low = head[i][6], u = corner, p = back, l = corner, f = back }
	else
		inner[i] = {
			low = h:point(edge - F.rise * 0.0003, 0.9),
			u = h:point(within + F.rise * 0.004, 1),
			p = h:point(middle + F.rise * 0.007, 1),
			l = h:point(within - F.rise * 0.003, 1),
			f = h:point(middle - F.rise * 0.005, 1),
		}
	end
end
for i = CORNER + 1, #head do
	local a, b = inner[i - 1], inner[i]
	h:chart "jaw"
	h:paint "coat"
	h:quad(a.low, head[i - 1][7], head[i][7], b.low)
	h:chart "mouth"
	h:paint "lid"
	h:quad(head[i - 1][6], head[i][6], b.u, a.u)
	h:quad(a.low, b.low, b.l, a.l)
	h:paint "mouth"
	h:quad(a.u, b.u, b.p, a.p)
	h:quad(a.l, b.l, b.f, a.f)
end
-- The front: nose and upper lip, lower lip.
do
	local N, last = head[#head], inner[#head]
	local lip, low_lip = at(0, -0.0328, 0.2080), at(0, -0.0333, 0.2065)
	local nose = { at(0, -0.004, 0.2125), at(0, -0.013, 0.2145), at(0, -0.023, 0.2110) }
	local m = points(nose, nil, h)
	local L = h:point(lip, 0.9)
	h:chart "head"
	h:paint "nose"
	h:quad(N[1], N[2], N[3], m[1])
	h:quad(m[1], N[3], N[4], m[2])
	h:quad(m[2], N[4], N[5], m[3])
	h:paint "coat"
	h:quad(m[3], N[5], N[6], L)
	h:chart "jaw"
	local low = h:point(low_lip, 0.9)
	local chin = h:point(at(0, -0.0410, 0.2015))
	h:quad(last.low, N[7], chin, low)
	h:quad(N[7], N[8], N[9], chin)
	h:chart "mouth"
	h:paint "mouth"
	h:quad(N[6], L, last.p, last.u)
	h:quad(last.low, low, last.f, last.l)
	B.chin = { low, chin }
	-- Lips keep sharp edges, so that they close.
	local upper, lower = {}, {}
	for i = CORNER, #head do
		table.insert(upper, head[i][6])
		table.insert(lower, inner[i].low)
	end
	table.insert(upper, L)
	table.insert(lower, low)
	B.lips = {}
	for i, point in upper do
		B.lips[i] = h:get(point)
	end
	h:sharpen(upper, 1)
	h:sharpen(lower, 1)
end
B.inner = inner

-- Eyes: lids around an eyeball, in a hole of four faces.
do
	local a, b, d = head[3], head[4], head[5]
	local hole = { a[3], b[3], d[3], d[4], d[5], b[5], a[5], a[4] }
	local eye, r = F.eye, F.eye_radius
	local out = vector.normalize(v(0.80, 0.16, 0.58))
	local ahead = vector.normalize(v(-0.58, -0.22, 0.80))
	ahead = vector.normalize(ahead - out * vector.dot(ahead, out))
	local up = vector.cross(ahead, out)
	if up.y < 0 then
		up = -up
	end
	-- Almond: from the rear corner over the upper lid to the front one and back along the lower.
	local shape = {
		{ -0.72, 0.56 }, { 0.05, 0.74 }, { 0.72, 0.36 }, { 1.05, -0.22 }, { 0.68, -0.52 }, { 0.0, -0.58 },
		{ -0.66, -0.36 }, { -1.0, 0.20 },
	}
	local function on_ball(x, y, radius)
		local w = math.sqrt(math.max(1 - x * x - y * y, 0.02))
		return eye + vector.normalize(ahead * x + up * y + out * w) * radius
	end
	local rim, fold, within = {}, {}, {}
	for k, s in shape do
		rim[k] = h:point(on_ball(s[1] * 0.80, s[2] * 0.80, r * 1.07), 1)
		fold[k] = h:point(onto(F.head, mix(h:get(rim[k]), h:get(hole[k]), 0.42) + out * 0.002), 0.55)
		within[k] = h:point(on_ball(s[1] * 0.82, s[2] * 0.82, r * 0.88), 1)
	end
	h:chart "head"
	h:paint "coat"
	h:bridge(hole, fold)
	h:paint "lid"
	h:bridge(fold, rim)
	h:bridge(rim, within)
	B.eye = { rim = rim, fold = fold, within = within, out = out, up = up, on_ball = on_ball }
end

h:seam(below)

-- Seams: along the spine and along the middle below.
do
	local above, under = {}, {}
	for i, row in grid do
		above[i], under[i] = row[1], row[9]
	end
	c:seam(above)
	c:seam(under)
end

return B
