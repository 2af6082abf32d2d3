-- Foot IK on stairs: each foot is placed at the height of its step.

local v = vector.create
local STONE = v(0.46, 0.40, 0.31)

local hero = character("assets/galatea.glb", { position = v(-1.3, 0, 0), yaw = 90 })
hero:controller {}
hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" { blend1d { param = "speed", sync = "feet", match_speed = true, { 0.3, "idle" }, "walk" } },
	transition_to "move" { from = "idle", when = "speed > 0.15", fade = 0.2 },
	transition_to "idle" { from = "move", when = "speed < 0.1", fade = inertial(0.3) },
}
hero:foot_ik()

local STEPS, RISE, RUN = 9, 0.17, 0.29
physics.stairs { position = v(0, 0, 0), yaw = 90, steps = STEPS, step_height = RISE, step_depth = RUN, width = 1.1, color = STONE, surface = "stone" }
physics.box { position = v(STEPS * RUN + 1, STEPS * RISE / 2, 0), size = v(2, STEPS * RISE, 1.1), color = STONE, name = "landing" }

-- A handrail on the far side.
local BRASS = v(0.45, 0.30, 0.12)
for i = 1, STEPS do
	physics.cylinder { position = v((i - 0.5) * RUN, i * RISE + 0.42, -0.47), radius = 0.014, height = 0.84, collider = false, color = BRASS, metallic = 1, roughness = 0.4 }
end
local slope = v(RUN, RISE, 0)
physics.box { position = slope * (STEPS / 2) + v(0, 0.93, -0.47), size = v(vector.magnitude(slope) * STEPS, 0.05, 0.06), roll = math.deg(math.atan2(RISE, RUN)), collider = false, color = v(0.22, 0.11, 0.05), roughness = 0.5 }

function update()
	hero:move(if hero.position.x < 3.4 then v(1.0, 0, 0) else vector.zero)
	hero.machine.params.speed = hero.speed
	camera.orbit { target = v(hero.position.x + 0.1, 0.86 + hero.position.y, 0) }
end

light.rig("noon", { character = hero })
light.sun { yaw = -35, pitch = 44 }
ground.set { grid = 0, color = v(0.36, 0.28, 0.18) }
camera.orbit { distance = 7, yaw = 5, pitch = 4, fov = 17.5 }
