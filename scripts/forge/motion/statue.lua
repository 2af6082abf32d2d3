-- The statue on her plinth, and how she wakes. Contrapposto: all weight on the left leg, the hip out, shoulders against it,
-- the right knee relaxed, the right hand at the breast, the head turned slightly aside and down.
local v = vector.create
local stand = require "./stand"

local S = stand.pose

local statue = S:with {
	hips = v(0.048, -0.011, 0),
	pelvis = v(1, -9, 6),
	chest = v(-3, -2, -5),
	head = v(8, 22, 5),
	breath = 0,
	left_foot = { at = v(0, 0, -0.005), turn = 12 },
	right_foot = { at = v(-0.032, 0, 0.045), turn = 26, pitch = 9 },
	left_arm = { swing = 1, out = 21, twist = 4, elbow = 14, roll = 10, wrist = 2, lift = -2, reach = -2 },
	left_hand = { curl = 0.2, index = -0.14, middle = -0.02, ring = 0.04, little = -0.02, thumb = 0.1, oppose = 0.2 },
	right_arm = { swing = 34, out = 16, elbow = 118, lift = 1, reach = 6 },
	right_hand = {
		at = v(0.03, 1.285, 0.13),
		on = "chest",
		hold = 1,
		fingers = v(0.9, 0.45, 0.1),
		palm = v(0.1, -0.1, -1),
		elbow = v(-0.55, -0.7, 0.2),
		curl = 0.16,
		index = -0.12,
		middle = 0.03,
		ring = 0.06,
		little = -0.04,
		spread = -0.3,
		thumb = 0.1,
		oppose = 0.15,
	},
}

-- Both hands in front of her face, as if she saw hands for the first time.
local before_her = S:with {
	hips = v(0.03, -0.012, 0),
	pelvis = v(1, -4, 4),
	chest = v(3, 0, -2),
	head = v(24, 4, 2),
	eyes = v(12, 0, 0),
	left_foot = { at = v(0, 0, -0.005), turn = 12 },
	right_foot = { at = v(-0.032, 0, 0.045), turn = 26, pitch = 6 },
	left_hand = {
		at = v(0.125, 1.2, 0.33), on = "chest", hold = 1, fingers = v(-0.35, 0.72, 0.5), palm = v(-0.2, 0.5, -0.85),
		elbow = v(0.5, -0.8, 0), curl = 0.18, spread = -0.15, thumb = 0, oppose = 0,
	},
	right_hand = {
		at = v(-0.125, 1.18, 0.34), on = "chest", hold = 1, fingers = v(0.35, 0.72, 0.5), palm = v(0.2, 0.5, -0.85),
		elbow = v(-0.5, -0.8, 0), curl = 0.18, index = 0, middle = 0, ring = 0, little = 0, spread = -0.15, thumb = 0,
		oppose = 0,
	},
	arms = { swing = 30, out = 14, elbow = 100, lift = 1, reach = 4 },
}

-- The fingers stir one after another.
local function stirring()
	local function one(at, more)
		return curve {
			{ 0, 0 }, { at, 0 }, { at + 0.16, more }, { at + 0.34, -0.4 * more }, { at + 0.55, 0.25 * more },
			{ at + 0.8, 0 },
		}
	end
	local little, ring, middle, index = one(0.9, 0.16), one(0.98, 0.14), one(1.06, 0.12), one(1.16, 0.16)
	local left = one(1.3, 0.12)
	return function(t)
		return {
			right_hand = {
				little = little(t), ring = ring(t), middle = middle(t), index = index(t), spread = 1.2 * little(t),
			},
			left_hand = { curl = left(t), index = left(t - 0.1) },
		}
	end
end

return function(figure)
	local seconds = 5.2
	local motion = keys {
		{ 0, statue },
		{ 0.3, statue },
		-- The first deep breath, which raises the shoulders.
		{ 0.95, { breath = 6, arms = { lift = 4 }, chest = v(-6, -2, -5), head = v(5, 21, 5) } },
		{ 1.45, { breath = 0.5, arms = { lift = -1 }, chest = v(-1.5, -2, -5), head = v(9, 20, 5) } },
		-- The head comes up and round.
		{ 2.0, { eyes = v(-2, -8, 0) } },
		{ 2.25, statue:with { head = v(-3, 2, 1), breath = 2, chest = v(-2, -1, -4), eyes = v(0, 0, 0) } },
		{ 2.5, { head = v(-2, 0, 0), eyes = v(10, 0, 0) } },
		-- She looks at her hands, and turns them.
		{ 3.05, before_her, ease = "flow" },
		{
			3.55,
			before_her:with {
				head = v(25, -6, -1),
				left_hand = { palm = v(-0.75, 0.1, -0.5), fingers = v(-0.2, 0.75, 0.55), curl = 0.3 },
				right_hand = { palm = v(0.7, 0.2, -0.6), fingers = v(0.25, 0.75, 0.5), curl = 0.08, spread = 0.15 },
				breath = 2.4,
			},
		},
		{
			3.95,
			before_her:with {
				head = v(22, 3, 2),
				hips = v(0.02, -0.014, 0.004),
				left_hand = { curl = 0.08, spread = 0.1 },
			},
		},
		-- The arms sink, the weight comes to the middle.
		{ 4.15, { eyes = v(0, 0, 0), right_foot = { at = v(-0.032, 0, 0.045), pitch = 16, turn = 26 } } },
		{
			4.4,
			{ right_foot = { at = v(-0.034, 0.025, 0.04), pitch = 12, turn = 20 }, hips = v(0.034, -0.014, 0.002) },
		},
		{
			4.62,
			{
				right_foot = { at = v(-0.017, 0, 0.03), pitch = 0, turn = 14 },
				left_hand = { hold = 0.1 },
				right_hand = { hold = 0.1 },
			},
		},
		{ 4.8, { hips = v(0.01, -0.012, 0.004), head = v(-1, 1, 0) } },
		{ 5.05, S },
		{ seconds, S },
		late = { forearms = 0.04, hands = 0.05, fingers = 0.05 },
	}
	local fingers = stirring()
	return {
		clip {
			name = "statue",
			figure = figure,
			seconds = 1,
			loop = true,
			at = function()
				return statue
			end,
		},
		clip {
			name = "wake",
			figure = figure,
			seconds = seconds,
			at = function(t)
				return motion(t) + fingers(t)
			end,
			markers = { { 0.4, "breath" } },
		},
	}
end
