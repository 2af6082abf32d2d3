-- Steps while the body moves over the ground: starts, stops, turns and side steps.
local v = vector.create
local stand = require "./stand"
local walk = require "./walk"

local M = {}

-- Rest positions of her soles.
local REST = { left = v(0.092, 0, -0.014), right = v(-0.092, 0, -0.014) }
-- Their positions while she stands, and how far the toes are turned out.
M.STANDS = { left = { at = v(0.097, 0, -0.019), turn = 6 }, right = { at = v(-0.109, 0, 0.016), turn = 14 } }

local function smooth(u)
	u = math.clamp(u, 0, 1)
	return u * u * (3 - 2 * u)
end

-- One foot: `first` is its initial position, rows are its steps { from, to, at = position, turn, lift = height, off = pitch
-- at toe-off, strike = pitch at landing }, in seconds and metres on the ground.
local function foot(side, first, rows)
	return function(t)
		local at, turn, pitch, up = first.at, first.turn, 0, 0
		for _, row in rows do
			local off, strike = row.off or 22, row.strike or -6
			local roll, settle = row.roll or 0.16, row.settle or 0.1
			if t <= row.from - roll then
				break
			elseif t < row.from then
				local u = (t - row.from + roll) / roll
				pitch = math.max(pitch, off * u * u)
			elseif t < row.to then
				local u = (t - row.from) / (row.to - row.from)
				local share = smooth(u)
				at += (row.at - at) * share
				turn += ((row.turn or turn) - turn) * share
				up = 4 * u * (1 - u) * (row.lift or 0.06)
				-- The heel rises first; the foot lands with the toes up.
				pitch = off * (1 - smooth(u * 1.6)) + strike * smooth((u - 0.45) / 0.55)
			else
				at, turn = row.at, row.turn or turn
				local u = (t - row.to) / settle
				pitch = if u < 1 then strike * (1 - u) * (1 - u) else 0
			end
		end
		return at + v(0, up, 0) - REST[side], turn, pitch
	end
end

-- Both feet by their rows, relative to a body that has moved by `way(t)`.
function M.feet(options)
	local left = foot("left", options.left_from or M.STANDS.left, options.left or {})
	local right = foot("right", options.right_from or M.STANDS.right, options.right or {})
	local way = options.way or function()
		return 0
	end
	return function(t)
		local gone = v(0, 0, way(t))
		local at, turn, pitch = left(t)
		local other, other_turn, other_pitch = right(t)
		return pose {
			left_foot = { at = at - gone, turn = turn, pitch = pitch, toes = 0 },
			right_foot = { at = other - gone, turn = other_turn, pitch = other_pitch, toes = 0 },
		}
	end
end

-- Distance and speed of a body that accelerates from 0 at `from` to `speed` at `to`.
local function speeding(speed, from, to, power)
	local span = to - from
	local function share(t)
		return math.clamp((t - from) / span, 0, 1)
	end
	return function(t)
		return speed * span / (power + 1) * share(t) ^ (power + 1)
	end, function(t)
		return speed * share(t) ^ power
	end
end

-- The same for a body that slows down from `speed` at 0 to rest at `to`.
local function slowing(speed, to, power)
	local function left(t)
		return 1 - math.clamp(t / to, 0, 1)
	end
	return function(t)
		return speed * to / (power + 1) * (1 - left(t) ^ (power + 1))
	end, function(t)
		return speed * left(t) ^ power
	end
end

local S = stand.pose

