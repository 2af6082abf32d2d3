-- The fifteen visemes (mouth shapes of speech), one per second.

local hero = character "assets/galatea.glb"
hero.face:configure { blink_rate = 0 }

local SHAPES = { "sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "I", "O", "U" }

light.rig("studio", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.05, saturation = 1.1 }
camera.orbit { target = vector.create(0, 1.545, 0.05), distance = 2.1, yaw = 14, pitch = 0, fov = 5 }

local label = ui.text("", { anchor = "bottom", position = vector.create(0, -16, 0), size = 52, shadow = true })
local shown
function update()
	local i = math.min(math.floor(now() + 0.01), #SHAPES - 1) + 1
	if i == shown then
		return
	end
	for _, name in SHAPES do
		hero:morph("viseme_" .. name, if name == SHAPES[i] then 1 else 0)
	end
	shown = i
	label.text = SHAPES[i]
end
