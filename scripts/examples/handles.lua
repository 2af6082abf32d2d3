-- Four kinds of interaction: a lever that swings with her hand, a cup that she picks up from the floor, a stool to sit
-- on, and a bell above her head.
--
--   galatea play scripts/examples/handles.lua

ground.set { height = 0, collider = true, surface = "wood", grid = 1, color = vec(0.3, 0.24, 0.18) }
light.sun { yaw = 150, pitch = 40 }

local hero = character "assets/galatea.glb" { position = vec(0, 0, -1) }
hero:controller {}
hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" { blend1d { param = "speed", sync = "feet", match_speed = true, { 0.3, "idle" }, "walk" } },
	transition_to "move" { from = "idle", when = "speed > 0.15", fade = 0.2 },
	transition_to "idle" { from = "move", when = "speed < 0.1", fade = inertial(0.3) },
}
hero:foot_ik()
hero:idle_motion()

local STEEL, CLAY, OAK, BRASS = vec(0.35, 0.36, 0.4), vec(0.5, 0.2, 0.12), vec(0.3, 0.17, 0.08), vec(0.6, 0.45, 0.15)

-- The lever rotates about its lower end, and back the next time it is used.
local lever = physics.box { position = vec(-0.2, 0.95, 1.6), size = vec(0.04, 0.6, 0.04), body_type = "kinematic", color = STEEL }
lever:add_interaction("grip", {
	kind = "lever",
	position = vec(0, 0.22, 0),
	bar = vec(0, 1, 0),
	radius = 0.02,
	grip = 0.8,
	pivot = vec(0, -0.3, 0),
	axis = vec(1, 0, 0),
	swing = 30,
	stand_position = vec(0.2, -0.95, -0.48),
	stand_yaw = 0,
	hold_time = 0.7,
})

local cup = physics.cylinder { position = vec(1.3, 0.06, 0.6), radius = 0.04, height = 0.12, body_type = "kinematic", color = CLAY }
cup:add_interaction("cup", { kind = "pick_up", position = vec(0, 0.02, 0), bar = vec(0, 1, 0), radius = 0.04, stand_position = vec(0.15, 0, -0.45), stand_yaw = 0, reach_time = 0.8 })

-- The character stands in front of the stool, with her back to it.
local stool = physics.box { position = vec(-1.6, 0.225, 0), size = vec(0.42, 0.45, 0.42), body_type = "kinematic", color = OAK }
stool:add_interaction("seat", { kind = "seat", position = vec(0, 0.225, 0), stand_position = vec(0, 0, 0.42), reach_time = 0.9, hold_time = 2, release_time = 0.9 })

local bell = physics.sphere { position = vec(-0.9, 1.95, 1.6), radius = 0.05, body_type = "kinematic", color = BRASS }
bell:add_interaction("bell", { hand = "left_hand", radius = 0.05, grip = 0.45, stand_position = vec(-0.15, 0, -0.15), stand_yaw = 0, reach_time = 0.6 })

hero:task(function(a)
	while true do
		for _, thing in { lever, cup, lever, stool, bell } do
			hero:look_at(thing, { turn_in_place = true })
			if a:use(thing) ~= "done" then
				print "she does not get there"
			end
			hero:look_at()
			if thing == bell then
				-- Puts the cup back to its old position.
				cup:detach()
				cup.position = vec(1.3, 0.06, 0.6)
			end
		end
	end
end)

function update()
	hero.machine.params.speed = hero.speed
end

camera.orbit { target = vec(-0.1, 0.9, 0.3), distance = 5.2, yaw = 200, pitch = 16 }
