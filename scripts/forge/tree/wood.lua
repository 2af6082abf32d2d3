-- The wood of the olive tree: a trunk of twisted strands, boughs that blend into it, twigs.
local v = vector.create
local L = require "./limbs"
local sin, cos, rad = math.sin, math.cos, math.rad
local SIZE = L.SIZE

local W = {}

-- Strands of the trunk; they spread out into roots.
local field_of
for k = 0, 5 do
	local points, radii = {}, {}
	for i, r in {
		{ -0.10, 0.27, 0.085 }, { 0.05, 0.185, 0.088 }, { 0.35, 0.110, 0.078 }, { 0.75, 0.090, 0.072 },
		{ 1.10, 0.085, 0.070 }, { 1.28, 0.070, 0.060 },
	} do
		local middle = L.along(L.trunk, math.max(r[1], 0) / 0.41) / SIZE
		local a = rad(60 * k + 95 * r[1] + 14 * sin(k * 2.3))
		local out = r[2] * (1 + 0.18 * sin(k * 1.7 + 1))
		points[i] = (v(middle.x, r[1], middle.z) + v(cos(a), 0, sin(a)) * out) * SIZE
		radii[i] = SIZE * r[3] * (1 + 0.16 * sin(k * 2.9))
	end
	local strand = field.path(points, radii)
	field_of = if field_of then field_of:join(strand, 0.035) else strand
end
-- The scar of a broken bough, and a hollow.
field_of = field_of
	:join(field.cone(v(0.11, 0.98, 0.07), v(0.23, 1.04, 0.15), 0.090, 0.062), 0.06)
	:cut(field.ball(v(0.285, 1.07, 0.185), 0.062), 0.025)
	:cut(field.path({ v(0.03, 0.26, 0.265), v(0.05, 0.48, 0.250), v(0.0, 0.68, 0.225) }, { 0.045, 0.064, 0.030 }), 0.04)
for _, bough in L.boughs do
	field_of = field_of:join(field.path(bough.places, bough.radii), 0.06)
end
W.field = field_of
W.fine = field_of:rough(0.010, v(0.05, 0.24, 0.05), 4):rough(0.004, v(0.018, 0.09, 0.018), 11)

-- A tube along a chain, starting at `from`: `around` columns, and rings at positions along it.
local function tube(c, one, spots, around, grow)
	local before
	local seam = {}
	local side = v(1, 0, 0)
	for i, s in spots do
		local middle, along = L.along(one, s)
		local _, ahead = L.along(one, math.min(s + 0.3, #one.places - 1.001))
		along = vector.normalize(along + ahead)
		side = vector.normalize(side - along * vector.dot(side, along))
		local other = vector.cross(along, side)
		local k = math.clamp(math.floor(s), 0, #one.places - 2)
		local r = (one.radii[k + 1] + (one.radii[k + 2] - one.radii[k + 1]) * (s - k)) * grow
		local ring = {}
		for n = 1, around do
			local a = 2 * math.pi * n / around
			ring[n] = c:point(middle + (side * cos(a) + other * sin(a)) * r, if i == 1 then 1 else 0)
		end
		if before then
			c:bridge(before, ring)
		end
		before = ring
		seam[i] = ring[1]
	end
	local tip = c:point((L.along(one, spots[#spots] + 0.04)))
	for n = 1, around, 2 do
		c:quad(tip, before[n], before[n + 1], before[(n + 1) % around + 1])
	end
	c:seam(seam)
end

-- The trunk's rings are horizontal and are projected onto the field.
local trunk = cage()
trunk:paint "bark"
do
	local before
	local seam = {}
	local AROUND = 18
	for i, y in { 0.0, 0.05, 0.12, 0.22, 0.34, 0.46, 0.58, 0.70, 0.82, 0.94, 1.06, 1.17, 1.26 } do
		local middle = L.along(L.trunk, y / 0.41)
		y *= SIZE
		local ring = {}
		for n = 1, AROUND do
			local a = 2 * math.pi * n / AROUND + rad(85 * y)
			local dir = v(cos(a), 0, sin(a))
			local p = v(middle.x, y, middle.z)
			ring[n] = trunk:point(W.field:out(p, dir, 0.5) or p + dir * 0.1, if i == 1 then 0.5 else 0)
		end
		if before then
			trunk:bridge(before, ring)
		end
		before = ring
		seam[i] = ring[1]
	end
	local top = trunk:point(v(0.03, 1.33, -0.03) * SIZE)
	for n = 1, AROUND, 2 do
		trunk:quad(top, before[n], before[n + 1], before[(n + 1) % AROUND + 1])
	end
	trunk:seam(seam)
end
W.trunk = trunk

W.boughs = cage()
W.boughs:paint "bark"
for _, bough in L.boughs do
	tube(W.boughs, bough, { 0.05, 0.25, 0.55, 0.95, 1.4, 1.9, 2.4, 2.92 }, 8, 1)
end

W.twigs = cage()
W.twigs:paint "twig"
for _, twig in L.twigs do
	tube(W.twigs, twig, { 0, 0.5, 1, 1.5, 1.92 }, 4, 1)
end

return W
