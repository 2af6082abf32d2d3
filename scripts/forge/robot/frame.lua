-- The automaton's skeleton: a humanoid, 2 m tall, with standard bone names, so clips of other humanoids fit.
local v = vector.create

local F = {}
local ARM = vector.normalize(v(1, -1, 0))
local S = v(0.262, 1.610, -0.025)
F.ARM, F.S = ARM, S
F.E, F.W = S + ARM * 0.325, S + ARM * 0.610
F.HIP, F.KNEE, F.ANKLE, F.BALL = v(
	0.118, 1.040, -0.005
), v(0.122, 0.580, 0.008), v(0.124, 0.105, -0.018), v(0.128, 0.032, 0.135)

F.rows = {
	{ "root", false, vector.zero },
	{ "hips", "root", v(0, 1.090, 0) },
	{ "spine", "hips", v(0, 1.205, -0.008) },
	{ "chest", "spine", v(0, 1.375, -0.016) },
	{ "neck", "chest", v(0, 1.705, -0.020) },
	{ "head", "neck", v(0, 1.775, -0.005) },
	{ "left_shoulder", "chest", v(0.060, 1.620, -0.020) },
	{ "left_upper_arm", "left_shoulder", S },
	{ "left_lower_arm", "left_upper_arm", F.E },
	{ "left_hand", "left_lower_arm", F.W },
	{ "left_upper_leg", "hips", F.HIP },
	{ "left_lower_leg", "left_upper_leg", F.KNEE },
	{ "left_foot", "left_lower_leg", F.ANKLE },
	{ "left_toes", "left_foot", F.BALL },
}

-- Fingers: position fore and aft, lengths of their two segments, thickness. +Z is the thumb's side.
local PALM = vector.normalize(v(-1, -1, 0))
F.PALM = PALM
F.fingers = {}
for _, f in {
	{ "index", 0.032, 0.105, 0.052, 0.042, 0.0125 },
	{ "middle", 0.010, 0.110, 0.056, 0.046, 0.0128 },
	{ "ring", -0.012, 0.107, 0.052, 0.042, 0.0122 },
	{ "little", -0.033, 0.098, 0.042, 0.034, 0.0110 },
} do
	local root = F.W + ARM * f[3] + v(0, 0, f[2])
	local way = vector.normalize(ARM + PALM * 0.12 + v(0, 0, f[2] * 1.6))
	local joints = { root, root + way * f[4], root + way * f[4] + vector.normalize(way + PALM * 0.22) * f[5] }
	table.insert(
		F.fingers,
		{ name = f[1], joints = joints, radius = f[6], bones = { `left_{f[1]}_proximal`, `left_{f[1]}_intermediate` } }
	)
end
do
	local root = F.W + ARM * 0.040 + v(0, 0, 0.040) + PALM * 0.010
	local way = vector.normalize(ARM * 0.75 + v(0, 0, 0.62) + PALM * 0.25)
	local joints = { root, root + way * 0.048, root + way * 0.048 + vector.normalize(way + ARM * 0.5) * 0.042 }
	table.insert(
		F.fingers,
		{ name = "thumb", joints = joints, radius = 0.0140, bones = { "left_thumb_proximal", "left_thumb_distal" } }
	)
end
for _, finger in F.fingers do
	table.insert(F.rows, { finger.bones[1], "left_hand", finger.joints[1] })
	table.insert(F.rows, { finger.bones[2], finger.bones[1], finger.joints[2] })
end

return F
