-- Galatea's head: a grid over face, skull and neck; loops fill its holes for eyes, nose and mouth. Returns the cage and
-- the indices of its points: `grid`, and the loops of lids, nose and lips.
local v = vector.create
local K = require "./face_field"
local half = require "./halves"
local E, R, M = K.EYE, K.R, K.MOUTH
local head = K.lids
local sin, cos, rad, max, min = math.sin, math.cos, math.rad, math.max, math.min

local c = half()

-- Positions on the head: in front by x and y; around an axis by degrees and height; above the ears in spherical
-- coordinates.
local function front(x, y)
	return head:cast(v(x, y, 0.3), v(0, 0, -1)) or error(`no face at {x} {y}`)
end
local function around(degrees, y, z)
	local a = rad(degrees)
	return head:out(v(0, y, z or -0.005), v(sin(a), 0, cos(a)), 0.25) or error(`no head at {degrees} {y}`)
end
local CROWN = v(0, 1.612, -0.012)
local function globe(from, azimuth, elevation)
	local a, e = rad(azimuth), rad(elevation)
	return head:out(from, v(sin(a) * cos(e), sin(e), cos(a) * cos(e)), 0.25)
end

-- The grid: rows from the neck to the crown, columns from the middle of the face to the middle of the back.
local AZIMUTHS = { 0, 12, 25, 38, 53, 72, 98, 135, 180 }
local rows = {}
local function ring(y, z, bend)
	local row = {}
	for j, azimuth in AZIMUTHS do
		row[j] = around(azimuth, y + (bend or 0) * (1 - cos(rad(azimuth))) * 0.5, z)
	end
	table.insert(rows, row)
end
-- A row over the face: { x, y } as seen from the front, then { degrees, y, z } around the side.
local function row(face, side)
	local list = {}
	for j, p in face do
		list[j] = front(p[1], p[2])
	end
	for _, s in side do
		table.insert(list, around(s[1], s[2], s[3]))
	end
	table.insert(rows, list)
end

ring(1.432, -0.030)
ring(1.457, -0.022, -0.004)
do -- 3: under the chin
	local list = {}
	for j, p in { { 0, 0.0420 }, { 0.0105, 0.0413 }, { 0.0205, 0.0380 }, { 0.0295, 0.0305 }, { 0.0370, 0.0195 } } do
		list[j] = head:cast(v(p[1], 1.42, p[2]), v(0, 1, 0)) or error "no chin"
	end
	table.insert(list, around(86, 1.4905, -0.016))
	table.insert(list, around(110, 1.4980, -0.018))
	table.insert(list, around(141, 1.488, -0.018))
	table.insert(list, around(180, 1.482, -0.018))
	table.insert(rows, list)
end
do -- 4: edge of chin and jaw, seen from before and below
	local list = {}
	local ahead = vector.normalize(v(0, 1, -1))
	for j, p in {
		{ 0, 1.4780, 0.0740 }, { 0.0095, 1.4785, 0.0730 }, { 0.0190, 1.4810, 0.0690 }, { 0.0305, 1.4880, 0.0590 },
		{ 0.0420, 1.4985, 0.0460 },
	} do
		list[j] = head:cast(v(p[1], p[2], p[3]) - ahead * 0.08, ahead) or error "no jaw"
	end
	for _, s in { { 74, 1.5080, 0 }, { 103, 1.5200, -0.015 }, { 137, 1.510, -0.015 }, { 180, 1.505, -0.015 } } do
		table.insert(list, around(s[1], s[2], s[3]))
	end
	table.insert(rows, list)
