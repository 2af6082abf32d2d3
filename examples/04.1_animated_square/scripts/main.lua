-- 4.1 Animated square: a clip is built in code from keys for position, scale and rotation, in ticks. It moves a square.
--
--   1 2 3       playback: once, loop, ping-pong
--   up down     speed
--   i           interpolation between keys: linear, step, cubic
--   r           adds rotation keys: position, scale and rotation are animated together
--   k           exercise: adds a random position key at the end
--   m           exercise: the same keys move a model (the torch) instead of the square

light.rig("three_point", { position = vec(0, 0.6, 0), size = 1.4 })
light.post_process { tonemap = "agx", vignette = 0.2 }
camera.orbit { target = vec(0.5, 0.55, 0), distance = 2.7, yaw = 0, pitch = 2, fov = 26 }

-- Keys are { ticks, … }; 500 ticks per second.
local TICKS = 500
local places = { { 0, 0.2, 0.3, 0 }, { 1000, 0.8, 0.5, 0 }, { 2000, 0.4, 0.8, 0 } }
local sizes = { { 500, 1 }, { 1500, 4 } }
local turns = { { 0, 0, 0, 0 }, { 1000, 0, 0, 170 }, { 2000, 0, 60, 20 } }

local square = physics.box { size = vec(0.1, 0.1, 0.012), collider = false, color = vec(0.75, 0.2, 0.04), roughness = 0.4, name = "square" }
local torch = character("assets/gallery/torch.glb", { scale = 0.5, position = vec(0, 0, 0) })
local BONES = { [square] = "box", [torch] = "torch" }

local MODES, WAYS = { "once", "loop", "pingpong" }, { "linear", "step", "cubic" }
local mode, way, turned, speed, thing = "pingpong", 1, false, 1, square
local play
local dots, built = {}, 0

local function stop()
	if play then
		play:stop(0)
	end
	play = nil
end

-- Makes a clip of all current keys, gives it to the prop, and plays it from the time of the previous clip.
local function build()
	local keys = { position = places, scale = sizes, rotation = if turned then turns else nil }
	built += 1
	local name = `AnimationSet{built}`
	thing:add_clip(clip(name) { ticks_per_second = TICKS, mode = mode, interpolation = WAYS[way], bones = { [BONES[thing]] = keys } })
	local at = play and play.time
	stop()
	play = thing:play(name, { mode = mode, fade = 0, speed = speed, start_time = at })
	square:show_part("box", thing == square)
	torch:show_part("torch", thing == torch)
	-- One dot per position key.
	for i = #dots + 1, #places do
		dots[i] = physics.sphere { radius = 0.014, collider = false, color = vec(0.1, 0.35, 0.6), position = vec(places[i][2], places[i][3], -0.1) }
	end
end
build()

ui.text("4.1  Animated square", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("1 2 3: once, loop, ping-pong    up down: speed    i: interpolation    r: rotation    k: a key    m: model", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })
local bar = ui.bar(0, { position = vec(0, -64, 0), anchor = "bottom", width = 700, height = 10, color = vec(0.75, 0.2, 0.04) })

function update(dt)
	local changed = false
	for i, name in MODES do
		if input.pressed(tostring(i)) then
			mode, changed = name, true
			stop()
		end
	end
	if input.pressed "i" then
		way, changed = way % #WAYS + 1, true
	elseif input.pressed "r" then
		turned, changed = not turned, true
	elseif input.pressed "k" then
		table.insert(places, { places[#places][1] + TICKS, random_range(0, 1), random_range(0.2, 0.9), 0 })
		changed = true
	elseif input.pressed "m" then
		stop()
		thing, changed = if thing == square then torch else square, true
	end
	local wish = (if input.down "up" then 1 else 0) - (if input.down "down" then 1 else 0)
	speed = math.clamp(speed + wish * dt, 0.1, 4)
	if changed then
		build()
	end
	if play.time then
		play.speed = speed
		bar.value = play.phase
	end
	local ticks = if play.time then string.format("tick %4.0f", play.time * TICKS) else "at its end"
	state.text = string.format("%s, %s, speed %.1f, %d position keys, %s", mode, WAYS[way], speed, #places, ticks)
end

return {
	square = square, places = places, play = function() return play end, speed = function() return speed end,
	thing = function() return thing end,
	made = function() return thing:clip(`AnimationSet{built}`) end, at = function() return thing:bone_position(BONES[thing]) end,
}
