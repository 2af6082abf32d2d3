-- The other models: a hound, a bronze automaton and an olive tree, next to the heroine.

local v = vector.create
local hero = character("assets/galatea.glb", { position = v(-0.2, 0, 0.2), yaw = 10 })
hero:play("idle", { mode = "loop", fade = 0 })
local hound = character("assets/hound.glb", { position = v(-1.25, 0, 0.4), yaw = 50 })
hound:play("idle", { mode = "loop", fade = 0 })
local talos = character("assets/robot.glb", { position = v(1.05, 0, -0.1), yaw = -15, clips = { "assets/galatea.glb" } })
talos:play("idle", { mode = "loop", fade = 0 })
character("assets/tree.glb", { position = v(-1.9, 0, -2.2) })
hound:look_at(camera)

light.sun { yaw = 40, pitch = 32 }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.12 }
ground.set { color = v(0.34, 0.31, 0.26) }
camera.orbit { target = v(-0.25, 1.15, 0), distance = 7.5, yaw = 8, pitch = 5, fov = 28 }
