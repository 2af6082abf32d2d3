-- The skeleton and the skin weights of the body. Every bone takes a fraction of its parent's weight: a smooth step across
-- the joint; for limbs it also depends on the part of the body at that position.
local v = vector.create
local K = require "./body_field"
local P = require "./head_place"
local cut = require "./cut"
local u = K.scale

local R = {}

local function step(from, to, x)
	local t = math.clamp((x - from) / (to - from), 0, 1)
	return t * t * (3 - 2 * t)
end
-- From 0 to 1 over `half` metres on both sides of `at`.
local function ramp(at, half, x)
	return step(at - half, at + half, x)
end

local S, ARM = K.shoulder, K.ARM
local elbow, wrist, knuckles = K.elbow, K.wrist, K.form.knuckles * K.measure.arm_length
local KNEE, ANKLE = K.knee, K.ankle
local HIP = K.joint "hip"
local BALL = K.on_foot(K.form.ball.x, K.form.ball.y, K.form.ball.z)
local EYE = require("./face_field").EYE

-- Ragdoll bodies where the dress hides removed skin: size along the bone, across and through it.
local G = K.measure.girth
local function box(along, across, through)
	return { ragdoll = { shape = "box", size = { along * u, across * u, through * u } } }
end

local rows = {
	{ "root", false, vector.zero },
	{ "hips", "root", K.fit(0, 0.93, 0), extras = box(0.22, 0.29 * G.hip, 0.18 * G.hip) },
	{ "spine", "hips", K.fit(0, 1.03, -0.008), extras = box(0.16, 0.235 * G.waist, 0.16 * G.waist) },
	{ "chest", "spine", K.fit(0, 1.165, -0.018) },
	{ "neck", "chest", K.fit(0, 1.438, -0.030) },
	{ "head", "neck", P.at(v(0, 1.515, -0.012)) },
	{ "left_eye", "head", P.at(EYE) },
	{ "left_shoulder", "chest", K.fit(0.025, 1.395, -0.015) },
	{ "left_upper_arm", "left_shoulder", S },
	{ "left_lower_arm", "left_upper_arm", S + ARM * elbow },
	{ "left_hand", "left_lower_arm", S + ARM * wrist },
	{ "left_upper_arm_twist", "left_upper_arm", S + ARM * (elbow * 0.25), extras = { helper = { kind = "twist", source = "left_upper_arm", weight = 0.35 } } },
	{ "left_lower_arm_twist", "left_lower_arm", S + ARM * (elbow + (wrist - elbow) * 0.6), extras = { helper = { kind = "twist", source = "left_hand", weight = 0.6 } } },
	{ "left_upper_leg", "hips", HIP, extras = { ragdoll = { shape = "capsule", length = 0.50 * u, radius = 0.078 * u * G.crotch } } },
	{ "left_lower_leg", "left_upper_leg", KNEE },
	{ "left_foot", "left_lower_leg", ANKLE },
	{ "left_toes", "left_foot", BALL },
}
-- Finger bones with VRM names; the first thumb bone is its metacarpal.
local FINGERS = { "thumb", "index", "middle", "ring", "little" }
local function phalanges(finger)
	return if finger == "thumb" then { "metacarpal", "proximal", "distal" } else { "proximal", "intermediate", "distal" }
end
for _, finger in FINGERS do
	local parent = "left_hand"
	for i, bone in phalanges(finger) do
		local name = `left_{finger}_{bone}`
		table.insert(rows, { name, parent, K.finger[finger].joints[i] })
		parent = name
	end
end
-- The skirt is attached to eight chains of three bones around the hips.
-- Thighs drive the first bones: degrees of a thigh (negative forwards) and of the bone.
local function follow(leg, curve, axis)
	local x = axis or { 1, 0, 0 }
	return { kind = "driver", source = leg, measure = "bend", axis = x, curve = curve, smooth = true, output = "turn", direction = x }
