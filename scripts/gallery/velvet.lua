-- Velvet: cloth with sheen, whose fibres catch light at the edges of the folds.

local pose = require "./pose"

local hero = character("assets/mannequin.glb", { yaw = 180 })
local cape = character("assets/gallery/cape.glb", { clips = "assets/mannequin.glb", yaw = 180 })
for _, c in { hero, cape } do
	c.machine = machine { state "idle" { "idle" } }
	pose(c, {
		head = { yaw = -62, pitch = 4, roll = 3 },
		chest = { yaw = -12 },
		left = { swing = 2, out = 10, elbow = 14 },
		right = { swing = 2, out = 10, elbow = 14 },
	})
end

light.rig("three_point", { position = vector.create(0, 0.95, 0), intensity = 0.25 })
light.environment("assets/gallery/studio.hdr", { yaw = 40, intensity = 0.5, background = false })
light.spot { position = vector.create(-2.6, 2.4, -1.6), target = vector.create(0, 0.9, 0), color = vector.create(1, 0.85, 0.7), intensity = 70, outer_angle = 24, source_radius = 0.2 }
light.spot { position = vector.create(2.4, 1.9, -1.4), target = vector.create(0, 0.9, 0), color = vector.create(0.7, 0.82, 1), intensity = 64, outer_angle = 24, source_radius = 0.2 }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.1, vignette = 0.35 }
ground.set { visible = false }
character("assets/gallery/backdrop.glb", { position = vector.create(0, 0, -0.6) }):material("paper").color = vector.create(0.07, 0.065, 0.06)
camera.orbit { target = vector.create(0, 0.85, 0), distance = 6, yaw = -14, pitch = 4, fov = 17.4 }
