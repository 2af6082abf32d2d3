-- The standing pose, in which most clips begin and end, and three idle clips. Most of the weight is on the left leg.
local v = vector.create

local M = {}

M.SECONDS = 4

-- A relaxed hand.
M.loose = { curl = 0.08, index = -0.04, little = 0.04, spread = -0.5, thumb = 0.4, oppose = 0, cup = 0.03, hold = 0 }
M.open = { curl = 0.02, index = -0.02, little = 0.02, thumb = 0.05, oppose = 0, spread = 0 }
M.fist = { curl = 1, index = 0, little = 0, thumb = 1.2, oppose = 1, spread = 0 }
M.pointing = { curl = 0.85, index = -0.83, little = 0.05, thumb = 1, oppose = 0.9, spread = 0 }

M.feet = pose {
	left_foot = { at = v(0.005, 0, -0.005), turn = 6 },
	right_foot = { at = v(-0.017, 0, 0.03), turn = 14 },
}

-- Explicit neutral values for channels that the idle does not move, so that keys return to them.
local nothing = pose {
	body = vector.zero,
	eyes = vector.zero,
	feet = { pitch = 0, tilt = 0, toes = 0, knee = vector.zero },
	arms = { tilt = 0, reach = 0 },
	hands = {
		hold = 0, fingers = vector.zero, palm = vector.zero, elbow = vector.zero, cup = 0, spread = 0, middle = 0,
		ring = 0,
	},
}

-- The idle at a fraction of its cycle: a breath, a slow weight shift, and small constant movements.
function M.at(u)
	local breath, shift = wave(u, 0.42), wave(u, 0.2)
	local function arm(more, out)
		return {
			swing = 1.7 + 0.7 * wave(u, 0.5) + more,
			out = out + 0.6 * breath,
			twist = -4,
			elbow = 15 + 1.2 * wave(u, 0.55) + 1.5 * more,
			roll = 4,
			wrist = 4,
			lift = 0.8 + 0.8 * breath,
		}
	end
	return nothing
		+ M.feet
		+ {
			hips = v(0.016 + 0.01 * shift, -0.0085 + 0.0012 * breath, 0.004 + 0.003 * wave(u, 0.7)),
			pelvis = v(1.2, 2, 2.3 + 0.8 * shift),
			chest = v(0.3 * drift(u, 3), 0.9 + 0.6 * wave(u, 0.6), -1.3 - 0.6 * shift),
			head = v(0.6 + 0.8 * wave(u, 0.9), 1.7 * wave(u, 0.65) + 0.8 * drift(u, 5), 0.7 + 0.6 * wave(u, 0.3)),
			breath = 0.9 + 0.9 * breath,
			left_arm = arm(0, 15.5),
			right_arm = arm(1.7, 13.5),
			hands = M.loose,
		}
		+ { left_hand = { curl = 0.02 * drift(u, 11) }, right_hand = { curl = 0.02 * drift(u, 12) } }
end

M.pose = M.at(0)

-- An additive breath with small movements, for poses held for several seconds.
function M.life(u, strength)
	local breath = wave(u, 0.42) - wave(0, 0.42)
	return pose {
		hips = v(0.003 * (drift(u, 1) - drift(0, 1)), 0.0012 * breath, 0),
		chest = v(-0.3 * breath, 0.8 * (drift(u, 3) - drift(0, 3)), 0),
		head = v(0.5 * breath, 1.4 * (drift(u, 5) - drift(0, 5)), 0.5 * (drift(u, 6) - drift(0, 6))),
		breath = 0.9 * breath,
		arms = { swing = 0.5 * breath, out = 0.4 * breath, lift = 0.8 * breath },
	} * (strength or 1)
end

-- Offsets of a glance: eyes first, then the head, the chest last.
local function look(yaw, pitch)
	return { eyes = v(pitch * 0.3, yaw * 0.25, 0), head = v(pitch, yaw, -yaw * 0.08), chest = v(0, yaw * 0.2, 0) }
