-- A family: four people from one recipe. The child waves, the others watch.

local v = vector.create

local man = character("assets/man.glb", { position = v(-0.74, 0, -0.1), yaw = 20 })
local hero = character("assets/galatea.glb", { position = v(-0.08, 0, 0.02), yaw = 6 })
local child = character("assets/child.glb", { position = v(0.36, 0, 0.45), yaw = -4 })
local elder = character("assets/elder.glb", { position = v(0.84, 0, -0.05), yaw = -26 })

man:play("laugh", { mode = "loop", fade = 0, start_time = 0.2, speed = 0.5 })
hero:play("idle", { mode = "loop", fade = 0, start_time = 1.2 })
child:play("wave", { mode = "loop", fade = 0, start_time = 0.2 })
elder:play("idle_shift", { mode = "loop", fade = 0, start_time = 2.4 })

child:morph("emotion.happiness", 0.75)
hero:morph("smile", 0.6)
man:morph("smile", 0.7)
elder:morph("emotion.happiness", 0.7)
hero:look_at(child)
man:look_at(child)
elder:look_at(child)

light.sun { yaw = 32, pitch = 30 }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.06 }
ground.set { color = v(0.34, 0.31, 0.26) }
camera.orbit { target = v(0.04, 0.89, 0), distance = 6.4, yaw = 3, pitch = 3, fov = 19 }
