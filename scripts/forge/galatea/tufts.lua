-- Short hair: tufts that fall away from a whorl over a cap, in rows like roof tiles, each bent like a comma. `tufts(style)`
-- returns the parts of the hair and where they hide the skin.
--
--   form      the shape that the hair fills
--   rows      from the hairline to the whorl: { at, count, long, wide, thick, lift, tuck, steps }: fraction of the distance
--             to the whorl, number of tufts, millimetres; height over `form`, depth of the tips below it; rows of points
--   wide, deep  width and thickness of a tuft along its length, as factors
--   curl      degrees by which a tuft bends sideways over its length; `sway`: its variation
--   messy     variation of the lengths
--   fall      0 to 1: 0 follows the head, 1 hangs down
--   seed, keep  random seed; fraction of the triangles that is kept
local v = vector.create
local K = require "./face_field"
local heads = require "./locks"
local sin, cos, rad, deg, max, min = math.sin, math.cos, math.rad, math.deg, math.max, math.min
local smooth, along = heads.smooth, heads.along

local MIDDLE = v(0, 1.612, -0.012)
local WHORL = { 168, 62 } -- degrees around from the front, and up
-- The hairline: degrees around from the front, and elevation, seen from the centre of the skull.
local HAIRLINE = {
	{ 0, 36 }, { 16, 36 }, { 30, 29 }, { 44, 22 }, { 55, 6 }, { 62, -14 }, { 70, -24 }, { 76, -12 }, { 88, -1 },
	{ 102, -6 }, { 112, -30 }, { 128, -46 }, { 150, -54 }, { 180, -56 },
}
local STEPS = 5

local skin = K.head

local function direction(around, up)
	local a, e = rad(around), rad(up)
	return v(sin(a) * cos(e), sin(e), cos(a) * cos(e))
end
local function hairline(around)
	local a = math.abs((around + 180) % 360 - 180)
	for i = 1, #HAIRLINE - 1 do
		local p, q = HAIRLINE[i], HAIRLINE[i + 1]
		if a <= q[1] then
			return p[2] + (q[2] - p[2]) * smooth((a - p[1]) / (q[1] - p[1]))
		end
	end
	return HAIRLINE[#HAIRLINE][2]
end
local whorl = direction(WHORL[1], WHORL[2])

-- Direction from the centre of the skull at a fraction of the distance from the hairline to the whorl.
local function way(around, share)
	local low = direction(around, hairline(around))
	return vector.normalize(low * (1 - share) + whorl * share)
end
local function on_skin(dir)
	return skin:out(MIDDLE, dir, 0.25) or error "no scalp"
end

local function covers(p)
	local d = vector.normalize(p - MIDDLE)
	local around = deg(math.atan2(d.x, d.z))
	return deg(math.asin(d.y)) > hairline(around) + 7
end

-- The cap between the tufts: thin at the hairline, slightly below the hair elsewhere.
local COLUMNS, CAP = 28, { 0, 0.05, 0.16, 0.36, 0.58, 0.8, 0.93 }
local function cap_of(form)
	local c = cage()
	c:paint "hair"
	local inside = form:grow(-0.0035)
	local rows = {}
	for r, share in CAP do
		rows[r] = {}
		for k = 1, COLUMNS + 1 do
			local p = on_skin(way((k - 1) * 360 / COLUMNS, share))
			local out = heads.drawn(inside, p)
			local t = smooth(share / 0.16)
			rows[r][k] = if k > COLUMNS then rows[r][1] else c:point(p + (out - p) * t - skin:normal(p) * (0.0008 * (1 - t)), 1)
		end
	end
	for r = 1, #CAP - 1 do
		for k = 1, COLUMNS do
			c:quad(rows[r][k], rows[r][k + 1], rows[r + 1][k + 1], rows[r + 1][k])
		end
	end
	local top, last = c:point(heads.drawn(inside, on_skin(whorl)), 1), rows[#CAP]
	for k = 1, COLUMNS, 2 do
		c:quad(top, last[k], last[k + 1], last[k + 2])
	end
	for k = 1, COLUMNS do
		for r = 1, #CAP do
			c:uv(rows[r][k], k, r * 0.4)
		end
	end
	c:uv(top, 0, #CAP * 0.4 + 0.4)
	c:around(COLUMNS)
	return c
end

return function(style)
	local head = heads.head(style.seed)
	local random, form = head.random, style.form
	local c = cage()
	c:paint "hair"

	local function tuft(around, row)
		local root = way(around, row.at + random(-0.02, 0.02))
		local toward = way(around, max(row.at - 0.06, -0.1))
		local p = on_skin(root)
		local dir = vector.normalize(on_skin(toward) - p)
		local long = row.long * 0.001 * random(1 - style.messy, 1 + style.messy)
		local wide = row.wide * random(1 - style.messy, 1)
		local side = if math.abs((around + 180) % 360 - 180) < 8 then -1 elseif around % 360 < 180 then 1 else -1
		local turn = side * style.curl * random(1 - style.sway, 1 + style.sway)
		local lift = row.lift * 0.001 * random(0.75, 1.25)
		local line, ups = {}, {}
		for k = 0, STEPS do
			local t = k / STEPS
			local high = lift * (if k == 0 then 0.2 else 1) - (row.tuck or 0) * 0.001 * t * t
			local d = form:at(p) - high
			local n = form:normal(p)
			-- A tuft can stand off, but less if it is long.
			p -= n * (if d < 0 then d else d * (1 - style.fall * t))
			local near = skin:at(p) - 0.0025
			if near < 0 then
				p -= skin:normal(p) * near
			end
			line[k + 1], ups[k + 1] = p, n
			dir = vector.normalize(dir - n * vector.dot(dir, n))
			local across = vector.cross(n, dir)
			local a = rad(turn / STEPS) * (0.4 + 1.2 * t)
			dir = dir * cos(a) + across * sin(a)
			dir = vector.normalize(dir + v(0, -style.fall * (0.2 + t) * 0.7, 0))
			p += dir * (long / STEPS)
		end
		local function place(t, a)
			local q = heads.curve(line, t)
			local ahead = vector.normalize(heads.curve(line, min(1, t + 0.05)) - heads.curve(line, max(0, t - 0.05)))
			local up = vector.normalize(along(ups, t))
			local across = vector.normalize(vector.cross(up, ahead))
			return q + across * (a * 0.0005 * wide * along(style.wide, t)), up
		end
		head.lock("tuft", c, row.steps or 3, if random(0, 1) < 0.4 then heads.TWIN else heads.RIDGE, place, function(t)
			return row.thick * 0.001 * along(style.deep, t)
		end, random(-0.3, 0.3))
	end
	for r, row in style.rows do
		for k = 1, row.count do
			local around = (k + r * 0.5 + random(-0.18, 0.18)) * 360 / row.count
			tuft(around, row)
		end
	end
	head.comb()
	return {
		covers = covers,
		parts = {
			{ name = "hair", cage = c, levels = 1, shade = 0.85, keep = style.keep },
			{ name = "hair_cap", cage = cap_of(form), levels = 1, shade = 0.6 },
		},
	}
end
