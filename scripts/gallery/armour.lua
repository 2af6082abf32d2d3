-- Polished steel: a metal reflects the room around it.

local pose = require "./pose"

local hero = character "assets/mannequin.glb"
local suit = character("assets/gallery/armour.glb", { clips = "assets/mannequin.glb" })
local cape = character("assets/gallery/cape.glb", { clips = "assets/mannequin.glb" })
for _, c in { hero, suit, cape } do
	c.machine = machine { state "idle" { "idle" } }
	pose(c, {
		head = { yaw = 24, pitch = -3, roll = -2 },
		chest = { yaw = -6 },
		left = { swing = -10, out = 24, twist = 20, elbow = 34, curl = 50 },
		right = { swing = 6, out = 16, elbow = 24, curl = 50 },
	})
end
suit:show_part("helmet", false)
hero:morph("brows_down", 0.25)

light.rig("three_point", { character = hero })
light.environment("assets/gallery/studio.hdr", { yaw = 15, intensity = 1.0, background = false })
light.post_process { tonemap = "agx", contrast = 1.12, saturation = 1.1, vignette = 0.3, bloom = 0.05 }
ground.set { visible = false }
character("assets/gallery/backdrop.glb", { position = vector.create(0, 0, -0.4) }):material("paper").color = vector.create(0.05, 0.055, 0.065)
camera.orbit { target = vector.create(0.0, 1.22, 0), distance = 4.2, yaw = 22, pitch = 0, fov = 15 }