end

local function looking(figure)
	local seconds = 6
	local to = keys {
		{ 0, look(0, 0) },
		{ 0.5, look(0, 0) },
		{ 1.05, look(32, -3), ease = "hit" },
		{ 2.3, look(35, -2) },
		{ 2.75, look(12, 5) },
		{ 3.35, look(-36, 1), ease = "hit" },
		{ 4.5, look(-33, 3) },
		{ 5.3, look(0, 0) },
		{ seconds, look(0, 0) },
		late = { eyes = -0.09, chest = 0.14 },
	}
	local lean = keys {
		{ 0, { hips = vector.zero, pelvis = vector.zero } },
		{ 1.4, { hips = v(0.006, -0.001, 0), pelvis = v(0, 3, 0.6) } },
		{ 3.7, { hips = v(-0.016, 0, 0.004), pelvis = v(0, -4, -1.4) } },
		{ 5.6, { hips = vector.zero, pelvis = vector.zero } },
		{ seconds, { hips = vector.zero, pelvis = vector.zero } },
	}
	return clip {
		name = "idle_look",
		figure = figure,
		seconds = seconds,
		loop = true,
		at = function(t)
			return M.at(0) + M.life(t / 3) + to(t) + lean(t)
		end,
	}
end

-- The weight shifts to the right leg, a hand smooths the skirt, and the weight shifts back.
local function shifting(figure)
	local seconds = 7
	local rests = { hips = vector.zero, pelvis = vector.zero, chest = vector.zero, head = vector.zero,
		left_foot = { pitch = 0, at = vector.zero }, left_arm = { swing = 0, out = 0, elbow = 0 } }
	local other = {
		hips = v(-0.058, -0.002, 0.006),
		pelvis = v(0.5, -7, -7),
		chest = v(-1, -3, 3.4),
		head = v(1, 4, -3),
		left_foot = { pitch = 7 },
		left_arm = { swing = 4, out = 2, elbow = 9 },
	}
	local weight = keys {
		{ 0, rests },
		{ 0.9, rests },
		{ 1.15, { hips = v(0.012, -0.003, 0), pelvis = v(0, 0, 0.8) } },
		{ 1.9, other },
		{ 2.1, { hips = v(-0.06, -0.005, 0.006) } },
		{ 5.0, other },
		{ 5.25, { hips = v(-0.062, -0.004, 0.004) } },
		{ 6.1, rests },
		{ seconds, rests },
		late = { chest = 0.08, head = 0.16, arms = 0.1, forearms = 0.16 },
	}
	local hand = keys {
		{ 0, { right_arm = { swing = 0, out = 0, elbow = 0, wrist = 0, roll = 0 }, head = vector.zero } },
		{ 2.4, { right_arm = { swing = 0, out = 0, elbow = 0, wrist = 0, roll = 0 }, head = vector.zero } },
		{ 3.0, { right_arm = { swing = 9, out = 5, elbow = 16, wrist = -6, roll = -10 }, head = v(11, -14, -4) } },
		{ 3.5, { right_arm = { swing = 2, out = 1, elbow = 2, wrist = 5, roll = -6 }, head = v(13, -15, -4) } },
		{ 4.2, { right_arm = { swing = 0, out = 0, elbow = 0, wrist = 0, roll = 0 }, head = v(3, -4, -1) } },
		{ 4.7, { head = vector.zero } },
	}
	return clip {
		name = "idle_shift",
		figure = figure,
		seconds = seconds,
		loop = true,
		at = function(t)
			return M.at(0) + M.life(t / 3.5) + weight(t) + hand(t)
		end,
	}
end

function M.clips(figure)
	return {
		clip {
			name = "idle",
			figure = figure,
			seconds = M.SECONDS,
			loop = true,
			at = function(t)
				return M.at(t / M.SECONDS)
			end,
		},
		looking(figure),
		shifting(figure),
	}
end

return M
