-- A door with a knob: she walks to it, takes the knob, opens the door, walks through and comes back. The knob can be at
-- any height that you set here; IK moves the hand to it.
--
--   galatea play scripts/examples/door.lua

local KNOB = 1.05 -- metres above the floor

ground.set { height = 0, collider = true, surface = "wood", grid = 1, color = vec(0.3, 0.24, 0.18) }
light.sun { yaw = 150, pitch = 40 }

local hero = character "assets/galatea.glb" { position = vec(-0.9, 0, -2.6) }

local OAK, WALL, BRASS = vec(0.3, 0.17, 0.08), vec(0.5, 0.48, 0.44), vec(0.6, 0.45, 0.15)
for side = -1, 1, 2 do
	physics.box { position = vec(side * 1.25, 1.15, 0), size = vec(1.5, 2.3, 0.14), color = WALL }
end
physics.box { position = vec(0, 2.45, 0), size = vec(4, 0.3, 0.14), color = WALL }

-- The hinge is at the right side, seen from the approaching character.
local door = physics.box { position = vec(0, 1.02, 0), size = vec(0.98, 2.04, 0.05), body_type = "kinematic", color = OAK }
door:attach(physics.sphere { radius = 0.03, collider = false, color = BRASS }, "box", { offset = vec(-0.42, KNOB - 1.02, -0.065) })
door:add_interaction("knob", { position = vec(-0.42, KNOB - 1.02, -0.065), radius = 0.03, stand_position = vec(-0.3, -1.02, -0.42), stand_yaw = 0, reach_time = 0.5, hold_time = 0.9, release_time = 0.3 })

local angle, opens = 0, 0
door:on("used", function(e)
	if e.phase == "hold" then
		opens = 1
	end
end)

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
hero:look_at(door, { target_offset = vec(-0.42, KNOB - 1.02, 0) })

hero:task(function(a)
	while true do
		a:wait(0.4)
		if a:use(door, "knob") ~= "done" then
			print "she does not get there"
		end
		hero:look_at()
		a:wait_until(function() return angle > 95 end, { timeout = 2 })
		a:walk_to(vec(-0.12, 0, -0.1))
		a:walk_to(vec(-0.2, 0, 2.2), { yaw = 180 })
		a:wait(1)
		a:walk_to(vec(-0.12, 0, 0.1))
		a:walk_to(vec(-0.9, 0, -2.4), { yaw = 20 })
		opens = -1
		a:wait_until(function() return angle < 0.5 end, { timeout = 3 })
		hero:look_at(door, { target_offset = vec(-0.42, KNOB - 1.02, 0) })
	end
end)

function update(dt)
	hero.machine.params.speed = hero.speed
	angle = math.clamp(angle + opens * 75 * dt, 0, 105)
	-- The door opens away from the character.
	local turn = math.rad(angle)
	door.yaw = angle
	door.position = vec(0.49 - 0.49 * math.cos(turn), 1.02, 0.49 * math.sin(turn))
end

camera.orbit { target = vec(-0.2, 1, -0.2), distance = 4.6, yaw = 215, pitch = 14 }
