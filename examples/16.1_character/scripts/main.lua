-- 16.1  Character: all systems of the book in one character: a face with morph targets on a skinned body that walks,
-- talks, looks, reaches, collides and falls.
--
--   W A S D, Shift, Space   walk, run, jump; the mouse turns the camera
--   T  speak                E  emotion              Q  wave (upper body only: a bone mask)
--   L  look at the ball     R  reach for the ball   G  another face (from the face factory)
--   H  hair                 K  kill or revive       X  knock down
--   left button             shoot: leaves a wound, and pushes the body
--   F                       level of detail: foot IK, look-at and reach are off beyond 7 m from the camera
-- Until a key is pressed, she shows some of it automatically.

local Person = require "person"

light.rig "noon"
light.sun { yaw = 40, pitch = 40 }
light.post_process { tonemap = "agx", contrast = 1.06 }
ground.set { color = vec(0.34, 0.31, 0.26), grid = 0, surface = "stone", color_variation = 0.5 }
local STONE, WOOD = vec(0.42, 0.4, 0.37), vec(0.36, 0.2, 0.1)
physics.stairs { position = vec(1.2, 0, -3.4), yaw = 90, steps = 5, width = 2, color = STONE }
physics.box { position = vec(3.65, 0.425, -3.4), size = vec(2, 0.85, 2), color = STONE }
physics.ramp { position = vec(7.65, 0, -3.4), yaw = -90, size = vec(2, 0.85, 3), surface = "wood", color = WOOD }
for i = 0, 5 do
	physics.box { position = vec(-1.9 + (i % 3) * 0.46, 0.2 + (i // 3) * 0.4, -1.3), size = vec(0.4, 0.4, 0.4), mass = 6, surface = "wood", color = WOOD }
end
physics.sphere { position = vec(1, 0.25, -0.8), radius = 0.25, mass = 1.5, surface = "rubber", color = vec(0.5, 0.06, 0.04) }
character("assets/tree.glb", { position = vec(-3.6, 0, -5) })
character("assets/tree.glb", { position = vec(5, 0, -8), yaw = 130 })

local her = Person.new("assets/galatea.glb", { name = "Galatea" })
local body = her.body
local ball = physics.sphere { radius = 0.06, collider = false, color = vec(1, 0.5, 0.1), roughness = 0.3, position = vec(-0.4, 1.4, 0.6) }
local state = { alone = true, mood = "calm", detail = false }

camera.follow(body, { target = vec(0, 1.05, 0), distance = 5, yaw = 18, pitch = 9, fov = 32 })

ui.box { anchor = "top", width = 4000, height = 112, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("16.1  Character", { position = vec(28, 12, 0), size = 30, shadow = true })
local keys = ui.text("", { position = vec(28, 54, 0), size = 20 })
local function tell(on)
	return if on then "on" else "off"
end

-- Automatic demo: one action after another.
local SCRIPT = {
	{ 0.3, function() her:look_at(ball) end },
	{ 1.0, function() her:reach(ball) end },
	{ 4.2, function() her:reach(nil) her:speak() end },
	{ 9.4, function() her:look_at(nil) her:wave() end },
	{ 12, function() body:knock_down() end },
}
local played = 0
local function alone()
	local next_one = SCRIPT[played + 1]
	if next_one and now() >= next_one[1] then
		played += 1
		next_one[2]()
	end
end

local function detail(on)
	state.detail = on
	local max_distance = if on then 7 else 1000
	body:foot_ik { max_distance = max_distance }
	body:lean { max_distance = max_distance }
	body:idle_motion { max_distance = max_distance }
end

function update()
	local key = input.next_pressed()
	if key and not key:find "^wheel" then
		state.alone = false
	end
	her:walk(input.axis "move_x", input.axis "move_y", input.down "run")
	if input.pressed "space" then
		her:jump()
	end
	if input.pressed "t" then
		her:speak()
	end
	if input.pressed "e" then
		state.mood = her:emote()
	end
	if input.pressed "q" then
		her:wave()
	end
	if input.pressed "l" then
		her:look_at(if her.looks then nil else ball)
	end
	if input.pressed "r" then
		her:reach(if her.reaches then nil else ball)
	end
	if input.pressed "g" then
		her:new_face()
	end
	if input.pressed "h" then
		her:next_hair()
	end
	if input.pressed "k" then
		her:kill()
	end
	if input.pressed "x" and not body.is_down then
		body:knock_down()
	end
	if input.pressed "f" then
		detail(not state.detail)
	end
	if input.pressed "mouse_left" then
		local aim = camera.ray()
		her:shoot(aim.from, aim.to)
	end
	if state.alone then
		alone()
	end
	-- The ball moves in front of her, wherever she is.
	local turn = math.rad(body.yaw)
	local ahead, right = vec(math.sin(turn), 0, math.cos(turn)), vec(-math.cos(turn), 0, math.sin(turn))
	ball.position = body.position + ahead * 0.5 + right * (0.25 + 0.25 * math.sin(now() * 0.9)) + vec(0, 1.3 + 0.3 * math.sin(now() * 1.3), 0)
	her:update()
	keys.text = table.concat({
		"WASD Shift Space  walk, run, jump",
		"T  speak",
		`E  {state.mood}`,
		"Q  wave",
		`L  look {tell(her.looks)}`,
		`R  reach {tell(her.reaches)}`,
		"G  face\n",
	}, "     ")
		.. `H  hair     K  {if body.is_dead then "bring back" else "kill"}     X  knock down     Left button  shoot     F  level of detail {tell(state.detail)}     health {string.format("%.1f", body.health)}`
end

return { her = her, body = body, state = state, ball = ball }
