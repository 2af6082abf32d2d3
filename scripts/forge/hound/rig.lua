-- The hound's skeleton and skin weights. Skin that is nearer to a leg than to the trunk follows the leg. Every bone takes a
-- fraction of its parent's weight, as a smooth step across the joint.
local v = vector.create
local F = require "./form"

local R = {}
local J = F.joint
local fore, hind = J.fore, J.hind

R.rows = {
	{ "root", false, vector.zero },
	{ "hips", "root", J.hips },
	{ "spine", "hips", J.spine },
	{ "chest", "spine", J.chest },
	{ "neck", "chest", J.neck },
	{ "upper_neck", "neck", J.upper_neck },
	{ "head", "upper_neck", J.head },
	{ "left_eye", "head", F.eye },
	{ "left_ear", "head", F.ear_root },
	{ "left_shoulder", "chest", fore[1] },
	{ "left_upper_arm", "left_shoulder", fore[2] },
	{ "left_lower_arm", "left_upper_arm", fore[3] },
	{ "left_hand", "left_lower_arm", fore[4] },
	{ "left_fingers", "left_hand", fore[5] },
	{ "left_upper_leg", "hips", hind[1] },
	{ "left_lower_leg", "left_upper_leg", hind[2] },
	{ "left_foot", "left_lower_leg", hind[3] },
	{ "left_toes", "left_foot", hind[4] },
	{ "tail_1", "hips", J.tail[1] },
	{ "tail_2", "tail_1", J.tail[2] },
	{ "tail_3", "tail_2", J.tail[3] },
	{ "tail_4", "tail_3", J.tail[4] },
}

local function step(from, to, x)
	local t = math.clamp((x - from) / (to - from), 0, 1)
	return t * t * (3 - 2 * t)
end
-- From 0 to 1 over `half` metres on both sides of `at`.
local function ramp(at, half, x)
	return step(at - half, at + half, x)
end
-- Distance of a position beyond a joint's plane.
local function past(joint, normal, q)
	return vector.dot(q - joint, vector.normalize(normal))
end

-- Weights of a chain of bones, from the distance by which a position has passed each joint after the first.
local function chain(out, names, hold, passed)
	for i, name in names do
		local on = if passed[i] then hold * passed[i] else 0
		out[name] = (out[name] or 0) + hold - on
		hold = on
	end
end

-- Weight of the thigh at a position, by the angle about the hip between the two: the skin closes like a fan and does
-- not fold.
local THIGH = vector.normalize(hind[2] - hind[1])
local BEFORE = vector.cross(v(-1, 0, 0), THIGH)
local function round_hip(q)
	local off = q - hind[1]
	local ahead, along = vector.dot(off, BEFORE), vector.dot(off, THIGH)
	local angle = math.deg(math.atan2(math.abs(ahead), along))
	local share = if ahead > 0 then step(88, 5, angle) else step(118, 15, angle)
	local near = step(0.06, 0, math.sqrt(ahead * ahead + along * along))
	return share + (0.5 - share) * near
end

-- Skin weights of a position on the left side.
local function left(q)
	local out = {}
	local barrel, arm, leg = F.barrel:at(q), F.foreleg:at(q), F.hindleg:at(q)

	local on_arm = ramp(0.004, 0.022, barrel - arm) * step(0.54, 0.47, q.y) * step(0.02, 0.08, q.z)
	local blade = step(
		0.050, 0.004, F.shoulder:at(q)
	) * ramp(0.055, 0.03, q.x) * step(0.69, 0.62, q.y) * step(0.75, 0.70, q.y) * 0.75
	local front = math.max(on_arm, blade * step(-0.05, 0.02, q.z))
	local upper = on_arm * ramp(0.028, 0.045, past(fore[2], v(0, -0.62, -0.78), q) + 0.02)
	local elbow = upper * ramp(0.004, 0.030, past(fore[3], v(0, -0.93, -0.36), q))
	local wrist = elbow * ramp(0, 0.018, fore[4].y - q.y)
	local fingers = wrist * ramp(0, 0.012, past(fore[5], v(0, -0.6, 0.8), q))
	out.left_shoulder, out.left_upper_arm = front - math.min(upper, front), upper - elbow
	out.left_lower_arm = elbow - wrist
	out.left_hand, out.left_fingers = wrist - fingers, fingers

	-- The tail: positions near its path and beyond its root.
	local T = J.tail
	local tail = step(0.028, 0.004, F.tail:at(q)) * ramp(
		0.026, 0.042, past(T[1], v(0, -0.7, -0.7), q)
	) * step(0.040, 0.016, q.x)

	local thigh = math.max(
		ramp(0.004, 0.036, barrel - leg + 0.008) * round_hip(q), step(0.46, 0.39, q.y)
	) * step(-0.03, -0.15, q.z) * (1 - front) * (1 - tail)
	-- Wider behind, where the skin closes.
	local behind = step(-0.20, -0.30, q.z)
	local shin = thigh * ramp(0.006 * behind, 0.040 + 0.030 * behind, past(hind[2], v(0, -0.98, -0.21), q))
	local foot = shin * ramp(0, 0.024, past(hind[3], v(0, -0.96, -0.28), q))
	local toes = foot * ramp(0, 0.012, past(hind[4], v(0, -0.6, 0.8), q))
	out.left_upper_leg, out.left_lower_leg, out.left_foot, out.left_toes = thigh - shin, shin - foot, foot - toes, toes

	local rest = math.max(1 - front - thigh, 0)
	tail *= rest
	chain(out, { "tail_1", "tail_2", "tail_3", "tail_4" }, tail, {
		ramp(0, 0.03, past(T[2], v(0, -0.84, -0.54), q)),
		ramp(0, 0.03, past(T[3], v(0, -0.93, -0.37), q)),
		ramp(0, 0.03, past(T[4], v(0, -0.91, -0.41), q)),
	})
	chain(out, { "hips", "spine", "chest", "neck", "upper_neck", "head" }, rest - tail, {
		ramp(J.spine.z - 0.02, 0.085, q.z),
		ramp(J.chest.z - 0.01, 0.085, q.z),
		ramp(0.034, 0.075, past(J.neck, v(0, 0.80, 0.60), q)),
		ramp(0, 0.045, past(J.upper_neck, v(0, 0.86, 0.50), q)),
		ramp(-0.006, 0.026, past(J.head, v(0, 0.66, 0.75), q)),
	})
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
	local share = ramp(0, 0.010, p.x)
	if share == 1 then
		return left(p)
	end
	local twin = mirrored(left(v(math.abs(p.x), p.y, p.z)))
	if share == 0 then
		return twin
	end
	local out = {}
	for name, weight in left(v(math.abs(p.x), p.y, p.z)) do
		out[name] = weight * share
	end
	for name, weight in twin do
		out[name] = (out[name] or 0) + weight * (1 - share)
	end
	return out
end

function R.side(bone)
	return function(p)
		return { [(if p.x > 0 then "left_" else "right_") .. bone] = 1 }
	end
end

-- Weights of an ear: its root stays with the head.
function R.ear(p)
	local q = v(math.abs(p.x), p.y, p.z)
	local on = ramp(0.016, 0.018, past(F.ear_root, F.ear_way, q))
	return { [if p.x > 0 then "left_ear" else "right_ear"] = on, head = 1 - on }
end

return R
