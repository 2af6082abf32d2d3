-- Distant hills. The show places this piece several times, rotated and scaled. The hills are a model of their own, so
-- they do not reduce the resolution of the shadows nearby.
--
--   galatea forge scripts/forge/court_hills.lua -o assets/court_hills.glb

local garden = require "./court/garden"
local v = vector.create

return model {
	name = "court_hills",
	parts = { part { name = "hills", cage = garden.hills(), levels = 0, mirror = false, weights = "root" } },
	materials = {
		hill_near = { color = v(0.12, 0.125, 0.055), roughness = 1, double_sided = true },
		hill = { color = v(0.1, 0.115, 0.085), roughness = 1, double_sided = true },
		hill_far = { color = v(0.075, 0.095, 0.12), roughness = 1, double_sided = true },
	},
}
