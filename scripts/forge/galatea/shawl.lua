-- A shawl around the shoulders, open in front: a sheet around the upper body, from the neck over the roots of the
-- arms, that hangs in folds. `shawl()` returns the options of its part.
local v = vector.create
local K = require "./body_field"
local rig = require "./rig"
local u = K.scale
local sin, cos, rad = math.sin, math.cos, math.rad

local MIDDLE = K.fit(0, 1.285, -0.030)
local OFF = 0.017 * u -- distance from the skin; the dress is between them
-- Upper and lower edge: degrees around from the front, and elevation seen from the middle of the chest.
local EDGES = {
	{ 1, 12, -40 }, { 22, 36, -36 }, { 45, 54, -24 }, { 70, 62, -5 }, { 100, 64, -7 }, { 125, 63, -26 }, { 150, 60, -42 },
	{ 180, 58, -47 },
}
local HALF = 17 -- columns of one half
-- Rows from the upper to the lower edge; the last is a line of gold.
local ROWS = { 0, 0.1, 0.22, 0.35, 0.48, 0.61, 0.74, 0.86, 0.955, 0.975, 1 }
local FOLD = 0.011

local over = K.body:grow(OFF):join(K.trunk:grow(OFF + 0.010 * u), 0.035 * u)

local function edges(around)
	for i = 1, #EDGES - 1 do
		local p, q = EDGES[i], EDGES[i + 1]
		if around <= q[1] then
			local t = math.clamp((around - p[1]) / (q[1] - p[1]), 0, 1)
			return p[2] + (q[2] - p[2]) * t, p[3] + (q[3] - p[3]) * t
		end
	end
	return EDGES[#EDGES][2], EDGES[#EDGES][3]
end

-- It is closer to the body at the neck.
local function nearer(t)
	return 0.004 * u * (1 - t) ^ 3
end

local function grid()
	local places = {}
	for r, t in ROWS do
		local row = {}
		for k = -HALF, HALF do
			local around = 180 - (180 - EDGES[1][1]) * math.abs(k) / HALF
			local high, low = edges(around)
			local e, a = rad(high + (low - high) * t), rad(if k < 0 then around else -around)
			local dir = v(sin(a) * cos(e), sin(e), cos(a) * cos(e))
			-- Valleys would intersect the arms.
			local fold = FOLD * u * math.max(sin(k * 1.9 + 0.6 * sin(k)), -0.15) * t
			table.insert(row, (over:out(MIDDLE, dir, 0.5) or error "no shoulder") + dir * (fold - nearer(t)))
		end
		places[r] = row
	end
	return places
end

-- Cloth spans hollows: each position moves towards the middle of its neighbours, but never into the body.
local function stretched(places)
	for _ = 1, 6 do
		local next_places = {}
		for r, row in places do
			next_places[r] = {}
			for k, p in row do
				local left, right = row[k - 1], row[k + 1]
				local above, below = places[r - 1], places[r + 1]
				local q = p
				if left and right then
					q = if above and below then (left + right + above[k] + below[k]) / 4 else (left + right) / 2
				elseif above and below then
					q = (above[k] + below[k]) / 2
				end
				q = p + (q - p) * 0.45
				for _ = 1, 3 do
					q += over:normal(q) * math.max(0, -over:at(q) - nearer(ROWS[r]))
				end
				next_places[r][k] = q
			end
		end
		places = next_places
	end
	return places
end

return function()
	local places = stretched(grid())
	local c = cage()
	local last
	for r, row in places do
		c:paint(if r == #places then "gold" else "shawl")
		local points = {}
		for k, p in row do
			points[k] = c:point(p, 1)
			c:uv(points[k], k * 0.9, r * 0.8)
			if last and k > 1 then
				c:quad(last[k - 1], last[k], points[k], points[k - 1])
			end
		end
		last = points
	end
	return { name = "shawl", cage = c, field = K.body, levels = 1, mirror = false, weights = rig.weights, shade = 0.7, keep = 0.6 }
end
