-- The field of a young woman, 1.70 m tall, from the neck down: trunk, arms, hands, legs and boots.
-- All dimensions come from `measure`: other values make a man, a child or an old woman.
-- Y is up, +Z forward, +X her left. Only the left side is described; `mirror` adds the other.
local v = vector.create
local F = field
local sin, cos, rad = math.sin, math.cos, math.rad

local measure = require "./measure"

-- Reference shapes of a woman of 1.70 m; `fit` adapts them to another person.
local LEVELS_OF_FORM = {
	{ "sole", 0 },
	{ "ankle", 0.082 },
	{ "knee", 0.487 },
	{ "crotch", 0.800 },
	{ "hip", 0.895 },
	{ "waist", 1.075 },
	{ "chest", 1.265 },
	{ "shoulder", 1.385 },
	{ "neck", 1.452 },
}
local form = {
	-- Joints, left side.
	shoulder = v(0.158, 1.385, -0.028),
	hip = v(0.088, 0.895, 0.0),
	knee = v(0.092, 0.487, 0.010),
	ankle = v(0.092, 0.082, -0.014),
	ball = v(0.098, 0.022, 0.112),
	-- Distances from the shoulder along the arm.
	elbow = 0.275,
	wrist = 0.520,
	knuckles = 0.605,
	-- Neck: height, middle (z), half width, half depth.
	neck = {
		{ 1.380, -0.0360, 0.0540, 0.0480 },
		{ 1.410, -0.0340, 0.0440, 0.0440 },
		{ 1.450, -0.0280, 0.0390, 0.0415 },
		{ 1.500, -0.0180, 0.0385, 0.0440 },
		{ 1.560, -0.0100, 0.0380, 0.0480 },
	},
	neck_ring = 1.452,
	-- Trunk: height, half width, front (z), back (z), power of the cross-section.
	trunk = {
		{ 0.800, 0.060, 0.030, -0.065, 2.0 },
		{ 0.825, 0.112, 0.052, -0.088, 2.0 },
		{ 0.860, 0.144, 0.068, -0.098, 2.1 },
		{ 0.905, 0.146, 0.076, -0.102, 2.2 },
		{ 0.955, 0.142, 0.081, -0.096, 2.2 },
		{ 1.010, 0.127, 0.081, -0.079, 2.2 },
		{ 1.075, 0.112, 0.074, -0.067, 2.2 },
		{ 1.125, 0.111, 0.073, -0.073, 2.2 },
		{ 1.190, 0.121, 0.080, -0.090, 2.2 },
		{ 1.265, 0.133, 0.080, -0.110, 2.2 },
		{ 1.335, 0.136, 0.064, -0.115, 2.2 },
		{ 1.385, 0.118, 0.038, -0.106, 2.1 },
		{ 1.415, 0.074, 0.014, -0.086, 2.0 },
		{ 1.436, 0.036, 0.006, -0.064, 2.0 },
	},
	-- Arm: along it, towards the palm, backwards, half thickness, half breadth.
	arm = {
		{ -0.030, 0.014, 0.000, 0.022, 0.030 },
		{ 0.000, 0.012, 0.000, 0.0310, 0.0400 },
		{ 0.050, 0.005, 0.001, 0.0375, 0.0430 },
		{ 0.110, 0.000, 0.000, 0.0375, 0.0420 },
		{ 0.180, 0.000, -0.001, 0.0345, 0.0385 },
		{ 0.240, 0.000, 0.000, 0.0315, 0.0325 },
		{ 0.275, 0.000, 0.001, 0.0315, 0.0315 },
		{ 0.320, 0.000, -0.001, 0.0335, 0.0350 },
		{ 0.370, 0.000, -0.001, 0.0315, 0.0340 },
		{ 0.440, 0.000, 0.000, 0.0245, 0.0275 },
		{ 0.500, 0.000, 0.000, 0.0185, 0.0240 },
		{ 0.525, 0.001, 0.000, 0.0140, 0.0195 },
		{ 0.540, 0.001, 0.000, 0.0070, 0.0100 },
	},
	-- Palm: like the arm, plus the exponent of the cross-section.
	palm = {
		{ 0.480, 0.000, 0.000, 0.0080, 0.0120, 2.0 },
		{ 0.505, 0.000, 0.000, 0.0160, 0.0225, 2.0 },
		{ 0.530, 0.001, 0.000, 0.0165, 0.0260, 2.2 },
		{ 0.560, 0.002, 0.002, 0.0150, 0.0305, 2.5 },
		{ 0.590, 0.002, 0.001, 0.0130, 0.0350, 2.7 },
		{ 0.608, 0.003, 0.000, 0.0105, 0.0360, 2.8 },
		{ 0.620, 0.005, 0.000, 0.0070, 0.0330, 2.4 },
	},
	-- Fingers: knuckle (along the arm, forwards), spread and three bends in degrees, three lengths,
	-- radii at knuckle, middle joint, end joint and tip.
	fingers = {
		index = {
			at = { 0.604, 0.0290 },
			spread = 8,
			bend = { 10, 15, 10 },
			long = { 0.0435, 0.0260, 0.0215 },
			thick = { 0.0094, 0.0083, 0.0074, 0.0060 },
		},
		middle = {
			at = { 0.608, 0.0100 },
			spread = 2,
			bend = { 12, 17, 11 },
			long = { 0.0480, 0.0300, 0.0225 },
			thick = { 0.0096, 0.0085, 0.0076, 0.0061 },
		},
		ring = {
			at = { 0.604, -0.0092 },
			spread = -4,
			bend = { 14, 20, 12 },
			long = { 0.0445, 0.0285, 0.0220 },
			thick = { 0.0092, 0.0080, 0.0072, 0.0058 },
		},
		little = {
			at = { 0.595, -0.0275 },
			spread = -12,
			bend = { 16, 22, 13 },
			long = { 0.0355, 0.0220, 0.0200 },
			thick = { 0.0083, 0.0072, 0.0065, 0.0052 },
		},
	},
	-- Thumb: joints (along the arm, towards the palm, forwards) and radii.
	thumb = {
		{ 0.536, 0.0080, 0.0160, 0.0150 },
		{ 0.567, 0.0160, 0.0470, 0.0112 },
		{ 0.593, 0.0225, 0.0690, 0.0093 },
		{ 0.619, 0.0275, 0.0830, 0.0066 },
	},
	-- Leg: height, middle (x), middle (z), half width, half depth.
	leg = {
		{ 0.040, 0.0920, -0.0150, 0.0270, 0.0320 },
		{ 0.082, 0.0920, -0.0150, 0.0285, 0.0340 },
		{ 0.140, 0.0925, -0.0170, 0.0285, 0.0330 },
		{ 0.200, 0.0930, -0.0210, 0.0350, 0.0390 },
		{ 0.270, 0.0940, -0.0250, 0.0450, 0.0500 },
		{ 0.330, 0.0950, -0.0240, 0.0500, 0.0555 },
		{ 0.385, 0.0940, -0.0150, 0.0485, 0.0530 },
		{ 0.440, 0.0925, -0.0020, 0.0445, 0.0480 },
		{ 0.487, 0.0920, 0.0060, 0.0450, 0.0490 },
		{ 0.530, 0.0920, 0.0095, 0.0480, 0.0520 },
		{ 0.600, 0.0940, 0.0110, 0.0585, 0.0625 },
		{ 0.680, 0.0940, 0.0080, 0.0680, 0.0730 },
		{ 0.760, 0.0930, 0.0010, 0.0775, 0.0830 },
		{ 0.820, 0.0900, -0.0060, 0.0805, 0.0870 },
		{ 0.880, 0.0870, -0.0100, 0.0710, 0.0850 },
		{ 0.940, 0.0790, -0.0080, 0.0480, 0.0640 },
		{ 0.985, 0.0720, -0.0040, 0.0260, 0.0360 },
	},
	-- Boot: the shaft as the leg, the foot along z: middle (x), middle (y), half width, half height.
	shaft = {
		{ 0.035, 0.0920, -0.0165, 0.0300, 0.0380 },
		{ 0.070, 0.0920, -0.0155, 0.0325, 0.0395 },
		{ 0.110, 0.0920, -0.0150, 0.0330, 0.0390 },
		{ 0.155, 0.0925, -0.0165, 0.0360, 0.0400 },
		{ 0.210, 0.0935, -0.0205, 0.0430, 0.0475 },
		{ 0.262, 0.0945, -0.0235, 0.0510, 0.0555 },
		{ 0.300, 0.0950, -0.0240, 0.0545, 0.0595 },
	},
	foot = {
		{ -0.036, 0.0920, 0.0340, 0.0250, 0.0400 },
		{ -0.010, 0.0920, 0.0380, 0.0340, 0.0560 },
		{ 0.030, 0.0930, 0.0360, 0.0345, 0.0560 },
		{ 0.070, 0.0955, 0.0270, 0.0375, 0.0460 },
		{ 0.110, 0.0985, 0.0210, 0.0420, 0.0355 },
		{ 0.150, 0.0985, 0.0180, 0.0400, 0.0290 },
		{ 0.180, 0.0970, 0.0160, 0.0300, 0.0230 },
		{ 0.194, 0.0960, 0.0150, 0.0180, 0.0160 },
	},
	sole = 0.014,
	cuff = 0.292,
}

