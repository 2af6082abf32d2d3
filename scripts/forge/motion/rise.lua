-- Getting up after a fall: from the back (feet forwards) and from the belly (head forwards). Both end where
-- the hips were.
local v = vector.create
local stand = require "./stand"

local S = stand.pose

local function palm_down(x, y, z, fingers)
	return { at = v(x, y, z), hold = 1, palm = v(0, -1, 0), fingers = fingers or v(0, 0, 1) }
end

-- On the back: sits up over an arm, draws the feet in, leans over them and rises.
local function from_back(figure)
	local lies = S:with {
		body = v(-90, 0, 0),
		hips = v(0, -0.815, 0),
		pelvis = v(2, 0, 0),
		chest = v(0, 0, 0),
		head = v(-3, 14, 0),
		breath = 0,
		left_foot = { at = v(0.06, -0.002, 0.93), pitch = -74, tilt = -26, turn = 6 },
		right_foot = { at = v(-0.07, -0.002, 0.92), pitch = -72, tilt = -30, turn = 6 },
		left_hand = {
			at = v(0.5, 0.03, -0.12), hold = 1, palm = v(-0.3, 0.9, 0), fingers = v(0.6, 0, 0.5), elbow = v(0.2, -1, 0),
		},
		right_hand = {
			at = v(-0.46, 0.03, -0.06), hold = 1, palm = v(0.5, 0.8, 0), fingers = v(-0.4, 0, 0.8),
			elbow = v(-0.3, -1, 0),
		},
	}
	return clip {
		name = "get_up_back",
		figure = figure,
		seconds = 2.9,
		slide = false,
		at = keys {
			{ 0, lies },
			{ 0.12, lies },
			-- The head comes first, a knee is drawn up.
			{
				0.55,
				{
					body = v(-80, 0, -3),
					head = v(34, 6, 0),
					chest = v(16, 0, 0),
					hips = v(0, -0.82, 0),
					left_foot = { at = v(0.04, 0, 0.5), pitch = -14, tilt = 0, turn = 6 },
					right_foot = { at = v(-0.06, 0, 0.86), pitch = -62, tilt = -12 },
					left_hand = palm_down(0.33, 0.03, -0.2),
					right_hand = palm_down(-0.3, 0.03, -0.24),
				},
			},
			{
				1.0,
				{
					body = v(-34, -8, -2),
					chest = v(20, 0, 0),
					head = v(24, 6, 0),
					hips = v(0.01, -0.805, 0),
					left_foot = { at = v(0.02, 0, 0.42), pitch = 0 },
					right_foot = { at = v(-0.04, 0, 0.56), pitch = -26, tilt = 0, turn = 10 },
					left_hand = palm_down(0.26, 0.03, -0.2, v(0.5, 0, 0.7)),
					right_hand = palm_down(-0.28, 0.03, -0.18, v(-0.5, 0, 0.7)),
				},
			},
			-- Sitting, the feet are under the knees; she swings forward.
			{
				1.4,
				{
					body = v(4, -10, 0),
					chest = v(26, 0, 0),
					head = v(12, 6, 0),
					hips = v(0.01, -0.78, 0.03),
					left_foot = { at = v(0, 0, 0.36), turn = 10 },
					right_foot = { at = v(-0.03, 0, 0.34), pitch = 0, turn = 14 },
					left_hand = { hold = 0, palm = vector.zero, fingers = vector.zero },
					right_hand = { hold = 0.4, palm = v(0, -0.5, 0), fingers = v(-0.3, 0, 0.3) },
					right_arm = { swing = -20, out = 24, elbow = 14 },
					left_arm = { swing = 46, out = 12, twist = 0, elbow = 38, roll = 0 },
				},
			},
			{
				1.8,
				{
					body = v(30, -4, 0),
					chest = v(18, 0, 0),
					head = v(0, 2, 0),
					hips = v(0.01, -0.6, 0.16),
					left_foot = { at = v(0, 0, 0.3), pitch = 0, turn = 10 },
					right_foot = { at = v(-0.03, 0, 0.26), pitch = 16, turn = 14 },
					right_hand = { hold = 0, palm = vector.zero, fingers = vector.zero },
					right_arm = { swing = 30, out = 18, twist = 0, elbow = 40, roll = 0 },
					left_arm = { swing = 58, out = 12, elbow = 44 },
				},
			},
			{
				2.15,
				{
					body = v(22, 0, 0),
					chest = v(10, 0, 0),
					hips = v(0.035, -0.27, 0.14),
					left_foot = { at = v(0, 0, 0.3), pitch = 0, turn = 10 },
					right_foot = { at = v(-0.03, 0.04, 0.15), pitch = 26 },
					left_arm = { swing = 34, elbow = 42 },
					right_arm = { swing = 28, elbow = 40 },
				},
			},
			{
				2.45,
				{
					body = v(7, 0, 0),
					hips = v(-0.02, -0.06, 0.05),
					pelvis = v(2, 0, -1),
					left_foot = { at = v(0, 0.035, 0.13), pitch = 22 },
					right_foot = { at = v(-0.017, 0, 0.03), pitch = 0 },
					left_arm = { swing = 12, elbow = 30 },
					right_arm = { swing = 12, elbow = 30 },
				},
			},
			{ 2.75, S + { hips = v(0, -0.008, 0.006), chest = v(2, 0, 0) } },
			{ 2.9, S },
			late = { head = 0.03, forearms = 0.04 },
		},
	}
