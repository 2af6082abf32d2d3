-- A young woman's body from the neck ring down: a half cage around the sculpture in `body_field`, mirrored by `mesh`.
-- Loops run around neck, shoulder, elbow, wrist, every finger joint, waist, hip, knee, ankle and the ball of the foot.
-- Returns the indices of points of the left side by name, for weights and clothes: `neck`, `waist` and `hip` are
-- rows of nine from the front's middle to the spine; `shoulder`, `webs` and `thigh_top` are rings of ten; `upper_arm`,
-- `elbow`, `wrist`, `palm`, `thigh`, `knee`, `cuff`, `ankle`, `ball` are lists of rings of ten, from the trunk on;
-- `finger.index` to `finger.little` and `finger.thumb` are lists of rings of four, from the palm to the tip; `crotch`
-- is the strip's middle from front to back, `sole` the sole's edge around the heel.
local v = vector.create
local K = require "./body_field"
local up, u, h = K.up, K.scale, K.measure.hand
local sin, cos, rad = math.sin, math.cos, math.rad

local SKIN, LEATHER = "skin", "boot"

local c = cage()
local L = { finger = {} }

-- Positions ---------------------------------------------------------------------------------------------------------

local function mix(a, b, t)
	return a + (b - a) * t
end

-- Projects a nearby position onto a field.
local function onto(f, p)
	for _ = 1, 8 do
		p -= f:normal(p) * math.clamp(f:at(p), -0.03, 0.03)
	end
	return p
end

-- Positions around a centre, in the plane of `top` and `side`; 0 degrees is `top`, 90 is `side`.
local function circle(f, middle, top, side, degrees, far)
	local row = {}
	for i, a in degrees do
		local dir = top * cos(rad(a)) + side * sin(rad(a))
		row[i] = f:out(middle, dir, far or 0.15) or error(`nothing around {middle} at {a}`)
	end
	return row
end

-- Interpolates from `front` over `side` to `back` while an angle goes from 0 to 180 degrees.
local function swing(front, side, back, degrees)
	local x = cos(rad(degrees))
	return if x > 0 then mix(side, front, x) else mix(side, back, -x)
end

-- Points and faces --------------------------------------------------------------------------------------------------

local function points(row, hold)
	local all = {}
	for i, p in row do
		all[i] = c:point(p, hold)
	end
	return all
end

