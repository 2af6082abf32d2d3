-- A frame in the air during a jump.

local hero = character("assets/galatea.glb", { yaw = -24 })
hero.machine = machine { state "idle" { "idle" } }
hero:play("jump", { fade = 0 })
hero:morph("smile", 1)
hero:morph("brows_up", 0.6)

light.rig("noon", { character = hero })
light.sun { yaw = 40, pitch = 55 }
ground.set { grid = 0, color = vector.create(0.36, 0.29, 0.20) }
ground.patch { position = vector.zero, radius = 0.8, surface = "wood", color = vector.create(0.42, 0.17, 0.09) }
camera.orbit { target = vector.create(0, 1.02, 0), distance = 6.4, yaw = 0, pitch = -4, fov = 21 }