-- Fitting -----------------------------------------------------------------------------------------------------------

local function mix(a, b, t)
	return a + (b - a) * t
end

-- Width of the body at a fraction between two levels, and its forward offset.
local function stature(a, b, t)
	return mix(measure.girth[a], measure.girth[b], t), mix(measure.ahead[a], measure.ahead[b], t)
end
-- For a reference height: the height on this person, the width factor there, and the forward offset.
local function level(y)
	local n = #LEVELS_OF_FORM
	for i = 1, n - 1 do
		local a, b = LEVELS_OF_FORM[i], LEVELS_OF_FORM[i + 1]
		if y <= b[2] then
			local t = (y - a[2]) / (b[2] - a[2])
			return mix(measure.levels[a[1]], measure.levels[b[1]], t), stature(a[1], b[1], t)
		end
	end
	return y + measure.levels.neck - LEVELS_OF_FORM[n][2], measure.girth.neck, measure.ahead.neck
end

local K = { measure = measure, form = form }

-- Converts a position, a height and a size from the reference body to this person.
local function fit(x, y, z)
	local h, g, ahead = level(y)
	return v(x * g, h, z * g + ahead)
end
function K.up(y)
	return (level(y))
end
-- Small distances scale with the height.
K.scale = measure.levels.neck / LEVELS_OF_FORM[#LEVELS_OF_FORM][2]
K.fit = fit
-- Converts a position on this person to the reference body.
function K.form_of(p)
	local n = #LEVELS_OF_FORM
	for i = 1, n - 1 do
		local a, b = LEVELS_OF_FORM[i], LEVELS_OF_FORM[i + 1]
		local low, high = measure.levels[a[1]], measure.levels[b[1]]
		if p.y <= high then
			local t = (p.y - low) / (high - low)
			local g, ahead = stature(a[1], b[1], t)
			return v(p.x / g, mix(a[2], b[2], t), (p.z - ahead) / g)
		end
	end
	local g = measure.girth.neck
	return v(p.x / g, p.y - measure.levels.neck + LEVELS_OF_FORM[n][2], (p.z - measure.ahead.neck) / g)
end
function K.joint(name)
	local p = form[name]
	return fit(p.x, p.y, p.z)
end
K.shoulder = K.joint "shoulder"
K.knee = K.joint "knee"
K.ankle = K.joint "ankle"
K.elbow = form.elbow * measure.arm_length
K.wrist = form.wrist * measure.arm_length

-- Frame of the arm: along it, towards the palm; forwards is +Z.
local DROP = rad(measure.arm_drop)
K.ARM = v(sin(DROP), -cos(DROP), 0)
K.PALM = v(-cos(DROP), -sin(DROP), 0)
K.FORE = v(0, 0, 1)
function K.on_arm(along, palm, fore)
	return K.shoulder + K.ARM * along + K.PALM * palm + K.FORE * fore
end
-- Converts positions on the arm, and on the hand, which has its own scale.
local function at(along, palm, fore)
	local g = measure.arm_girth
	return K.on_arm(along * measure.arm_length, palm * g, fore * g)
end
function K.on_hand(along, palm, fore)
	local h = measure.hand
	return K.on_arm(K.wrist + (along - form.wrist) * h, palm * h, fore * h)
end
-- Converts a position on the foot.
function K.on_foot(x, y, z)
	local s = measure.foot
	return v(K.ankle.x + (x - form.ankle.x) * s, y * s, z * s)
end

-- Converts rows whose first number is a height.
local function fitted(rows)
	local all = {}
	for i, r in rows do
		local h, g = level(r[1])
		all[i] = { h }
		for k = 2, #r do
			all[i][k] = r[k] * g
		end
	end
	return all
end
-- An upright loft from heights, middles and half-axes; the loft's second axis is -Z.
local function upright(rows)
	local all = {}
	for i, r in rows do
		all[i] = { r[1], r[2], -r[3], r[4], r[5], r[6] }
	end
	return F.loft(v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), all)
