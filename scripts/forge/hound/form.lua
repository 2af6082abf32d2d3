-- The field of a hound, 0.69 m at the withers: a deep chest, a slim loin, long thin legs. Only the
-- left side is described; `mirror` adds the other. Also the positions of its joints.
local v = vector.create

local F = {}

-- Joints, from the root of each chain.
F.joint = {
	hips = v(0, 0.615, -0.265),
	spine = v(0, 0.640, -0.135),
	chest = v(0, 0.625, 0.030),
	neck = v(0, 0.640, 0.225),
	upper_neck = v(0, 0.765, 0.302),
	head = v(0, 0.880, 0.362),
	nose = v(0, 0.835, 0.575),
	tail = { v(0, 0.618, -0.365), v(0, 0.545, -0.440), v(0, 0.450, -0.490), v(0, 0.350, -0.515), v(0, 0.265, -0.570) },
	-- Shoulder blade, point of the shoulder, elbow, wrist, knuckles, tip of the toes.
	fore = {
		v(0.045, 0.650, 0.175), v(0.072, 0.480, 0.285), v(0.078, 0.392, 0.180), v(0.073, 0.160, 0.197),
		v(0.073, 0.036, 0.213), v(0.074, 0.012, 0.272),
	},
	-- Hip, stifle, hock, knuckles, tip of the toes.
	hind = {
		v(
			0.072, 0.575, -0.262
		), v(0.088, 0.402, -0.192), v(0.082, 0.196, -0.405), v(0.082, 0.036, -0.368), v(0.083, 0.012, -0.308),
	},
}
local fore, hind = F.joint.fore, F.joint.hind

-- A body along +Z: position along it, height of its middle, half width, half height.
local function barrel(rows)
	local sections = {}
	for i, r in rows do
		sections[i] = { r[1], 0, r[2], r[3], r[4], r[5] or 2 }
	end
	return field.loft(vector.zero, v(1, 0, 0), v(0, 0, 1), sections)
end

local trunk = barrel {
	{ -0.392, 0.575, 0.020, 0.030 },
	{ -0.370, 0.575, 0.050, 0.062 },
	{ -0.320, 0.577, 0.076, 0.088 },
	{ -0.255, 0.588, 0.080, 0.098 },
	{ -0.180, 0.606, 0.070, 0.096 },
	{ -0.100, 0.612, 0.066, 0.096 },
	{ -0.020, 0.594, 0.076, 0.110, 2.1 },
	{ 0.060, 0.562, 0.089, 0.131, 2.1 },
	{ 0.140, 0.534, 0.095, 0.152, 2.1 },
	{ 0.210, 0.522, 0.092, 0.158, 2.1 },
	{ 0.270, 0.522, 0.078, 0.132 },
	{ 0.310, 0.520, 0.056, 0.092 },
	{ 0.336, 0.515, 0.018, 0.030 },
}

