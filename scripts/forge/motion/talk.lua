-- Speech gestures: a hand prepares, strikes at the marker `stroke`, holds for a word, and returns.
local v = vector.create
local stand = require "./stand"

local S = stand.pose

-- A gesture: `ready` is the pose before the stroke, `strikes` the pose of the stroke; times are in seconds.
local function beat(figure, name, options)
	local ready, strikes = options.ready, options.strikes
	local stroke = options.stroke or 0.42
	local held = stroke + (options.hold or 0.3)
	local back = held + (options.back or 0.55)
	return clip {
		name = name,
		figure = figure,
		seconds = back + 0.12,
		at = keys {
			{ 0, S },
			{ stroke - 0.14, ready },
			{ stroke, strikes, ease = "hit" },
			{ stroke + 0.1, strikes:mix(ready, 0.16) },
			{ held, strikes:mix(ready, 0.08) + (options.drift or {}) },
			{ back, S },
			{ back + 0.12, S },
			late = { head = 0.03, hands = 0.05, fingers = 0.07, forearms = 0.02 },
		},
		markers = { { stroke, "stroke" } },
	}
end

return function(figure)
	-- An open palm that presents something.
	local offers = S:with {
		right_arm = { swing = 22, out = 17, twist = 12, elbow = 78, roll = 78, wrist = -8, lift = 1, reach = 3 },
		right_hand = { curl = 0.16, index = -0.08, little = 0.05, spread = -0.15, thumb = 0.05, oppose = 0 },
		chest = v(3, 3, -1.4),
		head = v(6, -2, -2),
	}
	local offers_ready = offers:with {
		right_arm = { elbow = 100, swing = 16, lift = 4, wrist = 12 },
		chest = v(-1, -2, -1),
		head = v(-3, -1, -1),
	}

	-- Both hands open to the sides.
	local opens = S:with {
		arms = { swing = 20, out = 26, twist = 16, elbow = 68, roll = 70, wrist = -10, lift = 2 },
		hands = { curl = 0.14, index = -0.06, spread = -0.05, thumb = 0, oppose = 0 },
		chest = v(-2, 1, -1),
		head = v(3, 2, 4),
	}
	local opens_ready = opens:with {
		arms = { swing = 26, out = 10, twist = -8, elbow = 88, roll = 40, wrist = 6, lift = 3 },
		chest = v(3, 1, -1),
		head = v(-1, 1, 0),
	}

	-- A finger that makes a point.
	local point = S:with {
		left_arm = { swing = 34, out = 14, twist = 2, elbow = 84, roll = 24, wrist = 14, lift = 1 },
		left_hand = { curl = 0.62, index = -0.55, thumb = 0.5, oppose = 0.6 },
		chest = v(4, -4, -1),
		head = v(7, 0, 2),
	}
	local point_ready = point:with {
		left_arm = { swing = 36, elbow = 112, wrist = -16, lift = 5 },
		chest = v(-1, 2, -1.5),
		head = v(-3, 0, 1),
	}

	-- A hand laid on the breast.
	local self = S:with {
		right_hand = {
			at = v(0.012, 1.275, 0.125),
			on = "chest",
			hold = 1,
			fingers = v(0.92, 0.36, 0.1),
			palm = v(0, 0, -1),
			elbow = v(-0.5, -0.4, 0.1),
			curl = 0.14, index = -0.05, spread = -0.25, thumb = 0.05, oppose = 0.1,
		},
		right_arm = { swing = 30, out = 24, elbow = 110, lift = 2, reach = 6 },
		chest = v(-1, -2, -1),
		head = v(7, -3, -4),
	}
	local self_ready = self:with {
		right_hand = { at = v(-0.05, 1.24, 0.26), fingers = v(0.9, 0.3, 0.3) },
		chest = v(2, 0, -1),
		head = v(-2, -1, -1),
	}

	-- Both hands come down together, edges first.
	local chops = S:with {
		arms = { swing = 24, out = 9, twist = -8, elbow = 72, roll = 8, wrist = 0, tilt = -12, lift = 0, reach = 5 },
		hands = { curl = 0.1, index = -0.04, spread = 0, thumb = 0.1, oppose = 0.1 },
		chest = v(7, 1, -1),
		head = v(9, 1, 0),
		hips = v(0.012, -0.014, 0.006),
	}
	local chops_ready = chops:with {
		arms = { swing = 30, elbow = 100, tilt = 14, lift = 6 },
		chest = v(-2, 1, -1),
		head = v(-3, 1, 0),
	}

	-- The back of a hand sends something away to the side.
	local sends = S:with {
		right_arm = { swing = 20, out = 38, twist = 30, elbow = 48, roll = -16, wrist = -26, lift = 1 },
		right_hand = { curl = 0.12, index = -0.05, spread = -0.1, thumb = 0, oppose = 0 },
		chest = v(1, -8, -1),
		pelvis = v(1, -1, 2.5),
		head = v(2, -10, -5),
	}
	local sends_ready = sends:with {
		right_arm = { swing = 32, out = 10, twist = -24, elbow = 92, roll = 0, wrist = 26, lift = 2 },
		chest = v(3, 5, -1),
		head = v(4, 5, 2),
	}

	return {
		beat(figure, "talk_beat_1", {
			ready = offers_ready,
			strikes = offers,
			drift = { right_arm = { elbow = -4, out = 2 } },
		}),
		beat(figure, "talk_beat_2", {
			ready = opens_ready,
			strikes = opens,
			hold = 0.4,
			stroke = 0.46,
			drift = { arms = { out = 2, lift = -1 } },
		}),
		beat(figure, "talk_beat_3", {
			ready = point_ready, strikes = point, hold = 0.24, drift = { left_arm = { wrist = -4 } },
		}),
		beat(figure, "talk_beat_4", { ready = self_ready, strikes = self, hold = 0.6, stroke = 0.5, back = 0.62 }),
		beat(figure, "talk_beat_5", { ready = chops_ready, strikes = chops, hold = 0.2, stroke = 0.44 }),
		beat(figure, "talk_beat_6", {
			ready = sends_ready, strikes = sends, stroke = 0.46, drift = { right_arm = { wrist = 8 } },
		}),
	}
end
