-- Walking at 1.4 m/s, running at 4.2 m/s, creeping at 0.7 m/s. Ratios of the cycle and ranges of joints after Perry and
-- Burnfield, "Gait Analysis": stance 60 %, two double supports, pelvis yaw and list of a few degrees, a vertical path of
-- about 4 cm twice per cycle. Running: a short stance, two flights per cycle on ballistic arcs.
local v = vector.create
local stand = require "./stand"

local M = {}

M.WALK, M.RUN, M.SNEAK = 1.4, 4.2, 0.7

M.walk_gait = {
	period = 1,
	speed = M.WALK,
	duty = 0.6,
	strike = 0.344,
	strike_pitch = -20.6,
	flat = 0.17,
	rise = 0.5,
	off_pitch = 56,
	width = 0.0744,
	toe_out = 5.7,
	swing = {
		{ 0.2, 0.242, -0.32, 58, -26 },
		{ 0.42, 0.195, -0.05, 26, -1 },
		{ 0.66, 0.128, 0.2, -3.4, -6 },
		{ 0.86, 0.118, 0.335, -19, -1 },
	},
}
local walk_feet = gait(M.walk_gait)

-- The left heel strikes at 0, the right one at 0.5. `arms` is the amplitude of the arm swing.
function M.walk(u, arms)
	arms = arms or 1
	local twice, sway = wave(2 * u, 0.6), wave(u, 0.28)
	local function arm(strike)
		local ahead, late = -wave(u, strike + 0.035) * arms, -wave(u, strike + 0.115) * arms
		return {
			swing = 1.1 + 20.6 * ahead,
			out = 11.5 - 0.8 * ahead,
			twist = -6.9,
			elbow = 20 + 12.6 * late,
			roll = 3,
			wrist = 4.6 + 4 * late,
			lift = 0.7 * twice,
			reach = 2.9 * ahead,
		}
	end
	return walk_feet(u)
		+ {
			hips = v(0.02 * sway, -0.036 + 0.0245 * twice, -0.012 + 0.006 * wave(2 * u, 0.25)),
			pelvis = v(4 + 0.9 * twice, -6 * wave(u, 0), 3.6 * wave(u, 0.2)),
			chest = v(1.7 - 0.9 * wave(2 * u, 0.15), 5.7 * wave(u, 0.03), -1.5 * wave(u, 0.26)),
			head = v(0.9 + 0.7 * wave(2 * u, 0.1), wave(u, 0.05), -0.3 * sway),
			left_arm = arm(0),
			right_arm = arm(0.5),
			hands = stand.loose,
		}
end

local RUN_PERIOD, RUN_DUTY = 0.7, 0.27
local run_feet = gait {
	period = RUN_PERIOD,
	speed = M.RUN,
	duty = RUN_DUTY,
	strike = 0.24,
	strike_pitch = -5.7,
	flat = 0.16,
	rise = 0.42,
	off_pitch = 64,
	width = 0.0526,
	toe_out = 3.4,
	swing = {
		{ 0.17, 0.34, -0.56, 86, -20 },
		{ 0.34, 0.48, -0.43, 83, 3 },
		{ 0.51, 0.45, -0.06, 49, 3 },
		{ 0.67, 0.36, 0.18, 16, 0 },
		{ 0.84, 0.245, 0.255, -2, 0 },
		{ 0.94, 0.145, 0.258, -6, 0 },
	},
}

-- Height of the hips relative to toe-off: a parabola in flight, half a sine in stance; the speeds match where they
-- join.
local function bounce(u)
	local gravity = 9.81
	local step = (u * 2) % 1 * 0.5 * RUN_PERIOD
	local stance = RUN_DUTY * RUN_PERIOD
	local flight = 0.5 * RUN_PERIOD - stance
	local leave = gravity * flight * 0.5
	if step < stance then
		return -leave * stance / math.pi * math.sin(step / stance * math.pi)
	end
	local t = step - stance
	return leave * t - 0.5 * gravity * t * t
end

