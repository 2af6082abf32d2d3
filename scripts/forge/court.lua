-- The courtyard of the show: a terrace with a plinth and columns, a garden, and a wall with an opening for the gate
-- (court_gate.lua). All of it has colliders; the material names define the surface types. Plants without colliders are
-- in court_green.lua; the distant hills are in court_hills.lua.
--
--   galatea forge scripts/forge/court.lua -o assets/court.glb

local temple = require "./court/temple"
local garden = require "./court/garden"
local v = vector.create

-- All points stay where they are drawn; only the open ground takes its normals from a field.
local up = field.plane(v(0, 1, 0), -3)

local function piece(name, c, options)
	options = options or {}
	return part {
		name = name,
		cage = c,
		field = options.field,
		levels = 0,
		mirror = false,
		weights = "root",
		sheet = options.sheet,
	}
end

-- Veins: a thin line at each zero crossing of the noise.
local function veins(size, seed, width)
	return mask.noise { size = size, seed = seed, octaves = 4, from = -width, to = 0 }
		:times(mask.noise { size = size, seed = seed, octaves = 4, from = 0, to = width }:inverted())
end

-- Stone: weathering, veins and moss in wet areas, painted as factors on the base colour.
local stone = sheet {
	size = 1024,
	detail = { plinth = 3.2, columns = 1.1, floor = 1 },
	layers = {
		{ color = v(0.86, 0.86, 0.86), roughness = 0.9 },
		{ color = v(1, 1, 1), where = mask.noise { size = 0.9, seed = 3, octaves = 4, from = -0.2, to = 0.5 } },
		{
			color = v(0.66, 0.62, 0.56),
			where = mask.noise { size = 1.4, seed = 11, octaves = 5, from = 0.05, to = 0.6 }:share(0.7),
		},
		{ color = v(0.5, 0.5, 0.53), where = veins(v(0.9, 1.8, 0.9), 21, 0.035):share(0.55) },
		{ color = v(0.6, 0.55, 0.5), where = veins(v(0.5, 0.9, 0.5), 35, 0.025):share(0.4) },
		{
			color = v(0.45, 0.4, 0.33),
			where = mask.near(field.plane(v(0, 1, 0), 0.02), 0, 0.25)
				:times(mask.noise { size = 0.3, octaves = 4 })
				:times(mask.facing(v(0, 1, 0), 0.2, 0.6):inverted())
				:share(0.8),
		},
		{
			color = v(0.3, 0.36, 0.16),
			roughness = 1,
			where = mask.noise { size = 0.7, seed = 8, octaves = 5, from = 0.22, to = 0.5 }
				:times(mask.near(field.plane(v(0, 1, 0), 0.01), 0.2, 1.2))
				:share(0.75),
		},
	},
}

local path, ditch = garden.path(), garden.ditch()
local land = sheet {
	size = 1024,
	layers = {
		{ color = v(0.11, 0.15, 0.045), roughness = 1 },
		{ color = v(0.19, 0.2, 0.07), where = mask.noise { size = 1.6, seed = 5, octaves = 5, from = -0.1, to = 0.6 } },
		{ color = v(0.07, 0.11, 0.03), where = mask.noise { size = 0.5, seed = 9, octaves = 3, from = 0, to = 0.6 } },
		{
			color = v(0.14, 0.1, 0.06),
			where = mask.near(ditch, 0, 0.5):times(mask.noise { size = 0.4, octaves = 4, from = -0.6, to = 0 }),
		},
		{ color = v(0.055, 0.045, 0.035), roughness = 0.5, where = mask.near(ditch, -0.1, 0.12) },
		{
			color = v(0.2, 0.15, 0.09),
			where = mask.near(path, -0.05, 0.4):times(mask.noise {
				size = 0.5,
				seed = 2,
				octaves = 4,
				from = -0.4,
				to = 0.1,
			}),
		},
		{
			color = v(0.38, 0.33, 0.26),
			where = mask.near(path, -0.1, 0.2):times(mask.noise {
				size = 0.6,
				seed = 6,
				octaves = 4,
				from = -0.7,
				to = -0.1,
			}),
		},
		{
			color = v(0.5, 0.45, 0.37),
			where = mask.near(path, -0.15, 0.15):times(mask.spots { size = 0.09, from = 0.15, to = 0.42 }):share(0.8),
		},
		{
			color = v(0.24, 0.2, 0.15),
			where = mask.near(path, -0.15, 0.15)
				:times(mask.spots { size = 0.12, seed = 4, from = 0.1, to = 0.35 })
				:share(0.7),
		},
	},
}

return model {
	name = "court",
	parts = {
		piece("floor", temple.floor(), { field = up, sheet = "stone" }),
		piece("steps", temple.steps()),
		piece("plinth", temple.plinth(), { sheet = "stone" }),
		piece("columns", temple.columns(), { sheet = "stone" }),
		piece("beams", temple.beams()),
		piece("fallen", temple.fallen()),
		piece("jars", temple.jars()),
		piece("land", garden.land(), { field = up, sheet = "land" }),
		piece("boards", garden.boards()),
		piece("wall", garden.wall()),
	},
	sheets = { stone = stone, land = land },
	materials = {
		-- Painted materials: their colours are factors on the texture sheet.
		slab = { color = v(0.56, 0.51, 0.44), roughness = 0.85, sheet = "stone" },
		slab_warm = { color = v(0.6, 0.52, 0.4), roughness = 0.85, sheet = "stone" },
		slab_dark = { color = v(0.45, 0.41, 0.36), roughness = 0.9, sheet = "stone" },
		marble = { color = v(0.78, 0.75, 0.7), roughness = 0.5, sheet = "stone" },
		marble_warm = { color = v(0.74, 0.67, 0.56), roughness = 0.55, sheet = "stone" },
		grass = { sheet = "land", roughness = 1 },
		gravel = { sheet = "land", roughness = 1 },
		earth = { sheet = "land", roughness = 1 },
		-- Plain materials.
		block = { color = v(0.47, 0.43, 0.37), roughness = 0.8 },
		block_warm = { color = v(0.52, 0.45, 0.35), roughness = 0.8 },
		block_dark = { color = v(0.35, 0.32, 0.28), roughness = 0.85 },
		block_white = { color = v(0.66, 0.62, 0.56), roughness = 0.55 },
		drum = { color = v(0.62, 0.57, 0.49), roughness = 0.6 },
		soil = { color = v(0.09, 0.075, 0.05), roughness = 1 },
		clay = { color = v(0.42, 0.17, 0.08), roughness = 0.7 },
		board = { color = v(0.26, 0.17, 0.09), roughness = 0.8 },
		board_dark = { color = v(0.18, 0.115, 0.06), roughness = 0.85 },
	},
}
