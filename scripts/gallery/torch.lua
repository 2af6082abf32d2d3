-- Night, and a torch in her hand: a light attached to a bone.

local pose = require "./pose"

local hero = character("assets/galatea.glb", { yaw = 20 })
hero.machine = machine { state "idle" { "idle" } }
pose(hero, {
	head = { yaw = -14, pitch = -4 },
	chest = { yaw = -8 },
	right = { swing = 52, out = 34, twist = -20, elbow = 78, curl = 75, wrist = 6 },
	left = { swing = -6, out = 14, elbow = 26 },
})
hero:morph("brows_up", 0.5)

local torch = character "assets/gallery/torch.glb"
hero:attach(torch, "right_hand", { offset = vector.create(-0.045, -0.065, 0.0), pitch = 60, roll = 25 })
local flame = light.point {
	character = torch,
	bone = "torch",
	position = vector.create(0, 0.38, 0),
	color = vector.create(1, 0.50, 0.17),
	intensity = 0.9,
	range = 8,
	source_radius = 0.035,
}

light.rig("night", { character = hero })
light.sun { color = vector.create(0.3, 0.45, 0.8), intensity = 0.5 }
light.post_process { tonemap = "agx", bloom = 0.14, contrast = 1.12, saturation = 1.15, vignette = 0.3 }
light.exposure(0.9)
ground.set { grid = 0, color = vector.create(0.16, 0.15, 0.14) }
for i = 0, 4 do
	local x = if i % 2 == 0 then -1.5 else 1.3
	character("assets/gallery/pedestal.glb", { position = vector.create(x, 0, -0.5 - i * 0.75), scale = 1.5 })
end
camera.orbit { target = vector.create(-0.1, 0.95, 0), distance = 5.6, yaw = 8, pitch = 3, fov = 20.5 }

-- The light flickers.
function update()
	flame.intensity = 0.9 + 0.09 * math.noise(now() * 7, 0.5)
end
