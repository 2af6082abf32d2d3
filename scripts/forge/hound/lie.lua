-- Lying on its elbows like a sphinx: from sitting, the forefeet walk forwards while the chest sinks, and back again.
local v = vector.create
local L = require "./legs"
local P = require "./pose"
local sit = require "./sit"

local feet = { left_fore = v(0.012, 0, 0.530), right_fore = v(-0.012, 0, 0.515) }
-- These paws stay planted.
local behind = { left_hind = sit.pose.left_hind, right_hind = sit.pose.right_hind }

local lies = P.sum(feet, behind, {
	hips = v(0.004, -0.446, 0.178),
	pelvis = v(-14, 0, 0),
	chest = v(-9, 0, 0),
	neck = v(-4, 0, 0),
	head = v(0, 0, 0),
	tail_1 = v(36, 0, 6),
	tail_2 = v(28, 0, 10),
	tail_3 = v(26, 0, 12),
	tail_4 = v(-14, 0, 10),
	left_ear = v(-4, 0, 0),
	right_ear = v(-4, 0, 0),
	left_hind_lie = 1,
	right_hind_lie = 1,
	mouth = 0,
})

-- The phase between the two steps.
local halves = {
	left_fore = sit.pose.left_fore * 0.45 + feet.left_fore * 0.55,
	right_fore = sit.pose.right_fore * 0.45 + feet.right_fore * 0.55,
}

local DOWN = 1.6
local function goes_down()
	local rows = {
		{ 0, P.sum(P.trunk(sit.pose), behind) },
		{ 0.20, { head = v(10, 0, 0), neck = v(0, 0, 0) } },
		{ 0.62, { hips = v(0.004, -0.400, 0.150), pelvis = v(-48, 0, 0), chest = v(-22, 0, 0), neck = v(6, 0, 0) } },
		{ 1.34, P.sum(P.trunk(lies), { hips = v(0, -0.003, 0), head = v(5, 0, 0) }) },
		{ DOWN, P.trunk(lies) },
	}
	P.step(rows, "left_fore", sit.pose.left_fore, halves.left_fore, 0.08, 0.34, 0.03)
	P.step(rows, "right_fore", sit.pose.right_fore, halves.right_fore, 0.28, 0.54, 0.03)
	P.step(rows, "left_fore", halves.left_fore, feet.left_fore, 0.50, 0.76, 0.025)
	P.step(rows, "right_fore", halves.right_fore, feet.right_fore, 0.68, 0.94, 0.025)
	return P.keys(rows, { late = { neck = 0.04, head = 0.06 } })
end

local UP = 1.5
local function comes_up()
	local rows = {
		{ 0, P.sum(P.trunk(lies), behind) },
		{ 0.20, { head = v(6, 0, 0), neck = v(4, 0, 0) } },
		{ 0.72, { hips = v(0.004, -0.400, 0.150), pelvis = v(-48, 0, 0), chest = v(-22, 0, 0), neck = v(0, 0, 0) } },
		{ 1.25, P.sum(P.trunk(sit.pose), { chest = v(-1, 0, 0) }) },
		{ UP, P.trunk(sit.pose) },
	}
	P.step(rows, "right_fore", feet.right_fore, halves.right_fore, 0.50, 0.76, 0.03)
	P.step(rows, "left_fore", feet.left_fore, halves.left_fore, 0.68, 0.94, 0.03)
	P.step(rows, "right_fore", halves.right_fore, sit.pose.right_fore, 0.88, 1.14, 0.03)
	P.step(rows, "left_fore", halves.left_fore, sit.pose.left_fore, 1.08, 1.34, 0.03)
	return P.keys(rows, { late = { neck = 0.04, head = 0.06 } })
end

-- It looks up, lays its ears back, and breathes.
local SECONDS = 5
local nothing = { head = vector.zero, neck = vector.zero, left_ear = vector.zero, right_ear = vector.zero, blink = 0 }
local glances = P.keys({
	{ 0, nothing },
	{ 1.4, nothing },
	{ 1.9, { head = v(-4, -22, -4), neck = v(-2, -9, 0), left_ear = v(6, 0, 0), right_ear = v(6, 0, 0) }, ease = "hit" },
	{ 3.0, { head = v(-3, -20, -5), neck = v(-2, -9, 0), left_ear = v(6, 0, 0), right_ear = v(6, 0, 0), blink = 0 } },
	{ 3.1, { blink = 1 } },
	{ 3.3, { blink = 0 } },
	{ 3.8, nothing },
	{ SECONDS, nothing },
}, { late = { neck = 0.05 } })
local function rests(t)
	local breath = wave(2 * t / SECONDS, 0.3) - wave(0, 0.3)
	return P.sum(lies, glances(t), { chest = v(-0.5 * breath, 0, 0), neck = v(-0.5 * breath, 0, 0) })
end

local M = {}

function M.clips()
	return {
		L.clip { name = "lie_down", seconds = DOWN, at = goes_down() },
		L.clip { name = "lie", seconds = SECONDS, loop = true, rate = 30, at = rests },
		L.clip { name = "lie_up", seconds = UP, at = comes_up() },
	}
end

return M
