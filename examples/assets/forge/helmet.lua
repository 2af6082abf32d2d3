-- A steel helmet with a brim and a chin strap. The origin is the centre of the head.
--
--   galatea forge examples/assets/forge/helmet.lua -o examples/assets/helmet.glb

-- Lower at the back than over the eyes.
local below = field.plane(vec(0, 1, -0.28), -0.005)
local inner = field.ellipsoid(vec(0, 0, -0.004), vec(0.096, 0.122, 0.116))
local bowl = inner:grow(0.009):cut(below, 0.002)
local brim = inner:grow(0.03):meet(field.plane(vec(0, 1, -0.28), 0.006)):meet(field.plane(vec(0, -1, 0.28), 0.003))
local shell = bowl:join(brim, 0.008):cut(inner)

local function side(x)
	return field.path({ vec(x * 0.097, 0.0, 0.0), vec(x * 0.086, -0.08, 0.018), vec(x * 0.045, -0.128, 0.04), vec(0, -0.137, 0.048) }, { 0.005, 0.005, 0.005, 0.005 })
end

local function solid(name, paint, sculpture, cell)
	local c = cage()
	c:paint(paint)
	c:contour(sculpture, cell)
	return part { name = name, cage = c, levels = 0, mirror = false, weights = "root", keep = 0.35 }
end

return model {
	name = "helmet",
	bones = bones { { "root", false, vector.zero } },
	parts = { solid("shell", "steel", shell, 0.005), solid("strap", "strap", side(1):join(side(-1)), 0.006) },
	materials = {
		steel = { color = vec(0.075, 0.09, 0.05), roughness = 0.5, metallic = 0.1 },
		strap = { color = vec(0.09, 0.05, 0.025), roughness = 0.8 },
	},
}
