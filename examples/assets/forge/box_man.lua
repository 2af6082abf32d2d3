-- A man of boxes: one bone and one box for each limb of a ragdoll, with the proportions of a man of 1.8 m.
--
--   galatea forge examples/assets/forge/box_man.lua -o examples/assets/box_man.glb

local rows = {
	{ "root", false, vec(0, 0, 0) },
	{ "hips", "root", vec(0, 0.94, 0) },
	{ "chest", "hips", vec(0, 1.14, 0) },
	{ "head", "chest", vec(0, 1.5, 0) },
	{ "left_upper_arm", "chest", vec(0.22, 1.42, 0) },
	{ "left_lower_arm", "left_upper_arm", vec(0.52, 1.42, 0) },
	{ "left_hand", "left_lower_arm", vec(0.79, 1.42, 0) },
	{ "left_upper_leg", "hips", vec(0.1, 0.9, 0) },
	{ "left_lower_leg", "left_upper_leg", vec(0.1, 0.48, 0.006) },
	{ "left_foot", "left_lower_leg", vec(0.1, 0.08, -0.004) },
}

-- Centres and half extents of the boxes.
local BOXES = {
	{ "hips", vec(0, 0.99, 0), vec(0.15, 0.1, 0.085), "cloth" },
	{ "chest", vec(0, 1.3, 0), vec(0.17, 0.17, 0.1), "shirt" },
	{ "head", vec(0, 1.65, 0.01), vec(0.08, 0.12, 0.1), "skin" },
	{ "left_upper_arm", vec(0.36, 1.42, 0), vec(0.15, 0.06, 0.06), "shirt" },
	{ "left_lower_arm", vec(0.655, 1.42, 0), vec(0.13, 0.05, 0.05), "skin" },
	{ "left_hand", vec(0.88, 1.42, 0), vec(0.085, 0.025, 0.05), "skin" },
	{ "left_upper_leg", vec(0.1, 0.69, 0), vec(0.08, 0.2, 0.08), "cloth" },
	{ "left_lower_leg", vec(0.1, 0.28, 0), vec(0.06, 0.19, 0.065), "cloth" },
	{ "left_foot", vec(0.1, 0.04, 0.06), vec(0.05, 0.04, 0.13), "boot" },
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
		box((bone:gsub("left", "right")), middle * vec(-1, 1, 1), half, paint)
	end
end

return model {
	name = "box_man",
	bones = bones(rows),
	parts = parts,
	materials = {
		skin = { color = vec(0.62, 0.36, 0.24), roughness = 0.6 },
		shirt = { color = vec(0.03, 0.14, 0.26), roughness = 0.65 },
		cloth = { color = vec(0.09, 0.08, 0.07), roughness = 0.7 },
		boot = { color = vec(0.15, 0.07, 0.03), roughness = 0.5 },
	},
}