-- The weight shifts to the right leg, she leans forwards, and the left foot lands as in the first frame of the walk.
local function starting(figure)
	local seconds, from = 0.9, 0.22
	local goal = walk.walk(0)
	-- Position of the right foot at that time.
	local gone = 0.372
	local power = walk.WALK * (seconds - from) / gone - 1
	local way, speed = speeding(walk.WALK, from, seconds, power)
	local feet = M.feet {
		way = way,
		left = {
			{
				from = 0.3, to = seconds, at = v(0.0744, 0, 0.344 + gone), turn = 5.7, lift = 0.07, off = 30,
				strike = -20.6,
			},
		},
	}
	local heel = curve { { 0, 0 }, { 0.55, 0 }, { seconds, 27, ease = "line" } }
	local body = keys {
		{ 0, S },
		{ 0.28, S:with { hips = v(-0.042, -0.016, -0.004), pelvis = v(2, 3, -2.5), chest = v(2.5, -1, 1.5) } },
		{ 0.55, { hips = v(-0.03, -0.03, 0.01), pelvis = v(6, -1, -1), chest = v(5, 1, 0) } },
		{ 0.74, { hips = v(-0.01, -0.05, 0.02) } },
		{ seconds, goal },
		late = { head = 0.05, arms = 0.04, forearms = 0.07 },
	}
	return clip {
		name = "walk_start",
		figure = figure,
		seconds = seconds,
		speed = speed,
		at = function(t)
			local own = feet(t)
			return body(t):with(own):with { right_foot = { pitch = heel(t) } }
		end,
		markers = { { 0.88, "step", foot = "left" } },
	}
end

-- From the walk's left strike: the right foot comes next to the left one; the weight moves on a little and returns.
local function stopping(figure)
	local seconds, stop = 1.1, 0.62
	local gone = 0.363
	local way, speed = slowing(walk.WALK, stop, walk.WALK * stop / gone - 1)
	local begin = walk.walk(0)
	local feet = M.feet {
		way = way,
		left_from = { at = v(0.0744, 0, 0.344), turn = 5.7 },
		right_from = { at = v(-0.0744, 0, -0.356), turn = 5.7 },
		right = {
			{
				from = 0.14, to = 0.56, at = v(-0.109, 0, 0.016 + gone), turn = 14, lift = 0.07, off = 52, roll = 0.14,
				strike = -8,
			},
		},
	}
	local strike = curve { { 0, -20.6 }, { 0.1, 0 } }
	local off = curve { { 0, 27, ease = "line" }, { 0.14, 52, ease = "line" } }
	local body = keys {
		{ 0, begin },
		{ 0.3, { hips = v(0.02, -0.03, -0.014), pelvis = v(2, 1, 3), chest = v(-1, -1, -1.5) } },
		{
			0.6,
			S:with { hips = v(0.008, -0.026, 0.016), pelvis = v(4, 2, 2), chest = v(4.5, 0, -1), head = v(3, 1, 0) },
		},
		{ 0.95, S },
		{ seconds, S },
		late = { head = 0.06, arms = 0.05, forearms = 0.09, hands = 0.1 },
	}
	return clip {
		name = "walk_stop",
		figure = figure,
		seconds = seconds,
		speed = speed,
		at = function(t)
			local own = body(t):with(feet(t))
			if t < 0.1 then
				own = own:with { left_foot = { pitch = strike(t) } }
			end
			if t < 0.14 then
				own = own:with { right_foot = { pitch = off(t) } }
			end
			return own
		end,
		markers = { { 0, "step", foot = "left" }, { 0.56, "step", foot = "right" } },
	}
end

