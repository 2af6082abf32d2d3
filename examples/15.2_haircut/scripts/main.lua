-- 15.2  Haircut: a complete haircut, interpolated between control hairs and simulated.
--
--   click and drag   orbits the camera
--   Space            shows the head colliders and the control hairs
--   L                exercise: longer hair, which collides with neck and shoulders
--   H                exercise: the head moves, and the hair follows
--   1, 2, 3          exercise: level of detail: all strands, a half, a sixth; wider, and with fewer points
--   S                strands, or textured strips as in the book
--   M                springs and noise, as in the book; or chains of fixed length
--   W                wind

local hero = character "assets/galatea.glb"
for _, part in { "hair", "hair_cap", "bun" } do
	hero:show_part(part, false)
end
hero:play("idle", { mode = "loop", fade = 0 })
hero:look_at(camera, { head_weight = 0.2 })
hero.face:mood("happiness", { intensity = 0.25 })

light.rig("three_point", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.25 }
camera.orbit { target = vec(0, 1.53, 0), distance = 1.5, yaw = 30, pitch = 4, fov = 19 }

local DETAIL = {
	{ strands = 7000, points = 16, width = 0.0011 },
	{ strands = 3500, points = 10, width = 0.0016 },
	{ strands = 1100, points = 6, width = 0.003 },
}
local state = { long = false, detail = 1, strips = false, book = false, shakes = false, windy = false, shown = false, hair = nil, turn = 0 }

local function grow()
	if state.hair then
		state.hair:remove()
	end
	local detail = DETAIL[state.detail]
	state.hair = hero:hair {
		name = `hair {now()}`, cut = if state.long then "long" else "bob",
		geometry = if state.strips then "cards" else "strands",
		strands = if state.strips then detail.strands // 12 else detail.strands,
		points = detail.points, width = if state.strips then nil else detail.width,
		color = vec(0.30, 0.11, 0.035), simulation = if state.book then "springs" else "chains",
	}
end
grow()

hero:add_modifier("shake", function(pose)
	-- Shakes for a while, then rests: the hair continues to swing after the head has stopped.
	local share = if state.shakes then math.max(0, math.sin(now() * 1.4)) else 0
	state.turn = 45 * share * math.sin(now() * 5)
	pose:rotate("head", vec(0, 1, 0), state.turn)
end)

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("15.2  Haircut", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })
local function tell(on)
	return if on then "on" else "off"
end

function update()
	if input.pressed "space" then
		state.shown = not state.shown
		debug_view(if state.shown then "springs" else nil, { legend = false })
	end
	if input.pressed "h" then
		state.shakes = not state.shakes
	end
	if input.pressed "w" then
		state.windy = not state.windy
		wind { direction = vec(1, 0, -0.3), speed = if state.windy then 4 else 0, gusts = 0.5 }
	end
	local before = `{state.long} {state.detail} {state.strips} {state.book}`
	for i = 1, #DETAIL do
		if input.pressed(tostring(i)) then
			state.detail = i
		end
	end
	for key, name in { l = "long", s = "strips", m = "book" } do
		if input.pressed(key) then
			state[name] = not state[name]
		end
	end
	if `{state.long} {state.detail} {state.strips} {state.book}` ~= before then
		grow()
	end
	keys.text = table.concat({
		"Drag  camera",
		"Space  control hairs",
		`L  {if state.long then "long" else "short"}`,
		`H  head moves {tell(state.shakes)}`,
		`1 2 3  detail {state.detail}`,
		`S  {if state.strips then "strips" else "strands"}`,
		`M  {if state.book then "springs" else "chains"}`,
		`W  wind {tell(state.windy)}`,
	}, "     ")
end

return { hero = hero, state = state }
