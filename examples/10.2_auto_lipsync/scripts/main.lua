-- 10.2  Automatic lip-sync: the loudness of the voice selects the mouth shape. Nothing is keyed by hand.
--
--   Space        play the line again
--   1            by loudness, with the bands of this script (edit them and save)
--   2            by loudness, with the same bands, in the runtime
--   3            the runtime analyses the sound only
--   4            the runtime uses the sound and its text
--   Left, Right  windows per second: 20, 10 or 5
--   Up, Down     amount of mouth movement

local FILE, TEXT = "speak_2.wav", "Then somebody wrote a page of Lua. And now I breathe. I blink. I have opinions."

-- The mean amplitude of each 1/20 s window, relative to 0.3 of the peak: 0 to 9 and a to z are steps of 0.05.
-- Scripts cannot read the samples of a sound, so these values were measured in advance.
local LOUDNESS = "00001ouz453qtzpfiimiiilnkc706lil82ajbhhkni900005mpqollkhahlb9hji50016hli4bgnossr20001dqkkge705nurpikjnj331000"
local BANDS = {
	{ below = 0.2, shape = nil, from = 0, range = 0.2 },
	{ below = 0.4, shape = "E", from = 0.2, range = 0.2 },
	{ below = 0.7, shape = "aa", from = 0.4, range = 0.3 },
	{ below = 9, shape = "O", from = 0.7, range = 0.3 },
}
local MODES = { "loudness, in the script", "loudness, by the runtime", "sound alone", "sound and text" }
local LIPSYNC = { nil, "amplitude", "live", "auto" }

local hero = character "assets/galatea.glb"
hero:look_at(camera)
hero:idle_motion()
light.rig("three_point", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.25 }
camera.orbit { target = vec(0, 1.585, 0.03), distance = 2.1, yaw = -14, pitch = 1, fov = 10.5 }

local state = { mode = 1, rate = 10, strength = 1, voice = nil, line = nil, keys = {} }

local function loudness(from, to)
	local sum, n = 0, 0
	for i = math.floor(from * 20 + 0.5) + 1, math.min(math.floor(to * 20 + 0.5), #LOUDNESS) do
		sum, n = sum + tonumber(LOUDNESS:sub(i, i), 36) * 0.05, n + 1
	end
	return if n > 0 then math.min(sum / n, 1) else 0
end

-- One key at the start of each window. The mouth leads the sound a little, as in real speech.
local function make_keys()
	local keys = {}
	local step = 1 / state.rate
	for i = 0, math.ceil(#LOUDNESS / 20 * state.rate) do
		local share = loudness(i * step, (i + 1) * step)
		for _, band in BANDS do
			if share < band.below then
				local amount = if band.shape then math.max((share - band.from) / band.range, 0.3) else 0
				table.insert(keys, { at = i * step, shape = band.shape, amount = math.min(amount, 1), share = share })
				break
			end
		end
	end
	return keys
end

local function move_mouth(seconds)
	local weights = { E = 0, aa = 0, O = 0 }
	local i = math.floor(seconds * state.rate) + 1
	local before, after = state.keys[i], state.keys[i + 1]
	if before and after then
		local share = (seconds - before.at) * state.rate
		for key, part in { [before] = 1 - share, [after] = share } do
			if key.shape then
				weights[key.shape] += key.amount * part * state.strength
			end
		end
	end
	for name, weight in weights do
		hero.face:set("viseme_" .. name, math.clamp(weight, 0, 1))
	end
end

local bars = {}
for i = 1, #LOUDNESS do
	local share = math.min(tonumber(LOUDNESS:sub(i, i), 36) * 0.05, 1)
	local band = if share < 0.2 then vec(0.25, 0.25, 0.28) elseif share < 0.4 then vec(0.3, 0.5, 0.7) elseif share < 0.7 then vec(0.3, 0.6, 0.3) else vec(1, 0.5, 0.2)
	bars[i] = ui.box { position = vec(40 + i * 11, 116 - 40 * share, 0), width = 8, height = 2 + 40 * share, color = band }
end
local cursor = ui.box { position = vec(40, 72, 0), width = 2, height = 52 }

local function speak()
	hero.face:clear()
	hero:stop_speaking "now"
	if state.voice then
		state.voice:stop()
	end
	state.voice, state.line = nil, nil
	if state.mode == 1 then
		state.keys = make_keys()
		state.voice = sound.play("speak_2", { position = hero:bone_position "head" })
		ui.caption("Galatea", TEXT, { duration = 5.4 })
	else
		local line = { FILE, lipsync = LIPSYNC[state.mode], mouth_intensity = state.strength, caption = false }
		if state.mode == 4 then
			line.text = TEXT
		end
		state.line = hero:say(line)
	end
end

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("10.2  Automatic lip-sync", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

local next_time = 0.3
function update()
	for i = 1, #MODES do
		if input.pressed(tostring(i)) then
			state.mode, next_time = i, 0
		end
	end
	local way = (if input.pressed "right" then 1 else 0) - (if input.pressed "left" then 1 else 0)
	if way ~= 0 then
		state.rate, next_time = math.clamp(state.rate * 2 ^ way, 5, 20), 0
	end
	local more = (if input.pressed "up" then 0.2 else 0) - (if input.pressed "down" then 0.2 else 0)
	if more ~= 0 then
		state.strength = math.clamp(state.strength + more, 0.2, 2)
	end
	if input.pressed "space" or now() >= next_time then
		next_time = now() + 7
		speak()
	end
	if state.mode == 1 then
		move_mouth(state.voice and state.voice.time or 99)
	end
	local time = if state.mode == 1 then state.voice and state.voice.time else state.line and state.line.time
	cursor.position = vec(51 + math.min(time or 0, 5.4) * 220, 72, 0)
	keys.text = table.concat({
		"Space  again",
		`1 to 4  {MODES[state.mode]}`,
		`Left Right  windows a second {state.rate}`,
		`Up Down  strength {string.format("%.1f", state.strength)}`,
	}, "     ")
end

return { hero = hero, state = state, loudness = loudness }
