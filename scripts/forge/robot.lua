-- A bronze automaton, 2 m tall, like the one that Hephaistos made to guard Crete: rigid shells and ball joints, one bone
-- per piece. The bones have humanoid names, so clips of other humanoids can be used.
--
--   galatea forge scripts/forge/robot.lua -o robot.glb

local v = vector.create
local F = require "./robot/frame"
local S = require "./robot/shapes"
local trunk = require "./robot/trunk"
local limbs = require "./robot/limbs"

local solid = trunk.shade:join(limbs.shade:mirror())
local belt = trunk.belt
local pattern = S.meander(belt.middle, belt.wide, belt.deep, 2.3, 0.054, 14)

local metal = sheet {
	size = 512,
	sculpt = trunk.cuirass,
	shade = solid:grow(-0.006),
	detail = { helm = 1.5, cuirass = 1.15, middle = 1.5 },
	layers = {
		{ color = v(0.520, 0.290, 0.115), roughness = 0.34, metallic = 0.95 },
		{
			color = v(0.400, 0.205, 0.080), roughness = 0.44,
			where = mask.noise { size = 0.11, seed = 3, octaves = 3, from = -0.1, to = 0.5 },
		},
		{
			color = v(0.640, 0.390, 0.170), roughness = 0.28,
			where = mask.noise { size = 0.05, seed = 12, octaves = 1, from = 0.15, to = 0.6 }:share(0.6),
		},
		{
			color = v(0.860, 0.580, 0.270), roughness = 0.24,
			where = mask.paint("edge"):times(mask.noise { size = 0.035, seed = 7, octaves = 3, from = -0.6, to = 0.2 }),
		},
		{ color = v(0.110, 0.068, 0.036), roughness = 0.6, where = mask.open(0.85, 0.45):share(0.85) },
		-- Verdigris where water collects.
		{
			color = v(0.130, 0.330, 0.270), roughness = 0.85, metallic = 0.1,
			where = mask.open(0.92, 0.5):times(
				mask.noise { size = 0.05, seed = 21, octaves = 3, from = -0.1, to = 0.35 }
			):share(0.9),
		},
		{
			color = v(0.150, 0.360, 0.300), roughness = 0.8, metallic = 0.2,
			where = mask.noise {
				size = v(0.045, 0.16, 0.045), seed = 33, octaves = 3, from = 0.26, to = 0.5,
			}:times(mask.facing(v(0, 1, 0), -0.6, 0.5)):share(0.7),
		},
		-- The meander is engraved and black; the band next to it is bright.
		{ color = v(0.780, 0.500, 0.210), roughness = 0.28, metallic = 0.95, where = mask.paint "belt" },
		{
			color = v(0.050, 0.100, 0.095), roughness = 0.7, metallic = 0.3, height = -0.0012,
			where = mask.near(pattern, 0, 0.0012),
		},
		{ color = v(0.030, 0.026, 0.022), roughness = 0.6, metallic = 0.8, where = mask.paint "inner" },
		{ height = 0.0006, where = mask.noise { size = 0.05, seed = 40, octaves = 1 } },
	},
}

return model {
	name = "robot",
	bones = bones(F.rows),
	parts = {
		part {
			name = "cuirass", cage = trunk.cuirass_cage, field = trunk.cuirass, levels = 1, weights = "chest",
			sheet = "metal",
		},
		part { name = "middle", cage = trunk.plates, levels = 0, mirror = false, weights = S.weights, sheet = "metal" },
		part { name = "helm", cage = trunk.helm, levels = 0, mirror = false, weights = S.weights, sheet = "metal" },
		part { name = "limbs", cage = limbs.plates, levels = 0, weights = S.weights, sheet = "metal" },
		part { name = "middle_joints", cage = trunk.plain, levels = 0, mirror = false, weights = S.weights },
		part { name = "limb_joints", cage = limbs.plain, levels = 0, weights = S.weights },
	},
	sheets = { metal = metal },
	materials = {
		bronze = { sheet = "metal" },
		edge = { sheet = "metal" },
		belt = { sheet = "metal" },
		inner = { sheet = "metal" },
		dark = { color = v(0.060, 0.052, 0.046), roughness = 0.42, metallic = 0.9 },
		metal = { color = v(0.480, 0.270, 0.110), roughness = 0.36, metallic = 0.95 },
		gold = { color = v(0.830, 0.550, 0.220), roughness = 0.3, metallic = 0.9 },
		glow = { color = v(0.100, 0.300, 0.280), roughness = 0.25, emissive = v(0.20, 1.0, 0.86) },
		crest = { color = v(0.030, 0.180, 0.200), roughness = 0.85, kind = "cloth" },
		crest_dark = { color = v(0.020, 0.110, 0.125), roughness = 0.85, kind = "cloth" },
	},
}