end

-- Fitted solids: an ellipsoid, and a path with radii.
local function egg(x, y, z, radii)
	local _, g = level(y)
	return F.ellipsoid(fit(x, y, z), radii * g)
end
local function rod(places, radii)
	local all, thick = {}, {}
	for i, p in places do
		local _, g = level(p[2])
		all[i], thick[i] = fit(p[1], p[2], p[3]), radii[i] * g
	end
	return F.path(all, thick)
end

-- Thicker by `amount` metres near another solid.
local function swell(base, near, amount, width)
	return base:raise(near, amount * K.scale, width * K.scale)
end

-- Trunk -------------------------------------------------------------------------------------------------------------

local u = K.scale
K.neck_rows = {}
for i, r in fitted(form.neck) do
	local _, _, ahead = level(form.neck[i][1])
	K.neck_rows[i] = { r[1], 0, r[2] + ahead, r[3], r[4] }
end
local neck = upright(K.neck_rows)

local function trunk()
	local rows = {}
	for i, r in fitted(form.trunk) do
		local _, _, ahead = level(form.trunk[i][1])
		rows[i] = { r[1], 0, (r[3] + r[4]) / 2 + ahead, r[2], (r[3] - r[4]) / 2, form.trunk[i][5] }
	end
	local d = upright(rows)
	local bust, muscle, bone = measure.bust, measure.muscle, measure.bones
	-- From the neck to the shoulder, with a longer slope the stronger it is.
	local slope = math.max(1, muscle)
	d = d:join(rod({ { 0.024, 1.403, -0.043 }, { 0.154, 1.376, -0.032 } }, { 0.034, 0.031 }):mirror(), 0.036 * u * slope)
	d = d:join(neck, 0.022 * u * slope)
	-- The chest's muscle towards the arm, and the back's.
	d = d:join(rod({ { 0.060, 1.325, 0.034 }, { 0.158, 1.355, -0.016 } }, { 0.026, 0.022 }):mirror(), 0.030 * u)
	d = d:join(rod({ { 0.085, 1.265, -0.072 }, { 0.160, 1.340, -0.048 } }, { 0.030, 0.024 }):mirror(), 0.030 * u)
	if bust > 0 then
		d = d:join(egg(0.063, 1.266, 0.060, v(0.052, 0.060, 0.050 * bust)):mirror(), 0.030 * u)
		d = d:join(egg(0.067, 1.250, 0.078, v(0.041, 0.040, 0.033 * bust)):mirror(), 0.030 * u)
	end
	-- Shoulder blades, the valley of the spine.
	local blade = rod({ { 0.062, 1.355, -0.110 }, { 0.078, 1.285, -0.110 } }, { 0.022, 0.010 })
	d = swell(d, blade:mirror(), 0.0075 * bone, 0.040)
	local spine = { { 0, 0.965, -0.127 }, { 0, 1.060, -0.093 }, { 0, 1.200, -0.119 }, { 0, 1.310, -0.140 } }
	d = d:cut(rod(spine, { 0.016, 0.021, 0.021, 0.018 }), 0.034 * u)
	-- Collar bones; the hollows between them, over them and under them.
	local collar = {
		{ 0.016, 1.400, 0.020 },
		{ 0.060, 1.404, 0.020 },
		{ 0.100, 1.410, 0.004 },
		{ 0.134, 1.407, -0.018 },
	}
	d = swell(d, rod(collar, { 0.006, 0.005, 0.005, 0.005 }):mirror(), 0.0085 * bone, 0.017)
	d = d:cut(egg(0, 1.414, 0.022, v(0.009, 0.013, 0.009)), 0.016 * u)
	d = d:cut(egg(0.070, 1.427, 0.008, v(0.030, 0.010, 0.016)):mirror(), 0.018 * u)
	d = d:cut(egg(0.104, 1.388, 0.040, v(0.022, 0.010, 0.016)):mirror(), 0.026 * u)
	-- Abdomen: a shallow valley down the middle between two muscles, hip bones, the belly's round.
	local valley = rod({ { 0, 1.060, 0.092 }, { 0, 1.120, 0.089 }, { 0, 1.200, 0.096 } }, { 0.012, 0.013, 0.013 })
	d = d:cut(valley, 0.028 * u)
	d = swell(d, egg(0.036, 1.105, 0.066, v(0.020, 0.080, 0.020)):mirror(), 0.0035 * muscle, 0.032)
	d = swell(d, egg(0.112, 0.990, 0.046, v(0.018, 0.018, 0.020)):mirror(), 0.0040 * bone, 0.036)
	return swell(d, egg(0, 0.985, 0.080, v(0.050, 0.060, 0.020)), 0.0040, 0.040)
