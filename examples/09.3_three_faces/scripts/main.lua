-- 9.3  Three faces: three characters share one face model, and each has its own expression.
--
--   Left, Right          selects the face that the keys change
--   1 ... 9, 0, Q        exercise: anger, concentration, contempt, desire, disgust, excitement, fear, happiness, confusion,
--                        sadness, surprise
--   N                    exercise: no emotion
--   Up, Down             exercise: weight of the emotion
--   C                    the book's channels: one emotion fades out before the next fades in
-- Until a key is pressed, each face changes automatically.

local EMOTIONS = {
	"anger", "concentration", "contempt", "desire", "disgust", "excitement", "fear", "happiness", "confusion", "sadness",
	"surprise",
}
local KEYS = { "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "q" }
local LOOKS = {
	{ hair = vec(0.16, 0.055, 0.02), cloth = vec(0.75, 0.72, 0.65) },
	{ hair = vec(0.03, 0.022, 0.018), cloth = vec(0.10, 0.22, 0.30) },
	{ hair = vec(0.45, 0.28, 0.11), cloth = vec(0.36, 0.10, 0.08) },
}

local faces = {}
for i, look in LOOKS do
	local hero = character("assets/galatea.glb", {
		name = "face " .. i,
		position = vec((i - 2) * 0.37, 0, 0),
		yaw = (2 - i) * 7,
		materials = { hair = { color = look.hair }, brow = { color = look.hair * 0.7 }, cloth = { color = look.cloth } },
	})
	hero:look_at(camera)
	hero:idle_motion()
	local label = ui.text("", { character = hero, bone = "head", offset = vec(0, 0.215, 0), size = 22, outline = 2 })
	faces[i] = { hero = hero, emotion = nil, intensity = 0.9, label = label }
end

light.rig("three_point", { position = vec(0, 0.95, 0) })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.2 }
camera.orbit { target = vec(0, 1.57, 0), distance = 3.4, yaw = 0, pitch = 1, fov = 10.2 }

local state = { chosen = 2, alone = true, book = false, faces = faces }

-- A face controller: sets the emotion and its weight.
local function show(face, emotion, intensity)
	face.emotion = emotion
	face.intensity = math.clamp(intensity or face.intensity, 0.1, 1)
	face.hero.face:mood(emotion, { intensity = face.intensity, fade = 0.6 })
end

local next_change = { 0, 0.9, 1.8 }
local function by_themselves()
	for i, face in faces do
		if now() >= next_change[i] then
			next_change[i] = now() + 2.7
			show(face, EMOTIONS[(math.floor(now() / 0.9) * 4 + i * 3) % #EMOTIONS + 1])
		end
	end
end

ui.box { anchor = "bottom", width = 4000, height = 76, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("9.3  Three faces", { position = vec(28, 20, 0), size = 30, shadow = true })
local list = {}
for i, emotion in EMOTIONS do
	list[i] = `{KEYS[i]:upper()} {emotion}`
end
ui.text(table.concat(list, "  ") .. "  N none", { anchor = "bottom_left", position = vec(28, -43, 0), size = 18 })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

function update()
	local face = faces[state.chosen]
	for i, key in KEYS do
		if input.pressed(key) then
			state.alone = false
			show(face, EMOTIONS[i])
		end
	end
	if input.pressed "n" then
		state.alone = false
		show(face, nil)
	end
	if input.pressed "up" or input.pressed "down" then
		state.alone = false
		show(face, face.emotion, face.intensity + (if input.pressed "up" then 0.2 else -0.2))
	end
	if input.pressed "right" then
		state.chosen = state.chosen % #faces + 1
	elseif input.pressed "left" then
		state.chosen = (state.chosen - 2) % #faces + 1
	end
	if input.pressed "c" then
		state.book = not state.book
		for _, other in faces do
			other.hero.face:configure { channels = if state.book then "four" else "unlimited" }
		end
	end
	if state.alone then
		by_themselves()
	end

	for i, other in faces do
		other.label.text = other.emotion or "none"
		other.label.color = if i == state.chosen and not state.alone then vec(1, 0.72, 0.3) else vector.one
	end
	keys.text = `Left Right  whose face     Up Down  how much     C  the book's channels {if state.book then "on" else "off"}`
end

return { state = state }