-- From the run's left strike: three shorter and shorter steps, leaning back against the speed, then upright.
local function braking(figure)
	local seconds, stop = 1.4, 0.95
	local way, speed = slowing(walk.RUN, stop, 2)
	local gone = way(stop)
	local begin = walk.run(0)
	local feet = M.feet {
		way = way,
		left_from = { at = v(0.0526, 0, 0.24), turn = 3.4 },
		right_from = { at = v(-0.0526, 0.316, -0.61), turn = 3.4 },
		left = {
			{
				from = 0.14, to = 0.55, at = v(0.097, 0, gone - 0.019), turn = 6, lift = 0.16, off = 48, roll = 0.1,
				strike = -14,
			},
		},
		right = {
			{
				from = 0, to = 0.24, at = v(-0.07, 0, 1.02), turn = 6, lift = 0.03, off = 84, strike = -24,
				settle = 0.08,
			},
			{ from = 0.62, to = 0.96, at = v(-0.109, 0, gone + 0.016), turn = 14, lift = 0.05, off = 34, strike = -4 },
		},
	}
	local lean = keys {
		{ 0, begin },
		{ 0.1, { hips = v(0.012, -0.1, -0.03), pelvis = v(8, -6, 3), chest = v(6, 8, -1) } },
		{
			0.3,
			{
				hips = v(-0.01, -0.1, -0.1),
				pelvis = v(-6, 4, -3),
				chest = v(-8, -3, 2),
				head = v(4, 0, 0),
				arms = { out = 26, swing = 6, elbow = 62, lift = 5 },
			},
		},
		{
			0.58,
			{
				hips = v(0.012, -0.085, -0.06),
				pelvis = v(0, 0, 3),
				chest = v(2, 2, -1),
				head = v(4, 0, 0),
				arms = { out = 27, swing = 16, elbow = 48, lift = 3 },
			},
		},
		{
			0.88,
			{
				hips = v(0.014, -0.035, 0.02),
				pelvis = v(6, 2, 2),
				chest = v(9, 0, -1),
				head = v(5, 1, 0),
				arms = { out = 17, swing = 8, elbow = 30, lift = 1 },
			},
		},
		{ 1.25, S },
		{ seconds, S },
		late = { head = 0.05, arms = 0.04, forearms = 0.08, hands = 0.1 },
	}
	return clip {
		name = "run_stop",
		figure = figure,
		seconds = seconds,
		speed = speed,
		rate = 60,
		slide = 0.012,
		at = function(t)
			return lean(t):with(feet(t))
		end,
		markers = {
			{ 0, "step", foot = "left" }, { 0.24, "step", foot = "right" }, { 0.55, "step", foot = "left" },
			{ 0.96, "step", foot = "right" },
		},
	}
end

-- A standing position after a turn to the left.
local function turned(side, degrees)
	local a = math.rad(degrees)
	local from = M.STANDS[side]
	local p = from.at
	return {
		at = v(p.x * math.cos(a) + p.z * math.sin(a), 0, p.z * math.cos(a) - p.x * math.sin(a)),
		turn = from.turn + (if side == "left" then degrees else -degrees),
	}
end