end
-- 5: front of the chin
row(
	{ { 0, 1.4880 }, { 0.0102, 1.4885 }, { 0.0215, 1.4915 }, { 0.0345, 1.4990 }, { 0.0465, 1.5095 } },
	{ { 72, 1.5220, 0 }, { 103, 1.5340, -0.015 }, { 137, 1.526, -0.015 }, { 180, 1.525, -0.015 } }
)
-- 6: under the lips
row(
	{ { 0, M - 0.0190 }, { 0.0110, M - 0.0185 }, { 0.0235, M - 0.0145 }, { 0.0390, 1.5115 }, { 0.0510, 1.5215 } },
	{ { 70, 1.5330, 0 }, { 101, 1.5430, -0.01 }, { 136, 1.540, -0.01 }, { 180, 1.545, -0.01 } }
)
-- 7: mouth
row(
	{ { 0, M }, { 0.0140, M }, { 0.0330, M + 0.0025 }, { 0.0455, 1.5250 }, { 0.0560, 1.5335 } },
	{ { 70, 1.5430, 0 }, { 100, 1.5520, -0.01 }, { 136, 1.555, -0.01 }, { 180, 1.565, -0.01 } }
)
-- 8: over the lips
row(
	{ { 0, M + 0.0130 }, { 0.0090, M + 0.0140 }, { 0.0245, M + 0.0165 }, { 0.0415, 1.5395 }, { 0.0570, 1.5450 } },
	{ { 70, 1.5530, 0 }, { 99, 1.5600, -0.01 }, { 136, 1.570, -0.01 }, { 180, 1.585, -0.01 } }
)
-- 9: under the nose
row(
	{ { 0, 1.5405 }, { 0.0090, 1.5415 }, { 0.0210, 1.5465 }, { 0.0390, 1.5520 }, { 0.0565, 1.5560 } },
	{ { 70, 1.5630, 0 }, { 98, 1.5690, -0.01 }, { 136, 1.584, -0.01 }, { 180, 1.602, -0.01 } }
)
-- 10: over the tip of the nose, under the eye
row(
	{ { 0, 1.5680 }, { 0.0085, 1.5675 }, { 0.0180, 1.5640 }, { 0.0340, 1.5595 }, { 0.0525, 1.5655 } },
	{ { 70, 1.5740, 0 }, { 97, 1.5800, -0.01 }, { 136, 1.598, -0.01 }, { 180, 1.617, -0.01 } }
)
-- 11 and 12: bridge of the nose, lower and upper lid
row(
	{ { 0, 1.5780 }, { 0.0066, 1.5780 }, { 0.0120, 1.5765 }, { 0.0330, 1.5820 }, { 0.0575, 1.5780 } },
	{ { 71, 1.5850, 0 }, { 97, 1.5910, -0.01 }, { 136, 1.607, -0.01 }, { 180, 1.628, -0.01 } }
)
row(
	{ { 0, 1.5890 }, { 0.0070, 1.5890 }, { 0.0125, 1.5890 }, { 0.0330, 1.5850 }, { 0.0575, 1.5910 } },
	{ { 71, 1.5960, 0 }, { 97, 1.6020, -0.01 }, { 136, 1.617, -0.01 }, { 180, 1.638, -0.01 } }
)
-- 13 and 14: under and over the brow
row(
	{ { 0, 1.6030 }, { 0.0095, 1.6030 }, { 0.0190, 1.6045 }, { 0.0360, 1.6085 }, { 0.0535, 1.6050 } },
	{ { 72, 1.6090, 0 }, { 97, 1.6140, -0.01 }, { 136, 1.628, -0.01 }, { 180, 1.648, -0.01 } }
)
row(
	{ { 0, 1.6190 }, { 0.0120, 1.6190 }, { 0.0240, 1.6220 }, { 0.0380, 1.6260 }, { 0.0525, 1.6230 } },
	{ { 73, 1.6240, 0 }, { 98, 1.6300, -0.01 }, { 136, 1.643, -0.01 }, { 180, 1.658, -0.01 } }
)
do -- 15: along the hair
	local list = {}
	for j, azimuth in AZIMUTHS do
		list[j] = globe(CROWN, azimuth, 38)
	end
	table.insert(rows, list)
end

-- The jaw is smoother than the field.
local JAW_HOLD = { [3] = 0.5, [4] = 0.7, [5] = 0.55, [6] = 0.3, [7] = 0.1 }
local g = {}
for i, list in rows do
	g[i] = {}
	for j, p in list do
		local hold = if j <= 7 then JAW_HOLD[i] or 0 else 0
		g[i][j] = c:point(if j == 1 or j == 9 then v(0, p.y, p.z) else p, hold * (if j == 7 then 0.5 else 1))
	end
