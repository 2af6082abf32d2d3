-- One light circles her head at 32 degrees per second.

local pose = require "./pose"

local hero = character "assets/galatea.glb"
hero.machine = machine { state "rest" {} }
pose(hero, { head = { yaw = 0 }, left = {}, right = {} })

light.rig("three_point", { character = hero, intensity = 0 })
light.sky { zenith = vector.create(0.05, 0.053, 0.06), horizon = vector.create(0.045, 0.047, 0.052), ground = vector.create(0.012, 0.011, 0.01) }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.1 }
local lamp = light.spot { color = vector.create(1, 0.93, 0.84), intensity = 16, source_radius = 0.10, outer_angle = 20 }
ground.set { visible = false }
camera.orbit { target = vector.create(0, 1.555, 0.03), distance = 2.2, yaw = 0, pitch = 1, fov = 10.5 }

function update()
	local turn = math.rad(-96 + 32 * now())
	lamp.position = vector.create(1.7 * math.sin(turn), 2.05, 1.7 * math.cos(turn))
	lamp:aim_at(vector.create(0, 1.55, 0.03))
end
