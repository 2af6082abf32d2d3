-- Morph targets of the hound's face and of old age: offsets of points of the cages.
local v = vector.create
local F = require "./form"
local B = require "./body"
local W = require "./worn"

local M = {}
local h, rings, inner = B.head, B.rings, B.inner

-- Lids close a little below the middle; they follow the bulge of the eyeball.
local blink = {}
do
	local eye = B.eye
	local r = F.eye_radius
	for k, to in {
		{ -0.78, -0.20 }, { 0.02, -0.50 }, { 0.72, -0.50 }, [5] = { 0.68, -0.50 }, [6] = { 0.00, -0.52 },
		[7] = { -0.74, -0.24 },
	} do
		local rim, fold, within = eye.rim[k], eye.fold[k], eye.within[k]
		local by = eye.on_ball(to[1] * 0.80, to[2] * 0.80, r * 1.16) - h:get(rim)
		blink[rim], blink[within] = by, by
		local lid = eye.on_ball(to[1] * 0.86, if k < 4 then 0.22 else -0.62, r * 1.2)
		blink[fold] = (lid - h:get(fold)) * (if k < 4 then 1 else 0.4)
	end
end

-- The lower jaw rotates about its joints; behind the corner of the mouth the skin follows less and less.
local open, within = {}, {}
do
	local hinge = F.in_head(0, -0.016, 0.012)
	local angle = math.rad(24)
	local function turned(p, share)
		local q = p - hinge
		local c, s = math.cos(angle * share), math.sin(angle * share)
		return v(0, q.y * c - q.z * s, q.y * s + q.z * c) - v(0, q.y, q.z)
	end
	local function turn(point, share)
		open[point] = turned(h:get(point), share)
	end
	-- Tongue and lower teeth.
	for _, point in W.on_jaw do
		within[point] = turned(W.mouth:get(point), 1)
	end
	for i, shares in {
		[3] = { 0, 0.02, 0.05 }, [4] = { 0.05, 0.15, 0.22 }, [5] = { 0.22, 0.42, 0.50 }, [6] = { 0.60, 0.78, 0.82 },
	} do
		for j = 7, 9 do
			turn(rings[i][j], shares[j - 6])
		end
	end
	turn(rings[6][6], 0.22)
	turn(inner[6].l, 0.30)
	turn(inner[6].f, 0.30)
	for i = 7, #rings do
		for j = 7, 9 do
			turn(rings[i][j], 1)
		end
		for _, name in { "low", "l", "f" } do
			turn(inner[i][name], 1)
		end
	end
	for _, point in B.chin do
		turn(point, 1)
	end
end

-- Age: the back sinks, the belly hangs, lips and brows droop.
local age_head, age_body = {}, {}
do
	local function add(to, point, by)
		to[point] = (to[point] or vector.zero) + by
	end
	for i = 7, 9 do
		add(age_head, rings[i][6], v(0.0016, -0.0045, 0))
		add(age_head, rings[i][5], v(0.0022, -0.0022, 0))
		add(age_head, inner[i].u, v(0.0012, -0.0030, 0))
		add(age_head, inner[i].low, v(0.0006, -0.0030, 0))
		add(age_head, rings[i][7], v(0.0008, -0.0030, 0))
	end
	for k = 1, 3 do
		local down = -B.eye.up * 0.0028
		add(age_head, B.eye.rim[k], down)
		add(age_head, B.eye.within[k], down)
		add(age_head, B.eye.fold[k], down * 0.8)
	end
	for i = 2, 3 do
		for j = 3, 5 do
			add(age_head, rings[i][j], v(-0.0035, 0, 0))
		end
	end
	for i, row in B.grid do
		for j, point in row do
			if point == 0 then
				continue
			end
			local p = B.cage:get(point)
			local middle = math.exp(-((p.z + 0.06) / 0.14) ^ 2)
			local high = math.clamp((p.y - 0.56) / 0.1, 0, 1)
			add(age_body, point, v(0, -0.020 * middle * high, 0))
			if j >= 6 and i >= 6 and i <= 10 then
				add(age_body, point, v(0.006 * (9 - j), -0.022, 0) * math.exp(-((p.z + 0.01) / 0.12) ^ 2))
			elseif j >= 3 and j <= 5 and i <= 6 then
				add(age_body, point, v(-0.006, 0, 0))
			end
		end
	end
end

M.head = {
	{ name = "blink", offsets = blink },
	{ name = "mouth_open", offsets = open },
	{ name = "shape.age", offsets = age_head },
}
M.mouth = { { name = "mouth_open", offsets = within } }
M.body = { { name = "shape.age", offsets = age_body } }

return M
