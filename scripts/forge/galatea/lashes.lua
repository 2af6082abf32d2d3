-- Galatea's lashes, tear lines and eyebrows. Each point stores its attachment, so that `morphs` can move it along:
-- { u, from, to, fraction, root }: at u, between two loops of the lid; brows are attached to the head itself.
local v = vector.create
local K = require "./face_field"
local H = require "./head"
local half = require "./halves"
local E = K.EYE
local L = H.loops
local curve = L.curve
local max, min = math.max, math.min

-- Lengths in millimetres; u runs along the lid's loop, see `head`.
local UPPER = { clumps = 34, from = 1.8, to = 5.45, wide = 0.95 }
local LOWER = { clumps = 11, from = 6.2, to = 8.6, wide = 0.5 }
local LINE = { from = 0.9, to = 5.75, steps = 20, thick = 1.25 } -- the dark line at their roots
local LIFT = 0.22

local c = half()
local ride = {}

local function lid(u, share, off)
	local p = curve(L.lid, u) * (1 - share) + curve(L.crease, u) * share
	return p + vector.normalize(p - E) * (off or 0) * 0.001
end
local function put(p, u, root)
	local i = c:point(p, 1)
	ride[i] = { u = u, from = L.lid, to = L.crease, share = 0, root = root or p }
	return i
end

c:paint "lash"
do -- the line
	local before
	for k = 0, LINE.steps do
		local t = k / LINE.steps
		local u = LINE.from + (LINE.to - LINE.from) * t
		local high = (0.2 + 0.8 * min(1, t * 1.5)) * min(1, (1 - t) * 6 + 0.1) * min(1, t * 6 + 0.1)
		local low = lid(u, 0, LIFT * 0.7)
		local up = vector.normalize(lid(u, 0.25, 0) - lid(u, 0, 0))
		local now = { put(low - up * 0.0002, u), put(low + up * (LINE.thick * high * 0.001), u, low) }
		if before then
			c:quad(before[1], now[1], now[2], before[2])
		end
		before = now
	end
end

-- A clump: a ribbon that tapers to a tip and curls, from u along `out` towards `up`.
local SEGMENTS = 3
local function clump(u, wide, long, out, up)
	local along = vector.normalize(lid(u + 0.05, 0, 0) - lid(u - 0.05, 0, 0))
	local root = lid(u, 0, LIFT * 0.6)
	local before
	for k = 0, SEGMENTS do
		local t = k / SEGMENTS
		local p = root + (out * t + up * (t * t)) * (long * 0.001)
		local wing = along * (wide * 0.0005 * (1 - t) ^ 0.75)
		local now = if k < SEGMENTS then { put(p - wing, u, root), put(p + wing, u, root) } else { put(p, u, root) }
		if before then
			if now[2] then
				c:quad(before[1], before[2], now[2], now[1])
			else
				c:quad(before[1], before[2], now[1])
			end
		end
		before = now
	end
end
local function fringe(F, long, lean, rise)
	for k = 1, F.clumps do
		local t = (k - 1) / (F.clumps - 1)
		local u = F.from + (F.to - F.from) * t
		local radial = vector.normalize(lid(u, 0, 0) - E)
		local side = v(1, 0, 0)
		local out = vector.normalize(radial + v(0, rise * 0.1, 0) + side * lean(t) * 0.6)
		-- Neighbours are of different length and lean together in pairs.
		local vary = ({ 1.15, 0.85, 1.0 })[k % 3 + 1]
		local turn = if k % 2 == 0 then 0.12 else -0.12
		clump(u, F.wide, long(t) * vary, out * 0.75, v(turn, rise * 0.62, 0) + side * lean(t) * 0.4)
	end
end
fringe(UPPER, function(t)
	return 3.2 + 5.4 * min(1, t * 1.2) - 9 * max(0, t - 0.86)
end, function(t)
	return -0.2 + 1.4 * t
end, 0.8)
fringe(LOWER, function(t)
	return 2.4 - 1.1 * t
end, function(t)
	return 0.8 - 1.1 * t
end, -0.9)
local lash_cage, lash_twin = c:whole()

-- Tear lines: a wet strip where the eyeball touches the lower lid.
local TEAR = { from = 6.3, to = 10.0, steps = 14 }
local w = half()
w:paint "tear"
local tear_ride = {}
do
	local before
	for k = 0, TEAR.steps do
		local u = TEAR.from + (TEAR.to - TEAR.from) * k / TEAR.steps
		local now = {}
		for s, share in { 0.35, 0.62, 0.92 } do
			local p = curve(L.lid, u) * (1 - share) + curve(L.rim, u) * share
			p += v(0, 1, 0.4) * (if s == 2 then 0.00045 else 0.0001)
			now[s] = w:point(p, 1)
			tear_ride[now[s]] = { u = u, from = L.lid, to = L.rim, share = share, root = p }
		end
		if before then
			for s = 1, 2 do
				w:quad(before[s], now[s], now[s + 1], before[s + 1])
			end
		end
		before = now
	end