-- Quads between two rows of equal length; a ring is closed.
local function bridge(a, b, open)
	local n = #a
	assert(#b == n, "rows of different lengths")
	for i = 1, if open then n - 1 else n do
		local k = i % n + 1
		c:quad(a[i], a[k], b[k], b[i])
	end
	return b
end

-- Rings of positions, each joined to the previous one; returns all rings of points.
local function tube(first, rings, hold)
	local all = { first }
	for _, places in rings do
		table.insert(all, bridge(all[#all], points(places, hold)))
	end
	return all
end

local function closed(ring)
	local row = table.clone(ring)
	table.insert(row, ring[1])
	return row
end

-- A cap of 2 x 3 quads in a ring of ten: 1 2 3 along its top, 4 5 down one side, 6 7 8 along its bottom, 9 10 up again.
-- Its two inner points are between 2 and 7.
local function lid(r, places, hold)
	local p = points(places, hold)
	c:quad(r[1], r[2], p[1], r[10])
	c:quad(r[2], r[3], r[4], p[1])
	c:quad(r[10], p[1], p[2], r[9])
	c:quad(p[1], r[4], r[5], p[2])
	c:quad(r[9], p[2], r[7], r[8])
	c:quad(p[2], r[5], r[6], r[7])
	return p
end

-- Trunk -------------------------------------------------------------------------------------------------------------
-- Nine columns from the middle of the front (1) around the left side (6) to the spine (9). Columns 5 to 7 end at the
-- shoulder's loop and continue under the arm.

local S = K.shoulder
local TEN = { 0, 36, 72, 108, 144, 180, 216, 252, 288, 324 }

-- The shoulder's loop: ten positions from its top forwards and around under the armpit.
local LOOP_MIDDLE = S + v(-0.008, -0.030, -0.002) * u
local loop = {}
for i, a in TEN do
	local rise, fore = 0.066 * cos(rad(a)), 0.051 * sin(rad(a))
	loop[i] = onto(K.body, LOOP_MIDDLE + v(-0.06 * rise, rise, fore) * u)
end

local g = {}
local function row_of(places)
	local row = {}
	for j, p in places do
		if j == 1 or j == 9 then
			p = v(0, p.y, p.z)
		end
		row[j] = if type(p) == "number" then p else c:point(p)
	end
	table.insert(g, row)
	return row
end

-- 1, 2: the neck, with the same ring as the head, and its foot. The ring is tilted like the neck's axis.
local NECK = { 0, 12, 25, 38, 53, 72, 98, 135, 180 }
local axis = vector.normalize(v(0, K.neck_rows[4][1] - K.neck_rows[2][1], K.neck_rows[4][3] - K.neck_rows[2][3]))
local ahead = v(0, -axis.z, axis.y)
local neck_middle = v(0, up(K.form.neck_ring), K.neck_rows[3][3])
local neck = circle(K.trunk, neck_middle, ahead, v(1, 0, 0), NECK)
row_of(neck)
do
	local places = {}
	for j, a in { 0, 15, 30, 46, 63, 84, 110, 142, 180 } do
		local low = swing(-0.030, -0.014, -0.022, a) * u
		places[j] = K.trunk:out(v(0, neck_middle.y + low, K.neck_rows[2][3]), v(sin(rad(a)), 0, cos(rad(a))), 0.15)
	end
	row_of(places)
end
-- 3: along the collar bone, over the shoulder's slope and the upper back.
do
	local base = g[2]
	local places = {}
	for j = 1, 9 do
		local p = c:get(base[j])
		if j <= 4 then
			local t = ({ 0, 0.22, 0.50, 0.78 })[j]
			places[j] = onto(K.trunk, K.fit(mix(0, 0.112, t), mix(1.400, 1.411, t), mix(0.024, 0.004, t)))
		elseif j <= 7 then
			local top = loop[({ [5] = 2, [6] = 1, [7] = 10 })[j]]
			places[j] = onto(K.trunk, mix(p, top, if j == 5 then 0.58 else 0.52))
		else
			places[j] = onto(K.trunk, K.fit(if j == 9 then 0 else 0.058, 1.405, -0.10))
		end
	end
	row_of(places)
end
-- 4 to 7: next to the shoulder's loop; 7 passes under the armpit.
local function front(x, y)
	return K.trunk:cast(v(x, y, 0.4), v(0, 0, -1)) or error(`no chest at {x} {y}`)
end
local function back(x, y)
	return K.trunk:cast(v(x, y, -0.4), v(0, 0, 1)) or error(`no back at {x} {y}`)
end
local beside = { { 2, 10 }, { 3, 9 }, { 4, 8 }, { 5, 7 } }
-- Heights at the breast bone, over the breast, at the spine and between.
local heights = {
	{ 1.378, 1.386, 1.360, 1.368 },
	{ 1.342, 1.348, 1.315, 1.325 },
	{ 1.305, 1.312, 1.272, 1.284 },
	{ 1.266, 1.274, 1.230, 1.242 },
}
local shoulder = {}
for i = 1, 4 do
	local f, b = loop[beside[i][1]], loop[beside[i][2]]
	local y = heights[i]
	local places = { front(0, up(y[1])) }
	for j = 2, 4 do
		local t = ({ 0, 0.25, 0.53, 0.80 })[j]
		places[j] = front(mix(0, f.x, t), mix(up(y[2]), f.y, t ^ 2))
	end
	places[5] = c:point(f)
	places[6] = if i == 1 then c:point(loop[1]) elseif i == 4 then c:point(loop[6]) else 0
	places[7] = c:point(b)
	places[8] = back(b.x * 0.52, mix(up(y[4]), b.y, 0.35))
	places[9] = back(0, up(y[3]))
	local row = row_of(places)
	shoulder[beside[i][1]], shoulder[beside[i][2]] = row[5], row[7]
	if i == 1 then
		shoulder[1] = row[6]
	elseif i == 4 then
		shoulder[6] = row[6]
	end
end
L.shoulder = shoulder
-- Under the arm: heights in front, at the side and behind, then the angles of the columns.
local round = { 0, 20, 41, 62, 82, 102, 127, 153, 180 }
local function belt(f, s, b, angles, lift)
	local places = {}
	for j, a in angles or round do
		local y = up(swing(f, s, b, a) + (lift and lift[j] or 0))
		local middle = v(0, y, -0.012)
		places[j] = K.trunk:out(middle, vector.normalize(v(0.13 * sin(rad(a)), 0, 0.09 * cos(rad(a)))), 0.3)
	end
	return row_of(places)
end
local breast = { 0, 22, 42, 63, 84, 104, 128, 154, 180 }
-- Over and under the breast's lower half.
belt(1.232, 1.252, 1.190, breast, { 0.014, 0.002, -0.005, -0.006, 0 })
belt(1.202, 1.212, 1.160, breast, { 0.016, 0.002, -0.008, -0.005, 0.003 })
belt(1.136, 1.142, 1.112)
L.waist = belt(1.070, 1.072, 1.055)
belt(1.025, 1.028, 1.018)
belt(0.970, 0.980, 0.975)
belt(0.910, 0.938, 0.925)
belt(0.852, 0.908, 0.872)
-- The lowest: from the crotch along the groin over the hip and under the seat.
local thigh = K.trunk
do
	local low = {
		{ 0, 0.812 },
		{ 22, 0.816 },
		{ 44, 0.838 },
		{ 66, 0.862 },
		{ 88, 0.878 },
		{ 108, 0.872 },
		{ 136, 0.836 },
		{ 164, 0.812 },
		{ 180, 0.826 },
	}
	local places = {}
	for j, p in low do
		local dir = vector.normalize(v(0.15 * sin(rad(p[1])), 0, 0.09 * cos(rad(p[1]))))
		places[j] = thigh:out(v(0, up(p[2]), -0.014), dir, 0.3)
	end
	L.hip = row_of(places)
end
local function armhole(i, j)
	return i >= 4 and i <= 6 and (j == 5 or j == 6)
end
for i = 1, #g - 1 do
	for j = 1, 8 do
		if not armhole(i, j) then
			c:quad(g[i][j], g[i][j + 1], g[i + 1][j + 1], g[i + 1][j])
		end
	end
end
L.neck = g[1]

-- Arm ---------------------------------------------------------------------------------------------------------------
-- Ten columns: 1 on the back of the hand, 3 and 4 at its front edge, 6 on the palm, 8 and 9 at its rear edge.

local DORSAL = -K.PALM
-- `tilt` degrees turn a ring from square to the arm towards the shoulder's loop.
local function arm_ring(along, tilt)
	local a = rad(tilt or 0)
	local top = DORSAL * cos(a) - K.ARM * sin(a)
	return circle(K.arm, K.on_arm(along, 0, 0), top, K.FORE, TEN, 0.09 * u)
end
local E, W = K.elbow, K.wrist
local arm = tube(shoulder, {
	arm_ring(E * 0.167, 24),
	arm_ring(E * 0.284, 12),
	arm_ring(E * 0.545),
	arm_ring(E - 0.032 * u),
	arm_ring(E),
	arm_ring(E + 0.032 * u),
	arm_ring(mix(E, W, 0.47)),
	arm_ring(W - 0.036 * u),
	arm_ring(W - 0.012 * u),
})
L.upper_arm = { arm[2], arm[3], arm[4] }
L.elbow = { arm[5], arm[6], arm[7] }

-- Hand --------------------------------------------------------------------------------------------------------------
-- Rings of the palm: five positions on the back of the hand, from index to little finger, and five on the palm side.

-- At the thumb (`thumb`), the front edge is on the back of the hand and the palm instead of the side.
local function palm_ring(along, fores, lift, thumb)
	local back_row, palm_row = {}, {}
	for i, z in fores do
		local p = K.on_hand(along + (lift and lift[i] or 0), 0, z)
		if i == 1 and thumb then
			back_row[i] = onto(K.hand, K.on_hand(along, -0.010, z))
			palm_row[i] = onto(K.hand, K.on_hand(along, 0.016, z - 0.001))
		elseif i == 1 or i == #fores then
			-- The edges, a little to the back and to the palm.
			local side = K.FORE * (if i == 1 then 1 else -1)
			local inside = p - side * 0.016 * h
			back_row[i] = K.palm:out(inside, side + DORSAL * 0.30, 0.06)
			palm_row[i] = K.palm:out(inside, side - DORSAL * 0.38, 0.06)
		else
			back_row[i] = K.hand:out(p, DORSAL, 0.06)
			palm_row[i] = K.hand:out(p, -DORSAL, 0.06)
		end
	end
	-- In the arm's order.
	local b, p = back_row, palm_row
	return { b[3], b[2], b[1], p[1], p[2], p[3], p[4], p[5], b[5], b[4] }
end
local names = K.NAMES
-- Forward offset of the webs between the fingers, and of the outer edges.
local webs = {}
for i = 1, 3 do
	local a, b = K.finger[names[i]], K.finger[names[i + 1]]
	webs[i] = (a.joints[1] + a.along[1] * 0.0165 * h + b.joints[1] + b.along[1] * 0.0165 * h) / 2
end
local function fore(i, scale)
	return (webs[i] - S).z / h * scale
end
local wrist = arm_ring(W + 0.012 * h)
local hand = tube(arm[#arm], {
	wrist,
	palm_ring(0.541, { 0.024, 0.013, 0.001, -0.012, -0.025 }, nil, true),
	palm_ring(0.577, { 0.0305, fore(1, 0.86), fore(2, 0.9), fore(3, 0.92), -0.034 }, nil, true),
	palm_ring(0.601, { 0.038, fore(1, 0.95), fore(2, 1), fore(3, 0.97), -0.034 }, { 0.001, 0.002, 0.003, 0, -0.004 }),
})
L.wrist = { arm[#arm - 1], arm[#arm], hand[2] }
L.palm = { hand[3], hand[4], hand[5] }

-- Four positions around a finger: front edge on its back, rear edge, rear edge below, front edge below.
local function around_finger(middle, along, across, thick)
	local top = vector.normalize(vector.cross(along, across))
	if vector.dot(top, DORSAL) < 0 then
		top = -top
	end
	local row = {}
	for i, d in { top + across, top - across, -top - across, -top + across } do
		row[i] = middle + vector.normalize(d) * thick
	end
	return row
end
-- Rings along a finger: two at its middle joint, one at its end joint, one before its tip.
local function finger_rings(one)
	local j, r, a = one.joints, one.thick, one.along
	local rings = {}
	for k = 2, 3 do
		local across = one.across
		local d, e = a[k - 1], a[k]
		if k == 2 then
			table.insert(rings, around_finger(j[k] - d * r[k] * 0.6, d, across, r[k]))
			table.insert(rings, around_finger(j[k] + e * r[k] * 0.7, e, across, r[k]))
		else
			table.insert(rings, around_finger(j[k], d + e, across, r[k]))
		end
	end
	table.insert(rings, around_finger(j[4] - a[3] * r[4] * 0.3, a[3], one.across, r[4] * 0.72))
	return rings
end
local function cap(ring)
	c:quad(ring[1], ring[2], ring[3], ring[4])
end

do
	-- The ring where the fingers part: webs between them, the outer edges of index and little finger.
	local edge = {}
	for _, name in { "index", "little" } do
		local one = K.finger[name]
		local at = one.joints[1] + one.along[1] * 0.0150 * h
		edge[name] = around_finger(at, one.along[1], one.across, one.thick[1] * 0.95)
	end
	local b, p = { edge.index[1] }, { edge.index[4] }
	for i, web in webs do
		b[i + 1], p[i + 1] = web + DORSAL * 0.006 * h, web - DORSAL * 0.007 * h
	end
	b[5], p[5] = edge.little[2], edge.little[3]
	local parting = bridge(hand[#hand], points { b[3], b[2], b[1], p[1], p[2], p[3], p[4], p[5], b[5], b[4] })
	L.webs = parting
	local o = parting
	local starts = {
		index = { o[3], o[2], o[5], o[4] },
		middle = { o[2], o[1], o[6], o[5] },
		ring = { o[1], o[10], o[7], o[6] },
		little = { o[10], o[9], o[8], o[7] },
	}
	for _, name in names do
		local rings = tube(starts[name], finger_rings(K.finger[name]))
		cap(rings[#rings])
		L.finger[name] = rings
	end
end
do
	-- The thumb grows out of the palm's front edge.
	local near, far = hand[3], hand[4]
	c:drop(near[3], near[4], far[4], far[3])
	local one = K.finger.thumb
	local base = { near[3], far[3], far[4], near[4] }
	-- The direction to the fingers is perpendicular to it.
	local function ring(middle, along, thick)
		along = vector.normalize(along)
		local side = vector.normalize(K.ARM - along * vector.dot(K.ARM, along))
		local row = around_finger(middle, along, side, thick)
		return { row[2], row[1], row[4], row[3] }
	end
	local j, r, a = one.joints, one.thick, one.along
	local rings = tube(base, {
		ring(mix(j[1], j[2], 0.86), vector.normalize(a[1] + K.FORE * 0.8), r[2] * 1.15),
		ring(j[2] + a[2] * r[2] * 0.5, a[2], r[2]),
		ring(j[3], a[2] + a[3], r[3]),
		ring(j[4] - a[3] * r[4] * 0.3, a[3], r[4] * 0.72),
	})
	cap(rings[#rings])
	L.finger.thumb = rings
end

-- Leg ---------------------------------------------------------------------------------------------------------------
-- Ten columns: 1 in front, 3 and 4 outside, 6 behind, 8 and 9 inside; 10, 1, 2 go over the instep.

local leg
do
	local b = g[#g]
	-- The crotch's strip: its middle, and its edge on the thigh's inside.
	local top, tail = c:get(b[1]), c:get(b[9])
	local middle, inner = {}, {}
	for i = 1, 3 do
		local t = i / 4
		local z = mix(top.z, tail.z, t)
		local dip = 1 - (2 * t - 1) ^ 2
		middle[i] = c:point(onto(thigh, v(0, mix(top.y, tail.y, t) - 0.022 * dip * u, z)) * v(0, 1, 1))
		inner[i] = c:point(onto(thigh, v(0.024 * u, up(0.782), z * 0.9)))
	end
	local m = { b[1], middle[1], middle[2], middle[3], b[9] }
	local s = { b[2], inner[1], inner[2], inner[3], b[8] }
	bridge(m, s, true)
	L.crotch = m
	leg = { b[3], b[4], b[5], b[6], b[7], b[8], s[4], s[3], s[2], b[2] }
	L.thigh_top = leg
end
local function leg_middle(y, rows)
	local last = #rows
	for i = 1, last - 1 do
		local p, q = rows[i], rows[i + 1]
		if y <= q[1] or i == last - 1 then
			local t = math.clamp((y - p[1]) / (q[1] - p[1]), 0, 1)
			return v(mix(p[2], q[2], t), y, mix(p[3], q[3], t))
		end
	end
end
-- A ring around the leg at a height in front, outside, behind and inside.
local function leg_ring(f, rows, front_y, outside_y, back_y, inside_y)
	local places = {}
	for i, a in TEN do
		local side = if a < 180 then outside_y or front_y else inside_y or front_y
		local y = swing(front_y, side, back_y or front_y, a)
		local middle = leg_middle(y, rows)
		local dir = v(sin(rad(a)), 0, cos(rad(a)))
		places[i] = f:out(middle, dir, 0.14)
		if f == thigh and places[i].x < 0.006 * u then
			places[i] = v(0.006 * u, places[i].y, places[i].z)
		end
	end
	return places
end
local knee = K.knee.y
local thighs = tube(leg, {
	leg_ring(thigh, K.leg_rows, up(0.790), up(0.822), up(0.765), up(0.752)),
	leg_ring(thigh, K.leg_rows, up(0.740), up(0.760), up(0.722), up(0.715)),
	leg_ring(K.leg, K.leg_rows, up(0.632), up(0.634), up(0.630), up(0.628)),
	leg_ring(K.leg, K.leg_rows, knee + 0.042 * u),
	leg_ring(K.leg, K.leg_rows, knee + 0.004 * u),
	leg_ring(K.leg, K.leg_rows, knee - 0.036 * u),
	leg_ring(K.leg, K.leg_rows, up(0.397)),
	leg_ring(K.leg, K.leg_rows, up(0.337)),
})
L.thigh = { thighs[2], thighs[3], thighs[4] }
L.knee = { thighs[5], thighs[6], thighs[7] }

-- Boot --------------------------------------------------------------------------------------------------------------

-- Into the cuff, over its lip and down the shaft.
local function out_by(places, middle_rows, by, lift)
	local row = {}
	for i, p in places do
		local away = p - leg_middle(p.y, middle_rows)
		row[i] = p + vector.normalize(v(away.x, 0, away.z)) * by + v(0, lift, 0)
	end
	return row
end
local hem = out_by(leg_ring(K.leg, K.leg_rows, K.cuff - 0.016 * u), K.leg_rows, -0.001, 0)
local inside = bridge(thighs[#thighs], points(hem, 1))
c:paint(LEATHER)
local function shaft_ring(y, by, lift)
	return out_by(leg_ring(K.shaft, K.shaft_rows, y), K.shaft_rows, by, lift)
end
local lip = bridge(inside, points(shaft_ring(K.cuff - 0.012 * u, 0.0030 * u, 0.012 * u), 1))
local cuff = bridge(lip, points(shaft_ring(K.cuff - 0.034 * u, 0.0040 * u, 0), 1))
local under = bridge(cuff, points(shaft_ring(K.cuff - 0.036 * u, 0, 0), 0.7))
c:sharpen(closed(lip), 1)
c:sharpen(closed(cuff), 1)
L.cuff = { inside, lip, cuff, under }
local A = K.ankle.y
local shaft = tube(under, {
	leg_ring(K.shaft, K.shaft_rows, up(0.205)),
	leg_ring(K.boot, K.shaft_rows, A + 0.084 * u, A + 0.074 * u, A + 0.064 * u),
	leg_ring(K.boot, K.shaft_rows, A + 0.056 * u, A + 0.036 * u, A + 0.026 * u),
})
-- The last ring of the ankle: its front is on the instep.
local instep = leg_ring(K.boot, K.shaft_rows, A + 0.034 * u, A + 0.004 * u, A - 0.010 * u)
local ankle = bridge(shaft[#shaft], points(instep))
L.ankle = { shaft[3], shaft[4], ankle }

-- Heel: columns 2 to 10 go down to the sole.
local function foot_middle(z)
	for i = 1, #K.foot_rows - 1 do
		local p, q = K.foot_rows[i], K.foot_rows[i + 1]
		if z <= q[1] or i == #K.foot_rows - 1 then
			local t = math.clamp((z - p[1]) / (q[1] - p[1]), 0, 1)
			return v(mix(p[2], q[2], t), mix(p[3], q[3], t), z)
		end
	end
end
-- Front end of the heel, and the centre for its angles.
local s = K.measure.foot
local HEEL_FRONT, HEEL_MIDDLE = 0, -0.020 * s
local function heel_row(y)
	local row = {}
	for k = 2, 10 do
		-- Straight at the sides, around behind.
		local t = (k - 6) / 4
		local a = math.clamp(math.abs(t) * 2 - 1, 0, 1)
		local z = mix(HEEL_MIDDLE, HEEL_FRONT, a)
		local turn = math.min(math.abs(t) * 2, 1) * 90
		local side = if t < 0 then 1 else -1
		local dir = v(side * sin(rad(turn)), 0, -cos(rad(turn)))
		row[k - 1] = K.foot:out(v(K.ankle.x, y, z), dir, 0.09 * s)
	end
	return row
end
local function points_at(row, y, hold)
	local flat = {}
	for i, p in row do
		flat[i] = v(p.x, y, p.z)
	end
	return points(flat, hold)
end
local heel = {}
for k = 2, 10 do
	heel[k - 1] = ankle[k]
end
local h1 = bridge(heel, points(heel_row(0.046 * s)), true)
local sole_row = heel_row(K.sole * 0.6)
local h2 = bridge(h1, points_at(sole_row, K.sole, 0.8), true)
local h3 = bridge(h2, points_at(sole_row, 0, 1), true)
local sole_middle = c:point(v(K.ankle.x, 0, HEEL_FRONT), 1)
local tread = { h3[4], h3[5], h3[6], h3[7], h3[8], h3[9], sole_middle, h3[1], h3[2], h3[3] }
lid(tread, { K.on_foot(0.092, 0, -0.036), K.on_foot(0.092, 0, -0.016) }, 1)
L.sole = h3

-- Foot: rings of ten, 1 2 3 over the instep from inside to outside, then down to the sole and up again. The sole is not
-- projected onto the field.
local function foot_points(row)
	local hold = { 0, 0, 0, 0, 0.8, 1, 1, 1, 0.8, 0 }
	local all = {}
	for k, p in row do
		all[k] = c:point(p, hold[k])
	end
	return all
end
-- The upper half of a ring may lean forwards.
local function foot_ring(z, sole_y, wide, lean)
	local m, top = foot_middle(z), foot_middle(z + lean)
	local row = {}
	local rise = { [1] = -26, [2] = 2, [3] = 28 }
	for k = 1, 3 do
		local a = rad(rise[k] * wide)
		row[k] = K.boot:out(top, v(sin(a), cos(a), 0), 0.12 * s)
	end
	local function flank(side)
		local upper = K.boot:out(v(m.x, mix(K.sole, m.y, 0.95), z + lean * 0.5), v(side, 0.25, 0), 0.09)
		local edge = K.foot:out(v(m.x, K.sole * 0.6, z), v(side, 0, 0), 0.09)
		return upper, v(edge.x, K.sole + sole_y, z), v(edge.x, sole_y, z)
	end
	row[4], row[5], row[6] = flank(1)
	row[10], row[9], row[8] = flank(-1)
	row[7] = v(m.x, sole_y, z)
	return foot_points(row)
end
local first = { ankle[10], ankle[1], ankle[2], h1[1], h2[1], h3[1], sole_middle, h3[9], h2[9], h1[9] }
local foot = { first }
for _, r in { { 0.020, 0.010, 1.2, 0.036 }, { 0.094, 0.001, 1.4, 0.004 }, { 0.130, 0, 1.5, 0 } } do
	table.insert(foot, bridge(foot[#foot], foot_ring(r[1] * s, r[2] * s, r[3], r[4] * s)))
end
-- The toes: the sole's edge runs around their front.
local toe = K.on_foot(0.097, 0, 0.148)
local function toe_edge(degrees, y)
	local dir = v(sin(rad(degrees)), 0, cos(rad(degrees)))
	return K.foot:out(toe + v(0, y, 0), dir, 0.08)
end
local last
do
	local row = {}
	for k, x in { 0.080, 0.097, 0.114 } do
		row[k] = onto(K.foot, K.on_foot(x, if k == 2 then 0.046 else 0.041, 0.166))
	end
	local function flat(p, y)
		return v(p.x, y, p.z)
	end
	for _, side in { { 4, 5, 6, 48 }, { 10, 9, 8, -48 } } do
		local edge = toe_edge(side[4], K.sole * 0.6)
		row[side[1]] = toe_edge(side[4] * 1.08, K.sole + 0.013 * s)
		row[side[2]], row[side[3]] = flat(edge, K.sole), flat(edge, 0)
	end
	local tip = toe_edge(0, K.sole * 0.6)
	row[7] = flat(tip, 0)
	last = bridge(foot[#foot], foot_points(row))
	table.insert(foot, last)
	local inner = lid(last, { toe_edge(0, K.sole + 0.013 * s), flat(tip, K.sole) }, 0)
	c:hold(inner[2], 0.8)
	c:sharpen({ last[5], inner[2], last[9] }, 1)
end
L.ball = { foot[3], foot[4] }
-- Edges of the sole.
local function line(k)
	local row = {}
	for i, ring in foot do
		row[i] = ring[k]
	end
	return row
end
c:sharpen(h2, 1)
c:sharpen(h3, 1)
for _, k in { 5, 6, 8, 9 } do
	c:sharpen(line(k), 1)
end
c:sharpen({ first[6], first[7], first[8] }, 1)
c:sharpen({ last[6], last[7], last[8] }, 1)
c:paint(SKIN)

L.cage, L.field = c, K.body
return L
