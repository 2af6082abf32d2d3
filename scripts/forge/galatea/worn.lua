-- Accessories: fibulae, belt and pouch, choker, arm ring, bracelet, a leather wrap, laces of the boots.
-- `worn(names)` returns the cages of the named ones and of the laces; only the laces are mirrored.
local v = vector.create
local K = require "./body_field"
local D = require "./dress"
local up, u = K.up, K.scale
local sin, cos, rad = math.sin, math.cos, math.rad
local max, abs, clamp = math.max, math.abs, math.clamp

local GOLD, LEATHER, TEAL = "gold", "leather", "enamel"
local BELT, column, hung, fold, angle_at = D.BELT, D.column, D.hung, D.fold, D.angle_at
local dress, seam_left, seam_right = D.cage, D.seam_left, D.seam_right

local function mix(a, b, t)
	return a + (b - a) * t
end

local function smooth(t)
	t = clamp(t, 0, 1)
	return t * t * (3 - 2 * t)
end

local function bridge(c, a, b)
	local n = #a
	for i = 1, n do
		local k = i % n + 1
		c:quad(a[i], a[k], b[k], b[i])
	end
	return b
end

local things = cage()
local W = {}

-- A strip along positions: each has across (sideways), out (distance from the surface) and a factor on its width.
-- `profile` has points { across, out, paint of the face before it }.
local function strip(frames, profile, ring_closed)
	local first, last
	for _, f in frames do
		local row = {}
		for i, p in profile do
			row[i] = things:point(f.at + f.across * p[1] * u * (f.wide or 1) + f.out * p[2] * u * (f.tall or 1), 1)
		end
		if last then
			for i = 2, #profile do
				things:paint(profile[i][3])
				things:quad(last[i - 1], last[i], row[i], row[i - 1])
			end
		end
		first, last = first or row, row
	end
	if ring_closed then
		for i = 2, #profile do
			things:paint(profile[i][3])
			things:quad(last[i - 1], last[i], first[i], first[i - 1])
		end
	end
end
-- Frames along positions, with the outward direction at each.
local function frames_of(places, outs, ring_closed)
	local n, all = #places, {}
	for i, p in places do
		local before = places[if i > 1 then i - 1 elseif ring_closed then n else 1]
		local after = places[if i < n then i + 1 elseif ring_closed then 1 else n]
		local along = vector.normalize(after - before)
		local across = vector.normalize(vector.cross(along, outs[i]))
		all[i] = { at = p, across = across, out = vector.normalize(vector.cross(across, along)) }
	end
	return all
end
-- A lathe shape around an axis: `profile` of { radius, along the axis, paint }, from its rim to its top.
local function turned(at, axis, n, profile)
	axis = vector.normalize(axis)
	local side = vector.normalize(vector.cross(axis, if abs(axis.y) < 0.9 then v(0, 1, 0) else v(1, 0, 0)))
	local other = vector.cross(axis, side)
	local last
	for _, p in profile do
		things:paint(p[3])
		local middle = at + axis * p[2] * u
		if p[1] == 0 then
			local tip = things:point(middle, 1)
			for i = 1, n, 2 do
				local a, b, c = last[i], last[i % n + 1], last[(i + 1) % n + 1]
				things:quad(tip, a, b, c)
			end
			return
		end
		local row = {}
		for i = 1, n do
			local a = rad(360 * (i - 1) / n)
			row[i] = things:point(middle + (side * cos(a) + other * sin(a)) * p[1] * u, 1)
		end
		if last then
			bridge(things, last, row)
		end
		last = row
	end
end
-- A tube along frames with `n` sides; tapered ends are closed with a point.
local function tube(frames, n, radius, paint)
	local profile = {}
	for i = 0, n do
		local a = rad(-360 * i / n)
		profile[i + 1] = { radius * cos(a), radius * sin(a), paint }
	end
	-- The two rows of points at the seam are merged.
	local last
	things:paint(paint)
	for _, f in frames do
		local row = {}
		for i = 1, n do
			local p, w = profile[i], f.wide or 1
			row[i] = things:point(f.at + (f.across * p[1] + f.out * p[2] * (f.flat or 1)) * u * w, 1)
		end
		if last then
			bridge(things, last, row)
		end
		last = row
	end
end

