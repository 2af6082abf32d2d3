-- A jump on the spot: crouch, take-off, a ballistic arc, landing on the balls of the feet, absorbed by hips,
-- knees and back. The same in three parts for longer times in the air.
local v = vector.create
local stand = require "./stand"

local TAKE_OFF, LAND, SECONDS, GRAVITY = 0.46, 0.84, 1.3, 9.81
local S = stand.pose

local rise = curve {
	{ 0, 0 }, { 0.3, 0 }, { TAKE_OFF, 46 }, { 0.56, 43 }, { 0.7, 14 }, { LAND, 24 }, { 0.9, 0 }, { SECONDS, 0 },
}
local tuck = curve { { 0, 0 }, { TAKE_OFF, 0 }, { 0.65, 0.1 }, { LAND, 0 }, { SECONDS, 0 } }
local lean = curve {
	{ 0, 0 }, { 0.28, 0.52 }, { TAKE_OFF, 0.02 }, { 0.62, 0.06 }, { LAND, 0.12 }, { 0.99, 0.42 }, { SECONDS, 0 },
}
local head = curve { { 0, 0 }, { 0.25, 7 }, { TAKE_OFF, -11 }, { 0.65, -1 }, { LAND, 9 }, { 1, 8 }, { SECONDS, 0 } }
local swing = curve {
	{ 0, 0 }, { 0.27, -54 }, { 0.36, -20 }, {
		TAKE_OFF, 100,
	}, { 0.6, 112 }, { 0.76, 60 }, { 0.92, 20 }, { 1.05, 7 }, { SECONDS, 0 },
}
local elbow = curve { { 0, 0 }, { 0.27, 17 }, { 0.38, 43 }, { 0.52, 29 }, { 0.7, 31 }, { 0.95, 31 }, { SECONDS, 0 } }
local spread = curve { { 0, 0 }, { 0.27, 7 }, { 0.5, 12 }, { 0.72, 26 }, { 0.95, 16 }, { SECONDS, 0 } }
-- The hips leave the ground and return at the speed of the arc.
local SPEED = 0.5 * GRAVITY * (LAND - TAKE_OFF)
local EDGE = 0.02
local crouch = curve {
	{ 0, 0 }, { 0.12, -0.05 }, { 0.3, -0.25 }, { 0.38, -0.14 }, {
		TAKE_OFF - EDGE, 0.045 - EDGE * SPEED,
	}, { TAKE_OFF, 0.045, ease = "line" },
}
local catch = curve {
	{ LAND, 0.045, ease = "line" }, {
		LAND + EDGE, 0.045 - EDGE * SPEED,
	}, { 0.91, -0.075 }, { 0.99, -0.18 }, { 1.12, -0.09 }, { SECONDS, 0 },
}

-- `flies` is 1 if the arc is in the clip, 0 if the game moves the character.
local function at(t, flies)
	local air = math.clamp(t, TAKE_OFF, LAND) - TAKE_OFF
	local arc = 0.5 * GRAVITY * air * (LAND - TAKE_OFF - air) * flies
	local sink = if t < TAKE_OFF then crouch(t) elseif t < LAND then 0.045 else catch(t)
	local bent = lean(t)
	return S
		+ {
			hips = v(0, sink + arc, -0.17 * bent + 0.02 * tuck(t)),
			pelvis = v(math.deg(bent * 0.85), 0, 0),
			chest = v(math.deg(bent), 0, 0),
			head = v(head(t), 0, 0),
			feet = { at = v(0, arc + tuck(t), 0), pitch = rise(t) },
			arms = { swing = swing(t), elbow = elbow(t), out = spread(t), lift = 0.1 * math.max(swing(t), 0) },
		}
end

-- In the air: legs slightly drawn up, arms out for balance.
local function floating(u)
	local slow = wave(u, 0.1)
	local middle = at(0.66, 0)
	return middle
		+ {
			hips = v(0, 0.002 * slow, 0),
			chest = v(1.5 * wave(u, 0.3), 2 * wave(u, 0.6), 0),
			left_foot = { at = v(0, 0.015 * wave(u, 0.2), 0.02 * wave(u, 0.4)), pitch = 3 * wave(u, 0.5) },
			right_foot = { at = v(0, 0.015 * wave(u, 0.7), 0.02 * wave(u, 0.9)), pitch = 3 * wave(u, 0) },
			left_arm = { out = 4 * wave(u, 0.3), swing = 6 * wave(u, 0.1) },
			right_arm = { out = 4 * wave(u, 0.5), swing = 6 * wave(u, 0.35) },
		}
end

return function(figure)
	local land = 0.06
	local out = curve { { TAKE_OFF, 0 }, { TAKE_OFF + 0.14, 1 } }
	local into = curve { { 0, 0 }, { land, 1 } }
	return {
		clip {
			name = "jump",
			figure = figure,
			seconds = SECONDS,
			at = function(t)
				return at(t, 1)
			end,
			markers = { { TAKE_OFF, "takeoff" }, { LAND, "land" } },
		},
		clip {
			name = "jump_intro",
			figure = figure,
			seconds = TAKE_OFF + 0.14,
			at = function(t)
				if t < TAKE_OFF then
					return at(t, 0)
				end
				return at(t, 0):mix(floating(0), out(t))
			end,
			markers = { { TAKE_OFF, "takeoff" } },
		},
		clip {
			name = "jump_loop",
			figure = figure,
			seconds = 1.2,
			loop = true,
			at = function(t)
				return floating(t / 1.2)
			end,
		},
		clip {
			name = "jump_land",
			figure = figure,
			seconds = SECONDS - LAND + land,
			at = function(t)
				if t < land then
					return floating(0):mix(at(LAND, 0), into(t))
				end
				return at(LAND + t - land, 0)
			end,
			markers = { { land, "land" } },
		},
	}
end
