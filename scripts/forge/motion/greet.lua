-- Hand gestures: a greeting, a pointing finger, a shrug, a laugh.
local v = vector.create
local stand = require "./stand"

local S = stand.pose

-- The right arm rises, the forearm swings four times, the head leans towards it.
local function waving(figure)
	local seconds = 2.2
	local up = curve { { 0, 0 }, { 0.12, -0.02 }, { 0.5, 1.02 }, { 0.62, 1 }, { 1.62, 1 }, { seconds, 0 } }
	local early = curve { { 0, 0 }, { 0.4, 1 }, { 1.75, 1 }, { 2.12, 0 }, { seconds, 0 } }
	local strength = curve { { 0, 0 }, { 0.42, 0 }, { 0.62, 1 }, { 1.45, 0.9 }, { 1.72, 0 }, { seconds, 0 } }
	local raised = S:with { right_arm = {
		swing = 24, out = 70, twist = 73, elbow = 101, wrist = -3, roll = 0, lift = 11,
	},
		right_hand = stand.open }
	return clip {
		name = "wave",
		figure = figure,
		seconds = seconds,
		at = function(t)
			local function beat(late)
				return strength(t) * math.sin((t - 0.5 - late) * math.pi * 2 * 2.05)
			end
			-- The forearm rises before the upper arm.
			local ahead = early(t) - up(t)
			local arm = {
				elbow = 86 * ahead + 20 * beat(0),
				twist = 77 * ahead,
				tilt = 12 * beat(0.075),
				out = 2.3 * beat(-0.03),
			}
			return S:mix(raised, up(t))
				+ { right_arm = arm }
				+ pose {
					head = v(-1.7, -5.7, -7.5), chest = v(-0.6, -2.9, 2.6), pelvis = v(0, -0.9, 0.7),
					hips = v(0.01, 0, 0),
				} * up(t)
				+ { chest = v(0, 0.5, 0.5) * beat(0.02) }
		end,
	}
end

local function pointing(figure)
	local aims = S:with {
		right_arm = { swing = 84, out = 4, twist = -10, elbow = 6, roll = -60, wrist = 2, lift = 4, reach = 16 },
		right_hand = stand.pointing,
		chest = v(3, 9, -1),
		pelvis = v(3, 5, 2.5),
		head = v(1, 0, 0),
		hips = v(0.014, -0.01, 0.022),
	}
	return clip {
		name = "point",
		figure = figure,
		seconds = 2,
		at = keys {
			{ 0, S },
			{
				0.26,
				{
					right_arm = { swing = 20, out = 16, elbow = 92, lift = 3, reach = -4 },
					chest = v(-1, -7, -1),
					right_hand = { curl = 0.5, index = -0.2 },
				},
			},
			{ 0.52, aims, ease = "hit" },
			{ 0.64, { right_arm = { swing = 80 }, chest = v(2.5, 7, -1) } },
			{ 1.3, aims:with { right_arm = { swing = 81, elbow = 8 } } },
			{ 1.9, S },
			{ 2, S },
			late = { head = 0.04, forearms = 0.03, hands = 0.07, fingers = 0.05 },
		},
		markers = { { 0.52, "stroke" } },
	}
end

local function shrugging(figure)
	local up = S + {
		arms = { out = 12, swing = 12, elbow = 58, roll = 62, wrist = -22, lift = 17, reach = 5, twist = 14 },
		head = v(-3, 3, 9),
		chest = v(-3, 0, 0),
		hips = v(0, -0.006, 0),
	}
	up = up:with { hands = stand.open }
	return clip {
		name = "shrug",
		figure = figure,
		seconds = 1.6,
		at = keys {
			{ 0, S },
			{ 0.16, S + { chest = v(2, 0, 0), arms = { lift = -3, elbow = 6 }, head = v(2, 0, 0) } },
			{ 0.48, up, ease = "hit" },
			{ 0.6, up + { arms = { lift = -2, wrist = 6 } } },
			{ 0.95, up + { arms = { lift = -3 }, head = v(1, -4, 2) } },
			{ 1.42, S },
			{ 1.6, S },
			late = { head = 0.05, forearms = 0.03, hands = 0.08, fingers = 0.1 },
		},
		markers = { { 0.48, "stroke" } },
	}
end

-- A hand moves to the belly, the shoulders shake, the head goes back and down again.
local function laughing(figure)
	local seconds = 2.6
	local on_belly = S:with {
		right_hand = {
			at = v(-0.03, 1.09, 0.125), on = "chest", hold = 1, fingers = v(0.95, 0.1, 0.1), palm = v(0, 0, -1),
		},
	}
	local bent = keys {
		{ 0, S },
		{ 0.3, S + { chest = v(-7, 0, 0), head = v(-13, 4, 3), breath = 3, arms = { elbow = 14 } } },
		{
			0.75,
			on_belly
				+ {
					chest = v(11, 3, 1), head = v(-2, 6, 5), hips = v(0, -0.02, -0.03), pelvis = v(6, 0, 0),
					left_arm = { elbow = 22, out = 4 },
				},
		},
		{
			1.35,
			on_belly + { chest = v(-5, -2, 0), head = v(-16, -3, -3), pelvis = v(-1, 0, 0), left_arm = { elbow = 12 } },
		},
		{ 1.8, on_belly + { chest = v(6, 0, 1), head = v(4, 0, 3) } },
		{ 2.48, S },
		{ seconds, S },
		late = { head = 0.08, forearms = 0.05 },
	}
	local strength = curve { { 0, 0 }, { 0.35, 0 }, { 0.6, 1 }, { 1.5, 0.8 }, { 2.2, 0 }, { seconds, 0 } }
	return clip {
		name = "laugh",
		figure = figure,
		seconds = seconds,
		at = function(t)
			local function shake(late)
				return strength(t) * math.sin((t - late) * math.pi * 2 * 4.6)
			end
			return bent(t)
				+ {
					chest = v(1.6, 0, 0) * shake(0),
					head = v(2, 0, 0.4) * shake(0.05),
					arms = { lift = 2.6 * shake(0.02), elbow = 2 * shake(0.06) },
					hips = v(0, 0.003, 0) * shake(0.01),
				}
		end,
	}
end

return function(figure)
	return { waving(figure), pointing(figure), shrugging(figure), laughing(figure) }
end
