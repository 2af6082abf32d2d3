-- Parts that turn a man's head into a wolf's: a muzzle with fangs, a heavy brow and pointed ears. In the rest shape
-- they are hidden inside the skull; the morph target `wolf` moves every point to its final position.
--
--   galatea forge examples/assets/forge/wolf_head.lua -o examples/assets/wolf_head.glb

-- The origin is the centre of the skull.
local snout = field.cone(vec(0, -0.05, 0.05), vec(0, -0.056, 0.185), 0.046, 0.026)
	:join(field.cone(vec(0, 0.02, 0.09), vec(0, -0.03, 0.17), 0.014, 0.012), 0.02)
	:join(field.ellipsoid(vec(0.034, -0.052, 0.085), vec(0.03, 0.028, 0.05)):mirror(), 0.02)
local jaw = field.cone(vec(0, -0.098, 0.035), vec(0, -0.112, 0.155), 0.036, 0.017)
local brow = field.cone(vec(0.008, 0.04, 0.108), vec(0.062, 0.052, 0.078), 0.011, 0.008):mirror()
local ear = field.cone(vec(0.062, 0.075, -0.012), vec(0.088, 0.185, -0.025), 0.034, 0.006)
	:cut(field.cone(vec(0.074, 0.095, 0.022), vec(0.094, 0.175, -0.006), 0.022, 0.006), 0.008)
	:mirror()
local hide = snout:join(jaw, 0.008):join(brow, 0.015):rough(0.0022, vec(0.008, 0.008, 0.03), 3)
local nose = field.ellipsoid(vec(0, -0.035, 0.207), vec(0.02, 0.014, 0.014))
local fangs = field.cone(vec(0.019, -0.062, 0.178), vec(0.019, -0.104, 0.182), 0.0065, 0.0012)
	:join(field.cone(vec(0.016, -0.1, 0.156), vec(0.016, -0.072, 0.16), 0.005, 0.001))
for i = 0, 3 do
	fangs = fangs:join(field.cone(vec(0.024 + i * 0.003, -0.066, 0.158 - i * 0.018), vec(0.024 + i * 0.003, -0.084, 0.158 - i * 0.018), 0.005, 0.001))
end
fangs = fangs:mirror()
local mouth = field.slab(vec(0, -0.083, 0.09), vec(0.022, 0.008, 0.06), 0.006)

local parts = {}
local function grows(name, paint, sculpture, cell, keep)
	local c = cage()
	c:paint(paint)
	local offsets = {}
	for _, point in c:contour(sculpture, cell) do
		local there = c:get(point)
		local within = vec(there.x * 0.5, math.clamp(there.y, -0.07, 0.07) * 0.75, math.clamp(there.z, -0.03, 0.05) * 0.4)
		offsets[point] = there - within
		c:set(point, within)
	end
	table.insert(parts, part { name = name, cage = c, levels = 0, mirror = false, weights = "root", morphs = { { name = "wolf", offsets = offsets } } })
end
grows("hide", "fur", hide, 0.006)
grows("ears", "fur", ear, 0.005)
grows("nose", "nose", nose, 0.004)
grows("fangs", "fang", fangs, 0.0035)
grows("mouth", "mouth", mouth, 0.006)

return model {
	name = "wolf_head",
	bones = bones { { "root", false, vector.zero } },
	parts = parts,
	materials = {
		fur = { color = vec(0.05, 0.034, 0.024), roughness = 0.75 },
		nose = { color = vec(0.012, 0.01, 0.01), roughness = 0.3 },
		fang = { color = vec(0.75, 0.7, 0.58), roughness = 0.3 },
		mouth = { color = vec(0.2, 0.03, 0.03), roughness = 0.4 },
	},
}
