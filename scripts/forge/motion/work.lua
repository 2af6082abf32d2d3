-- Hands and objects: carrying, pushing, climbing, picking up.
local v = vector.create
local stand = require "./stand"
local steps = require "./steps"
local walk = require "./walk"

local S = stand.pose

-- Both hands under the sides of an object as wide as a bread box.
local function holds(side)
	return {
		at = v(0.165 * side, 1.02, 0.31),
		on = "chest",
		hold = 1,
		palm = v(-0.9 * side, 0.42, 0),
		fingers = v(-0.12 * side, 0.16, 1),
		elbow = v(0.25 * side, -0.8, -0.5),
		curl = 0.18,
		thumb = 0.1,
		oppose = 0,
	}
end
local loaded = {
	left_hand = holds(1),
	right_hand = holds(-1),
	arms = { swing = 10, out = 10, elbow = 80, lift = -1, reach = 6 },
}

local function carrying(figure)
	local load = S:with(loaded) + {
		chest = v(-4, 0, 0), pelvis = v(2, 0, 0), hips = v(0, -0.006, -0.016), head = v(5, 0, 0),
	}
	return {
		clip {
			name = "carry_idle",
			figure = figure,
			seconds = 4,
			loop = true,
			at = function(t)
				return load + stand.life(t / 4, 0.9) + { hips = v(0.008 * (wave(t / 4, 0.2) - wave(0, 0.2)), 0, 0) }
			end,
		},
		walk.cycle(figure, "carry_walk", 1.05, {
			speed = 1.1,
			at = (function()
				local feet = gait {
					period = 1.05, speed = 1.1, duty = 0.62, strike = 0.28, strike_pitch = -15, flat = 0.18,
					rise = 0.52, off_pitch = 44, width = 0.085, toe_out = 8,
					swing = {
						{ 0.2, 0.222, -0.29, 45, -20 }, { 0.42, 0.18, -0.05, 20, -1 }, { 0.66, 0.126, 0.16, -3, -5 },
						{ 0.86, 0.112, 0.275, -14, -1 },
					},
				}
				return function(t)
					local u = t / 1.05
					local twice, sway = wave(2 * u, 0.6), wave(u, 0.28)
					return load:with(feet(t)):with {
						hips = v(0.024 * sway, -0.045 + 0.016 * twice, -0.022),
						pelvis = v(3 + 0.8 * twice, -4 * wave(u, 0), 3 * wave(u, 0.2)),
						chest = v(-4.5 - 0.8 * wave(2 * u, 0.15), 1.5 * wave(u, 0.03), -2 * wave(u, 0.26)),
						head = v(5 + 0.7 * wave(2 * u, 0.1), 0, 0.8 * wave(u, 0.3)),
					} + { arms = { lift = 0.8 * twice } }
				end
			end)(),
		}),
	}
end

-- Leaning on a heavy object while the feet push.
local function pushing(figure)
	local period, speed = 1.3, 0.55
	local feet = gait {
		period = period, speed = speed, duty = 0.66, strike = 0.02, strike_pitch = 10, flat = 0.22, rise = 0.4,
		off_pitch = 46, width = 0.1, toe_out = 10, lift = 0.05,
	}
	local function hand(side)
		return {
			at = v(0.17 * side, 1.2, 0.56),
			hold = 1,
			palm = v(0, -0.1, 1),
			fingers = v(-0.15 * side, 1, 0.1),
			elbow = v(0.6 * side, -0.7, -0.1),
			curl = 0.08,
			spread = -0.05,
			thumb = 0,
			oppose = 0,
		}
	end
	return walk.cycle(figure, "push", period, {
		speed = speed,
		at = function(t)
			local u = t / period
			local twice, sway = wave(2 * u, 0.55), wave(u, 0.3)
			return stand.pose:with(feet(t)):with {
				hips = v(0.022 * sway, -0.115 + 0.012 * twice, -0.06),
				pelvis = v(25 + 1.5 * wave(2 * u, 0.3), -6 * wave(u, 0.05), 3 * wave(u, 0.25)),
				chest = v(31 + 2 * wave(2 * u, 0.2), 4 * wave(u, 0.1), -2 * wave(u, 0.3)),
				head = v(14 + 2 * wave(2 * u, 0.35), 0, sway),
				arms = { lift = 4 + wave(2 * u, 0.2), reach = 9 },
				left_hand = hand(1),
				right_hand = hand(-1),
			}
		end,
	})
end

