-- 9.2  Random face: mixes all morph targets of the face with random weights.
--
--   1, 2, 3   morph targets to mix: emotions, visemes, all of them
--   F         the book's limit: only the four largest weights are active
--   Up, Down  how often new weights are chosen
--   Space     stop or start

local EMOTIONS = {
	"anger", "concentration", "confusion", "contempt", "desire", "disgust", "excitement", "fear", "happiness", "sadness",
	"surprise",
}
local SPEECH = { "viseme_aa", "viseme_E", "viseme_I", "viseme_O", "viseme_U", "viseme_PP", "viseme_FF", "viseme_SS", "viseme_CH", "viseme_RR" }
local SETS = {
	{ name = "emotions", targets = EMOTIONS },
	{ name = "speech", targets = SPEECH },
	{ name = "all", targets = {} },
}
for _, list in { EMOTIONS, SPEECH, { "blink" } } do
	table.move(list, 1, #list, #SETS[3].targets + 1, SETS[3].targets)
end

local hero = character "assets/galatea.glb"
hero.face:configure { blink_rate = 0 }
hero:look_at(camera, { eye_activity = 0.3, blink_rate = 0 })

light.rig("three_point", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.25 }
camera.orbit { target = vec(-0.03, 1.575, 0.03), distance = 2.1, yaw = 10, pitch = 1, fov = 8.5 }

local state = { set = SETS[3], four = false, every = 0.45, runs = true, weights = {} }
local wanted, next_change = {}, 0

-- Only a few at a time: with too many, the expression cannot be recognised.
local function draw()
	wanted = {}
	for _ = 1, 3 do
		wanted[state.set.targets[math.ceil(random_range() * #state.set.targets)]] = random_range(0.3, 1)
	end
end

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("9.2  Random face", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })
local bars, names = {}, {}
for i, name in SETS[3].targets do
	local y = 84 + i * 23
	names[i] = ui.text((name:gsub("viseme_", "")), { position = vec(30, y, 0), size = 15, shadow = true })
	bars[name] = ui.bar(0, { position = vec(150, y + 6, 0), width = 130, height = 8, color = vec(1, 0.6, 0.25) })
end

function update(dt)
	for i, set in SETS do
		if input.pressed(tostring(i)) then
			state.set, next_change = set, 0
		end
	end
	if input.pressed "f" then
		state.four = not state.four
		hero.face:configure { max_active_targets = if state.four then 4 else 0 }
	end
	if input.pressed "space" then
		state.runs = not state.runs
	end
	if input.pressed "up" then
		state.every = math.max(0.15, state.every / 1.5)
	elseif input.pressed "down" then
		state.every = math.min(3, state.every * 1.5)
	end

	if state.runs and now() >= next_change then
		next_change = now() + state.every
		draw()
	end
	for name, bar in bars do
		local weight = state.weights[name] or 0
		if state.runs then
			weight += ((wanted[name] or 0) - weight) * (1 - math.exp(-3 * dt / state.every))
		end
		state.weights[name] = weight
		hero.face:set(name, weight)
		bar.value = weight
	end
	keys.text = table.concat({
		`1 2 3  mix {state.set.name}`,
		`F  four at once {if state.four then "on" else "off"}`,
		`Up Down  every {string.format("%.2f", state.every)} s`,
		`Space  {if state.runs then "stop" else "go on"}`,
	}, "     ")
end

return { hero = hero, state = state }
