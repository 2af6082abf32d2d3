-- A rifle of walnut and steel. The origin is the grip; it points along +Z.
--
--   galatea forge examples/assets/forge/rifle.lua -o examples/assets/rifle.glb

local function slab(x, y, z, half, pitch)
	return field.slab(vector.zero, half, 0.004):place(vec(x, y, z), vec(0, pitch or 0, 0))
end
local function rod(y, from, to, radius)
	return field.cone(vec(0, y, from), vec(0, y, to), radius)
end

local wood = slab(0, -0.035, -0.27, vec(0.017, 0.036, 0.125), -8)
	:join(slab(0, -0.06, -0.1, vec(0.014, 0.05, 0.02), 18), 0.02)
	:join(slab(0, -0.008, 0.26, vec(0.02, 0.022, 0.14)), 0.01)
local steel = slab(0, 0.005, 0, vec(0.017, 0.03, 0.17))
	:join(rod(0.014, 0.3, 0.66, 0.009))
	:join(rod(0.014, 0.61, 0.69, 0.014))
	:join(slab(0, 0.037, 0.62, vec(0.004, 0.016, 0.006)))
	:join(slab(0, -0.085, 0.06, vec(0.012, 0.06, 0.026), -10))
	:join(slab(0, 0.046, 0, vec(0.012, 0.007, 0.06)))
	:join(slab(0, -0.03, -0.04, vec(0.004, 0.004, 0.03)))

local function solid(name, paint, sculpture)
	local c = cage()
	c:paint(paint)
	c:contour(sculpture, 0.0065)
	return part { name = name, cage = c, levels = 0, mirror = false, weights = "root", keep = 0.5 }
end

return model {
	name = "rifle",
	bones = bones { { "root", false, vector.zero } },
	parts = { solid("stock", "walnut", wood), solid("barrel", "gunmetal", steel) },
	materials = {
		walnut = { color = vec(0.17, 0.075, 0.03), roughness = 0.45 },
		gunmetal = { color = vec(0.05, 0.053, 0.06), roughness = 0.38, metallic = 0.8 },
	},
}
