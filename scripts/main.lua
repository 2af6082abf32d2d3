-- The demo. WASD or arrows walk, shift runs, space jumps, Q waves, X knocks her down; the mouse turns the camera.
-- Left alone she strolls about by herself. Everything here reloads when it is saved: change a
-- number and watch.

local stroll = require "stroll"

local WALK, RUN = 1.4, 4.2 -- metres per second, as the clips were made

-- The place -----------------------------------------------------------------------------------

ground.set { surface = "stone", grid = 1, color = vector.create(0.32, 0.31, 0.30) }
ground.patch { at = vector.create(1, 0, 1.6), size = vector.create(2.4, 0, 1.8), surface = "wood", color = vector.create(0.26, 0.15, 0.08) }
ground.patch { at = vector.create(4.4, 0, 3.2), radius = 1.5, surface = "grass", color = vector.create(0.13, 0.24, 0.07) }
ground.patch { at = vector.create(8, 0, 4.4), radius = 1.6, surface = "gravel", color = vector.create(0.42, 0.38, 0.33) }
light.sun { yaw = 35, pitch = 42 }

-- Her -----------------------------------------------------------------------------------------

local hero = character "assets/galatea.glb"

hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" { blend1d { by = "speed", sync = "feet", { WALK, "walk" }, { RUN, "run" } } },
	state "jump" { "jump", mode = "once" },

	to "move" { from = "idle", when = "speed > 0.15", fade = 0.25 },
	to "idle" { from = "move", when = "speed < 0.1", fade = inertial(0.3) },
	to "jump" { from = { "idle", "move" }, on = "jump", fade = 0.15 },
	to "move" { from = "jump", done = true, when = "speed > 0.15", fade = 0.2 },
	to "idle" { from = "jump", done = true, fade = 0.2 },
}

-- Marks come with the clips: left and right steps in walk and run, take-off and landing in jump.
hero:on("step", function(e)
	local hard = if hero.machine.params.speed > 2.5 then 1 else 0.6
	sound.play("step_" .. e.surface, { at = e.position, gain = hard, pitch = chance(0.94, 1.06) })
end)
hero:on("takeoff", function(e)
	sound.play("jump", { at = e.position, gain = 0.5 })
end)
hero:on("land", function(e)
	sound.play("land_" .. e.surface, { at = e.position })
end)

local function wave()
	hero:play("wave", {
		mask = "right_shoulder",
		fade = 0.25,
		done = function(why) if why == "end" then hero:morph("smile", 0.25) end end,
	})
	hero:morph("smile", 1)
	sound.play("cloth", { at = hero:bone("right_hand"), gain = 0.4 })
end

-- What no clip can know: where the ground is, who looks at her, that she lives ------------------

hero:feet()
hero:lean()
hero:alive()
hero:look(camera) -- she blinks by herself

-- Each tick -----------------------------------------------------------------------------------

camera.follow(hero, { distance = 3.9, pitch = 8, yaw = 28, fov = 34 })

input.bind("knock", { "x", "pad_east" })

local state = keep("hero", { speed = 0, turn = 0, idle_for = 0, fallen = false })

hero:on("down", function() state.fallen = true end)
hero:on("stand", function() state.fallen = false end)

local function wish_from_keys()
	local x, y = input.axis("move_x"), input.axis("move_y")
	if x == 0 and y == 0 then
		return nil
	end
	local ahead = camera.forward()
	local right = vector.create(-ahead.z, 0, ahead.x)
	local way = ahead * y + right * x
	local push = math.min(1, vector.magnitude(way))
	return vector.normalize(way) * push * (if input.down("run") then RUN else WALK)
end

function update(dt)
	local keys = wish_from_keys()
	local acted = keys or input.pressed("jump") or input.pressed("wave") or input.pressed("knock")
	state.idle_for = if acted then 0 else state.idle_for + dt

	local wish = keys or vector.zero
	local act
	if state.idle_for > 4 then
		wish, act = stroll.wish(now(), hero.position, WALK, RUN)
	end
	if input.pressed("jump") or act == "jump" then
		hero.machine:send("jump", { within = 0.15 })
	end
	if input.pressed("knock") and not state.fallen then
		local back = math.rad(hero.yaw)
		hero:hit { bone = "chest", impulse = vector.create(-math.sin(back), 0, -math.cos(back)) * 170 }
	end
	if state.fallen then
		state.idle_for, state.speed, wish = 0, 0, vector.zero
	end
	if input.pressed("wave") or act == "wave" then
		wave()
	end

	-- Speed follows the wish, the body turns into the way, and both take a moment.
	local want = vector.magnitude(wish)
	state.speed += (want - state.speed) * (1 - math.exp(-6 * dt))
	if want > 0.05 then
		local yaw = math.deg(math.atan2(wish.x, wish.z))
		local off = (yaw - hero.yaw + 180) % 360 - 180
		hero.yaw += off * (1 - math.exp(-7 * dt))
	end
	local yaw = math.rad(hero.yaw)
	hero.position += vector.create(math.sin(yaw), 0, math.cos(yaw)) * state.speed * dt
	hero.machine.params.speed = state.speed
end
