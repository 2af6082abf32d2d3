-- Twelve faces of the heroine, one per second: neutral and the eleven emotions.

local hero = character "assets/galatea.glb"
hero.face:configure { blink_rate = 0 }

local FACES = {
	"neutral", "happiness", "sadness", "anger", "surprise", "fear",
	"disgust", "contempt", "excitement", "desire", "confusion", "concentration",
}

light.rig("three_point", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.05, saturation = 1.1, vignette = 0.15 }
camera.orbit { target = vector.create(0, 1.575, 0.03), distance = 2.1, yaw = 12, pitch = 1, fov = 7.6 }

local label = ui.text("", { anchor = "bottom", position = vector.create(0, -20, 0), size = 52, shadow = true })
local shown
function update()
	local i = math.min(math.floor(now() + 0.01), #FACES - 1) + 1
	if i == shown then
		return
	end
	for _, name in FACES do
		if name ~= "neutral" then
			hero:morph("emotion." .. name, if name == FACES[i] then 1 else 0)
		end
	end
	shown = i
	label.text = FACES[i]
end
