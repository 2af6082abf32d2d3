-- Twenty boxes in a row, each with its own bone: a chain to show ragdoll joints. The first box is fixed.
--
--   galatea forge examples/assets/forge/chain.lua -o examples/assets/chain.glb

local LINKS, LENGTH = 20, 0.2

local rows = { { "root", false, vector.zero } }
local cages = {}
for i = 1, LINKS do
	local x = (i - 1) * LENGTH
	table.insert(rows, {
		`link_{i}`, if i == 1 then "root" else `link_{i - 1}`, vec(x, 0, 0),
		extras = { ragdoll = { shape = "box", size = { LENGTH * 0.84, 0.1, 0.1 }, mass = 1.5 } },
	})
	local c = cage()
	c:paint(if i % 2 == 1 then "blue" else "gold")
	c:contour(field.slab(vec(x + LENGTH / 2, 0, 0), vec(LENGTH * 0.42, 0.05, 0.05), 0.008), 0.02)
	-- Visible joints: a pin between two boxes.
	c:paint "pin"
	c:contour(field.ball(vec(x, 0, 0), 0.032), 0.016)
	cages[i] = part { name = `link_{i}`, cage = c, levels = 0, mirror = false, weights = `link_{i}`, keep = 0.5 }
end
table.insert(rows, { "end", `link_{LINKS}`, vec(LINKS * LENGTH, 0, 0) })

return model {
	name = "chain",
	bones = bones(rows),
	parts = cages,
	materials = {
		blue = { color = vec(0.03, 0.14, 0.26), roughness = 0.45 },
		gold = { color = vec(0.62, 0.36, 0.06), roughness = 0.45 },
		pin = { color = vec(0.25, 0.25, 0.26), roughness = 0.35, metallic = 0.9 },
	},
}
