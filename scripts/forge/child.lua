-- A child from the court, 8 years old: a large head, thin limbs, tousled hair, a tunic to the knees.
--
--   galatea forge scripts/forge/child.lua -o assets/child.glb

local person = require "./galatea/person"
local v = vector.create

return person {
	name = "child",
	measure = {
		levels = {
			ankle = 0.060, knee = 0.335, crotch = 0.552, hip = 0.622, waist = 0.752, chest = 0.880, shoulder = 0.968,
			neck = 1.008,
		},
		girth = {
			ankle = 0.74, knee = 0.74, crotch = 0.72, hip = 0.74, waist = 0.84, chest = 0.76, shoulder = 0.71, neck = 0.79,
		},
		head = 1.0,
		arm_length = 0.69, arm_girth = 0.74, hand = 0.75, foot = 0.78,
		bust = 0, seat = 0.8, muscle = 0.3, bones = 0.5,
	},
	face = { child = 1, eye_size = 0.35, brow_height = 0.15, mouth_width = 0.25, lips = -0.2, lashes = 0.65, corners = 1.5 },
	dress = {
		hem = 0.575,
		drape = {
			{ 0.480, 0.216, 0.196, -0.194 },
			{ 0.575, 0.212, 0.190, -0.190 },
			{ 0.680, 0.204, 0.174, -0.180 },
			{ 0.780, 0.189, 0.150, -0.163 },
			{ 0.860, 0.171, 0.124, -0.145 },
			{ 0.940, 0.147, 0.099, -0.116 },
			{ 1.000, 0.130, 0.090, -0.092 },
			{ 1.056, 0.116, 0.083, -0.074 },
			{ 1.110, 0.115, 0.084, -0.076 },
			{ 1.170, 0.122, 0.090, -0.088 },
			{ 1.225, 0.133, 0.094, -0.102 },
			{ 1.270, 0.140, 0.092, -0.112 },
			{ 1.320, 0.134, 0.078, -0.116 },
			{ 1.370, 0.108, 0.040, -0.108 },
		},
		square = 2.9,
		rings = { 1.078, 1.036, 0.992, 0.945, 0.890, 0.830, 0.765, 0.690 },
		folds = { belt = 0.005, hem = 0.052, valley = 0.25 },
		neckline = { front = { 1.362, 2.2 }, back = { 1.392, 2.2 } },
	},
	hair = function()
		return require "./galatea/mop"
	end,
	wears = { "fibulae", "belt", "belt_ends" },
	skin = { tone = v(1.06, 1.02, 1.0), flush = 0.95, freckles = 1.6, lips = { v(0.470, 0.205, 0.165), v(0.390, 0.150, 0.125) } },
	colors = {
		hair = v(0.30, 0.150, 0.060),
		lash = v(0.060, 0.028, 0.016),
		brow_hairs = { v(0.120, 0.050, 0.022), v(0.30, 0.150, 0.070) },
		iris = { light = v(0.16, 0.25, 0.36), deep = v(0.030, 0.060, 0.115), wreath = v(0.30, 0.30, 0.22) },
		cloth = v(0.230, 0.360, 0.440),
		border = v(0.020, 0.060, 0.150),
		thread = v(0.80, 0.74, 0.60),
		enamel = v(0.02, 0.06, 0.20),
		leather = v(0.170, 0.090, 0.045),
	},
}
