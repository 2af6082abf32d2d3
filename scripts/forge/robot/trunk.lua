-- Trunk and head of the automaton: a cuirass with a window for the fire inside, lames, a belt, a Corinthian helmet.
local v = vector.create
local F = require "./frame"
local S = require "./shapes"
local sin, cos, rad = math.sin, math.cos, math.rad

local T = {}
local plates, plain = cage(), cage()
T.plates, T.plain = plates, plain

-- Cuirass: a half cage, projected onto a field.  ------------------------------------------------------------------

local torso = field.loft(vector.zero, v(1, 0, 0), v(0, 1, 0), {
	{ 1.335, 0, 0.010, 0.125, 0.085, 2.3 },
	{ 1.350, 0, 0.010, 0.158, 0.112, 2.3 },
	{ 1.420, 0, 0.012, 0.180, 0.124, 2.3 },
	{ 1.500, 0, 0.014, 0.206, 0.134, 2.3 },
	{ 1.580, 0, 0.018, 0.222, 0.134, 2.3 },
	{ 1.640, 0, 0.020, 0.205, 0.115, 2.2 },
	{ 1.685, 0, 0.022, 0.150, 0.090, 2.1 },
	{ 1.705, 0, 0.022, 0.090, 0.060, 2 },
})
-- Breast, the arch of the ribs, blades.
local cuirass = torso
	:join(field.ellipsoid(v(0.088, 1.562, 0.066), v(0.096, 0.066, 0.064)):mirror(), 0.022)
	:join(field.ellipsoid(v(0.075, 1.405, 0.078), v(0.062, 0.050, 0.040)):mirror(), 0.025)
	:join(field.ellipsoid(v(0.098, 1.560, -0.105), v(0.085, 0.095, 0.050)):mirror(), 0.03)
	:cut(field.path({ v(0, 1.66, -0.165), v(0, 1.36, -0.145) }, { 0.022, 0.020 }), 0.025)
