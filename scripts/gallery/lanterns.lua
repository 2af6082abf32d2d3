-- Lanterns at night: automatic exposure and bloom.

local pose = require "./pose"

local hero = character("assets/mannequin.glb", { yaw = 28 })
local cape = character("assets/gallery/cape.glb", { clips = "assets/mannequin.glb", yaw = 28 })
for _, c in { hero, cape } do
	c.machine = machine { state "idle" { "idle" } }
	pose(c, {
		head = { yaw = -26, pitch = 9 },
		chest = { yaw = -4 },
		right = { swing = 46, out = 12, twist = -10, elbow = 64, wrist = 8, curl = 80 },
		left = { swing = 0, out = 10, elbow = 18 },
	})
end
hero:morph("smile", 0.3)

local WARM = vector.create(1, 0.56, 0.22)
local function hang(at, scale)
	character("assets/gallery/lantern.glb", { position = at, scale = scale })
	light.point { position = at - vector.create(0, 0.22 * scale, 0), color = WARM, intensity = 0.55, range = 6, source_radius = 0.05 }
end
for i = 1, 6 do
	hang(vector.create(-2.4 + i * 0.62, 1.95 + 0.12 * math.sin(i * 1.9), -0.7 - i * 0.75), 1.3)
end
local lantern = character "assets/gallery/lantern.glb"
hero:attach(lantern, "right_hand", { offset = vector.create(-0.06, -0.075, 0.01), pitch = 104 })
light.point { character = lantern, bone = "lantern", position = vector.create(0, -0.22, 0), color = WARM, intensity = 0.5, range = 5, source_radius = 0.05 }

light.rig("night", { character = hero })
light.post_process { tonemap = "agx", auto_exposure = true, bloom = 0.16, contrast = 1.12, saturation = 1.15, vignette = 0.25 }
light.exposure(-1.1)
ground.set { grid = 0, color = vector.create(0.15, 0.14, 0.13) }
camera.orbit { target = vector.create(-0.15, 1.06, -0.3), distance = 5.8, yaw = 6, pitch = 2, fov = 22 }
