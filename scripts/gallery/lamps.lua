-- Three coloured lights, each with a shadow: where two shadows overlap, only the third colour is left.

local pose = require "./pose"

local hero = character "assets/galatea.glb"
hero.machine = machine { state "idle" { "idle" } }
pose(hero, {
	head = { yaw = -4, pitch = -6 },
	left = { swing = 0, out = 112, twist = 0, elbow = 18, wrist = -10, curl = 4, lift = 14 },
	right = { swing = 0, out = 74, twist = 0, elbow = 22, wrist = -10, curl = 4, lift = 8 },
})
hero:morph("smile", 0.6)

light.rig("three_point", { character = hero, intensity = 0 })
light.sky { zenith = vector.create(0.015, 0.015, 0.018), horizon = vector.create(0.015, 0.015, 0.018), ground = vector.create(0.01, 0.01, 0.01) }
local COLORS = { vector.create(1, 0.10, 0.06), vector.create(0.08, 1, 0.14), vector.create(0.08, 0.16, 1) }
for i, color in COLORS do
	light.point { position = vector.create((i - 2) * 1.0, 1.25, 2.9), color = color, intensity = 15, range = 16, source_radius = 0.035 }
end
light.post_process { tonemap = "agx", contrast = 1.12, saturation = 1.45 }
ground.set { visible = false }
character("assets/gallery/backdrop.glb", { position = vector.create(0, 0, 1.05) }):material("paper").color = vector.create(0.62, 0.62, 0.62)
camera.orbit { target = vector.create(0, 1.02, 0), distance = 6.5, yaw = 0, pitch = 3, fov = 19.5 }