end

-- Seat and outer hip, which belong to trunk and leg.
local function seat(d)
	local s = measure.seat
	d = d:join(egg(0.075, 0.868, -0.064, v(0.071, 0.084, 0.058) * s):mirror(), 0.045 * u)
	return swell(d, egg(0.152, 0.830, -0.010, v(0.020, 0.060, 0.040)):mirror(), 0.001 * s, 0.060)
end

-- Leg and boot ------------------------------------------------------------------------------------------------------

K.leg_rows = fitted(form.leg)
K.shaft_rows = fitted(form.shaft)

local function leg()
	local d = upright(K.leg_rows)
	local m = measure.muscle
	-- Knee cap and the tendon under it, the hollow behind.
	d = d:join(egg(0.092, 0.491, 0.046, v(0.021, 0.027, 0.018)), 0.020 * u)
	d = d:join(rod({ { 0.092, 0.467, 0.040 }, { 0.092, 0.425, 0.032 } }, { 0.011, 0.009 }), 0.022 * u)
	d = d:cut(egg(0.092, 0.483, -0.056, v(0.016, 0.040, 0.016)), 0.024 * u)
	-- Thigh: the muscle in front, the drop over the knee's inside and its partner outside.
	d = swell(d, egg(0.100, 0.660, 0.055, v(0.030, 0.110, 0.026)), 0.0040 * m, 0.045)
	d = swell(d, egg(0.066, 0.543, 0.040, v(0.014, 0.026, 0.014)), 0.0040 * m, 0.030)
	d = swell(d, egg(0.122, 0.562, 0.030, v(0.012, 0.040, 0.014)), 0.0025 * m, 0.030)
	-- Calf: its two heads, the inner one lower; the shin's edge.
	d = swell(d, egg(0.074, 0.345, -0.050, v(0.016, 0.050, 0.020)), 0.0060 * m, 0.040)
	d = swell(d, egg(0.114, 0.365, -0.044, v(0.014, 0.045, 0.020)), 0.0045 * m, 0.040)
	local shin = rod({ { 0.088, 0.430, 0.044 }, { 0.088, 0.250, 0.026 } }, { 0.006, 0.006 })
	return swell(d, shin, 0.0020 * m, 0.022)
