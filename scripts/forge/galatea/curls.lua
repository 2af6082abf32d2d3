-- A man's hair: short comma-shaped locks, as the bronzes of the time have them.
local v = vector.create
local K = require "./face_field"
local tufts = require "./tufts"

local MIDDLE = v(0, 1.612, -0.012)

return tufts {
	seed = 5,
	form = K.head:grow(0.005):join(field.ellipsoid(MIDDLE + v(0, 0.007, -0.004), v(0.0805, 0.0985, 0.1000)), 0.02),
	curl = 85,
	sway = 0.45,
	messy = 0.15,
	fall = 0.1,
	wide = { 0.5, 0.95, 1, 0.8, 0.1 },
	deep = { 0.4, 1, 1, 0.8, 0.15 },
	keep = 0.55,
	rows = {
		{ at = 0.02, count = 26, long = 24, wide = 22, thick = 5.0, lift = -3.5 },
		{ at = 0.13, count = 23, long = 34, wide = 27, thick = 7.0, lift = -2.5 },
		{ at = 0.28, count = 20, long = 40, wide = 31, thick = 8.5, lift = -2.0, tuck = 3 },
		{ at = 0.45, count = 18, long = 44, wide = 33, thick = 9.5, lift = -1.0, tuck = 3 },
		{ at = 0.63, count = 14, long = 46, wide = 33, thick = 9.5, lift = 0, tuck = 3 },
		{ at = 0.80, count = 9, long = 46, wide = 32, thick = 9.0, lift = 0.5, tuck = 3 },
		{ at = 0.95, count = 5, long = 36, wide = 28, thick = 8.0, lift = 1, tuck = 2 },
	},
}