end

-- On the belly: pushes up, comes to her knees, sets a foot, rises over it.
local function from_belly(figure)
	-- Instep on the ground.
	local function behind(x, y, z, pitch, toes)
		return { at = v(x, y, z), pitch = pitch, toes = toes, turn = 0 }
	end
	local lies = S:with {
		body = v(90, 0, 0),
		hips = v(0, -0.82, 0),
		pelvis = v(-2, 0, 0),
		chest = v(-3, 0, 0),
		head = v(-8, 40, 0),
		breath = 0,
		left_foot = behind(0.03, 0.045, -1.06, 152, 56),
		right_foot = behind(-0.04, 0.045, -1.05, 150, 56),
		left_hand = palm_down(0.34, 0.025, 0.42, v(-0.1, 0, 1)),
		right_hand = palm_down(-0.36, 0.025, 0.28, v(0.1, 0, 1)),
	}
	return clip {
		name = "get_up_front",
		figure = figure,
		seconds = 3,
		slide = false,
		at = keys {
			{ 0, lies },
			{ 0.15, lies },
			-- Hands go under the shoulders, and push.
			{
				0.5,
				{
					body = v(88, 0, 0),
					chest = v(-12, 0, 0),
					head = v(-24, 12, 0),
					left_hand = palm_down(0.27, 0.03, 0.4),
					right_hand = palm_down(-0.27, 0.03, 0.4),
				},
			},
			{
				1.0,
				{
					body = v(82, 0, 0),
					hips = v(0, -0.62, -0.06),
					pelvis = v(6, 0, 0),
					chest = v(-2, 0, 0),
					head = v(-22, 0, 0),
					left_foot = behind(0.03, 0.05, -1.05, 146, 50),
					right_foot = behind(-0.04, 0.05, -1.04, 144, 50),
					left_hand = palm_down(0.24, 0.03, 0.4),
					right_hand = palm_down(-0.24, 0.03, 0.4),
				},
			},
			-- On hands and knees; a foot comes through.
			{
				1.4,
				{
					body = v(85, 0, 0),
					hips = v(0.03, -0.465, -0.22),
					left_foot = behind(0.01, 0.04, -0.93, 106, 0),
					right_foot = {
						at = v(-0.05, 0.1, -0.42), pitch = 66, toes = 0, turn = 4, knee = v(-0.4, 0, 0.6),
					},
					left_hand = palm_down(0.21, 0.035, 0.27),
					right_hand = palm_down(-0.21, 0.035, 0.27),
				},
			},
			{
				1.75,
				{
					body = v(42, 0, 0),
					hips = v(0.02, -0.43, -0.22),
					pelvis = v(0, 0, 0),
					chest = v(0, 0, 0),
					head = v(-14, 0, 0),
					left_foot = behind(0, 0.006, -0.8, 80, 0),
					right_foot = { at = v(-0.03, 0, 0.07), pitch = 0, toes = 0, turn = 10, knee = v(-0.1, 0, 0.3) },
					left_hand = { at = v(0.16, 0.1, 0.42), hold = 0.6, palm = v(0, -0.5, 0), fingers = v(0, 0, 0.5) },
					right_hand = {
						at = v(-0.12, 0.56, 0.26), hold = 1, palm = v(0, -1, 0), fingers = v(0.3, -0.3, 0.8),
					},
					left_arm = { swing = 50, out = 12, elbow = 20 },
				},
			},
			-- Upright on one knee, a hand on the other.
			{
				2.1,
				{
					body = v(16, 0, 0),
					chest = v(8, 0, 0),
					head = v(2, 0, 0),
					hips = v(0.01, -0.4, -0.17),
					left_foot = behind(0, 0.004, -0.74, 74, 0),
					right_foot = { at = v(-0.03, 0, 0.07), pitch = 0, turn = 12, knee = vector.zero },
					left_hand = { hold = 0, palm = vector.zero, fingers = vector.zero },
					right_hand = { at = v(-0.12, 0.6, 0.26), hold = 1 },
					left_arm = { swing = 18, out = 16, elbow = 34 },
				},
			},
			{
				2.45,
				{
					body = v(22, 0, 0),
					chest = v(9, 0, 0),
					hips = v(-0.03, -0.17, -0.03),
					left_foot = { at = v(0, 0.04, -0.42), pitch = 56, toes = 0 },
					right_foot = { at = v(-0.03, 0, 0.07), pitch = 0 },
					right_hand = { hold = 0, palm = vector.zero, fingers = vector.zero },
					right_arm = { swing = 30, out = 18, elbow = 42 },
					left_arm = { swing = 8, out = 18, elbow = 40 },
				},
			},
			{
				2.72,
				{
					body = v(6, 0, 0),
					hips = v(-0.008, -0.03, 0.014),
					left_foot = { at = v(0.005, 0, -0.005), pitch = 0, turn = 6 },
					right_foot = { at = v(-0.025, 0, 0.05), pitch = 6 },
				},
			},
			{ 2.9, S + { hips = v(0, -0.004, 0.004) } },
			{ 3, S },
			late = { head = 0.03 },
		},
	}
end

return function(figure)
	return { from_back(figure), from_belly(figure) }
end
