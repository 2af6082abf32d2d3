-- A ragdoll fall down the stairs, and getting up again.

physics.stairs { position = vector.create(-0.9, 0, 0), yaw = -90, steps = 6, width = 2, color = vector.create(0.46, 0.40, 0.31), surface = "stone" }
physics.box { position = vector.create(-3.55, 0.51, 0), size = vector.create(1.8, 1.02, 2), color = vector.create(0.46, 0.40, 0.31), name = "landing" }
local hero = character("assets/galatea.glb", { position = vector.create(-2.9, 1.02, 0), yaw = 90 })
hero.machine = machine { state "idle" { "idle" } }

task(function(a)
	a:wait(0.1)
	hero:hit { bone = "chest", impulse = vector.create(150, 0, -10) }
end)

light.rig("noon", { character = hero })
light.sun { yaw = 60, pitch = 50 }
ground.set { grid = 0, color = vector.create(0.36, 0.29, 0.20) }
camera.orbit { target = vector.create(-0.75, 0.75, 0), distance = 7.6, yaw = 20, pitch = 10, fov = 28 }
