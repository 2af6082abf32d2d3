-- Left arm and leg of the automaton: shells and ball joints, one bone per piece.
local v = vector.create
local F = require "./frame"
local S = require "./shapes"

local T = {}
local plates, plain = cage(), cage()
T.plates, T.plain = plates, plain
local shade
local function add(solid)
	shade = if shade then shade:join(solid) else solid
end

-- A shell with rims at both ends: rows of { along, half width, half depth, offset to the side, forwards }.
local function tube(from, way, rows, around)
	local all = {}
	local function put(t, w, d, paint, r)
		table.insert(all, { t, w, d, paint, r[4], r[5] })
	end
	local first, last = rows[1], rows[#rows]
	put(first[1], first[2] - 0.012, first[3] - 0.012, "edge", first)
	put(first[1] + 0.001, first[2] + 0.002, first[3] + 0.002, "edge", first)
	put(first[1] + 0.012, first[2] + 0.002, first[3] + 0.002, "bronze", first)
	for i = 2, #rows - 1 do
		put(rows[i][1], rows[i][2], rows[i][3], "bronze", rows[i])
	end
	put(last[1] - 0.012, last[2] + 0.002, last[3] + 0.002, "edge", last)
	put(last[1] - 0.001, last[2] + 0.002, last[3] + 0.002, "edge", last)
	put(last[1], last[2] - 0.012, last[3] - 0.012, "edge", last)
	add(S.shell(plates, from, way, all, { open = { true, true }, around = around }))
end
-- A disc on the side of a joint.
local function hub(at, way, r)
	S.shell(
		plain, at, way,
		{
			{ -0.010, r, r, "gold" }, { 0.006, r, r, "gold" }, { 0.010, r * 0.84, r * 0.84, "gold" },
			{ 0.005, r * 0.56, r * 0.56, "gold" },
		},
		{ around = 10, open = { true, false } }
	)
end
local function joint(at, r, options)
	S.ball(plain, at, r, "dark", options)
	add(field.ball(at, r))
end

-- Arm ---------------------------------------------------------------------------------------------------------------

local A, ARM = F.S, F.ARM
local OUT = vector.normalize(v(1, 1, 0)) -- the back of the arm
S.on "left_shoulder"
S.shell(
	plain, v(0.165, 1.608, -0.022), v(1, 0.02, 0),
	{
		{ 0, 0.066, 0.066, "dark" }, { 0.035, 0.066, 0.066, "gold" }, { 0.038, 0.072, 0.072, "gold" },
		{ 0.048, 0.072, 0.072, "gold" }, { 0.051, 0.064, 0.064, "dark" }, { 0.060, 0.050, 0.050, "dark" },
	},
	{ around = 16 }
)
-- Pauldron: bowls around the joint, so that they slide over each other. The innermost stays with the shoulder and becomes
-- visible where the others move away with the arm.
for i, b in {
	{ 0.094, 74, v(0.86, 0.55, 0) }, { 0.088, 84, v(0.92, -0.10, 0) }, { 0.082, 84, v(-0.30, 0.95, 0) },
} do
	S.on(if i < 3 then "left_upper_arm" else "left_shoulder")
	local pole = vector.normalize(b[3])
	local side = v(0, 0, 1)
	local other = vector.cross(pole, side)
	local rows = {}
	local spread = math.rad(b[2])
	for k, t in { 0.10, 0.45, 0.72, 0.90, 1.0 } do
		local a = spread * t
		rows[k] = {
			b[1] * (1 - math.cos(a)), b[1] * math.sin(a), b[1] * math.sin(a), if t >= 0.72 then "edge" else "bronze",
		}
	end
	table.insert(rows, { rows[5][1] - 0.001, rows[5][2] - 0.012, rows[5][3] - 0.012, "inner" })
	S.shell(plates, A + pole * b[1], -pole, rows, { around = 16, ahead = side, open = { false, true } })
	plain:paint "gold"
	for k = 0, 11 do
		local a, turn = spread * 0.93, math.rad(30 * k)
		local out = pole * math.cos(a) + (side * math.cos(turn) + other * math.sin(turn)) * math.sin(a)
		if i == 1 then
			S.rivet(plain, A + out * b[1], out, 0.0055)
		end
	end
end
S.on "left_upper_arm"
joint(A, 0.068, { around = 12 })
tube(
	A, ARM,
	{
		{ 0.072, 0.058, 0.060 }, { 0.110, 0.058, 0.062, 0, 0.004 }, { 0.170, 0.056, 0.062, 0, 0.006 },
		{ 0.225, 0.050, 0.054, 0, 0.003 }, { 0.272, 0.046, 0.048 },
	}
)
S.on "left_lower_arm"
joint(F.E, 0.047)
hub(F.E + v(0, 0, 0.040), v(0, 0, 1), 0.026)
hub(F.E - v(0, 0, 0.040), v(0, 0, -1), 0.026)
tube(
	F.E, ARM,
	{
		{ 0.040, 0.048, 0.050 }, { 0.075, 0.055, 0.058 }, { 0.120, 0.056, 0.060 }, { 0.190, 0.047, 0.050 },
		{ 0.240, 0.044, 0.046 }, { 0.262, 0.047, 0.049 },
	}
)
S.on "left_hand"
joint(F.W, 0.034, { rings = 4, around = 8 })
-- The palm: wide fore and aft.
add(S.shell(plates, F.W, ARM, {
	{ 0.012, 0.014, 0.022, "edge" }, { 0.018, 0.019, 0.032, "edge" }, { 0.030, 0.021, 0.040, "bronze" },
	{ 0.070, 0.020, 0.047, "bronze" }, { 0.092, 0.018, 0.048, "edge" }, { 0.100, 0.013, 0.044, "inner" },
}, { around = 16, power = 3 }))
plain:paint "gold"
for _, z in { -0.028, 0, 0.028 } do
	S.rivet(plain, F.W + ARM * 0.075 + OUT * 0.0195 + v(0, 0, z), OUT, 0.005)
end
for _, finger in F.fingers do
	for i = 1, 2 do
		S.on(finger.bones[i])
		local a, b = finger.joints[i], finger.joints[i + 1]
		local long = vector.magnitude(b - a)
		local r = finger.radius * (if i == 1 then 1 else 0.92)
		if i == 1 then
			S.ball(plain, a, r * 0.95, "dark", { rings = 3, around = 6 })
		end
		local rows = { { r * 0.15, r * 0.7, r * 0.7 }, { r * 0.60, r, r } }
		if i == 1 then
			table.insert(rows, { long - r * 0.45, r * 0.92, r * 0.92 })
			table.insert(rows, { long - r * 0.10, r * 0.66, r * 0.66 })
		else
			table.insert(rows, { long - r * 0.25, r * 0.86, r * 0.86 })
			table.insert(rows, { long + r * 0.30, r * 0.40, r * 0.40 })
		end
		for _, row in rows do
			row[4] = "metal"
		end
		S.shell(plain, a, b - a, rows, { around = 6, open = { true, false } })
	end
end

-- Leg ---------------------------------------------------------------------------------------------------------------

local H, K, N, B = F.HIP, F.KNEE, F.ANKLE, F.BALL
local thigh, shin = K - H, N - K
S.on "left_upper_leg"
joint(H, 0.070, { around = 12 })
tube(
	H, thigh,
	{
		{ 0.050, 0.084, 0.090 }, { 0.110, 0.090, 0.098 }, { 0.200, 0.086, 0.094 }, { 0.300, 0.074, 0.082 },
		{ 0.370, 0.066, 0.073 }, { 0.405, 0.065, 0.071 },
	},
	18
)
-- A tasset (plate) over the thigh.
local function tasset(u, w)
	local a = math.rad(-34 + 226 * u)
	local along = vector.normalize(thigh)
	local r = 0.100 + 0.022 * w - 0.026 * (1 - w) ^ 4
	local down = -0.046 + (0.212 + 0.018 * math.abs(math.sin(math.pi * u * 4))) * w - 0.02 * (2 * u - 1) ^ 2
	return H + along * down + v(math.sin(a) * (r - 0.004), 0, math.cos(a) * r)
end
S.plate(plates, tasset, function(p)
	return vector.normalize(v(H.x - p.x, 0, H.z - p.z)) * 0.008
end, 12, 5, "bronze", "edge")
plain:paint "gold"
for k = 0, 5 do
	local p = tasset((k + 0.5) / 6, 0.3)
	S.rivet(plain, p, v(p.x - H.x, 0, p.z - H.z), 0.007)
end
S.on "left_lower_leg"
joint(K, 0.060, { around = 12 })
hub(K + v(0.054, 0, 0), v(1, 0, 0), 0.034)
hub(K - v(0.054, 0, 0), v(-1, 0, 0), 0.034)
-- Kneecap, greave.
local cap = {}
for k, t in { 0.12, 0.5, 0.8, 1 } do
	local a = math.rad(62) * t
	cap[k] = {
		0.078 * (1 - math.cos(a)), 0.078 * math.sin(a), 0.086 * math.sin(a), if t > 0.5 then "edge" else "bronze",
	}
end
table.insert(cap, { cap[4][1] + 0.001, cap[4][2] - 0.012, cap[4][3] - 0.012, "inner" })
S.shell(plates, K + v(0, 0.004, 0.080), v(0, 0, -1), cap, { around = 18, ahead = v(0, 1, 0) })
tube(
	K, shin,
	{
		{ 0.052, 0.058, 0.064, 0, 0.004 }, { 0.100, 0.066, 0.076, 0, -0.010 }, { 0.160, 0.067, 0.080, 0, -0.016 },
		{ 0.240, 0.058, 0.068, 0, -0.012 }, { 0.330, 0.046, 0.053, 0, -0.004 }, { 0.400, 0.045, 0.051 },
		{ 0.438, 0.052, 0.058 },
	},
	18
)
-- The ridge of the greave.
S.plate(plates, function(u, w)
	local y = K.y - 0.070 - 0.345 * w
	local deep = 0.073 - 0.024 * w + 0.006 * math.sin(math.pi * w)
	local x = (u - 0.5) * (0.040 - 0.014 * w)
	return v(K.x + 0.002 * w + x, y, K.z - 0.026 * w + deep + 0.012 * (1 - (2 * u - 1) ^ 2))
end, v(0, 0, -0.016), 4, 6, "edge", "bronze")
S.on "left_foot"
joint(N, 0.046)
add(S.shell(plates, v(N.x, 0.045, N.z - 0.080), v(0.03, -0.02, 1), {
	{ 0.000, 0.026, 0.022, "edge", 0, 0 }, { 0.008, 0.038, 0.038, "bronze", 0, 0 },
	{ 0.050, 0.046, 0.052, "bronze", 0, 0.008 }, { 0.100, 0.046, 0.056, "bronze", 0, 0.012 },
	{ 0.150, 0.050, 0.042, "bronze", 0, 0.000 },
	{ 0.205, 0.056, 0.031, "edge", 0, -0.008 }, { 0.216, 0.056, 0.030, "edge", 0, -0.009 },
	{ 0.222, 0.050, 0.024, "inner", 0, -0.010 },
}, { around = 18, power = 2.8, ahead = v(0, 1, 0) }))
-- The nail that keeps the ichor inside, as in the myth.
S.shell(
	plain, v(N.x, 0.060, N.z - 0.074), v(0, 0.12, -1),
	{
		{ 0, 0.014, 0.014, "gold" }, { 0.012, 0.014, 0.014, "gold" }, { 0.014, 0.009, 0.009, "glow" },
		{ 0.018, 0.007, 0.007, "glow" },
	},
	{ around = 10 }
)
S.on "left_toes"
add(S.shell(plates, v(B.x, 0.030, B.z + 0.004), v(0.04, 0, 1), {
	{ 0.000, 0.050, 0.022, "edge", 0, -0.001 }, { 0.006, 0.055, 0.028, "edge", 0, 0 },
	{ 0.020, 0.056, 0.028, "bronze", 0, 0 }, { 0.060, 0.052, 0.024, "bronze", 0, -0.003 },
	{ 0.086, 0.040, 0.018, "edge", 0, -0.008 }, { 0.096, 0.024, 0.010, "edge", 0, -0.012 },
}, { around = 16, power = 2.8, ahead = v(0, 1, 0) }))

T.shade = shade

return T
