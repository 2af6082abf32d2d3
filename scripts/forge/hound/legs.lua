-- Converts a pose to bone rotations: the trunk, then IK for four legs to the positions of the paws.
--
-- Each leg bends in one plane, which leans so that it contains the paw. Hind leg: thigh and shank stay parallel, as the
-- tendons of a dog enforce, so it is solved as a two-bone chain with the gaskin. Foreleg: the blade takes a fraction of the
-- leg's swing, then upper arm and forearm are solved. Stifle and elbow always bend in the same direction.
local v = vector.create
local J = require("./form").joint
local P = require "./pose"
local rad, deg = math.rad, math.deg

-- Rotations are three columns; angles in degrees are pitch, yaw, roll, with the yaw applied last.
local function turned(degrees)
	local x, y, z = rad(degrees.x), rad(degrees.y), rad(degrees.z)
	local cx, sx, cy, sy, cz, sz = math.cos(x), math.sin(x), math.cos(y), math.sin(y), math.cos(z), math.sin(z)
	return {
		v(cz * cy + sz * sx * sy, sz * cx, sz * sx * cy - cz * sy),
		v(cz * sx * sy - sz * cy, cz * cx, sz * sy + cz * sx * cy),
		v(cx * sy, -sx, cx * cy),
	}
end

local function degrees(m)
	local pitch = math.asin(math.clamp(-m[3].y, -1, 1))
	return v(deg(pitch), deg(math.atan2(m[3].x, m[3].z)), deg(math.atan2(m[1].y, m[2].y)))
end

local function out_of(m, p)
	return m[1] * p.x + m[2] * p.y + m[3] * p.z
end

local function into(m, p)
	return v(vector.dot(m[1], p), vector.dot(m[2], p), vector.dot(m[3], p))
end

local function times(a, b)
	return { out_of(a, b[1]), out_of(a, b[2]), out_of(a, b[3]) }
end

-- `b` relative to `a`.
local function within(a, b)
	return { into(a, b[1]), into(a, b[2]), into(a, b[3]) }
end

-- In a leg's plane: a vector pitched by an angle, and the angle from straight down.
local function pitched(p, angle)
	local c, s = math.cos(angle), math.sin(angle)
	return v(0, p.y * c - p.z * s, p.y * s + p.z * c)
end

local function angle_of(p)
	return math.atan2(-p.z, -p.y)
end

local function flat(p)
	return v(0, p.y, p.z)
end

-- Pitch of two bones that reach a position; `bend` is 1 if their joint points backwards, -1 forwards.
local function reach(upper, lower, to, bend, name)
	local a, b, d = vector.magnitude(upper), vector.magnitude(lower), vector.magnitude(to)
	if d > a + b or d < math.abs(a - b) then
		local by = if d > a + b then d - a - b else math.abs(a - b) - d
		error(string.format("the paw %s is out of reach by %.1f cm", name, by * 100))
	end
	local first = angle_of(to) + bend * math.acos((a * a + d * d - b * b) / (2 * a * d)) - angle_of(upper)
	return first, angle_of(to - pitched(upper, first)) - angle_of(lower)
end

-- Leans a leg's plane about the forward axis until `to` is as far sideways in it as the bones are.
local function leaned(to, aside)
	local far = math.sqrt(to.x * to.x + to.y * to.y)
	local roll = math.atan2(to.y, to.x) + math.acos(aside / far)
	return roll, v(0, to.y * math.cos(roll) - to.x * math.sin(roll), to.z)
end

-- Parts of a paw relative to its knuckles: heel, tip of the toes, claw. The paw rolls over the tip.
local GROUND = 0.0015
local function sole(size)
	return { v(0, -0.0345, -0.016 * size), v(0, -0.0340, 0.063 * size), v(0, -0.0305, 0.076 * size) }
end
local SOLES = { fore = sole(1), hind = sole(0.95) }

-- Position of the knuckles for a paw whose lowest point has the given height above the ground.
local function knuckles(rest, points, pose, name)
	local way, pitch = pose[name] or vector.zero, rad(pose[`{name}_pitch`] or 0)
	local low = 0
	for _, point in points do
		low = math.min(low, pitched(point, pitch).y)
	end
	local rolled = points[2].z - pitched(points[2], pitch).z
	return v(rest.x + way.x, GROUND + way.y - low, rest.z + way.z + rolled), pitch
end

local function mirrored(p, side)
	return v(p.x * side, p.y, p.z)
end

local function roll_of(angle)
	return turned(v(0, 0, deg(angle)))
end

local function pitch_of(angle)
	return turned(v(deg(angle), 0, 0))
end

local BLADE = 0.45 -- fraction of a foreleg's swing

