-- Eight facial expressions from morph targets, one per second.

local pose = require "./pose"

local hero = character "assets/galatea.glb"
hero.machine = machine { state "rest" {} }

local FACES = {
	{ name = "calm", morphs = {}, head = { yaw = 4 } },
	{ name = "glad", morphs = { smile = 1, brows_up = 0.4 }, head = { yaw = 6, roll = -4 } },
	{ name = "laughing", morphs = { smile = 1.2, blink = 0.85, brows_up = 0.8 }, head = { pitch = -8, roll = 5 } },
	{ name = "wink", morphs = { smile = 0.8, blink_left = 1, brows_up = 0.25 }, head = { yaw = -6, roll = -8 } },
	{ name = "surprised", morphs = { brows_up = 1.3, pucker = 0.7, blink = -0.18 }, head = { pitch = -5 } },
	{ name = "angry", morphs = { brows_down = 1.2, frown = 0.6, blink = 0.22 }, head = { pitch = 7 } },
	{ name = "sad", morphs = { brows_sad = 1.1, frown = 0.9, blink = 0.28 }, head = { pitch = 10, roll = 5 }, eyes = { pitch = 12 } },
	{ name = "doubtful", morphs = { brows_down = 0.5, pucker = 0.6, blink_right = 0.35, brows_up = 0.3 }, head = { yaw = -10, roll = 8 }, eyes = { yaw = 16 } },
}

light.rig("three_point", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.08, saturation = 1.1, vignette = 0.2 }
camera.orbit { target = vector.create(0, 1.56, 0.03), distance = 2.1, yaw = 16, pitch = 1, fov = 8 }

local shown: number? = nil
local label = ui.text("", { anchor = "bottom", position = vector.create(0, -24, 0), size = 60, shadow = true })
function update()
	local i = math.min(math.floor(now() + 0.01), #FACES - 1) + 1
	if i == shown then
		return
	end
	local before = shown and FACES[shown]
	shown = i
	if before then
		for name in before.morphs do
			hero:morph(name)
		end
	end
	local face = FACES[i]
	for name, weight in face.morphs do
		hero:morph(name, weight)
	end
	pose(hero, { head = face.head, eyes = face.eyes or {}, left = {}, right = {} })
	label.text = face.name
end
