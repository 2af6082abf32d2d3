-- 10.1  Manual lip-sync: a recorded line with mouth keys that were set by hand.
--
--   Space      play the line again
--   Up, Down   moves the mouth earlier or later than the sound: the most noticeable error
--   F          fewer keys: every second key only
--   M          adds a mood to the speech
--   A          automatic lip-sync from sound and text, for comparison

local FILE, TEXT = "speak_1.wav", "I was marble. For a very, very long time. Excellent posture."

-- { mouth shape, weight, seconds }. At 0 the mouth is closed.
local KEYS = {
	{ "aa", 0, 0.18 }, { "aa", 0.9, 0.28 }, { "U", 0.8, 0.39 }, { "SS", 0.7, 0.5 }, { "PP", 1, 0.56 }, { "aa", 1, 0.63 }, { "RR", 0.6, 0.69 },
	{ "PP", 1, 0.75 }, { "nn", 0.7, 0.9 }, { "nn", 0, 1.1 }, { "FF", 1, 1.24 }, { "RR", 0.6, 1.36 }, { "aa", 0.5, 1.42 }, { "FF", 1, 1.47 },
	{ "E", 0.9, 1.55 }, { "RR", 0.6, 1.64 }, { "I", 0.8, 1.75 }, { "I", 0, 1.88 }, { "FF", 1, 1.96 }, { "E", 1, 2.03 }, { "RR", 0.6, 2.1 },
	{ "I", 0.8, 2.2 }, { "nn", 0.8, 2.31 }, { "O", 1, 2.45 }, { "nn", 0.7, 2.55 }, { "DD", 0.8, 2.65 }, { "aa", 1, 2.78 }, { "I", 0.7, 2.9 },
	{ "PP", 1, 3.02 }, { "PP", 0, 3.16 }, { "E", 0.9, 3.27 }, { "SS", 0.8, 3.46 }, { "nn", 0.7, 3.58 }, { "DD", 0.7, 3.7 }, { "PP", 1, 3.82 },
	{ "aa", 0.9, 3.92 }, { "SS", 0.8, 4.05 }, { "CH", 0.9, 4.18 }, { "RR", 0.8, 4.3 }, { "RR", 0, 4.5 },
}

local hero = character "assets/galatea.glb"
hero:look_at(camera)
hero:idle_motion()
light.rig("three_point", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.25 }
camera.orbit { target = vec(0, 1.585, 0.03), distance = 2.1, yaw = 14, pitch = 1, fov = 10.5 }

local state = { voice = nil, line = nil, shift = 0, fewer = false, mood = false, compare = false, slots = {} }
local held = {}

-- The two active slots: the previous key fades out while the next key fades in.
local function slots_at(seconds, keys)
	for i = 2, #keys do
		local before, after = keys[i - 1], keys[i]
		if seconds >= before[3] and seconds < after[3] then
			local share = (seconds - before[3]) / (after[3] - before[3])
			return { { before[1], (1 - share) * before[2] }, { after[1], share * after[2] } }
		end
	end
	return {}
end

local function move_mouth(slots)
	local weights = {}
	for _, slot in slots do
		weights[slot[1]] = (weights[slot[1]] or 0) + slot[2]
	end
	for name in held do
		if not weights[name] then
			hero.face:set("viseme_" .. name)
		end
	end
	for name, weight in weights do
		hero.face:set("viseme_" .. name, weight)
	end
	held = weights
end

local function speak()
	if state.voice then
		state.voice:stop()
		state.voice = nil
	end
	hero:stop_speaking "now"
	if state.compare then
		state.line = hero:say { FILE, text = TEXT, caption = false }
	else
		state.voice = sound.play("speak_1", { position = hero:bone_position "head" })
		ui.caption("Galatea", TEXT, { duration = 4.6 })
	end
end

local function keys_used()
	if not state.fewer then
		return KEYS
	end
	local some = {}
	for i, key in KEYS do
		if i % 2 == 1 or key[2] == 0 then
			table.insert(some, key)
		end
	end
	return some
end

-- Draws the keys over time, as markers under a waveform.
local LEFT, WIDE, SECONDS = 40, 1200, 4.6
local marks = {}
ui.box { position = vec(LEFT, 108, 0), width = WIDE, height = 2, color = vec(0.3, 0.3, 0.32) }
for i, key in KEYS do
	local x = LEFT + key[3] / SECONDS * WIDE
	marks[i] = ui.box { position = vec(x, 108 - 34 * key[2], 0), width = 4, height = math.max(4, 34 * key[2]), color = vec(1, 0.6, 0.25) }
	ui.text(key[1], { position = vec(x - 6, if i % 2 == 0 then 112 else 126, 0), size = 13 })
end
local cursor = ui.box { position = vec(LEFT, 66, 0), width = 2, height = 60 }

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("10.1  Manual lip-sync", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

local next_time = 0.3
function update()
	if input.pressed "up" or input.pressed "down" then
		state.shift = math.clamp(state.shift + (if input.pressed "up" then 0.05 else -0.05), -0.4, 0.4)
	end
	if input.pressed "f" then
		state.fewer = not state.fewer
	end
	if input.pressed "m" then
		state.mood = not state.mood
		hero.face:mood(if state.mood then "happiness" else nil, { intensity = 0.7 })
	end
	if input.pressed "a" then
		state.compare, next_time = not state.compare, 0
	end
	if input.pressed "space" or now() >= next_time then
		next_time = now() + 6.5
		speak()
	end

	-- Reads the playback time of the sound. A sum of ticks would drift.
	local used = keys_used()
	local time = if state.compare then state.line and state.line.time else state.voice and state.voice.time
	state.slots = if time and not state.compare then slots_at(time + state.shift, used) else {}
	move_mouth(state.slots)

	for i, mark in marks do
		mark.visible = not state.compare and table.find(used, KEYS[i]) ~= nil
	end
	cursor.position = vec(LEFT + math.min((time or 0) / SECONDS, 1) * WIDE, 66, 0)
	keys.text = table.concat({
		"Space  again",
		`Up Down  mouth {string.format("%+.2f", state.shift)} s`,
		`F  fewer keys {if state.fewer then "on" else "off"}`,
		`M  mood {if state.mood then "on" else "off"}`,
		`A  {if state.compare then "by sound and text" else "by hand"}`,
	}, "     ")
end

return { hero = hero, state = state, slots_at = slots_at, keys = KEYS }
