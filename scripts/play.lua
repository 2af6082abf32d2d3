-- Free play after the show. WASD or the left stick: walk; shift: run; space: jump; Q: wave; E: open the gate when she
-- is near; X: knock her down; mouse: turn the camera.

local galatea = require "show/galatea"
local court = require "show/court"

local play = {}

local KEYS = "WASD  walk     Shift  run     Space  jump     Q  wave     E  gate     X  fall     Mouse  camera     \z
	R  the show again"
local NEAR = 3 -- metres; E works within this distance of the gate

local keys, active, opening

input.bind("knock", { "x", "pad_east" })

function play.begin(hero)
	if active then
		return
	end
	active = true
	keys = ui.text(KEYS, {
		anchor = "bottom",
		position = vec(0, -22, 0),
		size = 18,
		color = vec(1, 0.95, 0.86),
		shadow = true,
		opacity = 0.85,
	})
	camera.follow(hero, {
		target = vec(0, 1.05, 0),
		distance = 3.9,
		pitch = 8,
		yaw = hero.yaw + 28,
		fov = 34,
		locked = false,
	})
	hero:look_at(camera)
end

function play.finish()
	active = false
	if keys then
		keys:remove()
		keys = nil
	end
end

local function wish()
	local x, y = input.axis "move_x", input.axis "move_y"
	if x == 0 and y == 0 then
		return vector.zero
	end
	local ahead = camera.forward()
	local way = ahead * y + vec(-ahead.z, 0, ahead.x) * x
	local push = math.min(1, vector.magnitude(way))
	return vector.normalize(way) * push * (if input.down "run" then galatea.RUN else galatea.WALK)
end

function play.update(hero)
	local way = wish()
	if opening and (way ~= vector.zero or opening:end_reason()) then
		opening:stop()
		opening = nil
	end
	if not opening then
		hero:move(way)
	end
	if input.pressed "use" and not court.opening() and vector.magnitude(hero.position - court.gate.position) < NEAR then
		opening = hero:task(function(a)
			a:use(court.gate, "ring")
		end)
	end
	if input.pressed "jump" then
		hero.machine:send("jump", { timeout = 0.15 })
	end
	if input.pressed "wave" then
		hero:play("wave", { mask = "right_shoulder", fade = 0.25 })
		hero.face:show("smile", { hold_time = 1.6 })
		sound.play("cloth", { position = hero:bone_position "right_hand", volume = 0.4 })
	end
	if input.pressed "knock" and not hero.is_down then
		local yaw = math.rad(hero.yaw)
		hero:hit { bone = "chest", impulse = vec(-math.sin(yaw), 0, -math.cos(yaw)) * 170 }
	end
end

return play
