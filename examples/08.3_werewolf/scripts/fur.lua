-- Fur for a limb: guide hairs that point outwards and down. Rays around the line between two bones find the skin.
-- Returns options for `hero:hair`. Measure a copy of the character in the rest pose; the wearer may be in any pose.

local FUR = vec(0.05, 0.034, 0.024)

return function(twin, bone, to, long)
	local from, way = twin:bone_position(bone), twin:bone_position(to) - twin:bone_position(bone)
	local axis = vector.normalize(way)
	local side = vector.normalize(vector.cross(axis, vec(0.2, 0.1, 1)))
	local front = vector.cross(axis, side)
	local guides = {}
	for row = 0, 7 do
		for column = 1, 10 do
			local angle = (column + 0.5 * (row % 2)) / 10 * 2 * math.pi
			local middle = from + way * (row / 7)
			local hit = twin:raycast(middle + (side * math.cos(angle) + front * math.sin(angle)) * 0.3, middle)
			if hit and (hit.part == "body" or hit.part == "head_mesh") then
				local lies = vector.normalize(hit.normal * 0.55 + axis * (if bone == "neck" then -0.5 else 0.6))
				local root = hit.position - twin.position
				table.insert(guides, { root, root + lies * long * 0.5, root + lies * long - vec(0, 0.25 * long, 0) })
			end
		end
	end
	-- Given in the character's space in the rest pose, so that the fur fits in any later pose.
	return {
		guides = guides, in_rest_space = true, bone = bone, strands = 60 * #guides, points = 5, width = 0.0026, tip_width = 0.1,
		color = FUR * 1.5, root_color = FUR, brightness_variation = 0.4, frizz = 0.008, clump = 0.35,
		stiffness = 0.9, rest_stiffness = 0.6, collide_with = false, name = `fur {bone}`,
	}
end
