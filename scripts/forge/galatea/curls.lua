-- A man's hair: short comma-shaped locks, as the bronzes of the time have them.
local v = vector.create
local K = require "./face_field"
local tufts = require "./tufts"

local MIDDLE = v(0, 1.612, -0.012)

return tufts {
	seed = 5,
	form = K.head:grow(0.005):join(field.ellipsoid(MIDDLE + v(0, 0.007, -0.004), v(0.0805, 0.0985, 0.1000)), 0.02),
	curl = 75,
	sway = 0.5,
	fall = 0.12,
	wide = { 0.55, 1, 1, 0.75, 0.12 },
	deep = { 0.5, 1, 1, 0.9, 0.2 },
	keep = 0.5,
	rows = {
		{ at = 0.00, count = 30, long = 18, wide = 12, thick = 4.0, lift = -2.5 },
		{ at = 0.10, count = 28, long = 26, wide = 14, thick = 5.0, lift = -1 },
		{ at = 0.26, count = 26, long = 30, wide = 16, thick = 6.0, lift = 0 },
		{ at = 0.44, count = 22, long = 32, wide = 17, thick = 6.5, lift = 1 },
		{ at = 0.62, count = 17, long = 32, wide = 18, thick = 6.5, lift = 1.5 },
		{ at = 0.79, count = 11, long = 30, wide = 17, thick = 6.0, lift = 2 },
		{ at = 0.94, count = 6, long = 24, wide = 16, thick = 5.5, lift = 2 },
	},
}
