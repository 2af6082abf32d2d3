-- Eyes: a wet cornea, an iris behind it, and the shadow of the eyelid.

local pose = require "./pose"

local hero = character "assets/galatea.glb"
hero.machine = machine { state "rest" {} }
pose(hero, { head = { yaw = -4, pitch = 2 }, eyes = { yaw = 10, pitch = -1 }, left = {}, right = {} })
hero:morph("smile", 0.5)

light.rig("studio", { character = hero })
light.environment("assets/gallery/studio.hdr", { yaw = 30, intensity = 0.9, background = false })
light.post_process { tonemap = "agx", contrast = 1.12, saturation = 1.1 }
ground.set { visible = false }
camera.orbit { target = vector.create(0.004, 1.586, 0.08), distance = 0.42, yaw = 12, pitch = 2, fov = 7 }
