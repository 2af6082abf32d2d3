-- A child's hair: thick and tousled, over the ears and the forehead.
local v = vector.create
local K = require "./face_field"
local tufts = require "./tufts"

local MIDDLE = v(0, 1.612, -0.012)

return tufts {
	seed = 23,
	form = K.head:grow(0.006)
		:join(field.ellipsoid(MIDDLE + v(0, 0.008, -0.004), v(0.0860, 0.1020, 0.1040)), 0.02)
		:join(field.ellipsoid(MIDDLE + v(0.066, -0.020, -0.010), v(0.024, 0.036, 0.044)):mirror(), 0.02),
	curl = 40,
	sway = 1.3,
	messy = 0.3,
	fall = 0.38,
	wide = { 0.5, 0.9, 1, 0.75, 0.08 },
	deep = { 0.4, 1, 1, 0.75, 0.12 },
	keep = 0.5,
	rows = {
		{ at = 0.02, count = 18, long = 38, wide = 26, thick = 5.5, lift = -2.5 },
		{ at = 0.14, count = 18, long = 54, wide = 32, thick = 7.5, lift = -2.0 },
		{ at = 0.30, count = 16, long = 66, wide = 36, thick = 9.0, lift = -1.0, steps = 4 },
		{ at = 0.50, count = 14, long = 74, wide = 38, thick = 9.5, lift = 0, steps = 4 },
		{ at = 0.70, count = 11, long = 76, wide = 38, thick = 9.5, lift = 1, steps = 4 },
		{ at = 0.90, count = 6, long = 64, wide = 36, thick = 9.0, lift = 2, steps = 4 },
	},
}
