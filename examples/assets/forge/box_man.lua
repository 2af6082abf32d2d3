-- A man of boxes: one bone and one box for each limb of a ragdoll, with the proportions of a man of 1.8 m.
--
--   galatea forge examples/assets/forge/box_man.lua -o examples/assets/box_man.glb

local v = vector.create

local rows = {
	{ "root", false, v(0, 0, 0) },
	{ "hips", "root", v(0, 0.94, 0) },
	{ "chest", "hips", v(0, 1.14, 0) },
	{ "head", "chest", v(0, 1.5, 0) },
	{ "left_upper_arm", "chest", v(0.22, 1.42, 0) },
	{ "left_lower_arm", "left_upper_arm", v(0.52, 1.42, 0) },
	{ "left_hand", "left_lower_arm", v(0.79, 1.42, 0) },
	{ "left_upper_leg", "hips", v(0.1, 0.9, 0) },
	{ "left_lower_leg", "left_upper_leg", v(0.1, 0.48, 0.006) },
	{ "left_foot", "left_lower_leg", v(0.1, 0.08, -0.004) },
}

-- Centres and half extents of the boxes.
local BOXES = {
	{ "hips", v(0, 0.99, 0), v(0.15, 0.1, 0.085), "cloth" },
	{ "chest", v(0, 1.3, 0), v(0.17, 0.17, 0.1), "shirt" },
	{ "head", v(0, 1.65, 0.01), v(0.08, 0.12, 0.1), "skin" },
	{ "left_upper_arm", v(0.36, 1.42, 0), v(0.15, 0.06, 0.06), "shirt" },
	{ "left_lower_arm", v(0.655, 1.42, 0), v(0.13, 0.05, 0.05), "skin" },
	{ "left_hand", v(0.88, 1.42, 0), v(0.085, 0.025, 0.05), "skin" },
	{ "left_upper_leg", v(0.1, 0.69, 0), v(0.08, 0.2, 0.08), "cloth" },
	{ "left_lower_leg", v(0.1, 0.28, 0), v(0.06, 0.19, 0.065), "cloth" },
	{ "left_foot", v(0.1, 0.04, 0.06), v(0.05, 0.04, 0.13), "boot" },
}

for _, row in rows do
	if row[1] ~= "root" then
		row.extras = { ragdoll = { shape = "box" } }
	end
end

local parts = {}
local function box(bone, middle, half, paint)
	local c = cage()
	c:paint(paint)
	c:contour(field.slab(middle, half, 0.012), 0.02)
	table.insert(parts, part { name = bone, cage = c, levels = 0, mirror = false, weights = bone, keep = 0.5 })
end
for _, one in BOXES do
	local bone, middle, half, paint = one[1], one[2], one[3], one[4]
	box(bone, middle, half, paint)
	if bone:find "^left_" then
		box((bone:gsub("left", "right")), middle * v(-1, 1, 1), half, paint)
	end
end

return model {
	name = "box_man",
	bones = bones(rows),
	parts = parts,
	materials = {
		skin = { color = v(0.62, 0.36, 0.24), roughness = 0.6 },
		shirt = { color = v(0.03, 0.14, 0.26), roughness = 0.65 },
		cloth = { color = v(0.09, 0.08, 0.07), roughness = 0.7 },
		boot = { color = v(0.15, 0.07, 0.03), roughness = 0.5 },
	},
}