-- Fibulae: a boss on each shoulder, where the folds run together.
function W.fibulae()
	for side = -1, 1, 2 do
		-- In front of the seam, at the height of the cloth there.
		local row = D.front[#D.front - 1]
		local i = if side > 0 then 2 else #row - 1
		local seam = if side > 0 then seam_left else seam_right
		local a, b = dress:get(seam[2]), dress:get(row[i])
		local l, r = dress:get(row[i - 1]), dress:get(row[i + 1])
		local n = vector.normalize(vector.cross(r - l, b - a))
		local p = mix(mix(a, b, 0.55), (l + r + dress:get(seam[1]) + dress:get(seam[3])) / 4, 0.35)
		turned(p + n * 0.003 * u, n, 12, {
			{ 0.0165, -0.012, GOLD },
			{ 0.0180, 0.001, GOLD },
			{ 0.0155, 0.0045, GOLD },
			{ 0.0115, 0.0025, GOLD },
			{ 0.0085, 0.0065, GOLD },
			{ 0, 0.0090, TEAL },
		})
	end
end

-- Belt: leather between two gold edges, over the skirt's gathers.
local BELT_HALF = 0.017
local function belt_at(degrees, lift)
	local p, dir = hung(degrees, up(BELT) + (lift or 0) * u)
	return p + dir * 0.0035 * u, dir
end
function W.belt()
	local places, outs = {}, {}
	for i = 1, 36 do
		places[i], outs[i] = belt_at((i - 1) * 10)
	end
	strip(frames_of(places, outs, true), {
		{ -BELT_HALF, -0.004 },
		{ -BELT_HALF, 0.0095, GOLD },
		{ -BELT_HALF + 0.004, 0.0080, GOLD },
		{ 0, 0.0050, LEATHER },
		{ BELT_HALF - 0.004, 0.0050, LEATHER },
		{ BELT_HALF, 0.0045, GOLD },
		{ BELT_HALF, -0.006, GOLD },
	}, true)
end
local CLASP = 14 -- degrees
function W.clasp()
	local p, n = belt_at(CLASP)
	turned(p, n, 14, {
		{ 0.0215, 0.000, GOLD },
		{ 0.0230, 0.0085, GOLD },
		{ 0.0195, 0.0115, GOLD },
		{ 0.0145, 0.0090, GOLD },
		{ 0.0120, 0.0115, GOLD },
		{ 0, 0.0145, TEAL },
	})
end

-- Radius of the skirt's folds around an angle.
local function outermost(degrees, y)
	local p, dir = hung(degrees, up(y))
	local far = 0
	for _, one in column do
		local d = abs((angle_at(one, y) - degrees + 180) % 360 - 180)
		if d < 14 then
			far = max(far, fold(one, y) * 0.72)
		end
	end
	return p + dir * far, dir
end
-- The belt's two ends hang from the clasp.
function W.belt_ends()
	for i, e in { { CLASP + 2, 5, 0.835 }, { CLASP - 3, -5, 0.885 } } do
		local places, outs = {}, {}
		for k = 0, 8 do
			local t = k / 8
			local y = mix(BELT - 0.010, e[3], t)
			local p, dir = outermost(e[1] + e[2] * smooth(t), y)
			places[k + 1], outs[k + 1] = p + dir * (0.004 + 0.0015 * i) * u, dir
		end
		local line = frames_of(places, outs)
		strip(line, { { -0.0065, -0.0015 }, { -0.0065, 0.001, LEATHER }, { 0, 0.002, LEATHER }, { 0.0065, 0.001, LEATHER }, { 0.0065, -0.0015, LEATHER } })
		-- A gold tip.
		local down = vector.normalize(places[9] - places[8])
		turned(places[9] - down * 0.004, down, 8, { { 0.0060, -0.004, GOLD }, { 0.0078, 0.002, GOLD }, { 0.0070, 0.014, GOLD }, { 0, 0.026, GOLD } })
	end
end

-- A pouch on her right hip: a flattened bag and its flap, hanging on two loops.
function W.pouch()
	local degrees, y = 290, 0.990
	local p, out = outermost(degrees, y)
	out = vector.normalize(out + v(0, 0.10, 0))
	local side = vector.normalize(vector.cross(v(0, 1, 0), out))
	local down = vector.cross(side, out)
	if down.y > 0 then
		down = -down
	end
	p += out * 0.010 * u
	-- Rings of eight, rounded squares: along, half width, half depth.
	local function bag(rows, middle)
		local last
		for _, r in rows do
			local row = {}
			for i = 1, 8 do
				local a = rad(45 * i - 22.5)
				local x, z = cos(a), sin(a)
				x, z = (if x > 0 then 1 else -1) * abs(x) ^ 0.75, (if z > 0 then 1 else -1) * abs(z) ^ 0.75
				row[i] = things:point(middle + (down * r[1] + side * x * r[2] + out * z * r[3]) * u, 1)
			end
			if last then
				bridge(things, last, row)
			else
				things:quad(row[1], row[2], row[3], row[4])
				things:quad(row[4], row[5], row[8], row[1])
				things:quad(row[5], row[6], row[7], row[8])
			end
			last = row
		end
		things:quad(last[1], last[2], last[3], last[4])
		things:quad(last[4], last[5], last[8], last[1])
		things:quad(last[5], last[6], last[7], last[8])
	end
	things:paint(LEATHER)
	bag({ { -0.026, 0.018, 0.006 }, { -0.018, 0.026, 0.011 }, { 0.006, 0.030, 0.0155 }, { 0.030, 0.029, 0.0165 }, { 0.043, 0.021, 0.010 }, { 0.047, 0.010, 0.004 } }, p)
	bag({ { -0.030, 0.017, 0.006 }, { -0.024, 0.027, 0.0125 }, { -0.004, 0.0315, 0.0165 }, { 0.012, 0.0275, 0.0175 }, { 0.014, 0.020, 0.0125 } }, p)
	turned(p + (down * 0.008 + out * 0.0165) * u, out, 6, { { 0.0055, -0.002, GOLD }, { 0.0050, 0.0025, GOLD }, { 0, 0.0045, GOLD } })
	for x = -1, 1, 2 do
		local a, b = p + (side * x * 0.015 - down * 0.024 + out * 0.008) * u, nil
		local q, dir = belt_at(degrees + x * 7)
		b = q + dir * 0.007 * u + v(0, 0.017, 0) * u
		local mid = mix(a, b, 0.4) + out * 0.005 * u
		strip(frames_of({ a, mid, b }, { out, out, dir }), { { -0.005, 0, LEATHER }, { 0, 0.002, LEATHER }, { 0.005, 0, LEATHER } })
	end
end

-- Choker: teal between thin gold edges, around the neck as it leans, with a drop in front.
function W.choker()
	local rows = K.neck_rows
	local axis = vector.normalize(v(0, rows[4][1] - rows[2][1], rows[4][3] - rows[2][3]))
	local ahead = v(0, -axis.z, axis.y)
	local middle = v(0, up(1.452), rows[3][3])
	local places, outs = {}, {}
	for i = 1, 20 do
		local a = rad((i - 1) * 18)
		local dir = ahead * cos(a) + v(1, 0, 0) * sin(a)
		-- Takes the larger radius of its upper and lower edge, so that it does not cut into the skin.
		local far = 0
		for _, h in { -0.0080, 0, 0.0080 } do
			local at = middle + axis * (h * u)
			far = max(far, vector.magnitude(K.trunk:out(at, dir, 0.15) - at))
		end
		places[i], outs[i] = middle + dir * far, dir
	end
	strip(frames_of(places, outs, true), {
		{ -0.0080, -0.004 },
		{ -0.0075, 0.0020, GOLD },
		{ -0.0050, 0.0024, GOLD },
		{ 0.0050, 0.0024, TEAL },
		{ 0.0075, 0.0020, GOLD },
		{ 0.0080, -0.004, GOLD },
	}, true)
	local p = places[1] + ahead * 0.003 * u - axis * 0.006 * u
	turned(p, v(0, -1, 0.2), 6, { { 0.0015, -0.003, GOLD }, { 0.0035, 0.004, GOLD }, { 0.0048, 0.010, GOLD }, { 0, 0.016, GOLD } })
end

-- Around an arm: the skin at a distance from the shoulder, degrees from the back of the hand forwards. The right arm is
-- the mirror image of the left.
local function on_arm(side, along, degrees)
	local a = rad(degrees)
	local dir = -K.PALM * cos(a) + K.FORE * sin(a)
	local p = K.arm:out(K.on_arm(along, 0, 0), dir, 0.09 * u)
	if side < 0 then
		p, dir = p * v(-1, 1, 1), dir * v(-1, 1, 1)
	end
	return p, dir
end
-- Arm ring on the left: a coil of one turn and three quarters whose ends are thicker.
function W.arm_ring()
	local places, outs = {}, {}
	local n = 26
	for i = 0, n do
		local t = i / n
		local p, dir = on_arm(1, (0.128 + 0.036 * t) * K.measure.arm_length, 640 * t - 90)
		places[i + 1], outs[i + 1] = p + dir * 0.0022 * u, dir
	end
	local line = frames_of(places, outs)
	for i, f in line do
		local t = abs((i - 1) / n * 2 - 1)
		f.wide = if t > 0.99 then 0.25 elseif t > 0.9 then 1.7 else mix(1, 0.8, t)
		f.flat = 0.75
	end
	tube(line, 6, 0.0042, GOLD)
end
-- Bracelet on the right.
function W.bracelet()
	local places, outs = {}, {}
	for i = 1, 14 do
		places[i], outs[i] = on_arm(-1, K.wrist - 0.012 * u + 0.003 * u * sin(rad((i - 1) * 360 / 14)), (i - 1) * 360 / 14)
		places[i] += outs[i] * 0.002 * u
	end
	strip(frames_of(places, outs, true), { { -0.0035, -0.002 }, { -0.003, 0.0012, GOLD }, { 0.003, 0.0012, GOLD }, { 0.0035, -0.002, GOLD } }, true)
end
-- Wrap on the right forearm: one strip in a helix, each turn under the one before.
function W.wrap()
	local places, outs = {}, {}
	local from, to, turns, n = K.elbow + 0.062 * u, K.wrist - 0.036 * u, 6, 14
	for i = 0, turns * n do
		local t = i / (turns * n)
		places[i + 1], outs[i + 1] = on_arm(-1, mix(from, to, t), t * turns * 360 + 200)
	end
	local line = frames_of(places, outs)
	for i, f in line do
		-- Along the arm, not perpendicular to the helix, so that turns touch.
		f.across = (if f.across.y < 0 then 1 else -1) * f.across
		-- The skin's facets are larger on a thick arm.
		f.tall = K.measure.arm_girth ^ 3
	end
	local pitch = (to - from) / turns / u
	strip(line, { { -pitch * 0.72, 0.0008 }, { pitch * 0.50, 0.0036, LEATHER }, { pitch * 0.54, -0.001, LEATHER } })
	-- A cuff at each end of the wrap.
	for i, along in { K.elbow + 0.058 * u, K.wrist - 0.034 * u } do
		local places, outs = {}, {}
		for k = 1, 14 do
			places[k], outs[k] = on_arm(-1, along, k * 360 / 14)
		end
		strip(frames_of(places, outs, true), { { -0.0065, -0.001 }, { -0.006, 0.0042, LEATHER }, { 0.006, 0.0042, LEATHER }, { 0.0065, -0.001, LEATHER } }, true)
	end
end

-- Laces: two straps cross up each boot's shaft.
local laces = cage()
do
	local main = things
	things = laces
	local rows = K.shaft_rows
	local function middle(y)
		for i = 1, #rows - 1 do
			local p, q = rows[i], rows[i + 1]
			if y <= q[1] or i == #rows - 1 then
				local t = clamp((y - p[1]) / (q[1] - p[1]), 0, 1)
				return v(mix(p[2], q[2], t), y, mix(p[3], q[3], t))
			end
		end
	end
	local from, to = K.ankle.y + 0.012 * u, K.cuff - 0.046 * u
	for turn = -1, 1, 2 do
		local places, outs = {}, {}
		local n = 25
		for i = 0, n do
			local t = i / n
			local a = rad(180 + turn * t * 900)
			local y = mix(from, to, t ^ 0.9) + 0.006 * u * max(0, cos(a)) * (1 - t)
			local dir = vector.normalize(v(sin(a), 0.5 * max(0, cos(a)) * (1 - smooth(t * 3)), cos(a)))
			local p = K.boot:out(middle(y), dir, 0.2)
			places[i + 1], outs[i + 1] = p, K.boot:normal(p)
		end
		local lift = if turn > 0 then 0.0010 else 0
		strip(frames_of(places, outs), {
			{ -0.0050, -0.002 },
			{ -0.0045, 0.0020 + lift, GOLD },
			{ 0.0045, 0.0020 + lift, GOLD },
			{ 0.0050, -0.002, GOLD },
		})
	end
	things = main
end

local ORDER = { "fibulae", "belt", "clasp", "belt_ends", "pouch", "choker", "arm_ring", "bracelet", "wrap" }
return function(names)
	for _, name in ORDER do
		if table.find(names, name) then
			W[name]()
		end
	end
	return { things = things, laces = laces }
end
