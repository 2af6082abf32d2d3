-- Thin glass: it shows the scene behind it and reflects the lights.

local pose = require "./pose"

local hero = character "assets/galatea.glb"
hero.machine = machine { state "idle" { "idle" } }
hero:attach(character "assets/gallery/glasses.glb", "head")
pose(hero, { head = { yaw = 12, pitch = 6, roll = 4 }, chest = { yaw = -10 }, eyes = { yaw = 8, pitch = -4 } })
hero:morph("smile", 0.7)

light.rig("studio", { character = hero })
light.environment("assets/gallery/studio.hdr", { yaw = -20, intensity = 0.9, background = false })
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.1, vignette = 0.2 }
ground.set { visible = false }
character("assets/gallery/backdrop.glb", { position = vector.create(0, 0, -0.5) }):material("paper").color = vector.create(0.10, 0.16, 0.17)
camera.orbit { target = vector.create(0.06, 1.55, 0.04), distance = 1.7, yaw = 22, pitch = 2, fov = 9.2 }
