-- A rifle of boxes. The right hand holds it in front of the chest. IK keeps the left hand on its fore-end,
-- whatever the clips and the other arm do.

local STEEL, WALNUT = vec(0.07, 0.075, 0.085), vec(0.2, 0.09, 0.04)
local GRIP = vec(-0.13, 0.1, 0.1) -- in chest space

local body = physics.box { position = vec(0, -5, 0), size = vec(0.034, 0.06, 0.34), collider = false, color = STEEL, metallic = 0.8, roughness = 0.42 }
for _, piece in {
	{ vec(0.036, 0.075, 0.24), vec(0, -0.035, -0.28), WALNUT, -8 },
	{ vec(0.04, 0.045, 0.26), vec(0, -0.01, 0.28), WALNUT, 0 },
	{ vec(0.016, 0.016, 0.34), vec(0, 0.012, 0.5), STEEL, 0 },
	{ vec(0.026, 0.1, 0.04), vec(0, -0.075, -0.12), WALNUT, 18 },
	{ vec(0.024, 0.14, 0.055), vec(0, -0.09, 0.06), STEEL, -10 },
} do
	local one = physics.box { size = piece[1], collider = false, color = piece[3], roughness = 0.42, metallic = if piece[3] == STEEL then 0.8 else 0 }
	body:attach(one, "box", { offset = piece[2], pitch = piece[4] })
end

local rifle = { body = body, fore_end = vec(0.045, -0.022, 0.13) }

function rifle.hold(who, is_held)
	if not is_held then
		who:reach "right_hand"
		who:reach "left_hand"
		who:grip "right_hand"
		body:detach()
		body.position = vec(0, -5, 0)
		return
	end
	who:attach(body, "right_hand", { offset = vec(0.02, -0.174, 0.107), pitch = 80 })
	who:reach("right_hand", who, { target_bone = "chest", target_offset = GRIP, match_rotation = true, pitch = -80, pole = vec(-1, -1.2, 0) })
	who:reach("left_hand", body, { target_offset = rifle.fore_end, match_rotation = true, yaw = 50, roll = -90, pole = vec(0.6, -1, 0.2), grip = 0.65 })
	who:grip("right_hand", 0.8)
end

-- The rifle follows the chest: its line in chest space is used for aiming.
function rifle.aim(who, target)
	if target or who:modifier "aim_at" then
		who:aim_at(target, { bones = { spine = 0.4, chest = 0.6 }, aim_offset = GRIP + vec(0.02, 0.087, 0.69), aim_axis = vec(0, 0, 1) })
	end
end

return rifle