T.core = v(0, 1.500, 0.134)
cuirass = cuirass:cut(field.cone(T.core + v(0, 0, 0.03), T.core + v(0, 0, -0.01), 0.052, 0.050), 0.010)
T.cuirass = cuirass
do
	local c = cage()
	c:chart "cuirass"
	c:paint "bronze"
	local rows = {}
	for i, y in { 1.338, 1.352, 1.388, 1.430, 1.470, 1.510, 1.552, 1.600, 1.645, 1.682, 1.703 } do
		local row = {}
		for j = 0, 10 do
			local a = rad(({ 0, 14, 30, 48, 66, 90, 112, 132, 150, 166, 180 })[j + 1])
			local p = torso:out(v(0, y, -0.016), v(sin(a), 0, cos(a)), 0.4)
			row[j + 1] = if j == 0 or j == 10 then v(0, p.y, p.z) else p
		end
		rows[i] = row
	end
	local grid = c:grid(rows)
	for _, ring in { { grid[1], v(0, 1.336, -0.010) }, { grid[#grid], v(0, 1.706, -0.020) } } do
		local row = ring[1]
		local front, middle, back = c:point((c:get(row[1]) + ring[2]) / 2), c:point(ring[2]), c:point(
			(c:get(row[11]) + ring[2]) / 2
		)
		c:chart "lid"
		c:quad(front, row[1], row[2], row[3])
		c:quad(front, row[3], row[4], middle)
		c:quad(middle, row[4], row[5], row[6])
		c:quad(middle, row[6], row[7], row[8])
		c:quad(middle, row[8], row[9], back)
		c:quad(back, row[9], row[10], row[11])
	end
	local spine = {}
	for i, row in grid do
		spine[i] = row[11]
	end
	c:seam(spine)
	T.cuirass_cage = c
end

-- The core: a lens in a ring, with claws.
S.on "chest"
do
	local at = T.core + v(0, 0, -0.012)
	local Z = v(0, 0, 1)
	S.shell(
		plain, at, Z,
		{
			{ 0.000, 0.044, 0.044, "glow" }, { 0.012, 0.041, 0.041, "glow" }, { 0.021, 0.030, 0.030, "glow" },
			{ 0.026, 0.014, 0.014, "glow" },
		},
		{ around = 20, ahead = v(0, 1, 0) }
	)
	S.shell(plain, at, Z, {
		{ -0.010, 0.050, 0.050, "gold" }, { 0.012, 0.064, 0.064, "gold" }, { 0.020, 0.062, 0.062, "gold" },
		{ 0.023, 0.056, 0.056, "gold" },
		{ 0.022, 0.047, 0.047, "gold" }, { 0.010, 0.043, 0.043, "gold" },
	}, { around = 20, ahead = v(0, 1, 0), open = { true, true } })
	plain:paint "gold"
	for k = 0, 7 do
		local a = rad(45 * k + 22.5)
		S.rivet(plain, at + v(sin(a), cos(a), 0) * 0.0555 + v(0, 0, 0.022), Z, 0.0055)
	end
	plain:paint "dark"
	for k = 0, 3 do
		local a = rad(90 * k + 45)
		local dir = v(sin(a), cos(a), 0)
		S.shell(
			plain, at + dir * 0.050 + v(0, 0, 0.021), -dir + v(0, 0, 0.16),
			{ { 0, 0.008, 0.004, "dark" }, { 0.030, 0.004, 0.003, "dark" } }, { around = 6, ahead = Z }
		)
	end
end
-- Rivets along the lower edge and the arm holes.
plain:paint "gold"
for k = 0, 17 do
	local a = rad(20 * k + 10)
	local p = cuirass:out(v(0, 1.362, 0), v(sin(a), 0, cos(a)), 0.3)
	S.rivet(plain, p, cuirass:normal(p), 0.0065)
end

-- Neck, abdomen, pelvis. --------------------------------------------------------------------------------------------

local UP = v(0, 1, 0)
local function lame(bone, y, high, wide, deep, back)
	S.on(bone)
	return S.shell(plates, v(0, y, back), UP, {
		{ 0, wide - 0.010, deep - 0.010, "edge" }, { 0.001, wide, deep, "edge" },
		{ 0.008, wide + 0.002, deep + 0.002, "bronze" },
		{ high - 0.004, wide - 0.008, deep - 0.007, "edge" }, { high + 0.001, wide - 0.020, deep - 0.018, "edge" },
	}, { around = 20, power = 2.3, open = { true, true } })
end
local shade = cuirass
for _, l in {
	{ "spine", 1.286, 0.044, 0.138, 0.098, -0.006 }, { "spine", 1.246, 0.046, 0.136, 0.097, -0.006 },
	{ "spine", 1.206, 0.046, 0.138, 0.099, -0.006 },
} do
	shade = shade:join(lame(l[1], l[2], l[3], l[4], l[5], l[6]))
end
-- The surface visible between the lames.
S.on "spine"
S.shell(
	plain, v(0, 1.200, -0.006), UP, { { 0, 0.118, 0.080, "dark" }, { 0.160, 0.116, 0.078, "dark" } },
	{ around = 12, open = { true, true } }
)
S.on "hips"
T.belt = { middle = v(0, 1.179, -0.004), wide = 0.160, deep = 0.116 }
shade = shade:join(S.shell(plates, v(0, 1.020, -0.004), UP, {
	{ 0.000, 0.060, 0.058, "edge" }, { 0.010, 0.092, 0.082, "bronze" }, { 0.060, 0.134, 0.104, "bronze" },
	{ 0.110, 0.148, 0.108, "bronze" }, { 0.121, 0.150, 0.109, "edge" },
	{ 0.123, 0.158, 0.114, "edge" }, { 0.129, 0.162, 0.118, "belt" }, { 0.189, 0.160, 0.116, "edge" },
	{ 0.195, 0.156, 0.112, "edge" }, { 0.197, 0.130, 0.090, "inner" },
}, { around = 22, power = 2.3 }))
-- A flap in front and one behind, with a disc on the belt.
for _, z in { 1, -1 } do
	S.plate(plates, function(u, w)
		local x = (u - 0.5) * (0.105 - 0.030 * w * w)
		local bulge = 0.012 * (1 - (2 * u - 1) ^ 2)
		return v(x, 1.146 - 0.200 * w - 0.018 * w * (1 - (2 * u - 1) ^ 2), z * (0.118 + bulge + 0.020 * w) - 0.004)
	end, v(0, 0, -z * 0.007), 6, 7, "bronze", "edge")
end
S.shell(
	plain, v(0, 1.179, 0.104), v(0, 0, 1),
	{
		{ 0, 0.034, 0.034, "gold" }, { 0.012, 0.034, 0.034, "gold" }, { 0.017, 0.029, 0.029, "gold" },
		{ 0.015, 0.021, 0.021, "gold" }, { 0.019, 0.014, 0.014, "gold" }, { 0.023, 0.006, 0.006, "gold" },
	},
	{ around = 16, ahead = UP }
)

S.on "neck"
shade = shade:join(S.shell(plain, v(0, 1.690, -0.018), v(0, 0.99, 0.06), {
	{ 0, 0.062, 0.062, "dark" }, { 0.020, 0.060, 0.060, "dark" }, { 0.024, 0.054, 0.054, "dark" },
	{ 0.040, 0.053, 0.053, "dark" }, { 0.044, 0.058, 0.058, "dark" },
	{ 0.056, 0.057, 0.057, "dark" }, { 0.060, 0.051, 0.051, "dark" }, { 0.100, 0.050, 0.050, "dark" },
}, { around = 16 }))
S.on "chest"
S.shell(
	plates, v(0, 1.680, -0.021), UP,
	{
		{ 0, 0.084, 0.066, "edge" }, { 0.036, 0.082, 0.064, "edge" }, { 0.041, 0.076, 0.060, "edge" },
		{ 0.028, 0.066, 0.056, "inner" },
	},
	{ around = 20, open = { true, true } }
)

-- Helmet: dome, cheeks, nasal and neck guard over a dark skull. -----------------------------------------------------

S.on "head"
local helm = cage()
T.helm = helm
local MIDDLE = v(0, 0, 0.012)
local PROFILE = {
	{ 1.730, 0.088, 0.108 }, { 1.780, 0.088, 0.112 }, { 1.840, 0.098, 0.124 }, { 1.900, 0.104, 0.130 },
	{ 1.950, 0.098, 0.122 }, { 1.990, 0.076, 0.096 }, { 2.012, 0.046, 0.060 },
}
local function oval(y)
	for i = 2, #PROFILE do
		local a, b = PROFILE[i - 1], PROFILE[i]
		if y <= b[1] or i == #PROFILE then
			local t = (y - a[1]) / (b[1] - a[1])
			return a[2] + (b[2] - a[2]) * t, a[3] + (b[3] - a[3]) * t
		end
	end
	return 0, 0
end
local function on_helm(degrees, y, out)
	local wide, deep = oval(y)
	local a = rad(degrees)
	return MIDDLE + v(sin(a) * (wide + out), y, cos(a) * (deep + out))
end
local function inward(by)
	return function(p)
		local d = v(p.x, 0, p.z - MIDDLE.z)
		return -vector.normalize(d) * by
	end
end
-- The skull inside.
local skull = {}
for i, r in PROFILE do
	skull[i] = { r[1] - 1.73, r[2] - 0.016, r[3] - 0.020, "dark" }
end
shade = shade:join(S.shell(plain, v(0, 1.73, 0.012), UP, skull, { around = 12 }))
shade = shade:join(S.shell(helm, v(0, 1.898, 0.012), UP, {
	{ -0.002, 0.096, 0.122, "edge" }, { 0.000, 0.109, 0.136, "edge" }, { 0.012, 0.109, 0.136, "edge" },
	{ 0.015, 0.1045, 0.1305, "bronze" }, { 0.050, 0.099, 0.124, "bronze" },
	{ 0.080, 0.084, 0.106, "bronze" }, { 0.103, 0.060, 0.078, "bronze" }, { 0.116, 0.030, 0.042, "bronze" },
	{ 0.119, 0.010, 0.014, "bronze" },
}, { around = 24 }))
for side = -1, 1, 2 do
	-- Cheeks: their lower edge slopes down to the chin.
	S.plate(helm, function(u, w)
		local front = 9 + 6 * w * w
		local a = front + (102 - front) * u
		local low = 1.722 + 0.030 * u * u
		local high = 1.858 + 0.040 * math.clamp((u - 0.42) / 0.25, 0, 1)
		return on_helm(side * a, high + (low - high) * w, 0.004 + 0.006 * (1 - u) * w)
	end, inward(0.010), 10, 6, "bronze", "edge")
	-- Eyes.
	S.shell(
		plain, MIDDLE + v(side * 0.042, 1.878, 0.098), v(side * 0.42, 0, 1),
		{ { 0, 0.024, 0.011, "glow" }, { 0.008, 0.022, 0.0095, "glow" }, { 0.012, 0.010, 0.004, "glow" } },
		{ around = 12, ahead = UP }
	)
end
S.plate(helm, function(u, w)
	local half = 8.0 - 2.6 * math.sin(math.pi * w) + 1.0 * w
	return on_helm(
		(u * 2 - 1) * half, 1.905 - 0.112 * w, 0.006 + 0.010 * w * (1 - w * 0.4) + 0.006 * (1 - (2 * u - 1) ^ 2)
	)
end, inward(0.012), 4, 6, "bronze", "edge")
S.plate(helm, function(u, w)
	local y = 1.902 - 0.190 * w
	return on_helm(98 + 164 * u, y, 0.003 + 0.030 * math.max(0, w - 0.62) ^ 1.4)
end, inward(0.009), 14, 7, "bronze", "edge")

-- Crest: a comb of hair from brow to nape on a ridge.
do
	local before_hair, before_ridge
	for i = 0, 14 do
		local a = rad(-62 + 185 * i / 14) -- 0 is up; the angle increases towards the back
		local dir = v(0, cos(a), -sin(a))
		local centre = v(0, 1.905, 0.004)
		local r = 0.118 + 0.012 * math.abs(sin(a))
		local high = 0.078 * math.sin(math.pi * math.clamp(0.12 + 0.80 * i / 14, 0, 1)) ^ 0.6 + 0.004 * (i % 2)
		local function ring(bottom, top, half, narrow)
			local row = {}
			for k, s in {
				{ -half, bottom }, { -narrow, top }, { 0, top + 0.004 }, { narrow, top }, { half, bottom },
			} do
				row[k] = S.point(plain, centre + dir * (r + s[2]) + v(s[1], 0, 0))
			end
			return row
		end
		local ridge, hair = ring(-0.012, 0.010, 0.014, 0.011), ring(0.006, high, 0.008, 0.0135)
		if before_ridge then
			plain:paint "gold"
			plain:bridge(before_ridge, ridge, false)
			plain:paint(if i % 2 == 0 then "crest" else "crest_dark")
			plain:bridge(before_hair, hair, false)
		else
			plain:paint "crest"
			plain:quad(hair[1], hair[2], hair[3], hair[4])
			plain:quad(hair[1], hair[4], hair[5])
		end
		before_ridge, before_hair = ridge, hair
	end
	plain:paint "crest_dark"
	plain:quad(before_hair[1], before_hair[2], before_hair[3], before_hair[4])
	plain:quad(before_hair[1], before_hair[4], before_hair[5])
end
T.shade = shade

return T
