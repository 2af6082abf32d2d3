-- A small bird for flocks, between a starling and a swallow, with clips for wing beats and gliding. It faces +Z; the
-- origin is inside the body.
--
--   galatea forge scripts/forge/bird.lua -o assets/bird.glb

local v = vector.create
local F = require "./bird/form"
require "./bird/body"
require "./bird/wing"
require "./bird/tail"
local paint = require "./bird/paint"
local motion = require "./bird/motion"

return model {
	name = "bird",
	bones = bones(F.rows),
	-- One mesh, because thousands of birds are drawn.
	parts = { part { name = "bird", cage = F.cage, levels = 0, weights = F.weights } },
	materials = {
		feathers = { picture = paint, roughness = 0.46 },
		beak = { color = v(0.105, 0.080, 0.055), roughness = 0.36 },
		eye = { color = v(0.006, 0.005, 0.005), roughness = 0.14, clearcoat = 1 },
	},
	clips = motion,
}
