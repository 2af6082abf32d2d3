-- A marble sundial with a bronze gnomon, sculpted as one field without drawn edges. A hard object that does not bend
-- gets its mesh from the field (`contour`), and its chips and veins from the texture sheet.
--
--   galatea forge scripts/forge/sundial.lua -o sundial.glb

local v = vector.create
local up = v(0, 1, 0)

-- A post between two heights, flat at both ends.
local function post(from, to, radius, top)
	local round = field.cone(v(0, from - 0.2, 0), v(0, to + 0.2, 0), radius, top or radius)
	return round:meet(field.plane(up, to)):meet(field.plane(-up, -from))
end

local stone = field.slab(v(0, 0.05, 0), v(0.26, 0.05, 0.26))
	:join(field.slab(v(0, 0.125, 0), v(0.20, 0.025, 0.20)))
	:join(post(0.15, 0.84, 0.130, 0.110))
	:join(field.torus(v(0, 0.165, 0), up, 0.135, 0.022))
	:join(field.slab(v(0, 0.865, 0), v(0.19, 0.025, 0.19)))
	:join(post(0.89, 0.92, 0.235))
-- Flutes around the post, and one line per hour on the dial.
for i = 1, 16 do
	local a = i / 16 * 2 * math.pi
	local out = v(math.sin(a), 0, math.cos(a))
	stone = stone:cut(field.path({ out * 0.140 + up * 0.22, out * 0.123 + up * 0.80 }, { 0.022, 0.020 }))
end
for hour = 6, 18 do
	local line = field.slab(v(0, 0, 0.160), v(0.0035, 0.006, 0.055))
	stone = stone:cut(line:place(v(0, 0.92, 0), v(0, (hour - 12) * 15, 0)))
end

-- The gnomon is tilted by the height of the pole star over Athens: 38 degrees.
local LEAN = math.rad(38)
local hand = field.slab(v(0, 0.99, 0.02), v(0.006, 0.08, 0.14))
	:meet(field.plane(v(0, math.cos(LEAN), math.sin(LEAN)), 0.92 * math.cos(LEAN) + 0.14 * math.sin(LEAN)))
	:cut(field.slab(v(0, 0.945, -0.03), v(0.02, 0.022, 0.05)))

local function solid(name, paint, sculpture, cell)
	local c = cage()
	c:paint(paint)
	c:contour(sculpture, cell)
	return part { name = name, cage = c, levels = 0, mirror = false, weights = "root", sheet = "weathered", keep = 0.35 }
end

return model {
	name = "sundial",
	bones = bones { { "root", false, vector.zero } },
	parts = { solid("stone", "marble", stone, 0.014), solid("hand", "bronze", hand, 0.008) },
	sheets = {
		weathered = sheet {
			size = 1024,
			sculpt = stone:rough(0.0012, vector.one * 0.05):join(hand),
			shade = stone,
			layers = {
				{ color = v(0.72, 0.69, 0.64), roughness = 0.55 },
				{ color = v(0.52, 0.47, 0.40), where = mask.noise { size = v(0.07, 0.2, 0.07), octaves = 5, from = 0.12, to = 0.4 }:share(0.5) },
				{ color = v(0.30, 0.27, 0.21), roughness = 0.8, where = mask.open(0.85, 0.4):share(0.8) },
				{ color = v(0.60, 0.34, 0.15), roughness = 0.35, metallic = 1, where = mask.paint "bronze" },
			},
		},
	},
	materials = {
		marble = { sheet = "weathered" },
		bronze = { sheet = "weathered" },
	},
}