-- A turn on the spot: the head turns first, the feet follow, the arms are late. Rows of feet are { from, to, fraction }.
local function turning(figure, name, seconds, degrees, left, right)
	local function rows(side, list)
		local out = {}
		for i, row in list do
			local place = turned(side, degrees * row[3])
			out[i] = {
				from = row[1], to = row[2], at = place.at, turn = place.turn, lift = 0.05, off = 18, strike = -3,
			}
		end
		return out
	end
	local feet = M.feet { left = rows("left", left), right = rows("right", right) }
	local begin, finish = left[1][1] - 0.1, seconds - 0.12
	if right[1][1] < left[1][1] then
		begin = right[1][1] - 0.1
	end
	local sign = if degrees > 0 then 1 else -1
	local yaw = curve { { 0, 0 }, { math.max(begin, 0.02), 0 }, { finish, degrees } }
	local head = curve { { 0, 0 }, { begin + 0.22, 30 * sign }, { finish - 0.3, 16 * sign }, { finish, 0 } }
	local sink = curve { { 0, 0 }, { seconds * 0.45, 1 }, { seconds - 0.05, 0 } }
	local settle = curve { { 0, 0 }, { finish - 0.16, 0 }, { finish + 0.02, 1 }, { seconds, 0 } }
	local swing = curve { { 0, 0 }, { begin + 0.25, 1 }, { finish, -0.5 }, { seconds, 0 } }
	local rock = curve { { 0, 0 }, { begin + 0.12, -sign }, { (begin + finish) / 2, sign * 0.6 }, { finish, 0 } }
	return clip {
		name = name,
		figure = figure,
		seconds = seconds,
		at = function(t)
			local leg = feet(t)
			local body = (S + {
				hips = v(0.02 * rock(t), -0.022 * sink(t), 0),
				pelvis = v(1.5 * sink(t), 0, 0),
				chest = v(2 * sink(t), head(t) * 0.3, 0),
				head = v(2 * sink(t) + 2 * settle(t), head(t), -head(t) * 0.06),
				arms = { out = 3 * sink(t), elbow = 5 * sink(t) },
				left_arm = { swing = -9 * swing(t) * sign },
				right_arm = { swing = 9 * swing(t) * sign },
			}):moved(figure, yaw(t))
			return body:with(leg):with { root = { turn = yaw(t), at = vector.zero } }
		end,
		markers = { { left[#left][2], "step", foot = "left" }, { right[#right][2], "step", foot = "right" } },
	}
end

-- Side step: the foot on that side moves out, the other follows.
local function strafing(figure, name, way)
	local period = 0.64
	local feet = gait {
		period = period, speed = 0.9, way = way, duty = 0.6, strike = 0.17, strike_pitch = 4, flat = 0.3, rise = 0.6,
		off_pitch = 16, width = 0.205, toe_out = 5, lift = 0.05,
	}
	local side = if way > 0 then 1 else -1
	local first = if way > 0 then 0 else 0.5
	return walk.cycle(figure, name, period, {
		speed = v(0.9 * side, 0, 0),
		rate = 60,
		at = function(t)
			local u = t / period - first
			local twice = wave(2 * u, 0.15)
			return stand.pose:with(feet(t)):with {
				hips = v(side * (0.01 + 0.02 * wave(u, 0.2)), -0.075 + 0.014 * twice, -0.015),
				pelvis = v(4, side * 4, side * (2 - 3 * wave(u, 0.1))),
				chest = v(5, side * -4, side * (-2 + 2 * wave(u, 0.16))),
				head = v(1, 0, side * 0.8 * wave(u, 0.2)),
				arms = {
					swing = 8 + 3 * wave(2 * u, 0.3), out = 19 + 2 * wave(u, 0.1), elbow = 42 + 4 * wave(2 * u, 0.4),
					lift = 1.5 + twice,
				},
			}
		end,
	})
end

-- Backwards: toes first, shorter steps, the trunk upright.
local function backing(figure)
	local period, speed = 1, 0.9
	local feet = gait {
		period = period, speed = -speed, duty = 0.62, strike = -0.3, strike_pitch = 24, flat = 0.3, rise = 0.66,
		off_pitch = -12, width = 0.085, toe_out = 7, lift = 0.055,
	}
	return walk.cycle(figure, "walk_back", period, {
		speed = -speed,
		at = function(t)
			local u = t / period
			local twice, sway = wave(2 * u, 0.6), wave(u, 0.28)
			local function arm(strike)
				local ahead = wave(u, strike + 0.03)
				return {
					swing = 1 + 11 * ahead, out = 13, twist = -6, elbow = 22 + 6 * wave(u, strike + 0.12), lift = 1,
				}
			end
			return stand.pose:with(feet(t)):with {
				hips = v(0.02 * sway, -0.045 + 0.014 * twice, 0.012),
				pelvis = v(2 + 0.6 * twice, 4.5 * wave(u, 0), 2.6 * wave(u, 0.2)),
				chest = v(4 - 0.8 * wave(2 * u, 0.2), -4 * wave(u, 0.04), -1.4 * wave(u, 0.26)),
				head = v(1, 0.8 * wave(u, 0.1), -0.4 * sway),
				left_arm = arm(0),
				right_arm = arm(0.5),
			}
		end,
	})
end

function M.clips(figure)
	return {
		starting(figure),
		stopping(figure),
		braking(figure),
		turning(figure, "turn_left_90", 1, 90, { { 0.16, 0.46, 1 } }, { { 0.44, 0.78, 1 } }),
		turning(figure, "turn_right_90", 1, -90, { { 0.44, 0.78, 1 } }, { { 0.16, 0.46, 1 } }),
		turning(figure, "turn_180", 1.5, 180, { { 0.16, 0.5, 0.55 }, { 0.86, 1.18, 1 } }, { { 0.46, 0.9, 1 } }),
		strafing(figure, "strafe_left", 90),
		strafing(figure, "strafe_right", -90),
		backing(figure),
	}
end

return M
