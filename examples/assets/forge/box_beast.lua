-- A beast of boxes on six legs: a ragdoll that is not a biped.
--
--   galatea forge examples/assets/forge/box_beast.lua -o examples/assets/box_beast.glb

local rows = { { "root", false, vector.zero }, { "body_1", "root", vec(0, 0.6, 0) } }
local boxes = { { "body_1", vec(0, 0.6, 0.0), vec(0.15, 0.12, 0.17), "hide" } }
local function bone(name, parent, at, wish)
	table.insert(rows, { name, parent, at, extras = wish and { ragdoll = wish } })
end
bone("body_2", "body_1", vec(0, 0.6, -0.19), { swing = 25, twist = 15, from_rest = true })
bone("body_3", "body_2", vec(0, 0.6, -0.55), { swing = 25, twist = 15, from_rest = true })
bone("skull", "body_1", vec(0, 0.66, 0.19), { swing = 40, twist = 30, from_rest = true })
table.insert(boxes, { "body_2", vec(0, 0.6, -0.37), vec(0.13, 0.11, 0.15), "hide" })
table.insert(boxes, { "body_3", vec(0, 0.6, -0.72), vec(0.11, 0.1, 0.14), "hide" })
table.insert(boxes, { "skull", vec(0, 0.69, 0.34), vec(0.1, 0.09, 0.13), "horn" })
for i, z in { 0.05, -0.37, -0.72 } do
	for _, side in { 1, -1 } do
		local name = (if side == 1 then "l" else "r") .. i
		bone(`thigh_{name}`, `body_{i}`, vec(0.17 * side, 0.6, z), { swing = 45, twist = 10, from_rest = true })
		bone(`shin_{name}`, `thigh_{name}`, vec(0.47 * side, 0.6, z), { joint = "hinge", axis = { 0, 0, -side }, range = { -20, 80 }, from_rest = true })
		table.insert(boxes, { `thigh_{name}`, vec(0.325 * side, 0.6, z), vec(0.135, 0.05, 0.05), "shell" })
		table.insert(boxes, { `shin_{name}`, vec(0.5 * side, 0.33, z), vec(0.045, 0.26, 0.045), "horn" })
	end
end

local parts = {}
for _, one in boxes do
	local c = cage()
	c:paint(one[4])
	c:contour(field.slab(one[2], one[3], 0.012), 0.02)
	table.insert(parts, part { name = one[1], cage = c, levels = 0, mirror = false, weights = one[1], keep = 0.5 })
end

return model {
	name = "box_beast",
	bones = bones(rows),
	parts = parts,
	materials = {
		hide = { color = vec(0.2, 0.05, 0.035), roughness = 0.6 },
		shell = { color = vec(0.45, 0.2, 0.05), roughness = 0.5 },
		horn = { color = vec(0.12, 0.09, 0.07), roughness = 0.5 },
	},
}
