-- 9.4  Face factory: generates faces at run time from one model and a weight for each morph target.
--
--   Space         new faces; each has a seed, and the same seed gives the same face
--   Up, Down      exercise: edit the middle face by hand: choose a morph target ...
--   Left, Right   ... and change its weight
--   R             resets the middle face to the model's own
--   C             random weights as in the book: 0 to 1 in steps of 0.001
--   E             all of them smile: the expression is added to the shape of the face

local LOOKS = {}
for i, hair in { vec(0.16, 0.055, 0.02), vec(0.03, 0.022, 0.018), vec(0.45, 0.28, 0.11), vec(0.28, 0.27, 0.26), vec(0.07, 0.04, 0.02) } do
	LOOKS[i] = { materials = { hair = { color = hair }, brow = { color = hair * 0.7 } } }
end

local faces = {}
for i = 1, 3 do
	local hero = character("assets/galatea.glb", { name = "face " .. i, position = vec((i - 2) * 0.29, 0, if i == 2 then 0.12 else 0), yaw = (2 - i) * 8 })
	hero:look_at(camera, { eye_activity = 0.5 })
	hero:idle_motion()
	faces[i] = hero
end
local mine = faces[2]

light.rig("three_point", { position = vec(0, 0.95, 0) })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.2 }
camera.orbit { target = vec(-0.125, 1.565, 0), distance = 3.4, yaw = 0, pitch = 1, fov = 10.6 }

local state = { seed = 10, book = false, smile = false, chosen = 1, names = {}, faces = faces }
for name in mine.face:shapes() do
	table.insert(state.names, name)
end
table.sort(state.names)

local function generate()
	for i, hero in faces do
		hero.face:randomize { seed = state.seed + i, variation = 1.3, uniform = state.book, variants = LOOKS }
	end
end
generate()

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("9.4  Face factory", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })
local labels, bars = {}, {}
for i, name in state.names do
	local y = 76 + i * 29
	labels[i] = ui.text((name:gsub("_", " ")), { position = vec(30, y, 0), size = 18, shadow = true })
	bars[i] = ui.bar(0, { position = vec(170, y + 6, 0), width = 120, height = 10, color = vec(1, 0.6, 0.25) })
end

function update(dt)
	if input.pressed "space" then
		state.seed += #faces
		generate()
	end
	if input.pressed "c" then
		state.book = not state.book
		generate()
	end
	if input.pressed "e" then
		state.smile = not state.smile
		for _, hero in faces do
			hero.face:mood(if state.smile then "happiness" else nil, { intensity = 0.8 })
		end
	end
	if input.pressed "r" then
		mine.face:randomize { variation = 0 }
	end
	if input.pressed "down" then
		state.chosen = state.chosen % #state.names + 1
	elseif input.pressed "up" then
		state.chosen = (state.chosen - 2) % #state.names + 1
	end
	local way = (if input.down "right" then 1 else 0) - (if input.down "left" then 1 else 0)
	local shapes = mine.face:shapes()
	if way ~= 0 then
		local name = state.names[state.chosen]
		local shape = shapes[name]
		mine.face:shape(name, math.clamp(shape.value + way * dt, shape.min, shape.max))
	end

	for i, name in state.names do
		local shape = shapes[name]
		bars[i].value = (shape.value - shape.min) / (shape.max - shape.min)
		labels[i].color = if i == state.chosen then vec(1, 0.72, 0.3) else vector.one
	end
	keys.text = table.concat({
		`Space  new faces (seed {state.seed})`,
		"arrows  shape and weight",
		"R  as the model",
		`C  the book's chance {if state.book then "on" else "off"}`,
		"E  smile",
	}, "     ")
end

return { state = state }
