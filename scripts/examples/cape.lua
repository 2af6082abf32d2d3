-- A cape: a cloth pinned to her shoulders that collides with her back and moves in the wind. She walks,
-- turns and stops; the cape is simulated, not animated.
--
--   galatea play scripts/examples/cape.lua      space: teleport her and the cape 2 m to the side

local hero = character "assets/mannequin.glb"

hero.machine = machine {
	layer "body" {
		state "stand" { "idle" },
		state "walk" { "walk", root_motion = true },
		transition_to "walk" { from = "stand", min_time = 3, fade = 0.3 },
		transition_to "stand" { from = "walk", min_time = 4, fade = 0.3 },
	},
}

-- Pins along the upper edge: at the back of each shoulder, and between them below the neck.
local function pin(u, bone, x, y, z)
	return { u = u, v = 0, character = hero, bone = bone, offset = vec(x, y, z) }
end

cloth {
	size = vec(0.38, 1.08, 0),
	hem = 3,
	columns = 17,
	rows = 18,
	pins = {
		pin(0, "left_shoulder", 0.125, 0.04, -0.06),
		pin(0.25, "left_shoulder", 0.05, 0.035, -0.09),
		pin(0.5, "chest", 0, 0.245, -0.1),
		pin(0.75, "right_shoulder", -0.05, 0.035, -0.09),
		pin(1, "right_shoulder", -0.125, 0.04, -0.06),
	},
	collide_with = hero,
	collision_margin = 0.02,
	stiffness = 0.35,
	color = vec(0.32, 0.02, 0.03),
	name = "cape",
}

wind { direction = vec(0.15, 0, -1), speed = 2.2, gusts = 0.7 }
camera.follow(hero, { distance = 3.4, pitch = 6, yaw = 150, target = vec(0, 0.9, 0) })

function update(_dt)
	if input.pressed "space" then
		hero.position += vec(2, 0, 0)
	end
end