-- Onto a step 0.25 m high and 0.4 m deep: root motion moves her up and forwards.
local function climbing(figure)
	local seconds, up, ahead = 1.3, 0.25, 0.42
	local function on(side, pitch)
		local from = steps.STANDS[side]
		local rest = if side == "left" then 0.092 else -0.092
		return {
			at = v(from.at.x - rest, up, from.at.z + 0.014 + ahead),
			turn = from.turn,
			pitch = pitch or 0,
			toes = 0,
		}
	end
	local left, right = S:with { left_foot = on "left" }, S:with { right_foot = on "right" }
	local goal = left:with { right_foot = on "right" } + { hips = v(0, up, ahead) }
	return clip {
		name = "climb_step",
		figure = figure,
		seconds = seconds,
		at = keys {
			{ 0, S + { root = { at = vector.zero } } },
			{ 0.14, { hips = v(0.042, -0.02, 0), right_foot = { at = v(-0.017, 0, 0.03), pitch = 8 } } },
			{
				0.32,
				{
					right_foot = { at = v(-0.017, 0.3, 0.2), pitch = 14, toes = 0 },
					pelvis = v(6, 4, 0),
					chest = v(10, 2, -1),
					arms = { out = 16, elbow = 30 },
				},
			},
			{
				0.5,
				{
					hips = v(0.03, -0.02, 0.1),
					right_foot = on("right", 0),
					left_foot = { at = v(0.005, 0, -0.005), pitch = 0 },
				},
			},
			{
				0.6,
				{
					hips = v(0, 0, 0.2), pelvis = v(14, -2, -2), chest = v(22, 0, 0), head = v(14, 0, 0),
					left_foot = { pitch = 24 }, left_arm = { swing = 22 }, right_arm = { swing = -8 },
				},
			},
			{ 0.78, { hips = v(-0.035, 0.05, 0.34), left_foot = { at = v(0.005, 0.06, 0.03), pitch = 54 } } },
			{
				0.92,
				{
					hips = v(-0.035, 0.18, 0.41),
					pelvis = v(8, 0, -2),
					chest = v(12, 0, 0),
					left_foot = { at = v(0.005, 0.34, 0.3), pitch = 26 },
				},
			},
			{
				1.1,
				goal:with {
					hips = v(-0.01, up - 0.025, ahead), root = { at = v(0, up, ahead) },
				} + { chest = v(3, 0, 0) },
			},
			{ seconds, goal:with { root = { at = v(0, up, ahead) } } },
			late = { head = 0.03, forearms = 0.04 },
		},
		markers = { { 0.5, "step", foot = "right" }, { 1.1, "step", foot = "left" } },
	}
end

-- The right hand reaches an object at shoulder height, closes on it, and brings it to the side of the belly.
local function reaching(figure)
	local goes = S:with {
		hips = v(0.004, -0.012, 0.045),
		pelvis = v(6, 10, 1),
		chest = v(9, 16, -1),
		head = v(2, 2, 1),
		right_hand = {
			at = v(-0.16, 1.3, 0.62), hold = 1, palm = v(0.9, -0.2, 0), fingers = v(0.1, 0.05, 1),
			elbow = v(-0.5, -0.8, -0.1), curl = 0.02, index = 0, spread = -0.05, thumb = 0, oppose = 0.2,
		},
		right_arm = { swing = 60, out = 12, elbow = 30, lift = 6, reach = 16 },
		left_arm = { swing = -8, out = 14 },
		right_foot = { pitch = 14 },
	}
	local grips = { curl = 0.52, thumb = 0.5, oppose = 0.6, spread = 0 }
	return clip {
		name = "reach",
		figure = figure,
		seconds = 1.9,
		at = keys {
			{ 0, S },
			{
				0.22,
				{ right_arm = { swing = 14, elbow = 60, out = 14, lift = 2 }, head = v(2, -1, 1), chest = v(1, 2, -1) },
			},
			{ 0.62, goes:with { right_hand = { hold = 1, curl = 0.02, spread = 0.05 } } },
			{ 0.75, goes },
			{ 0.95, goes:with { right_hand = grips } },
			{
				1.35,
				S:with {
					right_hand = grips,
					right_arm = { swing = 24, out = 12, elbow = 84, lift = 1, reach = 0 },
				}:with { right_hand = { hold = 0 } },
			},
			{ 1.78, S },
			{ 1.9, S },
			late = { head = -0.05, hands = 0.03, fingers = 0.02, chest = 0.03 },
		},
		markers = { { 0.85, "grab" } },
	}
end

return function(figure)
	return { carrying(figure), pushing(figure), climbing(figure), reaching(figure) }
end
