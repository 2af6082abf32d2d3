-- Jiggle: bones that lag behind what clips do with them and swing on a spring. On the left as animated, on
-- the right a body of rubber: the trunk bounces, the head nods after every step, the arms wobble. No file
-- has to know of it.
--
--   galatea play scripts/examples/jiggle.lua      space switches it off and on

local plain = character "assets/mannequin.glb" { at = vector.create(-0.6, 0, 0) }
local jelly = character "assets/mannequin.glb" { at = vector.create(0.6, 0, 0) }

for _, hero in { plain, jelly } do
	hero.machine = machine { layer "body" { state "run" { "run" } } }
end

local springs = {
	jelly:jiggle("spine", { frequency = 2.2, damping = 0.15, limit = vector.create(0.02, 0.04, 0.02) }),
	jelly:jiggle("head", { frequency = 2.6, damping = 0.2, limit = 35, tip = vector.create(0, 0.18, 0) }),
	jelly:jiggle("left_lower_arm", { frequency = 3, damping = 0.2, limit = 0.04 }),
	jelly:jiggle("right_lower_arm", { frequency = 3, damping = 0.2, limit = 0.04 }),
}

camera.orbit { target = vector.create(0, 0.9, 0), distance = 3.2, yaw = 25, pitch = 4 }

function update(_dt)
	if input.pressed "space" then
		for _, spring in springs do
			spring.weight = 1 - spring.weight
		end
	end
end