end
do -- the pink flesh in the inner corner: { degrees around, up, millimetres off the ball }
	local before
	for _, row in {
		{ { -58, -15, 0.9 }, { -58.5, -10, 1.3 }, { -58, -5, 0.9 } },
		{ { -51, -15, 0.4 }, { -51, -10, 1.4 }, { -51, -5, 0.4 } },
		{ { -44.5, -14, -0.3 }, { -44, -10.5, 0.2 }, { -44.5, -7, -0.3 } },
	} do
		local now = {}
		for s, p in row do
			local a, e = math.rad(p[1]), math.rad(p[2])
			local at = E + v(math.sin(a) * math.cos(e), math.sin(e), math.cos(a) * math.cos(e)) * (K.R + p[3] * 0.001)
			now[s] = w:point(at, 1)
			tear_ride[now[s]] = { u = 0.5, from = L.lid, to = L.rim, share = 0.8, root = at }
		end
		if before then
			for s = 1, 2 do
				w:quad(before[s], now[s], now[s + 1], before[s + 1])
			end
		end
		before = now
	end
end
local tear_cage, tear_twin = w:whole()

-- Eyebrow: { x, y, half height } along it, seen from the front, millimetres.
local BROW = {
	{ 12.4, 1613.6, 1.0 }, { 14.6, 1613.8, 2.0 }, { 19.0, 1614.5, 2.6 }, { 24.6, 1615.7, 2.6 }, { 30.8, 1617.1, 2.4 },
	{ 37.2, 1618.1, 2.0 }, { 43.2, 1617.9, 1.6 }, { 49.0, 1615.9, 1.2 }, { 53.6, 1612.9, 0.8 }, { 57.2, 1609.7, 0.3 },
}
local BROW_UP = 0.75 -- height of its ridge above the skin
local BROW_WIDE = 1.4 -- width of the ribbon relative to the dense hairs
local b = half()
b:paint "brow"
b:chart "brow"
local rows = {}
for k, p in BROW do
	local before, after = BROW[max(1, k - 1)], BROW[min(#BROW, k + 1)]
	local across = vector.normalize(v(-(after[2] - before[2]), after[1] - before[1], 0))
	rows[k] = {}
	for s, share in { -1, -0.1, 1 } do
		local q = (v(p[1], p[2], 0) + across * share * p[3] * BROW_WIDE) * 0.001
		local on = K.head:cast(v(q.x, q.y, 0.3), v(0, 0, -1)) or error "no brow"
		local up = 0.35 + (if s == 2 then BROW_UP * min(1, p[3] / 2.4) else 0)
		rows[k][s] = b:point(on + K.head:normal(on) * (up * 0.001), 1)
		b:uv(rows[k][s], (k - 1) / (#BROW - 1), 0.5 - share * 0.5)
	end
	if k > 1 then
		for s = 1, 2 do
			b:quad(rows[k - 1][s], rows[k][s], rows[k][s + 1], rows[k - 1][s + 1])
		end
	end
end
local brow_cage, brow_twin = b:whole()

-- The hair texture, from the nose outwards and from the upper to the lower edge: colour and alpha. Hairs point up at the
-- nose, then follow the brow; upper ones lean down, lower ones up.
local function hairs(dark, hair_light, x, y)
	local from_edge = min(y, 1 - y) * 2
	local along = x - 0.17 * from_edge * min(1, 0.15 + x * 3) - max(0, 0.14 - x) * (1 - y) * 0.5
	local strand = math.noise(along * 95, y * 1.5, 1.7) + 0.7 * math.noise(along * 210, y * 2, 6.1)
	local dense = from_edge ^ 0.8
	local ends = min(1, x * 6 + 0.1) * min(1, (1 - x) * 9 + 0.25)
	local there = dense * ends * 1.25 - 0.42 + strand * 0.62
	local light = max(0, min(1, 0.4 + strand * 0.7))
	return dark + (hair_light - dark) * light, max(0, min(1, 0.5 + there * 2.2))
end

return {
	-- The texture of brows with two colours.
	hairs = function(dark, light)
		return function(x, y)
			return hairs(dark, light, x, y)
		end
	end,
	lashes = { cage = lash_cage, half = c, twin = lash_twin, ride = ride },
	tears = { cage = tear_cage, half = w, twin = tear_twin, ride = tear_ride },
	brows = { cage = brow_cage, half = b, twin = brow_twin, rows = rows },
}
