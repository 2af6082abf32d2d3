-- Her walk cycle: eight frames within one second.

local hero = character("assets/galatea.glb", { yaw = 90 })
hero:play("walk", { mode = "loop", fade = 0 })

light.rig("studio", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.1 }
ground.set { grid = 0.35, color = vector.create(0.30, 0.30, 0.31) }
camera.orbit { target = vector.create(0, 0.87, 0), distance = 9, yaw = 0, pitch = 2, fov = 12.5 }
