-- 12.1  Normal map: the same face with and without a normal map, with a moving light and a moving face.
--
--   Space        stop or start the light
--   Up, Down     strength of the normal map on the right face: 0 to 2
--   L            exercise: several lights
--   K            exercise: the whole skinned body, walking
--   N            shows the normals; press again for the tangents
--   F            the book's lighting: one light, no shadows, at least 0.2

local faces = {}
for i, name in { "without", "normal map" } do
	local one = character("assets/elder.glb", { name = name, position = vec((i - 1.5) * 0.34, 0, 0) })
	one:play("idle", { mode = "loop", fade = 0 })
	one:look_at(camera, { eye_activity = 0.3 })
	faces[i] = one
end

local state = { depth = 1, turns = true, several = false, body = false, view = 1, book = false, turn = -1.4, faces = faces }
local VIEWS = { "lit", "normals", "tangents" }

local function set_depth()
	for _, name in faces[2]:materials() do
		if not name:find "toon" then
			faces[1]:material(name).normal_scale = 0
			faces[2]:material(name).normal_scale = state.depth
		end
	end
end
set_depth()
-- Her wrinkles are normal maps too: "without" turns them off as well.
for region in faces[1].face:wrinkles() do
	faces[1].face:wrinkle(region, 0)
end

ground.set { grid = 0, color = vec(0.1, 0.1, 0.11) }
light.rig("three_point", { position = vec(0, 0.9, 0), intensity = 0 })
light.sky { seamless = true, zenith = vec(0.09, 0.10, 0.12), horizon = vec(0.08, 0.085, 0.10), ground = vec(0.02, 0.02, 0.02) }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.05, vignette = 0.2 }
local lamp = light.spot { color = vec(1, 0.94, 0.86), intensity = 12, source_radius = 0.06, outer_angle = 26 }
local more = {}

local function frame()
	ground.set { visible = state.body }
	if state.body then
		camera.orbit { target = vec(0, 0.78, 0), distance = 6.4, yaw = 0, pitch = 5, fov = 18, cut = true }
	else
		camera.orbit { target = vec(0, 1.455, 0.03), distance = 2.4, yaw = 0, pitch = 1, fov = 10, cut = true }
	end
	for i, one in faces do
		one.position = vec((i - 1.5) * (if state.body then 0.9 else 0.36), 0, 0)
		one:play(if state.body then "walk" else "idle", { mode = "loop" })
		one.apply_root_motion = false
	end
end
frame()

local function several(on)
	for _, other in more do
		other:remove()
	end
	more = if on then {
			light.spot { position = vec(-2, 1.1, 0.8), target = vec(0, 1.35, 0), color = vec(0.35, 0.55, 1), intensity = 14, outer_angle = 26 },
			light.spot { position = vec(1.6, 2.2, -1.6), target = vec(0, 1.35, 0), color = vec(1, 0.45, 0.25), intensity = 22, outer_angle = 26 },
		} else {}
end

for i, label in { "without", "with" } do
	ui.text(label, { character = faces[i], bone = "head", offset = vec(0, 0.2, 0), size = 22, outline = 2 })
end
ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("12.1  Normal map", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

function update(dt)
	if input.pressed "space" then
		state.turns = not state.turns
	end
	local deeper = (if input.pressed "up" then 0.25 else 0) - (if input.pressed "down" then 0.25 else 0)
	if deeper ~= 0 then
		state.depth = math.clamp(state.depth + deeper, 0, 2)
		set_depth()
	end
	if input.pressed "l" then
		state.several = not state.several
		several(state.several)
	end
	if input.pressed "k" then
		state.body = not state.body
		frame()
	end
	if input.pressed "n" then
		state.view = state.view % #VIEWS + 1
		debug_view(if state.view > 1 then VIEWS[state.view] else nil)
	end
	if input.pressed "f" then
		state.book = not state.book
		light.post_process { shading = if state.book then "classic" else "physical" }
	end

	if state.turns then
		state.turn += 0.8 * dt
	end
	-- From one side to the other and back, never behind.
	local turn = 1.25 * math.sin(state.turn)
	lamp.position = vec(2 * math.sin(turn), if state.body then 2.4 else 1.75, 2 * math.cos(turn))
	lamp:aim_at(vec(0, if state.body then 0.9 else 1.42, 0))
	light.sun { yaw = math.deg(turn), pitch = 12, intensity = 0 }
	-- The face moves: the normal map must follow the morph targets.
	for _, one in faces do
		one.face:set("happiness", 0.3 + 0.3 * math.sin(now() * 1.5))
		one.face:set("brow_up", 0.4 + 0.4 * math.sin(now() * 0.9))
	end
	keys.text = table.concat({
		"Space  lamp",
		`Up Down  depth {string.format("%.2f", state.depth)}`,
		`L  several lamps {if state.several then "on" else "off"}`,
		`K  {if state.body then "body" else "face"}`,
		`N  {VIEWS[state.view]}`,
		`F  the book's light {if state.book then "on" else "off"}`,
	}, "     ")
end

return { state = state, lamp = lamp }
