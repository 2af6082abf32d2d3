-- A man from the court, 35 years old: strong, with short curls and a beard.
--
--   galatea forge scripts/forge/man.lua -o assets/man.glb

local person = require "./galatea/person"
local v = vector.create

return person {
	name = "man",
	measure = {
		levels = {
			ankle = 0.088, knee = 0.520, crotch = 0.850, hip = 0.950, waist = 1.135, chest = 1.350, shoulder = 1.482,
			neck = 1.552,
		},
		girth = {
			ankle = 1.12, knee = 1.10, crotch = 1.05, hip = 1.02, waist = 1.22, chest = 1.22, shoulder = 1.14, neck = 1.25,
		},
		head = 1.07,
		arm_length = 1.09, arm_girth = 1.22, hand = 1.14, foot = 1.14,
		bust = 0, seat = 0.92, muscle = 1.7, bones = 1.2,
	},
	face = { male = 1.25, jaw_width = 0.45, nose_bridge = 0.3, chin = 0.25, eye_size = -0.4, brow_height = -0.45, lips = -0.5, lashes = 0.55, corners = 0.6 },
	dress = {
		hem = 0.690,
		drape = {
			{ 0.600, 0.206, 0.186, -0.186 },
			{ 0.690, 0.201, 0.176, -0.179 },
			{ 0.780, 0.190, 0.156, -0.167 },
			{ 0.860, 0.175, 0.130, -0.150 },
			{ 0.940, 0.150, 0.102, -0.121 },
			{ 1.000, 0.128, 0.086, -0.092 },
			{ 1.056, 0.112, 0.078, -0.072 },
			{ 1.110, 0.112, 0.079, -0.076 },
			{ 1.170, 0.120, 0.086, -0.090 },
			{ 1.225, 0.130, 0.092, -0.104 },
			{ 1.270, 0.137, 0.090, -0.114 },
			{ 1.320, 0.132, 0.076, -0.118 },
			{ 1.370, 0.108, 0.040, -0.110 },
		},
		square = 2.9,
		folds = { belt = 0.005, hem = 0.046, valley = 0.25 },
	},
	on_face = function(head)
		return require "./galatea/beard"(head)
	end,
	hair = function()
		return require "./galatea/curls"
	end,
	wears = { "fibulae", "belt", "clasp", "belt_ends", "pouch", "bracelet", "wrap" },
	skin = { tone = v(0.86, 0.80, 0.76), flush = 0.8, freckles = 0.2, lips = { v(0.380, 0.150, 0.125), v(0.290, 0.100, 0.090) } },
	keep = { hair = 0.45, beard = 0.6 },
	colors = {
		hair = v(0.060, 0.034, 0.022),
		brow = v(0.30, 0.24, 0.22),
		iris = { light = v(0.20, 0.115, 0.045), deep = v(0.055, 0.026, 0.012), wreath = v(0.34, 0.20, 0.07) },
		cloth = v(0.300, 0.075, 0.058),
		border = v(0.115, 0.030, 0.030),
		enamel = v(0.30, 0.02, 0.02),
	},
}