end
local ASIDE, OUT = { 0, 0, 1 }, { { -20, -6 }, { 0, 0 }, { 50, 42 } }
local FORWARD = { { -100, -40 }, { 0, 0 } }
local BACKWARD = { { 0, 0 }, { 45, 18 } }
local CHAINS = {
	{ "skirt_front", 0, { follow("left_upper_leg", FORWARD), follow("right_upper_leg", FORWARD) } },
	{ "left_skirt_front", 45, { follow("left_upper_leg", { { -100, if cut.long then -98 else -84 }, { 0, 0 }, { 40, 10 } }) } },
	{
		"left_skirt_side",
		90,
		{ follow("left_upper_leg", { { -100, -45 }, { 0, 0 }, { 45, 18 } }), follow("left_upper_leg", OUT, ASIDE) },
	},
	{ "left_skirt_back", 135, { follow("left_upper_leg", { { -100, -8 }, { 0, 0 }, { 45, 36 } }) } },
	{ "skirt_back", 180, { follow("left_upper_leg", BACKWARD), follow("right_upper_leg", BACKWARD) } },
}
local SKIRT, RADIUS = cut.joints, cut.joints_out
-- If the skirt covers the knees, its last bones follow the shins by a fraction of their bend. At the back they hang down
-- where the thighs move forwards.
local BOTH, OWN = { "left", "right" }, { "left" }
local SHINS = {
	skirt_front = { of = BOTH, shin = 0.46, thigh = 0 },
	left_skirt_front = { of = OWN, shin = 0.98, thigh = 0 },
	left_skirt_side = { of = OWN, shin = 0.5, thigh = 0 },
	left_skirt_back = { of = OWN, shin = 0.85, thigh = 0.95 },
	skirt_back = { of = BOTH, shin = 0.4, thigh = 0.45 },
}
local function with_shins(chain)
	local own, list = SHINS[chain], {}
	for _, side in own.of do
		table.insert(list, follow(`{side}_lower_leg`, { { 0, 0 }, { 120, 120 * own.shin } }))
		if own.thigh > 0 then
			table.insert(list, follow(`{side}_upper_leg`, { { -100, -100 * own.thigh }, { 0, 0 } }))
		end
	end
	return list
end
local SKIRT_MIDDLE = -0.014
for _, chain in CHAINS do
	local name, degrees = chain[1], math.rad(chain[2])
	local parent = "hips"
	for i, y in SKIRT do
		local r = RADIUS[i]
		local at = K.fit(math.sin(degrees) * r[1], y, SKIRT_MIDDLE + math.cos(degrees) * r[2])
		local own = `{name}_{i}`
		local helper = if i == 1 then chain[3] elseif i == 3 and cut.long then with_shins(name) else nil
		table.insert(rows, { own, parent, at, extras = helper and { helper = helper } })
		parent = own
	end
end
R.rows = rows

-- Distances from a position on the left half to the parts of the body; the other leg is mirrored.
local function parts(q)
	return {
		torso = K.trunk:at(q),
		arm = math.min(K.arm:at(q), K.hand:at(q)),
		leg = math.min(K.leg:at(q), K.boot:at(q)),
		other_leg = K.leg:at(v(-q.x, q.y, q.z)),
	}
end

-- Distance of a position past the start of each bone of a finger, and its distance from the finger.
local function along_finger(one, q)
	local best, at = math.huge, 0
	for i = 1, 3 do
		local a, b = one.joints[i], one.joints[i + 1]
		local ab = b - a
		local t = vector.dot(q - a, ab) / vector.dot(ab, ab)
		local near = a + ab * math.clamp(t, 0, 1)
		local d = vector.magnitude(q - near)
		if d < best then
			best, at = d, i - 1 + math.clamp(t, if i == 1 then -1 else 0, 1)
		end
	end
	return best, at
end

-- Weights of the hand's bones, which share the weight of the hand.
local function hand_weights(q, hold, out)
	local near, at, finger = math.huge, 0, nil
	for _, name in FINGERS do
		local d, along = along_finger(K.finger[name], q)
		local gap = d - K.finger[name].thick[1]
		if gap < near then
			near, at, finger = gap, along, name
		end
	end
	-- The first thumb bone is in the palm and moves the ball of the thumb.
	local from = if finger == "thumb" then ramp(0.35, 0.35, at) * step(0.02, 0.004, near) else ramp(0.02, 0.16, at)
	local names = phalanges(finger)
	local left = hold
	local taken = hold * from
	left -= taken
	local second = taken * ramp(1.0, 0.22, at)
	local third = second * ramp(2.0, 0.22, at)
	out[`left_{finger}_{names[1]}`] = taken - second
	out[`left_{finger}_{names[2]}`] = second - third
	out[`left_{finger}_{names[3]}`] = third
	out.left_hand = left
end

