-- Crouching on both feet and sitting on a seat 0.45 m high, down and up again.
local v = vector.create
local stand = require "./stand"

local S = stand.pose
local DOWN, STAY, UP = 0.7, 3, 0.8

local function low(hips, lean, breath)
	local function arm(side)
		return { swing = 24 * side * lean, out = 7 * lean, elbow = 36 * side * lean, roll = 6 * lean }
	end
	return S
		+ {
			hips = v(-0.004, -0.36, -0.115) * hips + v(0, 0.004 * breath, 0),
			pelvis = v(24, -1.2, -1.2) * lean,
			chest = v(26.4, 2.3, 0.6) * lean - v(0.7, 0, 0) * breath,
			head = v(5.7, 0, 0) * lean - v(1.1, 0, 0) * breath,
			breath = 0.7 * breath,
			left_arm = arm(1),
			right_arm = arm(0.8),
			hands = { curl = 0.07 * lean },
		}
end

local function crouching(figure)
	-- The head leads, the hips follow, and the body settles slightly on arrival.
	local hips_down = curve { { 0, 0 }, { 0.42, 1.03 }, { 0.56, 1.02 }, { DOWN, 1 } }
	local lean_down = curve { { 0, 0 }, { 0.34, 1.05 }, { 0.52, 1 }, { DOWN, 1 } }
	local hips_up = curve { { 0, 1 }, { 0.1, 1.02 }, { 0.62, -0.015 }, { UP, 0 } }
	local lean_up = curve { { 0, 1 }, { 0.14, 1.06 }, { 0.66, -0.02 }, { UP, 0 } }
	return {
		clip {
			name = "crouch_down",
			figure = figure,
			seconds = DOWN,
			at = function(t)
				return low(hips_down(t), lean_down(t), 0)
			end,
		},
		clip {
			name = "crouch",
			figure = figure,
			seconds = STAY,
			loop = true,
			at = function(t)
				return low(1, 1, 0.5 - 0.5 * wave(t / STAY))
			end,
		},
		clip {
			name = "crouch_up",
			figure = figure,
			seconds = UP,
			at = function(t)
				return low(hips_up(t), lean_up(t), 0)
			end,
		},
	}
end

local function on_thigh(side, x)
	local sign = if side == "left" then 1 else -1
	return {
		at = v(sign * x, 0.60, 0.1), on = `{side}_upper_leg`, fingers = v(-0.25 * sign, -1, 0), palm = v(0, 0, -1),
		hold = 1,
	}
end

local seated = S:with {
	hips = v(0, -0.385, -0.375),
	pelvis = v(-4, 0, 0),
	chest = v(2, 0.5, 0),
	head = v(3, 1, 1),
	left_hand = on_thigh("left", 0.1),
	right_hand = on_thigh("right", 0.1),
	arms = { lift = 1, elbow = 60, swing = 10 },
}

local function sitting(figure)
	local sit = 4
	local bow = {
		hips = v(0.004, -0.2, -0.2),
		pelvis = v(33, 0, 0.5),
		chest = v(38, 0, 0),
		head = v(20, 0, 0),
		arms = { swing = 22, elbow = 26, out = 15 },
	}
	return {
		clip {
			name = "sit_down",
			figure = figure,
			seconds = 1.5,
			at = keys {
				{ 0, S },
				{ 0.16, { hips = v(0.012, -0.012, 0.012), head = v(8, 0, 0), chest = v(3, 0, -1) } },
				{ 0.6, bow },
				{
					0.92,
					{
						hips = v(0, -0.39, -0.375),
						pelvis = v(24, 0, 0),
						chest = v(31, 0, 0),
						head = v(17, 0, 0),
						arms = { swing = 34, elbow = 38, out = 13 },
						hands = { hold = 0 },
					},
					ease = "hit",
				},
				{ 1.3, seated + { pelvis = v(-1, 0, 0), chest = v(-1.5, 0, 0), head = v(-2, 0, 0) } },
				{ 1.5, seated },
				late = { head = 0.06, forearms = 0.05, hands = 0.05, fingers = 0.1 },
			},
		},
		clip {
			name = "sit",
			figure = figure,
			seconds = sit,
			loop = true,
			at = function(t)
				local u = t / sit
				local breath = wave(u, 0.42) - wave(0, 0.42)
				return seated
					+ {
						chest = v(-0.5 * breath, 1.2 * (drift(u, 3) - drift(0, 3)), 0),
						head = v(0.8 * breath, 3 * (drift(u, 5) - drift(0, 5)), drift(u, 6) - drift(0, 6)),
						breath = 1.1 * breath,
						arms = { lift = 0.8 * breath },
						left_hand = { index = 0.04 * (drift(u, 8) - drift(0, 8)) },
						right_hand = { curl = 0.03 * (drift(u, 9) - drift(0, 9)) },
					}
			end,
		},
		clip {
			name = "stand_up",
			figure = figure,
			seconds = 1.4,
			at = keys {
				{ 0, seated },
				{
					0.34,
					seated:with {
						hips = v(0, -0.384, -0.35), pelvis = v(30, 0, 0), chest = v(40, 0, 0), head = v(14, 0, 0),
					},
				},
				{
					0.6,
					{
						hips = v(0.004, -0.29, -0.22),
						pelvis = v(40, 0, 0.5),
						chest = v(44, 0, 0),
						head = v(16, 0, 0),
						arms = { swing = 20, elbow = 24, out = 15 },
						hands = { hold = 0.6 },
					},
				},
				{ 0.8, { hands = { hold = 0 } } },
				{
					1.05,
					{
						hips = v(0.014, -0.028, 0.014),
						pelvis = v(6, 2, 2),
						chest = v(8, 1, -1),
						head = v(3, 1, 0),
						arms = { swing = -3, elbow = 12, out = 13 },
					},
				},
				{ 1.25, S + { hips = v(0, 0, 0.003), chest = v(-0.8, 0, 0) } },
				{ 1.4, S },
				late = { head = 0.05, forearms = 0.06, hands = 0.04, fingers = 0.08 },
			},
		},
	}
end

return function(figure)
	return { crouching(figure), sitting(figure) }
end
