-- 15.1  Hair patch: four control hairs, defined by hand, and hair strips that are interpolated between them.
--
--   Space        shows the control hairs
--   T            exercise: a patch of three control hairs instead of four
--   Up, Down     number of strips: random positions look dense with few strips
--   S            textured strips, or strands
--   M            noise on springs, as in the book; or wind on chains of fixed length

light.rig("three_point", { position = vec(0, 0.25, 0), size = 0.9 })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.25 }
camera.orbit { target = vec(0, 0.25, 0), distance = 1.9, yaw = 24, pitch = 16, fov = 26 }

-- The scalp: a piece of leather on a pedestal.
local scalp = physics.box { position = vec(0, 0.09, 0), size = vec(0.46, 0.02, 0.46), color = vec(0.16, 0.07, 0.04), roughness = 0.8, collider = false }
physics.box { position = vec(0, 0.04, 0), size = vec(0.6, 0.08, 0.6), color = vec(0.4, 0.38, 0.36), collider = false }

local TOP = 0.1
local SQUARE = {
	{ vec(-0.17, 0, -0.17), vec(-0.18, 0.1, -0.18), vec(-0.21, 0.2, -0.17), vec(-0.26, 0.27, -0.12), vec(-0.33, 0.28, -0.06) },
	{ vec(0.17, 0, -0.17), vec(0.17, 0.12, -0.19), vec(0.16, 0.24, -0.18), vec(0.11, 0.33, -0.13), vec(0.03, 0.36, -0.07) },
	{ vec(0.17, 0, 0.17), vec(0.18, 0.11, 0.18), vec(0.19, 0.22, 0.21), vec(0.16, 0.31, 0.26), vec(0.10, 0.34, 0.33) },
	{ vec(-0.17, 0, 0.17), vec(-0.18, 0.09, 0.18), vec(-0.21, 0.18, 0.21), vec(-0.26, 0.24, 0.26), vec(-0.32, 0.24, 0.32) },
}
local TRIANGLE = { SQUARE[1], SQUARE[2], SQUARE[3] }

local STRIPS = { 40, 100, 200, 400 }
local state = { three = false, strips = 3, style = "cards", book = true, shown = false, hair = nil, scalp = scalp }

local function grow()
	if state.hair then
		state.hair:remove()
	end
	local guides = {}
	for i, guide in if state.three then TRIANGLE else SQUARE do
		guides[i] = {}
		for k, at in guide do
			guides[i][k] = at + vec(0, TOP, 0)
		end
	end
	state.hair = scalp:hair {
		bone = "box", guides = guides, patches = { if state.three then { 1, 2, 3 } else { 1, 2, 3, 4 } },
		geometry = state.style, strands = STRIPS[state.strips] * (if state.style == "cards" then 1 else 12), points = 16,
		width = if state.style == "cards" then 0.022 else 0.0016, color = vec(0.42, 0.16, 0.05), root_color = vec(0.12, 0.04, 0.015), brightness_variation = 0.3,
		simulation = if state.book then "springs" else "chains", collide_with = false, name = `patch {now()}`,
	}
	wind { direction = vec(1, 0, 0.3), speed = if state.book then 0 else 3.5, gusts = 0.7 }
end
grow()

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("15.1  Hair patch", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

function update()
	if input.pressed "space" then
		state.shown = not state.shown
		debug_view(if state.shown then "springs" else nil, { legend = false })
	end
	local before = `{state.three} {state.strips} {state.style} {state.book}`
	if input.pressed "t" then
		state.three = not state.three
	end
	if input.pressed "s" then
		state.style = if state.style == "cards" then "strands" else "cards"
	end
	if input.pressed "m" then
		state.book = not state.book
	end
	local more = (if input.pressed "up" then 1 else 0) - (if input.pressed "down" then 1 else 0)
	state.strips = math.clamp(state.strips + more, 1, #STRIPS)
	if `{state.three} {state.strips} {state.style} {state.book}` ~= before then
		grow()
	end
	keys.text = table.concat({
		"Space  control hairs",
		`T  {if state.three then "three" else "four"}`,
		`Up Down  {STRIPS[state.strips]} strips`,
		`S  {state.style}`,
		`M  {if state.book then "springs and noise" else "wind"}`,
	}, "     ")
end

return { state = state }
