-- Materials of the characters, and their toon variant: two colours with a hard border, and an outline. `materials(look)`
-- returns them with the colours of `look` instead of Galatea's.
local v = vector.create
local T = require "./textures"
local face = require "./face"

local HERS = {
	hair = v(0.235, 0.078, 0.036),
	brow = v(1.0, 0.70, 0.50),
	brow_hairs = { v(0.070, 0.030, 0.019), v(0.19, 0.095, 0.058) },
	lash = v(0.012, 0.008, 0.007),
	iris = { light = v(0.075, 0.34, 0.32), deep = v(0.012, 0.085, 0.10), wreath = v(0.42, 0.30, 0.085) },
	cloth = v(0.830, 0.795, 0.720),
	border = v(0.004, 0.175, 0.195),
	thread = v(0.72, 0.46, 0.15),
	enamel = v(0.004, 0.140, 0.160),
	leather = v(0.130, 0.058, 0.030),
	-- Toon variant: lit and shaded colours.
	toon = {
		skin = { v(0.93, 0.66, 0.52), v(0.66, 0.34, 0.29) },
		brow = { v(0.120, 0.040, 0.024), v(0.070, 0.022, 0.018) },
		hair = { v(0.330, 0.095, 0.042), v(0.140, 0.030, 0.024) },
		cloth = { v(0.88, 0.84, 0.76), v(0.52, 0.48, 0.54) },
		border = { v(0.030, 0.270, 0.300), v(0.012, 0.105, 0.170) },
		leather = { v(0.200, 0.085, 0.045), v(0.085, 0.030, 0.024) },
	},
}
local LINE = 0.0014 -- outline width of the toon variant

local function standard(look)
	return {
		skin = { kind = "skin", sheet = "skin" },
		lips = { kind = "skin", sheet = "skin" },
		boot = { sheet = "skin" },
		eye = { kind = "eye", picture = picture { width = 384, wrap = "clamp", color = face.eye_color(look.iris) }, roughness = 0.08, iris = face.iris },
		mouth = { color = v(0.110, 0.022, 0.020), roughness = 0.35 },
		gums = { color = v(0.420, 0.130, 0.125), roughness = 0.28 },
		tongue = { color = v(0.450, 0.150, 0.140), roughness = 0.36 },
		teeth = { color = v(0.740, 0.700, 0.610), roughness = 0.16 },
		tear = { color = v(0.75, 0.55, 0.50), roughness = 0.06, double_sided = true },
		brow = {
			color = look.brow,
			picture = picture { width = 512, height = 64, wrap = "clamp", color = face.brow_color(look.brow_hairs[1], look.brow_hairs[2]) },
			cutoff = 0.5,
			roughness = 0.75,
			double_sided = true,
		},
		lash = { kind = "hair", color = look.lash, roughness = 0.75, double_sided = true },
		hair = { kind = "hair", color = look.hair, picture = T.hair, double_sided = true },
		cloth = { kind = "cloth", color = look.cloth, roughness = 0.82, picture = T.linen, double_sided = true },
		teal = { kind = "cloth", picture = T.border(look.border, look.thread), double_sided = true },
		gold = { color = v(0.86, 0.56, 0.20), roughness = 0.30, metallic = 1 },
		enamel = { color = look.enamel, roughness = 0.22, clearcoat = 0.6 },
		leather = { color = look.leather, roughness = 0.55 },
	}
end

-- For each material the lit and shaded colours, and true for an outline.
local function cartoon(toon, shawl)
	local function lined(pair)
		return { pair[1], pair[2], LINE }
	end
	return {
		skin = lined(toon.skin),
		lips = { v(0.72, 0.26, 0.22), v(0.45, 0.13, 0.13) },
		boot = lined(toon.leather),
		mouth = { v(0.110, 0.020, 0.022), v(0.060, 0.010, 0.012) },
		gums = { v(0.50, 0.16, 0.15), v(0.30, 0.08, 0.08) },
		tongue = { v(0.58, 0.20, 0.18), v(0.36, 0.10, 0.10) },
		teeth = { v(0.90, 0.88, 0.82), v(0.60, 0.56, 0.58) },
		tear = { v(0.90, 0.80, 0.76), v(0.70, 0.52, 0.50) },
		brow = toon.brow,
		lash = { v(0.012, 0.008, 0.008), v(0.010, 0.006, 0.006) },
		hair = lined(toon.hair),
		cloth = lined(toon.cloth),
		teal = lined(toon.border),
		gold = { v(0.95, 0.64, 0.20), v(0.55, 0.26, 0.08), LINE },
		enamel = lined(toon.border),
		leather = lined(toon.leather),
		shawl = shawl and lined { shawl * 1.1, shawl * 0.5 },
	}
end

local function over(hers, own)
	local both = table.clone(hers)
	for name, value in own do
		both[name] = value
	end
	return both
end

return function(look)
	local all = standard(over(HERS, look))
	if look.shawl then
		all.shawl = { kind = "cloth", color = look.shawl, roughness = 0.85, picture = T.linen, double_sided = true }
	end
	for name, colors in cartoon(over(HERS.toon, look.toon or {}), look.shawl) do
		local of = all[name]
		of.variants = { toon = `toon_{name}` }
		all[`toon_{name}`] = { kind = "toon", color = colors[1], shade = colors[2], outline = colors[3], double_sided = of.double_sided }
	end
	all.eye.variants = { toon = "toon_eye" }
	all.toon_eye = { kind = "toon", shade = v(0.60, 0.56, 0.62), picture = all.eye.picture }
	return all
end
