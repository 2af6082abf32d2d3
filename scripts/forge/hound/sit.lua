-- Sitting: the hind feet step under the body while the rump sinks between them.
local v = vector.create
local L = require "./legs"
local P = require "./pose"
local stand = require "./stand"

local stands = P.sum(stand.pose, { left_hind_lie = 0, right_hind_lie = 0 })

local feet = {
	left_fore = v(-0.004, 0, -0.055),
	right_fore = v(0.004, 0, -0.060),
	left_hind = v(0.030, 0, 0.330),
	right_hind = v(-0.030, 0, 0.345),
}

local sits = P.sum(feet, {
	hips = v(0.004, -0.392, 0.120),
	pelvis = v(-64, 0, 0),
	chest = v(-36, 0, 0),
	neck = v(-20, 0, 0),
	head = v(-1, 0, 0),
	tail_1 = v(64, 0, 4),
	tail_2 = v(37, 0, 8),
	tail_3 = v(39, 0, 12),
	tail_4 = v(-17, 0, 10),
	left_ear = v(-2, 0, 0),
	right_ear = v(-2, 0, 0),
	left_hind_lie = 1,
	right_hind_lie = 1,
	mouth = 0,
})

local DOWN = 1.15
local function goes_down()
	local rows = {
		{ 0, P.trunk(stands) },
		{ 0.16, { hips = v(0.010, -0.016, -0.006), head = v(5, 0, 0), neck = v(8, 0, 0) } },
		{ 0.45, { left_hind_lie = 0, right_hind_lie = 0 } },
		{ 0.50, { hips = v(0.006, -0.170, 0.045), pelvis = v(-26, 2, 0), chest = v(-17, 0, 0), neck = v(4, 0, 0) } },
		{ 0.92, P.sum(P.trunk(sits), { hips = v(0, -0.006, -0.004), head = v(3, 0, 0) }) },
		{ DOWN, P.trunk(sits) },
	}
	local half = (stands.left_hind + feet.left_hind) / 2
	P.step(rows, "right_hind", stands.right_hind, feet.right_hind, 0.10, 0.46, 0.045)
	P.step(rows, "left_hind", stands.left_hind, half, 0.0, 0.24, 0.035)
	P.step(rows, "left_hind", half, feet.left_hind, 0.40, 0.66, 0.035)
	P.step(rows, "left_fore", stands.left_fore, feet.left_fore, 0.30, 0.56, 0.03)
	P.step(rows, "right_fore", stands.right_fore, feet.right_fore, 0.58, 0.80, 0.02)
	return P.keys(rows, { late = { neck = 0.03, head = 0.05, tail_3 = 0.06, tail_4 = 0.1 } })
end

local UP = 1.05
local function comes_up()
	local rows = {
		{ 0, P.trunk(sits) },
		{ 0.26, { hips = v(0.004, -0.375, 0.150), chest = v(-30, 0, 0), neck = v(10, 0, 0), head = v(5, 0, 0) } },
		{ 0.26, { tail_1 = v(86, 0, 4), tail_2 = v(24, 0, 4), tail_3 = v(20, 0, 4) } },
		{ 0.36, { left_hind_lie = 0.6, right_hind_lie = 0.6, pelvis = v(-48, 0, 0) } },
		{ 0.55, { left_hind_lie = 0, right_hind_lie = 0, hips = v(0.008, -0.150, 0.075), pelvis = v(-18, 0, 0),
			chest = v(-8, 0, 0), neck = v(14, 0, 0) } },
		{ 0.88, P.sum(P.trunk(stands), { hips = v(0, -0.004, 0.004) }) },
		{ UP, P.trunk(stands) },
	}
	P.step(rows, "left_hind", feet.left_hind, stands.left_hind, 0.44, 0.76, 0.035)
	P.step(rows, "right_hind", feet.right_hind, stands.right_hind, 0.62, 0.92, 0.035)
	P.step(rows, "left_fore", feet.left_fore, stands.left_fore, 0.16, 0.40, 0.03)
	P.step(rows, "right_fore", feet.right_fore, stands.right_fore, 0.72, UP, 0.02)
	return P.keys(rows, { late = { head = 0.04, tail_3 = 0.06, tail_4 = 0.1 } })
end

-- The idle while sitting: breath, a glance, the tip of the tail.
local SECONDS = 4
local glances = P.keys({
	{ 0, { head = vector.zero, neck = vector.zero, left_ear = vector.zero, right_ear = vector.zero } },
	{ 1.2, { head = vector.zero, neck = vector.zero, left_ear = vector.zero, right_ear = vector.zero } },
	{ 1.6, { head = v(-3, 16, 7), neck = v(0, 7, 0), left_ear = v(5, 0, 0), right_ear = v(6, 0, 0) }, ease = "hit" },
	{ 2.6, { head = v(-2, 14, 8), neck = v(0, 7, 0), left_ear = v(5, 0, 0), right_ear = v(6, 0, 0) } },
	{ 3.3, { head = vector.zero, neck = vector.zero, left_ear = vector.zero, right_ear = vector.zero } },
	{ SECONDS, { head = vector.zero, neck = vector.zero, left_ear = vector.zero, right_ear = vector.zero } },
}, { late = { neck = 0.05 } })
local function waits(t)
	local u = t / SECONDS
	local breath = wave(2 * u, 0.3) - wave(0, 0.3)
	local function tail(at)
		return v(0, 0, 6 * (wave(2 * at, 0.35) - wave(0, 0.35)))
	end
	return P.sum(sits, glances(t), {
		chest = v(-0.7 * breath, 0, 0),
		neck = v(-0.5 * breath, 0, 0),
		tail_3 = tail(u),
		tail_4 = tail(u - 0.04),
	})
end

local M = { pose = sits }

function M.clips()
	return {
		L.clip { name = "sit_down", seconds = DOWN, at = goes_down() },
		L.clip { name = "sit", seconds = SECONDS, loop = true, rate = 30, at = waits },
		L.clip { name = "stand_up", seconds = UP, at = comes_up() },
	}
end

return M