end

K.cuff = K.up(form.cuff)
K.sole = form.sole * measure.foot
K.foot_rows = {}
for i, r in form.foot do
	local p = K.on_foot(r[2], r[3], r[1])
	K.foot_rows[i] = { p.z, p.x, p.y, r[4] * measure.foot, r[5] * measure.foot }
end

local function shaft()
	return upright(K.shaft_rows):meet(F.plane(v(0, 1, 0), K.cuff), 0.003)
end

local function foot()
	local s = measure.foot
	local last = F.loft(v(0, 0, 0), v(1, 0, 0), v(0, 0, 1), K.foot_rows)
	local heel = F.cone(K.on_foot(0.092, 0, -0.031), K.on_foot(0.092, 0.056, -0.029), 0.0310 * s, 0.0315 * s)
	last = last:join(heel, 0.014 * s)
	-- The instep, then a sole that stands out a little.
	local instep = F.cone(K.on_foot(0.092, 0.092, 0.004), K.on_foot(0.096, 0.050, 0.084), 0.027 * s, 0.014 * s)
	local d = last:join(instep, 0.034 * s)
	d = d:join(last:grow(0.0022 * s):meet(F.plane(v(0, 1, 0), K.sole), 0.003), 0.002)
	return d:meet(F.plane(v(0, -1, 0), 0), 0.004)
