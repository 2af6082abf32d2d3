-- A door, and a character who walks through it and back. The clip does not include the door handle: IK blends the hand
-- to the handle, holds it there while the door turns, and releases it.

local door = { at = vec(-14, 0, 0), knob = 1.05, angle = 0, opens = 0 }
local at = door.at

local OAK, WALL, BRASS = vec(0.3, 0.17, 0.08), vec(0.5, 0.48, 0.44), vec(0.6, 0.45, 0.15)
for side = -1, 1, 2 do
	physics.box { position = at + vec(side * 1.25, 1.15, 0), size = vec(1.5, 2.3, 0.14), color = WALL }
end
physics.box { position = at + vec(0, 2.45, 0), size = vec(4, 0.3, 0.14), color = WALL }
local leaf = physics.box { position = at + vec(0, 1.02, 0), size = vec(0.98, 2.04, 0.05), body_type = "kinematic", color = OAK }
local brass = physics.sphere { radius = 0.03, collider = false, color = BRASS, metallic = 1, roughness = 0.3 }

function door.raise(by)
	door.knob = math.clamp(door.knob + by, 0.65, 1.65)
	local place = vec(-0.42, door.knob - 1.02, -0.065)
	leaf:attach(brass, "box", { offset = place })
	leaf:add_interaction("knob", { position = place, radius = 0.03, stand_position = vec(-0.3, -1.02, -0.42), stand_yaw = 0, reach_time = 0.5, hold_time = 0.9, release_time = 0.3 })
end
door.raise(0)

local who = character("assets/galatea.glb", { name = "who opens", position = at + vec(-0.9, 0, -2.4), materials = { cloth = { color = vec(0.1, 0.22, 0.3) } } })
door.who = who
who:controller {}
who.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" { blend1d { param = "speed", sync = "feet", match_speed = true, { 0.3, "idle" }, "walk" } },
	transition_to "move" { from = "idle", when = "speed > 0.15", fade = 0.2 },
	transition_to "idle" { from = "move", when = "speed < 0.1", fade = inertial(0.3) },
}
who:foot_ik()
leaf:on("used", function(e)
	if e.phase == "hold" then
		door.opens = 1
	end
end)

who:task(function(a)
	while true do
		who:look_at(leaf, { target_offset = vec(-0.42, door.knob - 1.02, 0) })
		a:use(leaf, "knob")
		who:look_at()
		a:wait_until(function() return door.angle > 95 end, { timeout = 2 })
		a:walk_to(at + vec(-0.12, 0, -0.1))
		a:walk_to(at + vec(-0.2, 0, 2), { yaw = 180 })
		a:wait(0.5)
		a:walk_to(at + vec(-0.12, 0, 0.1))
		a:walk_to(at + vec(-0.9, 0, -2.2), { yaw = 20 })
		door.opens = -1
		a:wait_until(function() return door.angle < 0.5 end, { timeout = 3 })
	end
end)

function door.update(dt)
	who.machine.params.speed = who.speed
	door.angle = math.clamp(door.angle + door.opens * 75 * dt, 0, 105)
	local turn = math.rad(door.angle)
	leaf.yaw = door.angle
	leaf.position = at + vec(0.49 - 0.49 * math.cos(turn), 1.02, 0.49 * math.sin(turn))
end

return door
