-- Galatea's hair: parted off-centre, swept over the ears into a low chignon, with a braid laid over the head
-- like a fillet. All locks follow one flow: curves from the parting and the hairline over the skull to the bun. Returns the
-- parts of the hair and the area where it hides the skin.
local v = vector.create
local K = require "./face_field"
local heads = require "./locks"
local F = field
local sin, cos, rad, max, min, floor = math.sin, math.cos, math.rad, math.max, math.min, math.floor

-- Proportions in millimetres from the centre of the skull: x to her left, y up, z forwards.
local MIDDLE = v(0, 1.612, -0.012)
local PART = 15 -- distance of the parting from the middle, to her left
local HAIR = "hair"
-- Length over which a lock rises from the skin, metres, from the back of the parting over the hairline to the nape.
local RISE = { 0.012, 0.012, 0.012, 0.013, 0.016, 0.021, 0.025, 0.026, 0.026, 0.026, 0.026, 0.026 }
local BUN = v(2, -53, -101)
local BUN_SIZE = v(42, 36, 34)
local SEED = 7

-- Guides: from parting, hairline and nape to the bun; mirrored for the right side.
-- Each position is { x, y, z, fraction of the parting's offset }.
local GUIDES = {
	{ { 0, 88, -34, 0.45 }, { 0, 74, -66, 0.1 }, { 0, 38, -96 }, { 0, 0, -106 }, { 0, -36, -104 } }, -- 0 back of the head
	{ { 0, 90, -10, 0.65 }, { 24, 79, -44, 0.15 }, { 34, 43, -84 }, { 24, 0, -102 }, { 8, -38, -103 } },
	{ { 0, 88, 14, 0.85 }, { 37, 75, -14, 0.15 }, { 56, 42, -58 }, { 44, -4, -92 }, { 15, -42, -102 } },
	{ { 0, 82, 37, 0.95 }, { 42, 69, 16, 0.15 }, { 70, 34, -34 }, { 60, -14, -78 }, { 21, -47, -100 } },
	{ { 0, 72, 56, 1 }, { 40, 63, 42, 0.15 }, { 74, 24, -8 }, { 71, -22, -60 }, { 26, -52, -98 } },
	{ { 0, 55, 73, 1 }, { 34, 56, 60, 0.15 }, { 72, 18, 16 }, { 78, -22, -36 }, { 29, -58, -96 } }, -- 5 along the forehead
	{ { 33, 46, 67 }, { 56, 33, 48 }, { 77, 3, 12 }, { 78, -28, -36 }, { 30, -64, -94 } },
	{ { 57, 25, 51 }, { 71, 9, 30 }, { 80, -10, 0 }, { 75, -38, -42 }, { 29, -70, -92 } }, -- 7 temple
	{ { 69, -4, 35 }, { 77, -9, 17 }, { 80, -19, -10 }, { 69, -47, -48 }, { 26, -74, -90 } },
	{ { 67, -48, -26 }, { 61, -58, -42 }, { 53, -67, -56 }, { 41, -74, -70 }, { 20, -81, -86 } }, -- 9 behind the ear
	{ { 42, -90, -47 }, { 36, -87, -57 }, { 29, -85, -67 }, { 21, -84, -76 }, { 12, -85, -83 } },
	{ { 0, -99, -56 }, { 0, -96, -64 }, { 0, -92, -70 }, { 0, -90, -76 }, { 0, -88, -82 } }, -- 11 nape
}
local LAST = #GUIDES - 1

local function at(x, y, z)
	return MIDDLE + v(x, y, z) * 0.001
end

-- The volume of the hair: fuller than the skull over the crown and the ears.
local skin = K.head
local form = skin:grow(0.004)
	:join(F.ellipsoid(at(0, 3, -4), v(0.0850, 0.0955, 0.1040)), 0.02)
	:join(F.ellipsoid(at(32, 58, 36), v(0.0400, 0.0310, 0.0340)):mirror(), 0.02)
	:join(F.ellipsoid(at(66, -4, -14), v(0.0230, 0.0260, 0.0380)):mirror(), 0.03)

-- A fixed seed, so every run gives the same hair.
local head = heads.head(SEED)
local smooth, along, spline, curve, drawn, even = heads.smooth, heads.along, heads.spline, heads.curve, heads.drawn, heads.even
local RIDGE, TWIN, LENS, TILE = heads.RIDGE, heads.TWIN, heads.LENS, heads.TILE
local random, lock, locks = head.random, head.lock, head.locks

local guides = { [1] = {}, [-1] = {} }
for side, list in guides do
	for i, guide in GUIDES do
		local places = {}
		for j, p in guide do
			places[j] = at(side * p[1] + PART * (p[4] or 0), p[2], p[3])
		end
		local line, length = even(places, form)
		list[i] = { line = line, length = length }
	end
end

-- The flow: the position on the hair for guide u (0 to LAST) and t along it; its normal; the distance covered, metres.
-- Beyond the first and the last guide it continues on the other side of the head.
local function flow(side, u, t)
	if u < 0 then
		side, u = -side, -u
	elseif u > LAST then
		side, u = -side, 2 * LAST - u
	end
	local g = guides[side]
	local i = min(floor(u), LAST - 1)
	local function of(k)
		local list = g
		if k < 0 or k > LAST then
			list, k = guides[-side], if k < 0 then -k else 2 * LAST - k
		end
		return curve(list[k + 1].line, t), list[k + 1].length
	end
	local a, b, c, d = of(i - 1), of(i), of(i + 1), of(i + 2)
	local _, lb = of(i)
	local _, lc = of(i + 1)
	local raw = spline(a, b, c, d, u - i)
	local p = drawn(form, raw)
	return p, form:normal(p), (lb + (lc - lb) * (u - i)) * t
end

-- Blends from the skin up to the hair volume over the distance that a lock has covered, metres.
local function lifted(p, come, u)
	local up = smooth(come / along(RISE, u / LAST))
	if up >= 1 then return p end
	local low = drawn(skin, p)
	return low + (p - low) * up
end

local c = cage()
c:paint(HAIR)

-- A lock in the flow between two guides.
-- o: u0, u1, t0, t1, thick and layer (mm), lean, sway (guides), wide (profile), rows, section
local function clump(name, side, o)
	local mid, half = (o.u0 + o.u1) / 2, (o.u1 - o.u0) / 2
	local t0, t1 = o.t0 or 0, o.t1 or 1
	local wide = o.wide or { if o.u0 < 4.3 then 0.9 else 0.65, 1, 1, 1, 0.9 }
	local deep = o.deep or { 0.2, 0.85, 1, 1, 0.8 }
	local sway, phase = o.sway or 0, o.phase or 0
	local function place(t, a)
		local w = t0 + (t1 - t0) * t
		local u = mid + a * half * along(wide, t) + sway * sin(phase + t * 5) * smooth(t * 3)
		local p, up, come = flow(side, u, w)
		local over = (0.3 + 0.7 * smooth(t * 4)) * (1 - (o.sink or 0) * smooth(t * 4 - 3))
		return lifted(p, come, u) + up * ((o.layer or 0) * 0.001 * over * (1 - (o.tuck or 0.8) * a * a)), up
	end
	local function thick(t) return o.thick * 0.001 * along(deep, t) end
	lock(name, c, o.rows or 5, o.section or RIDGE, place, thick, o.lean, if o.section == TILE then 1 else 1.6)
end

-- A lock along any curve; `up` is the direction of its thickness.
local function ribbon(name, places, o)
	local line = even(places)
	local function place(t, a)
		local p = curve(line, t)
		local clear = (o.clear or 0) * smooth(t * 3) - skin:at(p)
		if clear > 0 then p += skin:normal(p) * clear end
		local dir = vector.normalize(curve(line, min(1, t + 0.03)) - curve(line, max(0, t - 0.03)))
		local up = o.up(p, t)
		local out = vector.normalize(vector.cross(up, dir))
		up = vector.normalize(vector.cross(dir, out))
		local turn = rad((o.twist or 0) * t)
		local side = out * cos(turn) + up * sin(turn)
		return p + side * (a * 0.0005 * o.width * along(o.wide, t)), up * cos(turn) - out * sin(turn)
	end
	local function thick(t) return o.thick * 0.0005 * along(o.deep or o.wide, t) end
	lock(name, o.into or c, o.rows or 6, o.section or LENS, place, thick)
end

-- Base cap: follows the flow, thin at its edge and slightly below the locks elsewhere.
local INSIDE = form:grow(-0.003)
local cap = cage()
cap:paint(HAIR)
for _, side in { 1, -1 } do
	local grid = {}
	local us = { -0.3, 1.2, 2.4, 3.6, 4.6, 5.4, 6.3, 7.2, 8, 8.7, 9.6, 11.2 }
	for i, u in us do
		grid[i] = {}
		for j, t in { 0, 0.07, 0.15, 0.45, 0.95 } do
			local ragged = if j == 1 and u > 5 then random(-0.025, 0.015) else 0
			local p, _, come = flow(side, u, t + ragged)
			local low = if j > 1 then 0.0015 elseif u > 4.7 then -0.0004 else 0.002
			local behind_ear = u > 8.2 and u < 9.5
			local free = j > 2 and not behind_ear
			p = drawn(if free then INSIDE else skin:grow(if behind_ear and j > 1 then 0.003 else low), p)
			if j == 2 and not behind_ear then p = lifted(p, come * 0.8, u) end
			grid[i][j] = cap:point(p, if free then 0 else 1)
		end
	end
	for i = 1, #us - 1 do
		for j = 1, 4 do
			cap:quad(grid[i][j], grid[i + 1][j], grid[i + 1][j + 1], grid[i][j + 1])
		end
	end
	table.insert(locks, { name = "cap", cage = cap, rows = grid })
end

-- Large clumps, from the back of the head to the temple and the nape; the two sides differ.
local LARGE = {
	[1] = {
		{ u0 = -0.7, u1 = 0.8, thick = 5, layer = 1.5 },
		{ u0 = 0.35, u1 = 2.3, thick = 6, layer = 0 },
		{ u0 = 2.0, u1 = 3.1, thick = 5, layer = 2 },
		{ u0 = 2.8, u1 = 4.4, thick = 7, layer = 0 },
		{ u0 = 4.1, u1 = 5.2, thick = 7, layer = 3 },
		{ u0 = 4.8, u1 = 6.8, thick = 7, layer = 1.5 },
		{ u0 = 6.4, u1 = 8.6, thick = 6, layer = 0 },
		{ u0 = 8.8, u1 = 10.2, thick = 4, layer = 0, rows = 4 },
	},
	[-1] = {
		{ u0 = 0.2, u1 = 1.6, thick = 5, layer = 0.5 },
		{ u0 = 1.2, u1 = 2.9, thick = 6, layer = 0 },
		{ u0 = 2.6, u1 = 3.7, thick = 6, layer = 2.5 },
		{ u0 = 3.4, u1 = 4.9, thick = 7, layer = 0.5 },
		{ u0 = 4.5, u1 = 6.2, thick = 8, layer = 3 },
		{ u0 = 5.9, u1 = 7.3, thick = 6, layer = 1 },
		{ u0 = 7.0, u1 = 8.6, thick = 5, layer = 0 },
		{ u0 = 8.8, u1 = 10.5, thick = 4, layer = 0, rows = 4 },
		{ u0 = 10.1, u1 = 12.3, thick = 4, layer = 0.5, rows = 4 },
	},
}
for side, list in LARGE do
	for i, o in list do
		o.lean = random(-0.25, 0.25)
		o.layer += 1.5
		o.sway = 0.12
		o.phase = random(0, 6)
		o.section = if i % 2 == 0 then TWIN else RIDGE
		clump("large", side, o)
	end
end

-- Height of the large clumps at a position, millimetres.
local function roof(side, u)
	local high = 0
	for _, o in LARGE[side] do
		local a = (u - (o.u0 + o.u1) / 2) / (o.u1 - o.u0) * 2
		if math.abs(a) < 1 then high = max(high, o.layer * (1 - 0.8 * a * a) + o.thick * (1 - 0.7 * a * a)) end
	end
	return high
end

-- Medium clumps on top of them.
local MIDDLES = {
	[1] = { { 2.2, 0.6 }, { 3.6, 0.5 }, { 4.7, 0.5 }, { 6.0, 0.5 } },
	[-1] = { { 1.4, 0.6 }, { 2.8, 0.5 }, { 4.2, 0.5 }, { 5.3, 0.45 }, { 6.6, 0.4 } },
}
for side, list in MIDDLES do
	for _, o in list do
		clump("middle", side, {
			u0 = o[1] - o[2] / 2,
			u1 = o[1] + o[2] / 2,
			t0 = if o[1] < 5 then 0 else random(0.0, 0.05),
			t1 = random(0.85, 1),
			thick = 5,
			layer = max(6, roof(side, o[1])) - random(0, 1),
			tuck = 0.45,
			sink = 0.8,
			sway = 0.22,
			phase = random(0, 6),
			wide = { 0.15, 0.9, 1, 0.8, 0.4 },
			section = TILE,
			rows = 4,
		})
	end
end

-- Thin ends at the hairline, some of them lower.
for side, list in { [1] = { 6.4, 6.9, 7.45, 8.1 }, [-1] = { 6.3, 7.1, 7.9 } } do
	for _, u in list do
		clump("hairline", side, {
			u0 = u - random(0.12, 0.2),
			u1 = u + random(0.12, 0.2),
			t0 = random(-0.05, 0.02),
			t1 = random(0.4, 0.6),
			thick = 3,
			layer = roof(side, u) - 1.5,
			sink = 1,
			wide = { 0.1, 0.9, 1, 0.3 },
			section = TILE,
			rows = 3,
			sway = 0.1,
		})
	end
end

-- Braid: three strands over the head, from ear to ear.
local BRAID = {
	{ -76, -44, -46 },
	{ -87, -12, -26 },
	{ -85, 34, 0 },
	{ -52, 80, 17 },
	{ 0, 100, 22 },
	{ 52, 80, 17 },
	{ 85, 34, 0 },
	{ 87, -12, -26 },
	{ 76, -44, -46 },
}
local TURNS, ROWS = 7, 32 -- number of swings of its strands, and of rows
local REACH, STRAND = 8.5, 7.2 -- amplitude of the swings and half width of a strand, millimetres
do
	local line = {}
	for i, p in BRAID do
		line[i] = at(p[1], p[2], p[3])
	end
	line = even(line, form)
	for k = 0, 2 do
		local grid = {}
		for i = 0, ROWS do
			local t = i / ROWS
			local p = drawn(form, curve(line, t))
			p += form:normal(p) * (0.0045 - 0.0085 * smooth(1 - math.abs(t - 0.53) * 8)) -- down into the parting
			local dir = vector.normalize(curve(line, t + 0.01) - curve(line, t - 0.01))
			local up = form:normal(p)
			local side = vector.normalize(vector.cross(up, dir))
			local size = smooth(min(t, 1 - t) * 9 + 0.25) * 0.001
			local w = t * TURNS * 2 * math.pi + k * 2 * math.pi / 3
			local across = vector.normalize(side - dir * cos(w))
			local middle = p + (side * (REACH * sin(w)) + up * (4.5 + 3.4 * sin(2 * w))) * size
			grid[i + 1] = {
				c:point(middle - (across * STRAND + up * 6) * size, 1),
				c:point(middle + up * (6 * size), 1),
				c:point(middle + (across * STRAND - up * 6) * size, 1),
			}
		end
		for i = 1, ROWS do
			local a, b = grid[i], grid[i + 1]
			c:quad(a[1], a[2], b[2], b[1])
			c:quad(a[2], a[3], b[3], b[2])
		end
		table.insert(locks, { name = "braid", cage = c, rows = grid })
	end
end

-- Bun: locks that turn inwards over a dome; positions by the angle around its axis and the angle from its pole.
local AXIS = vector.normalize(v(0, -0.25, -1))
local ACROSS = v(1, 0, 0)
local UP = vector.cross(ACROSS, AXIS)
local function dome(around, from)
	local a, b = rad(around), rad(from)
	local x, y, z = sin(b) * cos(a), sin(b) * sin(a), cos(b)
	local p = at(BUN.x, BUN.y, BUN.z)
		+ (ACROSS * (x * BUN_SIZE.x) + UP * (y * BUN_SIZE.y) + AXIS * (z * BUN_SIZE.z)) * 0.001
	return p, vector.normalize(ACROSS * (x / BUN_SIZE.x) + UP * (y / BUN_SIZE.y) + AXIS * (z / BUN_SIZE.z))
end
-- around from, to; from the pole at start, end; half width; thick mm; rows; how far off the middle
local COILS = {
	{ -40, 180, 104, 84, 28, 8, 5, 6 },
	{ 105, 330, 98, 72, 28, 9, 5, 8 },
	{ 235, 440, 94, 60, 28, 9, 5, 10 },
	{ 20, 230, 66, 44, 27, 8, 5, 8 },
	{ 180, 400, 58, 30, 27, 9, 5, 6 },
	{ 320, 680, 40, 8, 30, 8, 6, 0 },
}
local bun = cage()
bun:paint(HAIR)
for i, o in COILS do
	local function place(t, a)
		local around = o[1] + (o[2] - o[1]) * t
		local wide = along({ 0.35, 0.9, 1, 0.9, 0.3 }, t)
		return dome(around, o[3] + (o[4] - o[3]) * t + o[8] * sin(rad(around - 60)) + a * o[5] * wide)
	end
	lock("bun", bun, o[7], if i % 2 == 1 then TWIN else RIDGE, place, function(t)
		return o[6] * 0.001 * along({ 0.4, 1, 1, 1, 0.3 }, t)
	end, 0.2)
end

-- Filling below the locks.
do
	local rings = {}
	for i, from in { 55, 95, 125, 160 } do
		rings[i] = {}
		for k = 1, 8 do
			local p, up = dome(k * 45, from)
			rings[i][k] = bun:point(p - up * 0.002, 1)
		end
	end
	for i = 1, 3 do
		for k = 1, 8 do
			local n = k % 8 + 1
			bun:quad(rings[i][k], rings[i][n], rings[i + 1][n], rings[i + 1][k])
		end
	end
	table.insert(locks, { name = "bun inside", cage = bun, rows = rings })
end

-- One lock from the right side passes over the bun and around it.
do
	local over = {
		{ -70, 4, -50 },
		{ -54, -8, -80 },
		{ -34, -17, -100 },
		{ -8, -19, -118 },
		{ 24, -22, -126 },
		{ 44, -46, -120 },
		{ 40, -76, -108 },
		{ 18, -92, -92 },
	}
	for i, p in over do
		over[i] = at(p[1], p[2], p[3])
		if i <= 3 then over[i] = drawn(form:grow(0.004 * i - 0.007), over[i]) end
	end
	local heart = at(BUN.x, BUN.y, BUN.z + 12)
	ribbon("sweep", over, {
		into = bun,
		width = 19,
		thick = 13,
		up = function(p, t)
			local away = smooth(t * 2.2)
			return form:normal(p) * (1 - away) + vector.normalize(p - heart) * away
		end,
		wide = { 0.1, 0.6, 0.9, 1, 0.9, 0.3 },
		section = RIDGE,
		rows = 7,
	})
end

-- Loose locks next to the face, at the temples and at the nape.
local function off(p)
	return skin:normal(p)
end
local function loose(name, list, width, thick, o)
	local places = {}
	for i, p in list do
		places[i] = at(p[1], p[2], p[3])
	end
	ribbon(name, places, {
		width = width,
		thick = thick,
		up = off,
		wide = o.wide or { 0.25, 0.8, 1, 0.75, 0.06 },
		twist = o.twist,
		clear = o.clear or 0.004,
		rows = o.rows or 7,
	})
end
loose("face", { { 46, 40, 60 }, { 64, 18, 52 }, { 72, -16, 46 }, { 65, -52, 52 }, { 68, -82, 52 }, { 59, -108, 60 } }, 13, 7, { twist = 40 })
loose("face", { { 64, 8, 44 }, { 75, -12, 42 }, { 76, -40, 36 }, { 69, -64, 36 }, { 77, -84, 28 } }, 7, 4, { twist = -30, rows = 5 })
loose("face", { { -20, 54, 72 }, { -46, 42, 66 }, { -67, 10, 57 }, { -72, -26, 48 }, { -66, -56, 55 }, { -74, -82, 52 } }, 13, 7, { twist = -50 })
loose("face", { { -66, 2, 40 }, { -77, -22, 36 }, { -75, -56, 30 }, { -67, -86, 36 }, { -75, -112, 30 } }, 8, 5, { twist = 60, rows = 6 })
loose("face", { { -57, 25, 53 }, { -67, 10, 53 }, { -69, -8, 53 }, { -64, -22, 57 } }, 4, 3, { rows = 4 })
loose("bun end", { { -30, -74, -112 }, { -38, -90, -116 }, { -38, -104, -112 }, { -33, -114, -110 } }, 5, 4, { rows = 4 })
for _, p in { { 45, 36, 60, -1 }, { 63, 14, 46, 1 }, { -38, 40, 64, 1 }, { -64, 12, 45, -1 } } do
	local x, y, z, bend = table.unpack(p)
	local out = if x > 0 then 1 else -1
	loose("baby", {
		{ x - out * 5, y + 6, z - 3 },
		{ x, y - 1, z },
		{ x + out * (6 + bend), y - 7, z - 4 },
		{ x + out * (12 + 2 * bend), y - 9 + bend * 3, z - 11 },
	}, 2.6, 1.6, { rows = 3, clear = 0.0012, wide = { 0.3, 1, 0.8, 0.05 } })
end
for _, p in { { 24, -94, -54, 26, 6 }, { 9, -97, -56, 20, -4 }, { -24, -94, -54, 30, -6 } } do
	local x, y, z, long, out = table.unpack(p)
	loose("nape", { { x, y + 8, z - 2 }, { x, y - long * 0.3, z - 1 }, { x + out * 0.4, y - long * 0.7, z + 2 }, { x + out, y - long, z + 1 } }, 5, 3, { rows = 4 })
end

head.comb()

-- Returns true if hair hides the skin at a position.
local function covers(p)
	local y, z = p.y - MIDDLE.y, p.z - MIDDLE.z
	-- The skin in the parting is visible.
	if y > 0.05 and math.abs(p.x - 0.001 * PART) < 0.014 then
		return false
	end
	return if y > -0.02 then z < 0.6 * y - 0.015 else y > -0.05 and z < -0.045
end

return {
	covers = covers,
	parts = {
		{ name = "hair", cage = c, levels = 1, shade = 0.85, keep = 0.62 },
		{ name = "hair_cap", cage = cap, levels = 1, field = INSIDE, shade = 0.6 },
		{ name = "bun", cage = bun, levels = 1, shade = 0.85, keep = 0.6 },
	},
}
