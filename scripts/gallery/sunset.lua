-- Sunset: a low red sun, long shadows, and a sky that turns cold.

local pose = require "./pose"

local hero = character("assets/galatea.glb", { yaw = 24 })
hero:play("walk", { mode = "loop", fade = 0, start_time = 0.28 })

light.rig("sunset", { character = hero })
light.sun { yaw = 116, pitch = 9, intensity = 5 }
light.exposure(0.3)
ground.set { grid = 0, color = vector.create(0.16, 0.13, 0.11) }
for i, at in { vector.create(1.5, 0, -1.6), vector.create(2.0, 0, -4.6), vector.create(2.5, 0, -7.6), vector.create(3.0, 0, -10.6) } do
	character("assets/gallery/pedestal.glb", { position = at, scale = 1.9 })
end
camera.orbit { target = vector.create(0.62, 0.96, -0.5), distance = 6, yaw = 4, pitch = 2, fov = 21 }
