-- Trunk and head as one piece, beak, eyes, and feet drawn up to the body.
local v = vector.create
local F = require "./form"
local c, step, mix = F.cage, F.step, F.mix
local sin, cos, rad = math.sin, math.cos, math.rad

-- Along z: height of the middle, half width, and the extent up and down from there.
local FORM = {
	{ -0.094, 0.0024, 0.0045, 0.0010, 0.0010 },
	{ -0.072, 0.0020, 0.0115, 0.0062, 0.0070 },
	{ -0.050, 0.0010, 0.0165, 0.0120, 0.0135 },
	{ -0.025, 0.0000, 0.0212, 0.0168, 0.0190 },
	{ 0.002, 0.0000, 0.0240, 0.0195, 0.0222 },
	{ 0.024, 0.0010, 0.0232, 0.0192, 0.0218 },
	{ 0.041, 0.0035, 0.0188, 0.0172, 0.0182 },
	{ 0.053, 0.0060, 0.0158, 0.0156, 0.0155 },
	{ 0.064, 0.0075, 0.0148, 0.0150, 0.0143 },
	{ 0.074, 0.0075, 0.0122, 0.0122, 0.0120 },
	{ 0.081, 0.0062, 0.0080, 0.0076, 0.0072 },
	{ 0.0855, 0.0048, 0.0036, 0.0034, 0.0030 },
}
local along = {}
for k = 2, 5 do
	local rows = {}
	for i, r in FORM do
		rows[i] = { r[1], r[k], ease = "flow" }
	end
	along[k - 1] = curve(rows)
end

local RINGS = {
	-0.093, -0.074, -0.054, -0.036, -0.018, 0.000, 0.018, 0.032, 0.043, 0.053, 0.062, 0.069, 0.0755, 0.0805, 0.0838,
	0.0855,
}
local COLUMNS = 8

local function place(z, a)
	local up, wide = cos(a), sin(a)
	return v(wide * along[2](z), along[1](z) + up * along[if up > 0 then 3 else 4](z), z)
end
local function weights(z)
	local head, tail = step(0.036, 0.056, z), step(-0.058, -0.084, z)
	return { head = head, tail = tail, body = 1 - head - tail }
end

c:paint "feathers"
local before
for _, z in RINGS do
	local ring = {}
	for k = 0, COLUMNS do
		local p = place(z, math.pi * k / COLUMNS)
		if k == 0 or k == COLUMNS then
			p = v(0, p.y, z)
		end
		-- From the beak to the tail, from the back around to the belly.
		ring[k + 1] = F.point(p, weights(z), "body", k / COLUMNS, (0.0855 - z) / 0.1785)
	end
	if before then
		c:bridge(before, ring, false)
	end
	before = ring
end

-- The beak: its ridge, upper edge, the gape between both halves, and the keel.
c:paint "beak"
local head = { head = 1 }
do
	local last
	for _, r in {
		{ 0.0835, 0.0046, 0.0036, 0.0034, 0.0034 }, { 0.0895, 0.0044, 0.0024, 0.0024, 0.0022 },
		{ 0.0950, 0.0035, 0.0013, 0.0015, 0.0011 },
	} do
		local z, y, wide, up, down = r[1], r[2], r[3], r[4], r[5]
		local ring = {
			F.point(v(0, y + up, z), head), F.point(v(wide * 0.72, y + up * 0.62, z), head),
			F.point(v(wide, y - 0.0002, z), head), F.point(v(wide * 0.68, y - down * 0.66, z), head),
			F.point(v(0, y - down, z), head),
		}
		if last then
			c:bridge(last, ring, false)
		end
		last = ring
	end
	local tip = F.point(v(0, 0.0022, 0.0995), head)
	for k = 1, 4 do
		c:quad(last[k], last[k + 1], tip)
	end
end

-- Eyes: domes on the sides of the head.
c:paint "eye"
do
	local look = vector.normalize(v(0.90, 0.22, 0.36))
	local up = vector.normalize(v(0, 1, 0) - look * look.y)
	local side = vector.cross(up, look)
	local middle = v(0.0108, 0.0110, 0.0705)
	local R = 0.0036
	local pole = F.point(middle + look * R, head)
	local last
	for _, a in { 40, 90 } do
		local ring = {}
		for k = 1, 12 do
			local b = rad(30 * k)
			ring[k] = F.point(middle + (look * cos(rad(a)) + (up * cos(b) + side * sin(b)) * sin(rad(a))) * R, head)
		end
		if last then
			c:bridge(last, ring)
		else
			for k = 1, 12, 2 do
				c:quad(pole, ring[k], ring[k + 1], ring[(k + 1) % 12 + 1])
			end
		end
		last = ring
	end
end

-- Feet: closed, drawn up to the belly.
c:paint "beak"
do
	local body = { body = 1 }
	local last
	for _, r in {
		{ v(0.0070, -0.0165, -0.026), 0.0012 }, { v(0.0072, -0.0170, -0.032), 0.0024 },
		{ v(0.0068, -0.0148, -0.041), 0.0019 }, { v(0.0062, -0.0105, -0.050), 0.0005 },
	} do
		local ring = {}
		for k = 1, 5 do
			local b = rad(72 * k)
			ring[k] = F.point(r[1] + v(sin(b) * r[2], cos(b) * r[2] * 0.8, 0), body)
		end
		if last then
			c:bridge(last, ring)
		end
		last = ring
	end
end
