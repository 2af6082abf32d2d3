-- Galatea: a marble statue that came to life.
--
--   galatea forge scripts/forge/galatea.lua -o assets/galatea.glb

local person = require "./galatea/person"

return person {
	name = "galatea",
	hair = function()
		return require "./galatea/hair"
	end,
	wears = {
		"fibulae", "belt", "clasp", "belt_ends", "pouch", "choker", "arm_ring", "bracelet", "wrap", "earrings",
	},
}
