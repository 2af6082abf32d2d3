-- Plants in and around the court, without colliders: grass, poppies, cypresses.
--
--   galatea forge scripts/forge/court_green.lua -o assets/court_green.glb

local garden = require "./court/garden"
local v = vector.create

local function piece(name, c)
	return part { name = name, cage = c, levels = 0, mirror = false, weights = "root" }
end

return model {
	name = "court_green",
	parts = {
		piece("tufts", garden.tufts()),
		piece("trees", garden.trees()),
	},
	materials = {
		blade = { color = v(0.13, 0.2, 0.05), roughness = 0.7, double_sided = true },
		blade_light = { color = v(0.26, 0.27, 0.09), roughness = 0.7, double_sided = true },
		poppy = { color = v(0.6, 0.03, 0.015), roughness = 0.6, double_sided = true },
		cypress = { color = v(0.028, 0.055, 0.022), roughness = 0.95 },
		cypress_dark = { color = v(0.02, 0.042, 0.02), roughness = 0.95 },
	},
}
