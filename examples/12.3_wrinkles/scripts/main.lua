-- 12.3  Wrinkle maps: the skin folds where an expression moves it, and stays smooth everywhere else.
--
--   Space        the next expression; it also changes automatically
--   W            wrinkles of the left face on or off
--   Up, Down     set the forehead by hand
--   Left, Right  set the cheeks by hand
--   A            the expression controls the wrinkles again
--   F            depth: 1 or 2
-- The face on the right is the same without wrinkles.

local EXPRESSIONS = {
	{ name = "surprise", shapes = { surprise = 0.9, brow_up = 0.6 } },
	{ name = "anger", shapes = { anger = 1 } },
	{ name = "a broad smile", shapes = { happiness = 1, squint = 0.4 } },
	{ name = "disgust", shapes = { disgust = 1 } },
	{ name = "calm", shapes = {} },
	{ name = "sadness", shapes = { sadness = 1, brow_sad = 0.5 } },
}
local FOREHEAD = { "brow_inner", "brow_left", "brow_right", "frown" }
local CHEEKS = { "smile_left", "smile_right", "nose_left", "nose_right" }

local faces = {}
for i = 1, 2 do
	local one = character("assets/galatea.glb", { name = "face " .. i, position = vec((i - 1.5) * 0.27, 0, 0), yaw = 8 })
	one.machine = machine { state "rest" {} }
	one.face:configure { blink_rate = 0.5, asymmetry = 0 }
	faces[i] = one
end

light.sun { yaw = -66, pitch = 32, intensity = 3.2 }
light.sky { zenith = vec(0.10, 0.13, 0.18), horizon = vec(0.16, 0.18, 0.21), ground = vec(0.07, 0.065, 0.06), seamless = true }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.05, vignette = 0.2 }
camera.orbit { target = vec(-0.06, 1.585, 0.03), distance = 2.2, yaw = 0, pitch = 2, fov = 9.6 }

local state = { shown = 1, folds = true, forehead = nil, cheeks = nil, depth = 1, faces = faces }

local function show(i)
	state.shown = i
	for _, one in faces do
		one.face:clear { fade = 0.4 }
		for name, weight in EXPRESSIONS[i].shapes do
			one.face:set(name, weight, { fade = 0.5 })
		end
	end
end

-- Regions set by hand override; the expression drives the others. With wrinkles off, all are zero.
local function hold()
	for region in faces[1].face:wrinkles() do
		local by_hand = if table.find(FOREHEAD, region) then state.forehead elseif table.find(CHEEKS, region) then state.cheeks else nil
		faces[1].face:wrinkle(region, if state.folds then by_hand else 0, { fade = 0.3 })
		faces[2].face:wrinkle(region, 0)
	end
	for _, name in { "skin", "lips" } do
		faces[1]:material(name).normal_scale = state.depth
	end
end
hold()

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("12.3  Wrinkle maps", { position = vec(28, 20, 0), size = 30, shadow = true })
local label = ui.text("", { anchor = "top", position = vec(130, 22, 0), size = 26, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })
local bars, y = {}, 90
for _, region in { "brow_inner", "brow_left", "frown", "eye_left", "nose_left", "smile_left", "pursed", "chin" } do
	ui.text((region:gsub("_", " ")), { position = vec(30, y, 0), size = 17, shadow = true })
	bars[region] = ui.bar(0, { position = vec(140, y + 6, 0), width = 90, height = 8, color = vec(1, 0.6, 0.25) })
	y += 26
end

local next_time = 0
function update()
	if input.pressed "space" or now() >= next_time then
		next_time = now() + 2.5
		show(if now() < 0.1 then 1 else state.shown % #EXPRESSIONS + 1)
	end
	local changed = true
	if input.pressed "w" then
		state.folds = not state.folds
	elseif input.pressed "up" or input.pressed "down" then
		state.forehead = math.clamp((state.forehead or 0) + (if input.pressed "up" then 0.25 else -0.25), 0, 1)
	elseif input.pressed "right" or input.pressed "left" then
		state.cheeks = math.clamp((state.cheeks or 0) + (if input.pressed "right" then 0.25 else -0.25), 0, 1)
	elseif input.pressed "a" then
		state.forehead, state.cheeks = nil, nil
	elseif input.pressed "f" then
		state.depth = 3 - state.depth
	else
		changed = false
	end
	if changed then
		hold()
	end

	local weights = faces[1].face:wrinkles()
	for region, bar in bars do
		bar.value = weights[region] or 0
	end
	label.text = EXPRESSIONS[state.shown].name
	local function by(weight)
		return if weight then string.format("%.2f", weight) else "by the face"
	end
	keys.text = table.concat({
		"Space  next",
		`W  wrinkles {if state.folds then "on" else "off"}`,
		`Up Down  forehead {by(state.forehead)}`,
		`Left Right  cheeks {by(state.cheeks)}`,
		"A  by the face",
		`F  depth {state.depth}`,
	}, "     ")
end

return { state = state, expressions = EXPRESSIONS }
