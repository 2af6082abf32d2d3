-- The hound's walk, eight moments of its cycle.

local hound = character("assets/hound.glb", { yaw = 90 })
hound:play("walk", { mode = "loop", fade = 0 })

light.rig("studio", { character = hound })
light.look { tone = "agx", contrast = 1.1, saturation = 1.1 }
ground.set { grid = 0.35, color = vector.create(0.30, 0.30, 0.31) }
camera.orbit { target = vector.create(0, 0.47, 0), distance = 8, yaw = 0, pitch = 2, fov = 8.5 }
