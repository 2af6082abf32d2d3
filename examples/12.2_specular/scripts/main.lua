-- 12.2  Specular: highlights on the face, large and dull on rough skin, small and bright on wet eyes.
--
--   1            without specular
--   2            with specular; a roughness map sets the roughness per texel
--   3            shows the roughness map
--   Left, Right  roughness: large and dull, or small and bright
--   Up, Down     specular strength
--   E            wet or dry eyes
--   F            the book's lighting: power 85, strength 0.4
--   L            exercise: several lights
--   Space        stop or start the light

local man = character "assets/man.glb"
man:play("idle_look", { mode = "loop", fade = 0 })
man:look_at(camera, { head_weight = 0.5, eye_activity = 0.4 })
man.face:mood("happiness", { intensity = 0.25 })
local skin, lips, eye = man:material "skin", man:material "lips", man:material "eye"
local BASE, EYE = skin.roughness, eye.roughness

local state = { mode = 2, rough = 0.7, strength = 1, wet = true, book = false, several = false, turns = true, turn = -1 }

ground.set { visible = false }
light.rig("three_point", { position = vec(0, 1.0, 0), intensity = 0 })
light.sky { seamless = true, zenith = vec(0.12, 0.13, 0.15), horizon = vec(0.10, 0.11, 0.13), ground = vec(0.02, 0.02, 0.02) }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.05, vignette = 0.2 }
camera.orbit { target = vec(0, 1.695, 0.03), distance = 2.1, yaw = 18, pitch = 1, fov = 10.5 }
local lamp = light.spot { color = vec(1, 0.94, 0.86), intensity = 11, source_radius = 0.05, outer_angle = 24 }
local more = {}

local function several(on)
	for _, other in more do
		other:remove()
	end
	more = if on then {
			light.spot { position = vec(-1.7, 1.5, 0.9), target = vec(0, 1.62, 0), color = vec(0.35, 0.55, 1), intensity = 16, outer_angle = 22 },
			light.spot { position = vec(1.5, 2.2, -1.5), target = vec(0, 1.62, 0), color = vec(1, 0.5, 0.3), intensity = 24, outer_angle = 22 },
		} else {}
end

local function apply()
	local shines = state.mode ~= 1
	for _, material in { skin, lips } do
		material.specular = if shines then math.min(state.strength, 1) else 0
		material.roughness = BASE * state.rough
		-- Above 1, adds a thin wet layer: sweat.
		material.clearcoat = if shines then math.clamp(state.strength - 1, 0, 1) * 0.6 else 0
		material.clearcoat_roughness = 0.35 * state.rough
	end
	eye.specular = if shines then 1 else 0
	eye.roughness = if state.wet then EYE else 0.9
	debug_view(if state.mode == 3 then "roughness" else nil)
end
apply()

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("12.2  Specular", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })
local MODES = { "without", "highlights", "the map" }

function update(dt)
	local before = `{state.mode} {state.rough} {state.strength} {state.wet}`
	for i = 1, 3 do
		if input.pressed(tostring(i)) then
			state.mode = i
		end
	end
	local rougher = (if input.pressed "left" then 0.15 else 0) - (if input.pressed "right" then 0.15 else 0)
	state.rough = math.clamp(state.rough + rougher, 0.25, 1)
	local stronger = (if input.pressed "up" then 0.25 else 0) - (if input.pressed "down" then 0.25 else 0)
	state.strength = math.clamp(state.strength + stronger, 0, 2)
	if input.pressed "e" then
		state.wet = not state.wet
	end
	if `{state.mode} {state.rough} {state.strength} {state.wet}` ~= before then
		apply()
	end
	if input.pressed "f" then
		state.book = not state.book
		light.post_process { shading = if state.book then "classic" else "physical" }
	end
	if input.pressed "l" then
		state.several = not state.several
		several(state.several)
	end
	if input.pressed "space" then
		state.turns = not state.turns
	end

	if state.turns then
		state.turn += 0.7 * dt
	end
	local turn = math.rad(18) + 1.1 * math.sin(state.turn)
	lamp.position = vec(1.6 * math.sin(turn), 2.1, 1.6 * math.cos(turn))
	lamp:aim_at(vec(0, 1.64, 0))
	light.sun { yaw = math.deg(turn), pitch = 18, intensity = 0 }
	keys.text = table.concat({
		`1 2 3  {MODES[state.mode]}`,
		`Left Right  roughness {string.format("%.2f", state.rough)}`,
		`Up Down  strength {string.format("%.2f", state.strength)}`,
		`E  eyes {if state.wet then "wet" else "dry"}`,
		`F  the book's light {if state.book then "on" else "off"}`,
		`L  lamps {if state.several then 3 else 1}`,
	}, "     ")
end

return { man = man, state = state, lamp = lamp }