-- A round body through rows of { position, half width, half depth }; its cross-sections are perpendicular to the line from
-- the first position to the last.
local function limb(rows)
	local from, to = rows[1][1], rows[#rows][1]
	local along = vector.normalize(to - from)
	local across = vector.normalize(v(1, 0, 0) - along * along.x)
	local back = vector.cross(along, across)
	local sections = {}
	for i, row in rows do
		local off = row[1] - from
		sections[i] = { vector.dot(off, along), vector.dot(off, across), vector.dot(off, back), row[2], row[3] }
	end
	return field.loft(from, across, along, sections)
end

F.neck = limb {
	{ v(0, 0.560, 0.170), 0.070, 0.100 },
	{ v(0, 0.615, 0.232), 0.060, 0.094 },
	{ v(0, 0.680, 0.272), 0.0470, 0.070 },
	{ v(0, 0.750, 0.305), 0.0395, 0.054 },
	{ v(0, 0.820, 0.333), 0.0365, 0.047 },
	{ v(0, 0.872, 0.352), 0.0375, 0.046 },
	{ v(0, 0.905, 0.365), 0.030, 0.034 },
}

-- The head, along a line that slopes down to the front.
local AXIS = vector.normalize(v(0, -0.235, 0.972))
local SKULL = v(0, 0.890, 0.378)
F.axis, F.skull = AXIS, SKULL
F.rise = vector.normalize(vector.cross(AXIS, v(1, 0, 0)))
-- A position in the head: left, up and forwards from the middle of the skull.
function F.in_head(x, up, ahead)
	return SKULL + v(x, 0, 0) + F.rise * up + AXIS * ahead
end
local at = F.in_head
local function in_head(rows)
	local sections = {}
	for i, r in rows do
		sections[i] = { r[1], 0, r[2], r[3], r[4], r[5] or 2 }
	end
	return field.loft(SKULL, v(1, 0, 0), AXIS, sections)
end
F.eye, F.eye_radius = at(0.0345, 0.0125, 0.052), 0.0135
F.ear_root, F.ear_way = at(0.033, 0.030, -0.018), v(0.25, 0.95, -0.10)

local head = in_head {
	{ -0.066, -0.006, 0.012, 0.014 },
	{ -0.050, -0.004, 0.034, 0.036 },
	{ -0.020, -0.004, 0.045, 0.043 },
	{ 0.015, -0.006, 0.0475, 0.0445 },
	{ 0.045, -0.009, 0.0440, 0.0425 },
	{ 0.075, -0.015, 0.0355, 0.0375 },
	{ 0.105, -0.020, 0.0280, 0.0330, 2.2 },
	{ 0.140, -0.023, 0.0245, 0.0300, 2.3 },
	{ 0.172, -0.0245, 0.0215, 0.0270, 2.3 },
	{ 0.198, -0.026, 0.0165, 0.0225, 2.2 },
	{ 0.206, -0.026, 0.0090, 0.0130 },
}
-- Brow, cheekbone, the bulk of the jaw's muscle, the nose.
head = head
	:join(field.cone(at(0.024, 0.031, 0.030), at(0.034, 0.026, 0.058), 0.010, 0.008):mirror(), 0.012)
	:join(field.cone(at(0.040, -0.006, 0.005), at(0.028, -0.012, 0.075), 0.012, 0.009):mirror(), 0.014)
	:join(field.ellipsoid(at(0.033, -0.022, -0.005), v(0.017, 0.024, 0.028)):mirror(), 0.02)
	:join(field.ellipsoid(at(0, -0.0120, 0.200), v(0.0150, 0.0125, 0.0120)), 0.006)
-- The furrow between the brows, sockets, and the hollow before each eye.
head = head
	:cut(field.cone(at(0, 0.060, 0.020), at(0, 0.040, 0.075), 0.012, 0.010), 0.016)
	:cut(field.cone(at(0.046, -0.001, 0.082), at(0.036, -0.004, 0.115), 0.010, 0.006):mirror(), 0.016)
	:cut(field.ball(F.eye + v(0.004, 0, 0.003), F.eye_radius * 1.02):mirror(), 0.008)
-- The roots of the ears.
head = head:join(field.cone(at(0.030, 0.022, -0.014), at(0.0345, 0.034, -0.022), 0.015, 0.009):mirror(), 0.014)
F.head = head
-- Shoulder and foreleg.
local S, E, C, K = fore[2], fore[3], fore[4], fore[5]
local shoulder = limb {
	{ fore[1], 0.020, 0.040 },
	{ v(0.062, 0.585, 0.225), 0.034, 0.062 },
	{ v(0.070, 0.520, 0.258), 0.037, 0.060 },
	{ S + v(0, -0.01, 0.0), 0.030, 0.038 },
}
local upper_arm = field.cone(S, E, 0.036, 0.034):join(
	field.ellipsoid(v(0.078, 0.455, 0.195), v(0.032, 0.060, 0.052)), 0.03
)
local forearm = limb {
	{ E + v(0, 0.03, 0), 0.018, 0.022 },
	{ E + v(0.001, -0.02, 0.002), 0.0275, 0.036 },
	{ v(0.076, 0.315, 0.189), 0.0235, 0.029 },
	{ v(0.074, 0.240, 0.193), 0.0175, 0.0205 },
	{ v(0.073, 0.195, 0.196), 0.0168, 0.0190 },
	{ C, 0.0178, 0.0200 },
	{ v(0.073, 0.140, 0.199), 0.0158, 0.0170 },
	{ v(0.073, 0.085, 0.206), 0.0160, 0.0158 },
	{ K + v(0, 0.012, -0.001), 0.0180, 0.0170 },
	{ K + v(0, -0.012, 0.004), 0.009, 0.009 },
}
forearm = forearm
	:join(field.cone(E + v(0.002, 0.012, -0.026), E + v(0, -0.02, -0.010), 0.014, 0.012), 0.016)
	:join(field.ball(v(0.073, 0.150, 0.180), 0.0085), 0.01)
-- Toes: positions of knuckle, middle and tip, relative to the knuckles of the paw.
local TOES = {
	{ v(-0.0150, -0.006, 0.010), v(-0.0205, -0.007, 0.030), v(-0.0195, -0.0265, 0.044) },
	{ v(-0.0065, -0.001, 0.014), v(-0.0078, -0.001, 0.041), v(-0.0078, -0.0265, 0.059) },
	{ v(0.0065, -0.001, 0.014), v(0.0078, -0.001, 0.041), v(0.0078, -0.0265, 0.059) },
	{ v(0.0150, -0.006, 0.010), v(0.0205, -0.007, 0.030), v(0.0195, -0.0265, 0.044) },
}
F.toes = TOES
-- The roots of the toes.
function F.paw_of(knuckles, size)
	local paw = field
		.cone(
			knuckles + v(0, 0.025, -0.004) * size, knuckles + v(0, -0.008, 0.006) * size, 0.0165 * size, 0.0185 * size
		)
		:join(field.ellipsoid(knuckles + v(0, -0.014, 0.014) * size, v(0.0225, 0.0150, 0.026) * size), 0.012)
		:join(field.ellipsoid(knuckles + v(0, -0.024, -0.004) * size, v(0.0160, 0.0110, 0.014) * size), 0.010)
	-- Flat below.
	return paw:cut(field.plane(v(0, 1, 0), 0.0015), 0.004)
end
F.foreleg = upper_arm:join(forearm, 0.02):join(F.paw_of(K, 1), 0.010)
F.shoulder = shoulder

-- Thigh and hind leg.
local H, T, O, P = hind[1], hind[2], hind[3], hind[4]
local thigh = limb {
	{ v(0.045, 0.640, -0.270), 0.010, 0.030 },
	{ H + v(-0.004, 0, -0.008), 0.043, 0.090 },
	{ v(0.076, 0.515, -0.258), 0.048, 0.100 },
	{ v(0.082, 0.455, -0.232), 0.045, 0.082 },
	{ T + v(0, 0.0, -0.004), 0.036, 0.048 },
	{ v(0.086, 0.365, -0.19), 0.024, 0.03 },
}
local gaskin = limb {
	{ T + v(0, 0.02, 0.0), 0.034, 0.046 },
	{ v(0.087, 0.365, -0.225), 0.033, 0.046 },
	{ v(0.086, 0.320, -0.278), 0.027, 0.037 },
	{ v(0.084, 0.265, -0.338), 0.0190, 0.0240 },
	{ v(0.083, 0.225, -0.380), 0.0165, 0.0195 },
	{ O + v(0, -0.012, -0.006), 0.0080, 0.0090 },
}
local shank = limb {
	{ O + v(0, 0.022, 0.002), 0.0080, 0.0090 },
	{ O + v(0, -0.002, 0.002), 0.0165, 0.0190 },
	{ O + v(0, -0.034, 0.008), 0.0158, 0.0180 },
	{ v(0.082, 0.120, -0.388), 0.0140, 0.0160 },
	{ v(0.082, 0.075, -0.377), 0.0140, 0.0150 },
	{ P + v(0, 0.012, -0.001), 0.0170, 0.0165 },
	{ P + v(0, -0.012, 0.004), 0.008, 0.008 },
}
-- The heel and its tendon.
shank = shank:join(field.cone(O + v(0, 0.018, -0.024), O + v(0, -0.040, -0.005), 0.0092, 0.009), 0.014)
local tendon = field.path(
	{ v(0.085, 0.330, -0.318), v(0.083, 0.270, -0.372), O + v(0, 0.020, -0.024) }, { 0.012, 0.0078, 0.0078 }
)
-- The fold of skin from the stifle to the flank.
local flank = field.path(
	{ T + v(-0.010, 0.030, 0.008), v(0.070, 0.478, -0.166), v(0.056, 0.514, -0.128), v(0.044, 0.540, -0.050) },
	{ 0.012, 0.013, 0.013, 0.010 }
)
F.hindleg = thigh:join(flank, 0.04):join(gaskin, 0.03):join(tendon, 0.018):join(shank, 0.014):join(
	F.paw_of(P, 0.95), 0.010
)

F.tail = field.path(F.joint.tail, { 0.0230, 0.0155, 0.0120, 0.0095, 0.0050 })

-- The trunk alone with the attached parts of the limbs; then everything.
F.barrel = trunk
F.core = trunk:join(
	field.ellipsoid(v(0, 0.495, 0.312), v(0.040, 0.062, 0.040)), 0.04
):join(F.neck, 0.05):join(shoulder:mirror(), 0.035)
F.body = F.core
	:join(F.hindleg:mirror(), 0.03)
	:join(F.foreleg:mirror(), 0.022)
	:join(F.head, 0.035)
	:join(F.tail, 0.03)

-- Details finer than the mesh: ribs, the edges of muscles, the spine of the blade, veins, nostrils.
local function line(places, radius)
	local radii = {}
	for i in places do
		radii[i] = radius
	end
	return field.path(places, radii):mirror()
end
local fine = F.body
for k = 0, 6 do
	local z = 0.075 - 0.030 * k
	local high = 0.120 - 0.008 * k
	fine = fine:raise(
		line({ v(0.078, 0.620, z), v(0.094, 0.560, z - 0.008), v(0.086, 0.585 - high, z - 0.040) }, 0.006), 0.0012,
		0.014
	)
end
for _, groove in {
	{ v(0.100, 0.530, 0.190), v(0.115, 0.470, 0.205), v(0.112, 0.425, 0.215) },
	{ v(0.085, 0.600, 0.160), v(0.105, 0.520, 0.165), v(0.110, 0.450, 0.150) },
	{ v(0.105, 0.570, -0.205), v(0.122, 0.500, -0.225), v(0.122, 0.440, -0.240) },
	{ v(0.100, 0.570, -0.300), v(0.118, 0.490, -0.300), v(0.112, 0.420, -0.262) },
	{ v(0.105, 0.395, 0.200), v(0.103, 0.330, 0.200), v(0.094, 0.260, 0.198) },
	{ v(0.118, 0.370, -0.245), v(0.108, 0.310, -0.305), v(0.096, 0.250, -0.365) },
	{ v(0.048, 0.690, 0.290), v(0.055, 0.600, 0.300), v(0.045, 0.530, 0.335) },
} do
	fine = fine:raise(line(groove, 0.003), -0.0028, 0.016)
end
fine = fine
	:raise(line({ v(0.060, 0.655, 0.185), v(0.088, 0.570, 0.235), v(0.095, 0.500, 0.265) }, 0.004), 0.0026, 0.014)
	:raise(line({ v(0.088, 0.300, 0.208), v(0.086, 0.230, 0.204), v(0.075, 0.150, 0.213) }, 0.0016), 0.0012, 0.004)
	:raise(
		line({ at(0.020, -0.010, 0.185), at(0.028, -0.016, 0.130), at(0.034, -0.014, 0.090) }, 0.002), -0.0014, 0.008
	)
	:cut(line({ at(0.0062, -0.0110, 0.2120), at(0.0100, -0.0105, 0.2080), at(0.0135, -0.0060, 0.2020) }, 0.0026), 0.001)
	:cut(field.path({ at(0, -0.014, 0.216), at(0, -0.032, 0.209) }, { 0.0008, 0.0008 }), 0.0015)
F.fine = fine

return F
