-- Hit reactions: she is hit from one side, pushed, and stands again. They are additive clips, so each begins and ends
-- standing. Also one punch of her own.
local v = vector.create
local stand = require "./stand"

local S = stand.pose
local SECONDS = 0.6

-- `push` is the direction in which the chest moves: x to her left, z forwards.
local function flinch(figure, name, push)
	local hit = curve { { 0, 0 }, { 0.07, 1 }, { 0.22, 0.3 }, { 0.34, -0.14 }, { SECONDS - 0.08, 0 } }
	-- A push to the left rolls her right side up.
	local tip = v(push.z, -push.x * 0.5 + push.z * 0.4, -push.x)
	return clip {
		name = name,
		figure = figure,
		seconds = SECONDS,
		at = function(t)
			local now, soon, late = hit(t), hit(t - 0.015), hit(t - 0.06)
			local back = -math.min(push.z, 0)
			local open = 9 * (1 - back) + 6
			return S
				+ { pelvis = tip * 3 * now }
				+ { chest = v(13.5, 6, 11) * tip * soon }
				-- The head lags behind, then follows.
				+ { head = v(-4, -2, -5) * tip * now }
				+ { head = v(11.5, 5, 9) * tip * late }
				+ { hips = push * 0.018 * now }
				+ {
					arms = {
						swing = 9 * hit(t - 0.03), out = open * hit(t - 0.02), elbow = 19 * hit(t - 0.04),
						lift = 4 * hit(t - 0.01),
					},
					hands = { curl = 0.18 * hit(t - 0.03) },
				}
		end,
	}
end

-- A straight right punch: the weight moves back, hips and chest turn into it, the other hand guards.
local function punching(figure)
	local guard = S:with {
		hips = v(0.004, -0.035, -0.012),
		pelvis = v(4, -12, 1),
		chest = v(8, -18, 0),
		head = v(5, 0, 0),
		left_arm = { swing = 44, out = 10, twist = -14, elbow = 112, roll = 10, lift = 5 },
		right_arm = { swing = 6, out = 22, twist = -14, elbow = 128, roll = 4, lift = 4, reach = -8 },
		hands = stand.fist,
		right_foot = { pitch = 8 },
	}
	local strikes = guard:with {
		hips = v(0.03, -0.05, 0.045),
		pelvis = v(8, 18, 1),
		chest = v(14, 34, -3),
		head = v(6, 4, 2),
		left_arm = { swing = 22, out = 22, elbow = 128, lift = 3 },
		right_arm = { swing = 84, out = 2, twist = -24, elbow = 5, roll = -52, lift = 8, reach = 20, wrist = 0 },
		right_foot = { pitch = 22 },
	}
	return clip {
		name = "punch",
		figure = figure,
		seconds = 0.95,
		rate = 60,
		at = keys {
			{ 0, S },
			{ 0.2, guard },
			{ 0.25, guard + { chest = v(0, -3, 0), right_arm = { swing = -6 } }, ease = "go" },
			{ 0.36, strikes, ease = "hit" },
			{ 0.42, strikes:with { right_arm = { swing = 82, elbow = 9 }, chest = v(14, 31, -3) } },
			{
				0.6,
				guard:with {
					right_arm = { swing = 34, elbow = 96, out = 14, roll = -10, reach = 0 },
					chest = v(7, 2, 0),
					pelvis = v(4, 4, 2),
				},
			},
			{ 0.86, S },
			{ 0.95, S },
			late = { head = 0.02, forearms = 0.012 },
		},
		markers = { { 0.36, "hit" } },
	}
end

return function(figure)
	return {
		flinch(figure, "flinch", v(0, 0, -1)),
		-- Named after the side that is hit.
		flinch(figure, "flinch_left", v(-1, 0, -0.15)),
		flinch(figure, "flinch_right", v(1, 0, -0.15)),
		flinch(figure, "flinch_back", v(0, 0, 1)),
		punching(figure),
	}
end