-- Skin weights of a position on the left side of the body.
local function left(q)
	local p, f = parts(q), K.form_of(q)
	local along = vector.dot(q - S, ARM)
	local arm = ramp(0, 0.035, math.min(p.torso, p.leg + 0.05) - p.arm)
	local out = {}
	local crease = 0.872 + 0.28 * (f.x - 0.088) + 0.20 * math.min(f.z + 0.01, 0)
	local thigh = ramp(0, 0.075, crease - f.y) * ramp(0, 0.012, p.other_leg - p.leg + 0.002) * (1 - arm)
	local spine = math.max(ramp(0.985 - 0.10 * f.z, 0.060, f.y), arm) * (1 - thigh)
	local shin = thigh * ramp(0, 0.048 * u, KNEE.y - q.y)
	local foot = shin * ramp(0, 0.030, 0.098 - f.y + 0.35 * math.clamp(f.z - K.form.ankle.z, -0.05, 0.1))
	local toes = foot * ramp(BALL.z, 0.022, q.z)
	out.hips = 1 - thigh - spine
	out.left_upper_leg, out.left_lower_leg = thigh - shin, shin - foot
	out.left_foot, out.left_toes = foot - toes, toes
	local chest = spine * math.max(ramp(1.120, 0.065, f.y), arm)
	out.spine = spine - chest
	local collar = ramp(0.075, 0.06, f.x) * math.max(ramp(1.300, 0.075, f.y), arm) * step(1.49, 1.44, f.y)
	local up = f.y - 1.432 + 0.25 * (f.z + 0.03)
	local neck = ramp(0, 0.032, up) * ramp(0, 0.03, 0.082 - f.x + 0.8 * math.max(f.y - 1.43, 0))
	local asked = math.max(collar + neck, 1)
	collar, neck = chest * collar / asked, chest * neck / asked
	out.chest, out.neck = chest - collar - neck, neck
	-- The plane of the joint bisects the angle between a hanging and a raised arm.
	local across = vector.dot(q - S, v(0.88, -0.47, 0))
	local upper = collar * ramp(0.006 * u, 0.060 * u, across) * math.max(arm, ramp(0.045 * u, 0.045 * u, along) * ramp(0.19, 0.02, f.x))
	local lower = upper * ramp(elbow, 0.036 * u, along) * (if q.x > 0.2 * u then 1 else 0)
	local hand = lower * ramp(wrist, 0.024 * u, along)
	-- Twist bones take both ends of the arm, away from the elbow.
	local shoulder_end = (upper - lower) * (1 - ramp(elbow * 0.45, elbow * 0.4, along))
	local wrist_end = (lower - hand) * ramp(elbow + (wrist - elbow) * 0.5, (wrist - elbow) * 0.4, along)
	out.left_shoulder = collar - upper
	out.left_upper_arm_twist, out.left_upper_arm = shoulder_end, upper - lower - shoulder_end
	out.left_lower_arm_twist, out.left_lower_arm = wrist_end, lower - hand - wrist_end
	if hand > 0 then
		hand_weights(q, hand, out)
	end
	for name, weight in out do
		out[name] = math.max(weight, 0)
	end
	return out
end

local function mirrored(weights)
	local out = {}
	for name, weight in weights do
		out[(string.gsub(name, "^left_", "right_"))] = weight
	end
	return out
end

-- The same on both sides; half of each in the middle.
function R.weights(p)
	local twin = v(-p.x, p.y, p.z)
	local share = ramp(0, 0.012, p.x)
	if share == 1 then
		return left(p)
	elseif share == 0 then
		return mirrored(left(twin))
	end
	local out = {}
	for name, weight in left(p) do
		out[name] = weight * share
	end
	for name, weight in mirrored(left(twin)) do
		out[name] = (out[name] or 0) + weight * (1 - share)
	end
	return out
end

-- Weights of head and neck: the ring of the neck moves like the body's.
function R.neck(p)
	local q = P.from(p)
	local head = ramp(1.515, 0.030, q.y + 0.30 * (q.z + 0.012))
	local body = 1 - ramp(1.462, 0.022, q.y)
	local neck = 1 - head
	local out = { head = head, neck = neck * (1 - body) }
	if body > 0 and neck > 0 then
		for name, weight in R.weights(p) do
			out[name] = (out[name] or 0) + weight * neck * body
		end
	end
	return out
end

-- Weights of a position on the skirt: between two chains, and from hips to hem along them.
function R.skirt(p)
	local angle = math.deg(math.atan2(p.x, (p.z - SKIRT_MIDDLE) * 1.3))
	local turn = math.abs(angle) / 45
	local first = math.min(math.floor(turn), 3)
	local share = turn - first
	local down = {}
	local y = p.y
	for i, at in SKIRT do
		local below = 1 - ramp(K.up(at), cut.joints_soft * u, y)
		down[i] = below
	end
	local held = { 1 - down[1], down[1] * (1 - down[2]), down[1] * down[2] * (1 - down[3]), down[1] * down[2] * down[3] }
	local out = { hips = held[1] }
	for k, part in { [first + 1] = 1 - share, [first + 2] = share } do
		local name = CHAINS[k][1]
		if angle < 0 then
			name = string.gsub(name, "^left_", "right_")
		end
		for i = 1, 3 do
			local weight = held[i + 1] * part
			if weight > 0 then
				out[`{name}_{i}`] = weight
			end
		end
	end
	return out
end

-- Weights of the dress: the skirt's below the belt, the body's above.
function R.dress(p)
	local skirt = 1 - ramp(K.up(1.045), 0.02 * u, p.y)
	if skirt == 0 then
		return R.weights(p)
	elseif skirt == 1 then
		return R.skirt(p)
	end
	local out = {}
	for name, weight in R.weights(p) do
		out[name] = weight * (1 - skirt)
	end
	for name, weight in R.skirt(p) do
		out[name] = (out[name] or 0) + weight * skirt
	end
	return out
end

-- Weights of parts that are attached to body and dress.
function R.worn(p)
	local x = math.abs(p.x)
	return if p.y < K.up(1.10) and p.y > K.up(0.70) and x < 0.26 * u then R.dress(p) else R.weights(p)
end

return R