function M.run(u)
	local yaw = wave(u, 0.02)
	local function arm(strike)
		local ahead, late = -wave(u, strike + 0.07), -wave(u, strike + 0.13)
		return {
			swing = -5.7 + 37.8 * ahead,
			out = 13 - 2.9 * ahead,
			twist = -18 - 7 * ahead,
			elbow = 93 + 11.5 * late,
			wrist = 3,
			lift = 1.7,
			reach = 6.3 * ahead,
		}
	end
	return run_feet(u * RUN_PERIOD)
		+ {
			hips = v(0.01 * wave(u, 0.14), -0.052 + bounce(u), -0.03),
			pelvis = v(14.3, -8.6 * yaw, 2.9 * wave(u, 0.12)),
			chest = v(13.8 + 1.7 * wave(2 * u, 0.3), 11.5 * wave(u, 0.05), -1.7 * wave(u, 0.15)),
			head = v(2.9 - 1.2 * wave(2 * u, 0.3), 1.2 * yaw, 0),
			left_arm = arm(0),
			right_arm = arm(0.5),
			hands = { curl = 0.55, thumb = 0.4, oppose = 0.5 },
		}
end

local SNEAK_PERIOD = 1.25
local sneak_feet = gait {
	period = SNEAK_PERIOD,
	speed = M.SNEAK,
	duty = 0.64,
	strike = 0.285,
	strike_pitch = 9,
	flat = 0.26,
	rise = 0.55,
	off_pitch = 34,
	width = 0.085,
	toe_out = 9,
	swing = {
		{ 0.22, 0.215, -0.19, 40, -18 },
		{ 0.5, 0.255, 0.04, 22, 4 },
		{ 0.78, 0.19, 0.27, 8, 8 },
	},
}

-- Sneaking: low, on the balls of the feet, with the weight held back until the foot is planted.
function M.sneak(u)
	local twice, sway = wave(2 * u, 0.62), wave(u, 0.3)
	local function arm(strike)
		local ahead = -wave(u, strike + 0.06)
		return {
			swing = 26 + 11 * ahead,
			out = 20,
			twist = -6,
			elbow = 74 + 6 * -wave(u, strike + 0.16),
			roll = 12,
			wrist = -14 + 5 * wave(u, strike + 0.2),
			lift = 4 + 1.5 * twice,
			reach = 5 + 3 * ahead,
		}
	end
	return sneak_feet(u * SNEAK_PERIOD)
		+ {
			hips = v(0.03 * sway, -0.165 + 0.013 * twice, -0.06),
			pelvis = v(22 + twice, -7 * wave(u, 0.02), 3 * wave(u, 0.22)),
			chest = v(27 - 1.5 * wave(2 * u, 0.2), 6 * wave(u, 0.06), -2 * wave(u, 0.3)),
			head = v(3 + wave(2 * u, 0.15), 5 * drift(u, 4), 1.5 * wave(u, 0.4)),
			left_arm = arm(0),
			right_arm = arm(0.5),
			hands = { curl = 0.16, index = -0.06, little = 0.08, spread = -0.05, thumb = 0.1 },
		}
end

-- A gait cycle with its step markers.
function M.cycle(figure, name, period, options)
	options.name, options.figure, options.seconds, options.loop = name, figure, period, true
	options.markers = { { 0, "step", foot = "left" }, { (options.after or 0.5) * period, "step", foot = "right" } }
	options.after = nil
	return clip(options)
end

function M.clips(figure)
	local function by_share(motion, period)
		return function(t)
			return motion(t / period)
		end
	end
	return {
		M.cycle(figure, "walk", 1, { speed = M.WALK, at = by_share(M.walk, 1) }),
		-- The feet move 14 cm between two keys at the default key rate.
		M.cycle(figure, "run", RUN_PERIOD, { speed = M.RUN, rate = 120, at = by_share(M.run, RUN_PERIOD) }),
		M.cycle(figure, "sneak", SNEAK_PERIOD, { speed = M.SNEAK, at = by_share(M.sneak, SNEAK_PERIOD) }),
	}
end

return M
