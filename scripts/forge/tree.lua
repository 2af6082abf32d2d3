-- An old olive tree. Trunk, boughs and twigs have bones, so the wind can bend it (scripts/examples/wind_tree.lua).
--
--   galatea forge scripts/forge/tree.lua -o assets/tree.glb

local v = vector.create
local L = require "./tree/limbs"
local W = require "./tree/wood"
local leaves = require "./tree/leaves"

local up = v(0, 1, 0)
local bark = sheet {
	size = 256,
	sculpt = W.fine,
	shade = W.field:grow(-0.006),
	layers = {
		{ color = v(0.200, 0.160, 0.120), roughness = 0.92 },
		{
			color = v(0.330, 0.285, 0.230),
			where = mask.noise { size = v(0.06, 0.26, 0.06), seed = 4, octaves = 4, from = -0.1, to = 0.5 },
		},
		{
			color = v(0.085, 0.062, 0.045),
			where = mask.noise { size = v(0.035, 0.22, 0.035), seed = 21, octaves = 4, from = 0.05, to = 0.4 },
		},
		{
			color = v(0.120, 0.130, 0.055), roughness = 1,
			where = mask.facing(up, -0.1, 0.7):times(
				mask.noise { size = 0.16, seed = 8, octaves = 4, from = 0, to = 0.4 }
			):share(0.7),
		},
		{
			color = v(0.360, 0.350, 0.300),
			where = mask.noise { size = 0.09, seed = 31, octaves = 4, from = 0.25, to = 0.45 }:share(0.5),
		},
		{ color = v(0.35, 0.30, 0.26), multiply = true, where = mask.open(0.85, 0.35) },
		{ height = 0.006, where = mask.noise { size = v(0.030, 0.160, 0.030), seed = 17, octaves = 3 } },
	},
}

return model {
	name = "tree",
	bones = bones(L.rows),
	parts = {
		part {
			name = "trunk", cage = W.trunk, field = W.field, levels = 1, mirror = false, weights = L.weights,
			sheet = "bark",
		},
		part {
			name = "boughs", cage = W.boughs, field = W.field, levels = 1, mirror = false, weights = L.weights,
			sheet = "bark",
		},
		part { name = "twigs", cage = W.twigs, levels = 0, mirror = false, weights = L.weights, shade = 0.75 },
		part {
			name = "leaves", cage = leaves.leaves, levels = 0, mirror = false, weights = leaves.weights, shade = 0.7,
		},
		part { name = "fruit", cage = leaves.fruit, levels = 0, mirror = false, weights = leaves.weights, shade = 0.7 },
	},
	sheets = { bark = bark },
	materials = {
		bark = { sheet = "bark" },
		twig = { color = v(0.200, 0.165, 0.120), roughness = 0.9 },
		leaf = { color = v(0.250, 0.290, 0.130), roughness = 0.5, double_sided = true },
		leaf_dark = { color = v(0.165, 0.200, 0.080), roughness = 0.5, double_sided = true },
		leaf_silver = { color = v(0.430, 0.460, 0.300), roughness = 0.6, double_sided = true },
		olive = { color = v(0.150, 0.190, 0.040), roughness = 0.3 },
		olive_ripe = { color = v(0.045, 0.018, 0.040), roughness = 0.3 },
	},
}
