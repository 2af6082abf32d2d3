-- She runs past: root motion moves her, and the camera follows.

local hero = character("assets/galatea.glb", { yaw = 62, position = vector.create(-2, 0, 0) })
hero.machine = machine { state "run" { "run" } }
hero:morph("smile", 0.4)

light.rig("noon", { character = hero })
light.sun { yaw = 20, pitch = 28, color = vector.create(1, 0.86, 0.68) }
light.post_process { contrast = 1.06 }
ground.set { grid = 0, surface = "grass", color = vector.create(0.16, 0.21, 0.06) }
for i = 1, 7 do
	character("assets/gallery/pedestal.glb", { position = vector.create(i * 2.2 - 7, 0, -3.2 - i * 0.3), scale = 1.3 })
end

local SPEED = 4.2
local way = vector.create(math.sin(math.rad(62)), 0, math.cos(math.rad(62)))
camera.follow(hero, { target = vector.create(0.34, 0.90, 0.1), distance = 5.4, yaw = 12, pitch = 3, fov = 19.5 })

function update(dt: number)
	hero.position += way * (SPEED * dt)
end
