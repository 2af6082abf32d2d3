-- The gate leaf: boards under bronze bands with studs, and a ring. The hinge is at the origin and the leaf extends to -X,
-- so a script opens it with its yaw.
--
--   galatea forge scripts/forge/court_gate.lua -o assets/court_gate.glb

local shapes = require "./court/shapes"
local v = vector.create

local WIDE, HIGH, THICK = 1.5, 2.3, 0.07
local RING = v(-1.2, 1.12, -0.075)

local leaf = cage()
for i = 0, 6 do
	local x = -WIDE + i * WIDE / 7
	leaf:paint(if i % 3 == 1 then "oak_dark" else "oak")
	shapes.block(leaf, v(x + 0.004, 0.02, -THICK / 2), v(x + WIDE / 7 - 0.004, HIGH, THICK / 2), 0.007)
end
leaf:paint "bronze"
for _, y in { 0.22, 1.38, 2.02 } do
	shapes.block(leaf, v(-WIDE + 0.02, y, -THICK / 2 - 0.014), v(-0.01, y + 0.13, THICK / 2 + 0.014), 0.008)
	for i = 0, 6 do
		local x = -WIDE + (i + 0.5) * WIDE / 7
		shapes.lathe(leaf, v(x, y + 0.065, 0), { { -0.024, 0.002 }, { -0.018, 0.016 }, { 0, 0.022 } }, 8, function(p)
			-- Rotated onto its side: the top becomes the front.
			return v(p.x, y + 0.065 + p.z, -THICK / 2 - 0.014 + (p.y - y - 0.065))
		end)
	end
end

-- The plate and the ring that hangs from it.
local ring = cage()
ring:paint "bronze"
local PLATE = { { -0.03, 0.01 }, { -0.02, 0.05 }, { 0.01, 0.075 }, { 0.03, 0.08 } }
shapes.lathe(ring, RING + v(0, 0.09, 0), PLATE, 16, function(p)
	return v(p.x, RING.y + 0.09 + p.z, RING.z + 0.045 + (p.y - RING.y - 0.09))
end)
local AROUND, TUBE = 20, 8
local rows = {}
for i = 1, AROUND do
	local a = 2 * math.pi * i / AROUND
	rows[i] = {}
	for k = 1, TUBE do
		local b = 2 * math.pi * k / TUBE
		local r = 0.075 + 0.011 * math.cos(b)
		rows[i][k] = ring:point(RING + v(math.sin(a) * r, math.cos(a) * r, 0.011 * math.sin(b)))
	end
end
for i = 1, AROUND do
	ring:bridge(rows[i], rows[i % AROUND + 1])
end

local function piece(name, c)
	return part { name = name, cage = c, levels = 0, mirror = false, weights = "root" }
end

return model {
	name = "court_gate",
	parts = { piece("leaf", leaf), piece("ring", ring) },
	materials = {
		oak = { color = v(0.2, 0.115, 0.055), roughness = 0.75 },
		oak_dark = { color = v(0.15, 0.085, 0.04), roughness = 0.8 },
		bronze = { color = v(0.5, 0.3, 0.13), roughness = 0.36, metallic = 1 },
	},
}
