-- A two-handed rifle while she runs: the right hand holds it at the chest, the chest aims, and the left hand
-- stays on the fore-end, whatever the clip does with the arms. The target is the pointer while the left button is
-- held, otherwise a moving ball.
--
--   galatea play scripts/examples/rifle.lua

ground.set { height = 0, surface = "gravel", grid = 1, color = vec(0.24, 0.23, 0.21) }
light.sun { yaw = 40, pitch = 40 }

local hero = character "assets/galatea.glb"
local STEEL, WALNUT = vec(0.07, 0.075, 0.085), vec(0.2, 0.09, 0.04)

-- The rifle, modelled around its grip; it points along +z.
local function part(size, at, color, metallic, pitch)
	local one = physics.box { size = size, collider = false, color = color, metallic = metallic, roughness = 0.42 }
	return { one, at, pitch or 0 }
end
local rifle = part(vec(0.034, 0.06, 0.34), vector.zero, STEEL, 0.8)[1]
for _, piece in {
	part(vec(0.036, 0.075, 0.24), vec(0, -0.035, -0.28), WALNUT, 0, -8),
	part(vec(0.04, 0.045, 0.26), vec(0, -0.01, 0.28), WALNUT, 0),
	part(vec(0.016, 0.016, 0.34), vec(0, 0.012, 0.5), STEEL, 0.9),
	part(vec(0.026, 0.1, 0.04), vec(0, -0.075, -0.12), WALNUT, 0, 18),
	part(vec(0.024, 0.14, 0.055), vec(0, -0.09, 0.06), STEEL, 0.7, -10),
	part(vec(0.012, 0.03, 0.012), vec(0, 0.034, 0.64), STEEL, 0.8),
	part(vec(0.03, 0.012, 0.12), vec(0, 0.036, -0.03), STEEL, 0.8),
} do
	rifle:attach(piece[1], "box", { offset = piece[2], pitch = piece[3] })
end

-- In the rest pose the palm faces inwards. Pitched forward the hand takes the grip; rolled over it supports the fore-end.
local GRIP = vec(-0.13, 0.1, 0.1)
hero:attach(rifle, "right_hand", { offset = vec(0.02, -0.174, 0.107), pitch = 80 })
hero:reach("right_hand", hero, { target_bone = "chest", target_offset = GRIP, match_rotation = true, pitch = -80, pole = vec(-1, -1.2, 0), fade = 0 })
hero:reach("left_hand", rifle, { target_offset = vec(0.045, -0.022, 0.13), match_rotation = true, yaw = 50, roll = -90, pole = vec(0.6, -1, 0.2), grip = 0.65, fade = 0 })
hero:grip("right_hand", 0.8, { fade = 0 })
hero:foot_ik()

local ball = physics.sphere { radius = 0.09, body_type = "kinematic", color = vec(0.7, 0.1, 0.05), position = vec(0, 1.5, 5) }
-- The rifle is attached to the chest, so the line to aim is given in the chest's space.
hero:aim_at(ball, { bones = { spine = 0.4, chest = 0.6 }, aim_offset = GRIP + vec(0.02, 0.087, 0.69), aim_axis = vec(0, 0, 1), fade = 0 })
hero:look_at(ball, { chest_weight = 0, out_of_range = "clamp" })
hero:play("run", { mode = "loop", fade = 0 })

local clock = 0
function update(dt)
	clock += dt
	if input.down "mouse_left" then
		local ray = camera.ray()
		ball.position = ray.from + ray.direction * 6
	else
		ball.position = vec(1.6 * math.sin(0.8 * clock), 1.35 + 0.5 * math.sin(1.3 * clock), 4)
	end
end

camera.orbit { target = vec(0, 0.98, 0.2), distance = 3.1, yaw = -48, pitch = 3, fov = 34 }
