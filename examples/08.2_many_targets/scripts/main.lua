-- 8.2 Many morph targets: a neutral face and four targets, blended on the GPU. The weights change randomly
-- over time. A target is stored as its difference from the face (an exercise of the chapter): a weight
-- of 0 costs nothing.
--
--   1 2 3 4   one target only, by hand; press again to release it
--   space     random weights, or all zero
--   e         exercise: another shape: toadstools that sway in the wind, without bones
--   v         shows how far the active targets move the surface

local HEIGHT = 1.565
light.rig("three_point", { position = vec(0, HEIGHT, 0), size = 0.7 })
light.post_process { tonemap = "agx", contrast = 1.06, vignette = 0.25 }

local girl = character("assets/galatea.glb", { skinning_mode = "indexed", position = vec(0.05, 0, 0), yaw = 8 })
girl:idle_motion(false)
girl:play("idle", { speed = 0, fade = 0 })
girl.face:configure { blink_rate = 0 }

local TARGETS = { "emotion.happiness", "emotion.anger", "emotion.surprise", "blink" }
local NAMES = { "1 happiness", "2 anger", "3 surprise", "4 blink" }
local weights, wishes, held = { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, {}
local by_chance, next_change, view = true, 0, false

local stools = {}

local function look()
	if #stools > 0 then
		camera.orbit { target = vec(6, 0.42, 0), distance = 3.6, yaw = 12, pitch = 10, fov = 28, cut = true }
		light.rig("noon", { position = vec(6, 0.5, 0) })
		light.sun { yaw = 50, pitch = 35, intensity = 3.2, color = vec(1, 0.92, 0.8) }
		ground.set { color = vec(0.1, 0.13, 0.04), grid = 0, surface = "grass" }
	else
		camera.orbit { target = vec(0, HEIGHT - 0.01, 0), distance = 2, yaw = 0, pitch = 1, fov = 13, cut = true }
		light.rig("three_point", { position = vec(0, HEIGHT, 0), size = 0.7 })
	end
end
look()

local function plant()
	if #stools > 0 then
		for _, one in stools do
			one:remove()
		end
		table.clear(stools)
	else
		for i, one in { { 0, 0, 1.1 }, { -0.62, 0.25, 0.7 }, { 0.55, 0.3, 0.55 }, { 0.75, -0.5, 0.85 }, { -0.85, -0.55, 0.95 }, { 0.15, 0.6, 0.4 } } do
			stools[i] = character("assets/toadstool.glb", { name = `stool {i}`, position = vec(6 + one[1], 0, one[2]), scale = one[3], yaw = 0 })
		end
	end
	look()
end

ui.text("8.2  Many morph targets", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
local bars, names = {}, {}
for i, name in NAMES do
	names[i] = ui.text(name, { position = vec(40, 250 + i * 48, 0), size = 22, outline = 2 })
	bars[i] = ui.bar(0, { position = vec(190, 258 + i * 48, 0), width = 200, height = 12, color = vec(0.8, 0.4, 0.06) })
end
ui.text("1 2 3 4: by hand    space: by chance or at rest    e: toadstools    v: what moves", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

function update(dt)
	for i = 1, 4 do
		if input.pressed(tostring(i)) then
			by_chance = false
			held[i] = not held[i]
		end
		if not by_chance then
			wishes[i] = if held[i] then 1 else 0
		end
	end
	if input.pressed "space" then
		by_chance, held, next_change = not by_chance, {}, 0
	elseif input.pressed "e" then
		plant()
		for i = 1, 4 do
			bars[i].visible, names[i].visible = #stools == 0, #stools == 0
		end
	elseif input.pressed "v" then
		view = not view
		debug_view(if view then "morphs" else nil, { legend = false })
	end
	if by_chance and now() >= next_change then
		next_change = now() + 1.1
		for i = 1, 4 do
			wishes[i] = if random_range() < 0.45 then random_range(0.3, 0.9) else 0
		end
		wishes[4] *= 0.7
	end
	for i, target in TARGETS do
		weights[i] += (wishes[i] - weights[i]) * math.min(1, 5 * dt)
		if math.abs(weights[i]) < 0.001 then
			weights[i] = 0
		end
		girl:morph(target, weights[i])
		bars[i].value = weights[i]
	end
	for i, one in stools do
		local gust = math.sin(now() * 1.3 + i) + 0.5 * math.sin(now() * 3.1 + 2 * i)
		one:morph("lean_x", 0.35 + 0.35 * gust)
		one:morph("lean_z", 0.3 * math.sin(now() * 1.7 + 1.4 * i))
		one:morph("swell", 0.25 + 0.25 * math.sin(now() * 0.9 + i))
	end
	state.text = `weights by {if by_chance then "chance" else "hand"}{if view then "; blue is moved by millimetres, red by 2 cm" else ""}`
end

return { girl = girl, weights = weights, stools = stools, by_chance = function() return by_chance end }