end

-- Arm ---------------------------------------------------------------------------------------------------------------

local function along_arm(rows, place, size)
	local all = {}
	for i, r in rows do
		local p = place(r[1], r[2], -r[3]) - K.shoulder
		all[i] = { vector.dot(p, K.ARM), vector.dot(p, K.PALM), -p.z, r[4] * size, r[5] * size, r[6] }
	end
	return F.loft(K.shoulder, K.PALM, K.ARM, all)
end

local function arm()
	local g = measure.arm_girth
	local d = along_arm(form.arm, at, g)
	local m, e = measure.muscle, form.elbow
	local function bead(along, palm, fore, radius)
		return F.ball(at(along, palm, fore), radius * g)
	end
	local function bar(a, b, ra, rb)
		return F.cone(at(a[1], a[2], a[3]), at(b[1], b[2], b[3]), ra * g, rb * g)
	end
	-- The shoulder's cap, upper arm in front and behind.
	d = d:join(bar({ 0.016, 0.009, 0 }, { 0.078, -0.002, 0 }, 0.0365, 0.030), 0.030 * u)
	d = swell(d, bar({ 0.110, 0.004, 0.030 }, { 0.200, 0.002, 0.028 }, 0.012, 0.010), 0.0028 * m, 0.030)
	d = swell(d, bar({ 0.080, 0.000, -0.034 }, { 0.170, 0.000, -0.030 }, 0.012, 0.008), 0.0030 * m, 0.030)
	-- Elbow, the hollow before it, the forearm's two muscles.
	d = swell(d, bead(e - 0.002, 0, -0.030, 0.010), 0.0035 * measure.bones, 0.026)
	d = d:cut(bead(e - 0.004, 0, 0.046, 0.014), 0.022 * u)
	d = swell(d, bar({ e + 0.040, -0.018, 0.020 }, { e + 0.085, -0.012, 0.014 }, 0.012, 0.008), 0.0030 * m, 0.030)
	d = swell(d, bar({ e + 0.030, 0.018, 0.004 }, { e + 0.090, 0.012, 0.004 }, 0.012, 0.008), 0.0020 * m, 0.030)
	-- The wrist's knob.
	return swell(d, bead(form.wrist - 0.012, -0.014, -0.017, 0.005), 0.0018 * measure.bones, 0.014)
end

-- Hand --------------------------------------------------------------------------------------------------------------
-- For each finger: joints, radii, the directions of its three bones, and the direction across it (forwards).