local function fore_leg(out, side, pose, chest, chest_at)
	local word = if side > 0 then "left" else "right"
	local name = `{word}_fore`
	local joints = J.fore
	local root = chest_at + out_of(chest, mirrored(joints[1] - J.chest, side))
	local place, paw = knuckles(mirrored(joints[5], side), SOLES.fore, pose, name)
	local whole = mirrored(joints[5] - joints[1], side)
	local roll, to = leaned(into(chest, place - root), whole.x)
	local blade, arm, fore, hand = flat(joints[2] - joints[1]), flat(joints[3] - joints[2]), flat(
		joints[4] - joints[3]
	), flat(joints[5] - joints[4])
	local fold = rad(pose[`{name}_fold`] or 0)
	local swing = BLADE * (angle_of(to) - angle_of(whole))
	local a, b = reach(arm, fore + pitched(hand, fold), to - pitched(blade, swing), 1, name)
	out[`{word}_shoulder`] = degrees(times(roll_of(roll), pitch_of(swing)))
	out[`{word}_upper_arm`] = v(deg(a - swing), 0, 0)
	out[`{word}_lower_arm`] = v(deg(b - a), 0, 0)
	out[`{word}_hand`] = v(deg(fold), 0, 0)
	local held = times(times(chest, roll_of(roll)), pitch_of(b + fold))
	out[`{word}_fingers`] = degrees(within(held, pitch_of(paw)))
end

-- A shank that lies on the ground with its hock behind the paw: pitch relative to rest.
local LYING = rad(-80)

local function hind_leg(out, side, pose, pelvis, hips_at)
	local word = if side > 0 then "left" else "right"
	local name = `{word}_hind`
	local joints = J.hind
	local root = hips_at + out_of(pelvis, mirrored(joints[1] - J.hips, side))
	local place, paw = knuckles(mirrored(joints[4], side), SOLES.hind, pose, name)
	local roll, to = leaned(into(pelvis, place - root), mirrored(joints[4] - joints[1], side).x)
	local thigh, gaskin, shank = flat(joints[2] - joints[1]), flat(joints[3] - joints[2]), flat(joints[4] - joints[3])
	local more = rad(pose[`{name}_fold`] or 0)
	local a, b = reach(thigh + pitched(shank, more), gaskin, to, -1, name)
	local c = a + more
	local lie = pose[`{name}_lie`] or 0
	if lie > 0 then
		-- The ground is not given in the leg's own frame.
		local ground = math.asin(math.clamp(-pelvis[3].y, -1, 1))
		c += (LYING - ground - c) * lie
		a, b = reach(thigh, gaskin, to - pitched(shank, c), -1, name)
	end
	out[`{word}_upper_leg`] = degrees(times(roll_of(roll), pitch_of(a)))
	out[`{word}_lower_leg`] = v(deg(b - a), 0, 0)
	out[`{word}_foot`] = v(deg(c - b), 0, 0)
	local held = times(times(pelvis, roll_of(roll)), pitch_of(c))
	out[`{word}_toes`] = degrees(within(held, pitch_of(paw)))
end

local L = {}

-- The bones of a pose, in the format of `clip`.
function L.solve(pose)
	local function said(channel)
		return pose[channel] or vector.zero
	end
	local pelvis, chest = turned(said "pelvis"), turned(said "chest")
	local spine = turned((said "pelvis" + said "chest") / 2)
	local neck, head = turned(said "neck"), turned(said "head")
	local upper_neck = turned(said "neck" * 0.55 + said "head" * 0.45)
	local out = {
		hips = { turn = degrees(pelvis), at = said "hips" },
		spine = degrees(within(pelvis, spine)),
		chest = degrees(within(spine, chest)),
		neck = degrees(within(chest, neck)),
		upper_neck = degrees(within(neck, upper_neck)),
		head = degrees(within(upper_neck, head)),
		left_ear = said "left_ear",
		right_ear = said "right_ear",
	}
	for i = 1, 4 do
		out[`tail_{i}`] = said(`tail_{i}`)
	end
	local hips_at = J.hips + said "hips"
	local chest_at = hips_at + out_of(pelvis, J.spine - J.hips) + out_of(spine, J.chest - J.spine)
	for _, side in { 1, -1 } do
		fore_leg(out, side, pose, chest, chest_at)
		hind_leg(out, side, pose, pelvis, hips_at)
	end
	return out
end

local SHAPES = { mouth = "mouth_open", blink = "blink", ears_back = "ears_back" }

-- A clip from poses: `at` returns them, the other options are those of `clip`. Shapes in the poses become tracks; the key
-- rate is the one that planted paws need.
function L.clip(options)
	local at = options.at
	options.at = function(t)
		return L.solve(at(t))
	end
	local shapes = {}
	for channel, shape in SHAPES do
		if at(0)[channel] then
			shapes[shape] = function(t)
				return at(t)[channel]
			end
		end
	end
	options.morphs = shapes
	options.rate = options.rate or 60
	return clip(options)
end

return L
