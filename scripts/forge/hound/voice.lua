-- Barking and sniffing: it barks twice (the markers `bark`), and it puts its nose to the ground.
local v = vector.create
local L = require "./legs"
local P = require "./pose"
local stand = require "./stand"

local stands = P.sum(stand.pose, P.ears(v(3, 0, 0)))

-- It inhales, the chest jerks forwards, and the recoil runs back to the tail.
local drawn = P.sum(stands, {
	hips = v(0, -0.020, -0.028), pelvis = v(2, 0, 0), chest = v(4, 0, 0), neck = v(9, 0, 0), head = v(8, 0, 0),
	mouth = 0.1, tail_1 = v(10, 0, 0), tail_2 = v(6, 0, 0),
})
local thrown = P.sum(stands, {
	hips = v(0, -0.006, 0.022), pelvis = v(-2, 0, 0), chest = v(-4, 0, 0), neck = v(2, 0, 0), head = v(-18, 0, 0),
	mouth = 1, tail_1 = v(20, 0, 0), tail_2 = v(8, 0, 0), blink = 0.35,
}, P.ears(v(-14, 4, 0)))

local BARK = 1.3
local FIRST, SECOND = 0.26, 0.68
local barks = P.keys({
	{ 0, stands },
	{ FIRST - 0.10, drawn },
	{ FIRST + 0.03, thrown, ease = "hit" },
	{ FIRST + 0.10, P.sum(thrown, { mouth = -0.35, head = v(4, 0, 0) }) },
	{ SECOND - 0.12, drawn },
	{ SECOND + 0.03, P.sum(thrown, { head = v(-3, 0, 0) }), ease = "hit" },
	{ SECOND + 0.11, P.sum(thrown, { mouth = -0.4, head = v(3, 0, 0) }) },
	{ SECOND + 0.30, P.sum(stands, { mouth = 0.15, head = v(-3, 0, 0), tail_1 = v(8, 0, 0) }) },
	{ BARK, stands },
}, { late = { chest = -0.02, hips = -0.03, pelvis = -0.03, left_ear = 0.03, right_ear = 0.03, tail_2 = 0.05 } })

-- Down on bent forelegs, one of them forwards.
local SNIFF, DOWN, UP = 3.6, 0.75, 2.8
local low = {
	hips = v(0, -0.034, 0.010), pelvis = v(9, 0, 0), chest = v(17, 0, 0), neck = v(116, 0, 0), head = v(58, 0, 0),
	tail_1 = v(10, 0, 0), left_fore = v(0, 0, 0.15), mouth = 0, ears_back = 0,
}
local high = {
	hips = vector.zero, pelvis = vector.zero, chest = vector.zero, neck = vector.zero, head = vector.zero,
	tail_1 = vector.zero, mouth = 0, ears_back = 0,
}
local stoops = P.keys({
	{ 0, P.sum(high, { left_fore = vector.zero, left_fore_pitch = 0 }) },
	{ 0.08, { left_fore = vector.zero, left_fore_pitch = 0 } },
	{ 0.20, { left_fore_pitch = 30 } },
	{ 0.26, { left_fore = v(0, 0.04, 0.075) } },
	{ 0.42, { left_fore = low.left_fore, left_fore_pitch = 0 } },
	{ DOWN, low },
	{ UP, low },
	{ UP + 0.10, { left_fore = low.left_fore, left_fore_pitch = 0 } },
	{ UP + 0.24, { left_fore_pitch = 30 } },
	{ UP + 0.28, { left_fore = v(0, 0.04, 0.075) } },
	{ UP + 0.46, { left_fore = vector.zero, left_fore_pitch = 0 } },
	{ SNIFF - 0.05, high },
	{ SNIFF, high },
}, { late = { head = 0.05 } })
-- From one side to the other, with short breaths.
local along = curve { { 0, 0 }, { DOWN, 0 }, { 1.3, 1 }, { 2.1, -1 }, { UP, 0 } }
local close = curve { { 0, 0 }, { DOWN, 0 }, { DOWN + 0.2, 1 }, { UP - 0.2, 1 }, { UP, 0 } }
local function sniffs(t)
	local breath = wave(5 * t, 0) * close(t)
	return P.sum(stand.pose, stoops(t), {
		neck = v(1.2 * breath, 9 * along(t - 0.05), 0),
		head = v(2.4 * breath, 13 * along(t), 0),
		chest = v(0, 2 * along(t - 0.1), 0),
	})
end

local M = {}

function M.clips()
	return {
		L.clip {
			name = "bark", seconds = BARK, at = barks,
			markers = { { FIRST, "bark", bone = "head" }, { SECOND, "bark", bone = "head" } },
		},
		L.clip {
			name = "sniff", seconds = SNIFF, at = sniffs,
			markers = { { DOWN, "sniff", duration = UP - DOWN, bone = "head" } },
		},
	}
end

return M
