-- One knob at five heights, one after the other: the hand holds it, and the body bends where the arm alone is too short.

local v = vector.create
local HEIGHTS = { 0.6, 0.8, 1.05, 1.35, 1.7 }
local OAK, PANEL, FRAME, PLASTER, BRASS = v(0.30, 0.145, 0.06), v(0.24, 0.11, 0.046), v(0.52, 0.47, 0.40), v(0.46, 0.36, 0.25), v(0.75, 0.50, 0.16)

for _, side in { -1, 1 } do
	physics.box { position = v(side * 0.56, 1.08, 0), size = v(0.12, 2.16, 0.14), color = FRAME }
	physics.box { position = v(side * 1.62, 1.6, 0.02), size = v(2, 3.2, 0.1), color = PLASTER, roughness = 0.95 }
end
physics.box { position = v(0, 2.11, 0), size = v(1, 0.1, 0.14), color = FRAME }
physics.box { position = v(0, 2.68, 0.02), size = v(1.24, 1.04, 0.1), color = PLASTER, roughness = 0.95 }
local door = physics.box { position = v(0, 1.03, 0), size = v(0.99, 2.06, 0.05), body_type = "kinematic", surface = "wood", color = OAK }
for _, y in { 0.56, 1.5 } do
	physics.box { position = v(0.04, y, -0.024), size = v(0.6, 0.78, 0.012), collider = false, color = PANEL, roughness = 0.5 }
end
local neck = physics.cylinder { position = v(-0.4, 1, -0.05), radius = 0.012, height = 0.08, pitch = 90, body_type = "kinematic", collider = false, color = BRASS, metallic = 1, roughness = 0.3 }
local knob = physics.sphere { position = v(-0.4, 1, -0.09), radius = 0.03, body_type = "kinematic", collider = false, color = BRASS, metallic = 1, roughness = 0.25 }

local hero = character("assets/galatea.glb", { position = v(-0.26, 0, -0.62) })
hero:controller {}
hero.machine = machine { state "idle" { "idle" } }
hero:foot_ik()
hero:idle_motion()
hero:look_at(knob)

hero:task(function(a)
	for _, height in HEIGHTS do
		local place = v(-0.4, height - 1.03, -0.09)
		knob.position = door.position + place
		neck.position = door.position + place + v(0, 0, 0.04)
		door:add_interaction("knob", { position = place, radius = 0.03, stand_position = v(-0.26, -1.03, -0.62), stand_yaw = 0, reach_time = 0.5, hold_time = 1, release_time = 0.4 })
		a:use(door, "knob", { walk = false })
	end
end)

light.rig("noon", { character = hero })
light.sun { yaw = 236, pitch = 40 }
ground.set { grid = 0, color = v(0.36, 0.28, 0.18) }
camera.orbit { target = v(-0.35, 1.0, -0.45), distance = 6.4, yaw = 250, pitch = 5, fov = 18.5 }