K.NAMES = { "index", "middle", "ring", "little" }
K.finger = {}
local h = measure.hand
local function sized(radii)
	local all = {}
	for i, r in radii do
		all[i] = r * h
	end
	return all
end
for _, name in K.NAMES do
	local f = form.fingers[name]
	local s, bent = rad(f.spread), 0
	local p = K.on_hand(f.at[1], 0.0015, f.at[2])
	local one = { joints = { p }, along = {}, thick = sized(f.thick), across = K.FORE * cos(s) - K.ARM * sin(s) }
	for i = 1, 3 do
		bent += rad(f.bend[i])
		local dir = (K.ARM * cos(s) + K.FORE * sin(s)) * cos(bent) + K.PALM * sin(bent)
		p += dir * f.long[i] * h
		one.along[i] = dir
		one.joints[i + 1] = p
	end
	K.finger[name] = one
end
do
	local one = { joints = {}, along = {}, thick = {} }
	for i, j in form.thumb do
		one.joints[i], one.thick[i] = K.on_hand(j[1], j[2], j[3]), j[4] * h
	end
	for i = 1, 3 do
		one.along[i] = vector.normalize(one.joints[i + 1] - one.joints[i])
	end
	K.finger.thumb = one
end

local function finger(name)
	local one = K.finger[name]
	local j, r, a = one.joints, one.thick, one.along
	-- The tip's ball ends where the last bone does.
	local d = F.cone(j[1], j[2], r[1], r[2])
	d = d:join(F.cone(j[2], j[3], r[2], r[3]), 0.004 * h)
	return d:join(F.cone(j[3], j[4] - a[3] * r[4], r[3], r[4]), 0.004 * h)
end

local function hand()
	local d = along_arm(form.palm, K.on_hand, h)
	local function bar(a, b, ra, rb)
		return F.cone(K.on_hand(a[1], a[2], a[3]), K.on_hand(b[1], b[2], b[3]), ra * h, rb * h)
	end
	local fingers
	for i, name in K.NAMES do
		local one = finger(name)
		fingers = if fingers then fingers:join(one, 0.0035 * h) else one
	end
	-- Webs.
	for i = 1, 3 do
		local a, b = K.finger[K.NAMES[i]], K.finger[K.NAMES[i + 1]]
		local p, q = a.joints[1] + a.along[1] * 0.011 * h, b.joints[1] + b.along[1] * 0.011 * h
		fingers = fingers:join(F.cone(p + K.PALM * 0.001, q + K.PALM * 0.001, 0.0058 * h), 0.005 * h)
	end
	d = d:join(fingers, 0.009 * h)
	K.palm = d
	-- Thumb with its ball and its web, the ball of the little finger, the palm's hollow.
	d = d:join(finger "thumb", 0.014 * h)
	d = d:join(bar({ 0.545, 0.010, 0.018 }, { 0.566, 0.015, 0.036 }, 0.0135, 0.0105), 0.014 * h)
	d = d:join(bar({ 0.574, 0.007, 0.030 }, { 0.570, 0.012, 0.042 }, 0.0085, 0.0085), 0.014 * h)
	d = d:join(bar({ 0.545, 0.009, -0.019 }, { 0.580, 0.010, -0.025 }, 0.0105, 0.0085), 0.012 * h)
	return d:cut(F.ball(K.on_hand(0.577, 0.026, -0.001), 0.010 * h), 0.014 * h)
end

-- Together ----------------------------------------------------------------------------------------------------------

K.leg = leg()
-- With thighs and seat, without arms.
K.trunk = seat(trunk():join(K.leg:mirror(), 0.036 * u))
K.shaft = shaft()
K.foot = foot()
K.boot = K.shaft:join(K.foot, 0.022 * u)
K.hand = hand()
K.arm = arm():join(K.hand, 0.014 * u)
K.body = K.trunk:join(K.boot:mirror(), 0.001):join(K.arm:mirror(), 0.030 * u)
return K
