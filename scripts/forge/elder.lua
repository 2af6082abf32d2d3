-- An old woman from the court, 75 years old: slightly stooped, grey hair in a bun, a long dress and a shawl.
--
--   galatea forge scripts/forge/elder.lua -o assets/elder.glb

local person = require "./galatea/person"
local v = vector.create

return person {
	name = "elder",
	measure = {
		levels = {
			ankle = 0.080, knee = 0.462, crotch = 0.756, hip = 0.845, waist = 1.005, chest = 1.176, shoulder = 1.290,
			neck = 1.350,
		},
		girth = {
			ankle = 0.98, knee = 0.96, crotch = 1.00, hip = 1.06, waist = 1.18, chest = 1.04, shoulder = 0.89, neck = 0.94,
		},
		ahead = { chest = -0.020, shoulder = 0.014, neck = 0.056 },
		head = 0.99,
		arm_length = 0.95, arm_girth = 0.92, hand = 0.98, foot = 0.97,
		bust = 0.7, seat = 0.95, muscle = 0.4, bones = 1.3,
	},
	face = { age = 1.4, eye_size = -0.2, lips = -0.35, ears = 0.6, brow_height = 0.35, lashes = 0.5, corners = 5 },
	dress = {
		hem = 0.130,
		drape = {
			{ 0.060, 0.236, 0.210, -0.226 },
			{ 0.130, 0.233, 0.207, -0.223 },
			{ 0.300, 0.225, 0.196, -0.213 },
			{ 0.480, 0.216, 0.180, -0.202 },
			{ 0.640, 0.207, 0.164, -0.190 },
			{ 0.760, 0.198, 0.149, -0.178 },
			{ 0.850, 0.183, 0.126, -0.158 },
			{ 0.940, 0.161, 0.104, -0.128 },
			{ 1.000, 0.136, 0.092, -0.098 },
			{ 1.056, 0.115, 0.081, -0.074 },
			{ 1.110, 0.113, 0.081, -0.076 },
			{ 1.170, 0.118, 0.090, -0.088 },
			{ 1.225, 0.128, 0.104, -0.102 },
			{ 1.270, 0.134, 0.107, -0.113 },
			{ 1.320, 0.128, 0.084, -0.117 },
			{ 1.370, 0.104, 0.040, -0.110 },
		},
		square = 2.7,
		rings = { 1.078, 1.036, 0.992, 0.945, 0.880, 0.800, 0.710, 0.610, 0.510, 0.410, 0.310, 0.230 },
		folds = { belt = 0.005, hem = 0.048, valley = 0.25 },
		neckline = { front = { 1.375, 2.2 }, back = { 1.398, 2.2 } },
		covers = { 0.330, 1.225 },
		long = true,
		joints = { 1.020, 0.790, 0.500 },
		joints_out = { { 0.118, 0.088 }, { 0.188, 0.145 }, { 0.205, 0.170 } },
		joints_soft = 0.090,
	},
	over = function()
		return require "./galatea/shawl"()
	end,
	hair = function()
		return require "./galatea/hair"
	end,
	wears = { "belt", "belt_ends", "choker", "earrings" },
	skin = {
		tone = v(1.00, 0.97, 0.96), flush = 0.9, freckles = 0.3, lips = { v(0.430, 0.200, 0.175), v(0.330, 0.140, 0.125) },
		size = 2048,
		more = function(...)
			require "./galatea/wrinkles"(...)
		end,
	},
	keep = { dress = 0.17, hair = 0.52, shawl = 0.5 },
	colors = {
		hair = v(0.50, 0.49, 0.475),
		brow = v(1, 1, 1),
		brow_hairs = { v(0.150, 0.140, 0.130), v(0.42, 0.40, 0.38) },
		lash = v(0.10, 0.09, 0.085),
		iris = { light = v(0.17, 0.20, 0.20), deep = v(0.045, 0.060, 0.065), wreath = v(0.24, 0.19, 0.10) },
		cloth = v(0.135, 0.098, 0.155),
		border = v(0.060, 0.030, 0.090),
		thread = v(0.70, 0.62, 0.46),
		shawl = v(0.36, 0.315, 0.25),
		enamel = v(0.120, 0.030, 0.180),
	},
}
