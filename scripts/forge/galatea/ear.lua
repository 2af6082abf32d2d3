-- Galatea's ear, with a drop of gold: rings of points around its hollow, from the bottom of the hollow over antihelix
-- and helix to behind it and into the head.
local v = vector.create
local K = require "./face_field"
local sin, cos, rad, pi = math.sin, math.cos, math.rad, math.pi

-- Proportions.
local PLACE, OFF = v(0, 1.5730, -0.0120), 0.0045 -- its centre; its distance from the head
local AT = K.head:out(PLACE, v(1, 0, 0), 0.2) + v(OFF, 0, 0)
local LEAN = 12 -- degrees, its top backwards
local STAND = 20 -- degrees, its rear outwards
local HINGE = -0.012 -- its hinge: distance in front of its centre
local SKIN, GOLD = "skin", "gold"

-- Each ring in millimetres: { backwards, up, outwards } for twelve directions, from the front (tragus) over the top.
local RINGS = {
	{ -- bottom of the hollow
		{ -6, -4, -4 }, { -5, -1, -4.5 }, { -2, 1.5, -5.5 }, { 1, 2.5, -6.5 }, { 3.5, 2, -7.5 }, { 5.5, 0.5, -8.5 },
		{ 6.5, -2, -9 }, { 6, -5.5, -8.5 }, { 3.5, -9, -7.5 }, { 0, -10.5, -6.5 }, { -3, -9.5, -5.5 }, { -5.5, -7, -4.5 },
	},
	{ -- its wall
		{ -8.5, -4, -1.5 }, { -8.5, 2, -1.5 }, { -5.5, 6, -0.5 }, { -1, 9, 0 }, { 4, 9.5, 0 }, { 8.5, 6.5, 0 },
		{ 11, 1.5, 0 }, { 10.5, -5.5, 0 }, { 7, -11.5, 0 }, { 2, -15, 0 }, { -4, -14, 0 }, { -8, -9, 0 },
	},
	{ -- antihelix; at the front the tragus
		{ -5.5, -4.5, 7 }, { -9.5, 4, 1 }, { -7, 9, 1.5 }, { -2, 13, 3.2 }, { 4, 13, 4 }, { 9, 9.5, 4.6 },
		{ 12, 3, 5.2 }, { 11.5, -5, 5.2 }, { 8, -12, 4.6 }, { 3, -16, 3.4 }, { -3, -14.5, 1.8 }, { -6.5, -9.5, 5.5 },
	},
	{ -- groove behind the helix
		{ -10.5, -4, 3.4 }, { -11.5, 6.5, 1.6 }, { -9, 14, 1 }, { -3, 20, 0.4 }, { 6, 19.5, 0.6 }, { 12, 14, 1 },
		{ 15.5, 5, 1.6 }, { 14.5, -5.5, 2.4 }, { 10, -14, 3 }, { 3.5, -20.5, 3 }, { -4, -20, 2.6 }, { -10, -11.5, 2.2 },
	},
	{ -- helix
		{ -14, -4, 1 }, { -13, 10, 2.6 }, { -10, 20, 5 }, { -2, 25.5, 5.8 }, { 9, 24.5, 6 }, { 16.5, 16.5, 6 },
		{ 19, 6, 6 }, { 17.5, -6, 5.2 }, { 12, -17, 4 }, { 4, -25.5, 3.4 }, { -5.5, -24.5, 2.4 }, { -12, -14.5, 0.8 },
	},
	{ -- its edge
		{ -17, -4, -0.2 }, { -16, 11, -0.2 }, { -12.5, 23, 1.5 }, { -1.5, 29, 2 }, { 11.5, 27, 2 }, { 19.5, 18, 2 },
		{ 22, 6.5, 2 }, { 20, -7, 2 }, { 14, -19, 1.5 }, { 4, -28.2, 0.8 }, { -7.5, -27.5, -0.4 }, { -14.5, -17, -0.6 },
	},
	{ -- root, in the head
		{ -15, -4, -14 }, { -14, 7, -14 }, { -10, 13, -15 }, { -3, 16, -17 }, { 3, 15, -18 }, { 7, 10, -19 },
		{ 8, 3, -19 }, { 7, -5, -18 }, { 4, -11, -16 }, { -1, -15, -14 }, { -8, -15, -14 }, { -13, -11, -14 },
	},
}

-- For each direction: 1 if it is on the cheek, 0 if it stands off.
local CHEEK = { 1, 0.75, 0.15, 0, 0, 0, 0, 0, 0, 0, 0.25, 0.8 }

local function placed(p)
	local back, up, out = p[1] * 0.001 - HINGE, p[2] * 0.001, p[3] * 0.001
	local a, b = rad(STAND), rad(LEAN)
	back, out = back * cos(a) - out * sin(a) + HINGE, back * sin(a) + out * cos(a)
	back, up = back * cos(b) + up * sin(b), up * cos(b) - back * sin(b)
	return AT + v(out, up, -back)
end

local c = cage()
c:paint(SKIN)
local rings = {}
for i, ring in RINGS do
	rings[i] = {}
	for k, p in ring do
		local at = placed(p)
		local on = if i < 3 then 0 else CHEEK[k]
		local low = at - K.head:normal(at) * K.head:at(at)
		low += K.head:normal(low) * (p[3] * 0.001)
		rings[i][k] = c:point(at + (low - at) * on, 1)
	end
end
for i = 1, #rings - 1 do
	local a, b = rings[i], rings[i + 1]
	for k = 1, 12 do
		local n = k % 12 + 1
		c:quad(a[k], a[n], b[n], b[k])
	end
end
local r = rings[1]
c:quad(r[1], r[2], r[11], r[12])
c:quad(r[2], r[3], r[10], r[11])
c:quad(r[3], r[4], r[9], r[10])
c:quad(r[4], r[5], r[8], r[9])
c:quad(r[5], r[6], r[7], r[8])

-- The drop: turned on a lathe, { down, radius } in millimetres.
local DROP = { { -1.5, 0.3 }, { -0.6, 1.5 }, { 1.0, 1.0 }, { 2.2, 0.6 }, { 5, 1.1 }, { 10, 3.2 }, { 13.5, 3.2 }, { 16, 0.6 } }
local SIDES = 5
local lobe = c:get(rings[4][10]) + c:get(rings[4][11]) + c:get(rings[5][10]) + c:get(rings[5][11])
local top = lobe * 0.25 + v(0.0006, 0, 0)
local d = cage()
d:paint(GOLD)
local turned = {}
for i, p in DROP do
	turned[i] = {}
	for k = 1, SIDES do
		local a = k * 2 * pi / SIDES
		turned[i][k] = d:point(top + v(sin(a) * p[2], -p[1], cos(a) * p[2]) * 0.001, 1)
	end
end
for i = 1, #turned - 1 do
	for k = 1, SIDES do
		local n = k % SIDES + 1
		d:quad(turned[i][k], turned[i][n], turned[i + 1][n], turned[i + 1][k])
	end
end
return { cage = c, rings = rings, drop = d, top = top }
