-- Jiggle bones: bones that lag behind the animation and swing on a spring. Left: the plain animation. Right:
-- the same with springs: the trunk bounces, the head nods after every step, the arms wobble. The model file
-- needs no extra data.
--
--   galatea play scripts/examples/jiggle.lua      space: switch the springs off or on

local plain = character "assets/mannequin.glb" { position = vec(-0.6, 0, 0) }
local jelly = character "assets/mannequin.glb" { position = vec(0.6, 0, 0) }

for _, hero in { plain, jelly } do
	hero.machine = machine { layer "body" { state "run" { "run" } } }
end

local springs = {
	jelly:jiggle_bone("spine", { frequency = 2.2, damping = 0.15, limit = vec(0.02, 0.04, 0.02) }),
	jelly:jiggle_bone("head", { frequency = 2.6, damping = 0.2, limit = 35, tip = vec(0, 0.18, 0) }),
	jelly:jiggle_bone("left_lower_arm", { frequency = 3, damping = 0.2, limit = 0.04 }),
	jelly:jiggle_bone("right_lower_arm", { frequency = 3, damping = 0.2, limit = 0.04 }),
}

camera.orbit { target = vec(0, 0.9, 0), distance = 3.2, yaw = 25, pitch = 4 }

function update(_dt)
	if input.pressed "space" then
		for _, spring in springs do
			spring.weight = 1 - spring.weight
		end
	end
end
