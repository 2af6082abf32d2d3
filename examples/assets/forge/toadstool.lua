-- A toadstool with morph targets that lean and inflate it: animation without bones.
--
--   galatea forge examples/assets/forge/toadstool.lua -o examples/assets/toadstool.glb

local AROUND = 24

-- The profile from the base to the top: radius, height, colour.
local OUTLINE = {
	{ 0.1, 0, "stalk" }, { 0.085, 0.06, "stalk" }, { 0.06, 0.2, "stalk" }, { 0.052, 0.36, "stalk" }, { 0.056, 0.47, "stalk" },
	{ 0.16, 0.465, "gills" }, { 0.27, 0.44, "gills" }, { 0.3, 0.46, "cap" }, { 0.28, 0.53, "cap" }, { 0.22, 0.6, "cap" },
	{ 0.14, 0.645, "cap" }, { 0.06, 0.665, "cap" },
}

local c = cage()
local lean_x, lean_z, swell = {}, {}, {}
local function point(at)
	local p = c:point(at, 1)
	-- The lean grows with height, and the cap swells where it is wide.
	local up = (at.y / 0.66) ^ 1.6
	lean_x[p], lean_z[p] = vec(0.22 * up, -0.05 * up * up, 0), vec(0, -0.05 * up * up, 0.22 * up)
	swell[p] = vec(at.x, 0.25 * math.max(0, at.y - 0.4), at.z) * (if at.y > 0.42 then 0.35 else 0.12)
	return p
end
local rows = {}
for i, one in OUTLINE do
	rows[i] = {}
	for k = 1, AROUND do
		local a = k / AROUND * 2 * math.pi
		rows[i][k] = point(vec(math.sin(a) * one[1], one[2], math.cos(a) * one[1]))
	end
	if i > 1 then
		c:paint(one[3])
		c:bridge(rows[i - 1], rows[i])
	end
end
local top = point(vec(0, 0.668, 0))
for k = 1, AROUND, 2 do
	c:quad(top, rows[#rows][k], rows[#rows][k + 1], rows[#rows][(k + 1) % AROUND + 1])
end

-- White spots on the cap move with it.
local warts = cage()
warts:paint "wart"
local wart = { {}, {}, {} }
for i, one in { { 0, 0.66 }, { 0.16, 0.63, 20 }, { 0.17, 0.625, 100 }, { 0.15, 0.64, 190 }, { 0.17, 0.625, 270 }, { 0.25, 0.56, 60 }, { 0.255, 0.55, 145 }, { 0.25, 0.56, 230 }, { 0.25, 0.56, 330 } } do
	local a = math.rad(one[3] or 0)
	local middle = vec(math.sin(a) * one[1], one[2], math.cos(a) * one[1])
	for _, p in warts:contour(field.ellipsoid(middle, vec(0.03, 0.016, 0.03)), 0.012) do
		local at = warts:get(p)
		local up = (middle.y / 0.66) ^ 1.6
		wart[1][p], wart[2][p] = vec(0.22 * up, -0.05 * up * up, 0), vec(0, -0.05 * up * up, 0.22 * up)
		wart[3][p] = vec(middle.x, 0.25 * (middle.y - 0.4), middle.z) * 0.35 + (at - middle) * 0.2
	end
end

local function morphs(a, b, s)
	return { { name = "lean_x", offsets = a }, { name = "lean_z", offsets = b }, { name = "swell", offsets = s } }
end

return model {
	name = "toadstool",
	bones = bones { { "root", false, vector.zero } },
	parts = {
		part { name = "body", cage = c, levels = 1, mirror = false, weights = "root", morphs = morphs(lean_x, lean_z, swell) },
		part { name = "warts", cage = warts, levels = 0, mirror = false, weights = "root", morphs = morphs(wart[1], wart[2], wart[3]) },
	},
	materials = {
		stalk = { color = vec(0.72, 0.68, 0.55), roughness = 0.7 },
		gills = { color = vec(0.6, 0.52, 0.4), roughness = 0.8 },
		cap = { color = vec(0.5, 0.03, 0.015), roughness = 0.35 },
		wart = { color = vec(0.8, 0.76, 0.66), roughness = 0.6 },
	},
}