end
local function hole(i, j)
	local eye = j >= 3 and j <= 4 and i >= 10 and i <= 12
	local nose = j <= 2 and i == 9
	local mouth = j <= 2 and i >= 6 and i <= 7
	return eye or nose or mouth
end
-- Islands of the texture sheet: the face from the jaw to the hair and behind the ears, the neck, the rest.
local function chart(i, j)
	return if i <= 3 then "neck" elseif j <= 6 then "face" else "scalp"
end
for i = 1, #g - 1 do
	for j = 1, 8 do
		if not hole(i, j) then
			c:chart(chart(i, j))
			c:quad(g[i][j], g[i][j + 1], g[i + 1][j + 1], g[i + 1][j])
		end
	end
end
c:seam { g[1][9], g[2][9], g[3][9], g[4][9] }
do -- the crown: a patch of its own
	c:chart "scalp"
	local last = g[#g]
	local middle, side = {}, {}
	for k, p in { { 0, 61 }, { 0, 87 }, { 180, 63 } } do
		local top = globe(CROWN, p[1], p[2])
		middle[k] = c:point(v(0, top.y, top.z))
		side[k] = c:point(globe(CROWN, ({ 26, 80, 145 })[k], ({ 53, 64, 57 })[k]))
	end
	local a = { last[1], middle[1], middle[2], middle[3], last[9] }
	local b = { last[2], side[1], side[2], side[3], last[8] }
	local d = { last[3], last[4], last[5], last[6], last[7] }
	for k = 1, 4 do
		c:quad(a[k], a[k + 1], b[k + 1], b[k])
		c:quad(b[k], b[k + 1], d[k + 1], d[k])
	end
end

c:chart "face"
local L = { grid = g }

-- Eye: from the inner corner over the upper lid to the outer corner and back along the lower lid, in degrees from the
-- centre of the eyeball.
local LID = {
	{ -54, -11 }, { -55, -7 }, { -34, 11.2 }, { -1, 17.8 }, { 33, 18.6 },
	{ 61, 9.5 }, { 60, 4 }, { 35, -15 }, { 2, -23.2 }, { -30, -21.5 },
}
-- The crease over the upper lid and the crest of the fold above it; under the lower lid both are faint.
local CREASE = {
	{ -60, -13 }, { -63, -3 }, { -40, 25 }, { -1, 35 }, { 38, 34 },
	{ 69, 14 }, { 68, 1 }, { 39, -27 }, { 2, -36 }, { -35, -33 },
}
local FOLD = {
	{ -67, -18 }, { -69, 1 }, { -45, 33 }, { -1, 44 }, { 40, 43 },
	{ 75, 20 }, { 75, -6 }, { 44, -43 }, { 1, -54 }, { -45, -46 },
}
-- Distance of each from the eyeball, millimetres.
local LID_OFF = { 2.0, 2.0, 2.4, 2.6, 2.5, 2.2, 2.0, 2.0, 2.0, 2.0 }
local CREASE_OFF = { 2.2, 2.3, 1.9, 1.7, 1.7, 2.0, 2.0, 2.1, 2.1, 2.1 }
local CREASE_HOLD = { 0.6, 0.8, 1, 1, 1, 1, 0.8, 0.6, 0.6, 0.6 }
local FOLD_HOLD = { 0.3, 0.5, 0.7, 0.7, 0.7, 0.6, 0.3, 0.1, 0.1, 0.1 }
local FOLD_OFF = { 2.2, 3.2, 4.2, 4.5, 4.4, 3.4, 2.0, 2.4, 2.8, 2.4 }
do
	local out = {
		g[11][3], g[12][3], g[13][3], g[13][4], g[13][5],
		g[12][5], g[11][5], g[10][5], g[10][4], g[10][3],
	}
	local function ball(list, off)
		local all = {}
		for k, p in list do
			local a, e = rad(p[1]), rad(p[2])
			local r = R + (if type(off) == "table" then off[k] else off) * 0.001
			all[k] = E + v(sin(a) * cos(e), sin(e), cos(a) * cos(e)) * r
		end
		return all
	end
	local rim = {}
	for k, p in LID do
		rim[k] = { p[1] * 0.97, p[2] * 0.95 }
	end
	L.fold = c:loop(out, ball(FOLD, FOLD_OFF), true, FOLD_HOLD)
	L.crease = c:loop(L.fold, ball(CREASE, CREASE_OFF), true, CREASE_HOLD)
	L.lid = c:loop(L.crease, ball(LID, LID_OFF), true, 1)
	L.rim = c:loop(L.lid, ball(rim, -0.5), true, 1)
	local closed = table.clone(L.lid)
	table.insert(closed, L.lid[1])
	c:sharpen(closed, 2)
	c:sharpen({ L.crease[2], L.crease[3], L.crease[4], L.crease[5], L.crease[6] }, 1)
end

-- Nose: a ring around wings and tip, then wing, tip, columella and nostril; millimetres.
do
	local out = { g[9][1], g[9][2], g[9][3], g[10][3], g[10][2], g[10][1] }
	local function on(x, y)
		return front(x * 0.001, y * 0.001)
	end
	L.nose = c:loop(out, {
		v(0, 1.5455, 0.0930), v(0.0072, 1.5452, 0.0895), on(14.5, 1548.8), on(13.0, 1558.0), on(6.6, 1563.0), on(0, 1564.0),
	}, false, 0.8)
	local s = L.nose
	local function put(x, y, z)
		return c:point(v(x, y, z) * 0.001, 1)
	end
	local columella, tip = put(0, 1546.8, 102.0), put(0, 1555.6, 109.8)
	local wing, side = put(13.4, 1552.6, 93.3), put(6.8, 1556.7, 104.6)
	local sill, rim = put(6.2, 1546.0, 92.8), put(11.2, 1546.2, 92.3)
	local fore, septum = put(6.2, 1547.8, 101.2), put(2.9, 1546.0, 97.6)
	c:quad(s[1], s[2], sill, septum)
	c:quad(s[1], septum, fore, columella)
	c:quad(s[2], s[3], rim, sill)
	c:quad(s[3], s[4], wing, rim)
	c:quad(rim, wing, side, fore)
	c:quad(s[4], s[5], side, wing)
	c:quad(s[5], s[6], tip, side)
	c:quad(side, tip, columella, fore)
	L.nostril = { sill, rim, fore, septum }
	local deep = { put(6.0, 1552.5, 90.5), put(8.2, 1553.5, 90.5), put(6.8, 1555.5, 95.0), put(4.4, 1554.0, 93.5) }
	c:chart "nostril"
	c:paint "mouth"
	for k = 1, 4 do
		local n = k % 4 + 1
		c:quad(L.nostril[k], L.nostril[n], deep[n], deep[k])
	end
	c:quad(deep[1], deep[2], deep[3], deep[4])
	c:paint "skin"
	c:chart "face"
end

-- Mouth: from under the nose around the corner to the chin; offsets in millimetres from the line of the mouth: x, y, and
-- the distance in front of its arc.
do
	local out = { g[8][1], g[8][2], g[8][3], g[7][3], g[6][3], g[6][2], g[6][1] }
	local function lips(list)
		local all = {}
		for k, p in list do
			local x = p[1] * 0.001
			all[k] = v(x, M + p[2] * 0.001, 0.0915 - 13 * x * x + p[3] * 0.001)
		end
		return all
	end
	L.border = c:loop(out, lips {
		{ 0, 6.2, 1.2 }, { 5.6, 9.2, 1.2 }, { 15.0, 5.4, 0.9 }, { 26.6, 4.0, 1.2 }, { 15.0, -6.0, -0.2 },
		{ 6.8, -10.4, 0.1 }, { 0, -10.8, 0.3 },
	}, false, 0.75)
	c:paint "lips"
	L.crest = c:loop(L.border, lips {
		{ 0, 2.8, 4.4 }, { 5.6, 4.2, 3.9 }, { 14.6, 3.2, 2.3 }, { 24.8, 3.5, 0.9 }, { 14.4, -3.2, 2.1 },
		{ 6.8, -5.8, 3.7 }, { 0, -6.2, 4.1 },
	}, false, 1)
	L.line = c:loop(L.crest, lips {
		{ 0, -2.1, 1.4 }, { 5.8, -2.0, 1.3 }, { 14.0, -0.2, 1.0 }, { 23.6, 3.3, 0.0 }, { 14.0, 1.7, 0.8 },
		{ 5.8, 0.9, 1.0 }, { 0, 0.7, 1.1 },
	}, false, 1)
	c:chart "mouth"
	L.inside = c:loop(L.line, lips {
		{ 0, -0.6, -4.5 }, { 5.8, 0, -4.5 }, { 13.6, 0.7, -4.5 }, { 22.2, 2.8, -4.5 }, { 13.6, 0.6, -4.5 },
		{ 5.8, -0.4, -4.5 }, { 0, -0.8, -4.5 },
	}, false, 1)
	c:paint "mouth"
	-- The pocket between lips and teeth, and the throat, closed to a slit.
	L.pocket = c:loop(L.inside, lips {
		{ 0, 13.0, -6.0 }, { 8.5, 13.0, -6.0 }, { 20.0, 11.5, -6.0 }, { 27.0, 0, -7.0 },
		{ 20.0, -11.0, -6.0 }, { 8.5, -13.0, -6.0 }, { 0, -13.5, -6.0 },
	}, false, 1)
	local back = {}
	for k, p in { { 0, -13 }, { 6, -13.2 }, { 11, -14 }, { 14, -15 }, { 11, -14 }, { 6, -13.2 }, { 0, -13 } } do
		back[k] = v(p[1], 0, 20) * 0.001 + v(0, M + p[2] * 0.001, 0)
	end
	L.throat = c:loop(L.pocket, back, false, 1)
	c:paint "skin"
end

-- Limit curve of a closed loop at u: 0 at its first point, 1 at its second; `get` returns a point's value.
function L.curve(list, u, get)
	get = get or function(i)
		return c:get(i)
	end
	local n = #list
	local i = math.floor(u)
	local t = u - i
	local function at(k)
		return get(list[(i + k) % n + 1])
	end
	local s = 1 - t
	local a, b = s * s * s / 6, t * t * t / 6
	local d = (3 * t * t * t - 6 * t * t + 4) / 6
	local e = (3 * s * s * s - 6 * s * s + 4) / 6
	return at(-1) * a + at(0) * d + at(1) * e + at(2) * b
end

-- The red of the lips as a field, for paint with a soft border: balls that touch the border of the subdivided loops, for
-- the current positions of the points.
local function lips()
	local red
	local function smooth(ring, k)
		local n = #ring
		local before, after = c:get(ring[max(1, k - 1)]), c:get(ring[min(n, k + 1)])
		-- Beyond the middle it continues mirrored.
		if k == 1 or k == n then
			before = c:get(ring[if k == 1 then 2 else n - 1])
			after = v(-before.x, before.y, before.z)
		end
		return (before + c:get(ring[k]) * 4 + after) / 6
	end
	-- Towards the corner the border is farther out.
	local MORE = { 0.0002, 0.0004, 0.0012, 0.0018, 0.0011, 0.0004, 0.0002 }
	for _, ends in { { 1, 4 }, { 4, 7 } } do
		for _, share in { 0.16, 0.32, 0.5 } do
			local places, radii = {}, {}
			for k = ends[1], ends[2] do
				local a, b = smooth(L.border, k), smooth(L.line, k)
				table.insert(places, a + (b - a) * share)
				table.insert(radii, vector.magnitude(b - a) * share + MORE[k])
			end
			local band = field.path(places, radii)
			red = if red then red:join(band, 0.001) else band
		end
	end
	return red:mirror()
end

local whole, twin = c:whole()
return { cage = whole, half = c, twin = twin, field = head, loops = L, lips = lips }
