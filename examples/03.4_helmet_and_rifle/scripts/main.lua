-- 3.4 Helmet and rifle: static meshes attached to bones of a skinned soldier. They are not skinned: they use the
-- transform of their bone and follow it.
--
--   space     he walks
--   h         the neck turns, and the helmet follows
--   m         exercise: shows the skeleton, and the bones with attached meshes
--   d         the helmet comes off and falls; press again to put it back on

light.rig("overcast", { position = vec(0, 0.95, 0) })
light.sun { yaw = -50, pitch = 40, intensity = 2.2 }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.05 }
ground.set { color = vec(0.25, 0.22, 0.17), grid = 0, color_variation = 0.6, surface = "gravel" }
camera.orbit { target = vec(0, 0.94, 0), distance = 4.5, yaw = 28, pitch = 5, fov = 28 }

local soldier = character "assets/man.glb"
for _, part in { "hair", "hair_cap" } do
	soldier:show_part(part, false)
end
soldier:material("cloth").tint = vec(0.3, 1.1, 0.5)

local helmet = character "assets/helmet.glb"
local function put_on()
	helmet:collider(false)
	soldier:attach(helmet, "head", { offset = vec(0, 0.115, 0.022) })
end
put_on()

-- The right hand holds the rifle at the chest; IK keeps the left hand on its fore-end, whatever clip plays.
local rifle = character "assets/rifle.glb"
soldier:attach(rifle, "right_hand", { offset = vec(0.02, -0.174, 0.107), pitch = 80 })
soldier:reach("right_hand", soldier, { target_bone = "chest", target_offset = vec(-0.14, 0.02, 0.16), match_rotation = true, pitch = -95, yaw = 40, pole = vec(-1, -1.2, 0), fade = 0 })
soldier:reach("left_hand", rifle, { target_offset = vec(0.045, -0.022, 0.2), match_rotation = true, yaw = 50, roll = -90, pole = vec(0.6, -1, 0.2), fade = 0 })
soldier:grip("right_hand", 0.8, { fade = 0 })
soldier:grip("left_hand", 0.7, { fade = 0 })

local labels = {
	ui.text("head: helmet", { character = soldier, bone = "head", offset = vec(0, 0.34, 0), size = 22, color = vec(0.2, 1, 0.3), outline = 2, visible = false }),
	ui.text("right_hand: rifle", { character = soldier, bone = "right_hand", offset = vec(-0.5, 0.05, 0.1), size = 22, color = vec(0.2, 1, 0.3), outline = 2, visible = false }),
}

local turn, bones, off, walk = false, false, false, nil
soldier:add_modifier("turn the head", function(pose)
	if turn then
		pose:rotate("neck", vec(0, 1, 0), 45 * math.sin(now() * 1.8))
	end
end)

ui.text("3.4  Helmet and rifle", { position = vec(28, 20, 0), size = 30, outline = 2 })
ui.text("space: walk    h: head turns    m: bones with a mesh    d: helmet off", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

function update(_dt)
	if input.pressed "space" then
		if walk then
			walk:stop(0.3)
		end
		walk = if walk then nil else soldier:play("walk", { mode = "loop", fade = 0.3 })
	elseif input.pressed "h" then
		turn = not turn
	elseif input.pressed "m" then
		bones = not bones
		debug_view(if bones then "skeleton" else nil, { legend = false })
		for _, label in labels do
			label.visible = bones
		end
	elseif input.pressed "d" then
		off = not off
		if off then
			helmet:detach()
			helmet:collider { mass = 1.3, surface = "metal" }
			helmet.velocity = vec(0.6, 1.6, 1.1)
		else
			put_on()
		end
	end
end

return { soldier = soldier, helmet = helmet, rifle = rifle }
