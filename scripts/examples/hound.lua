-- A hound that follows her: it walks, trots or gallops depending on its distance to her, sits while she waits, and barks.
-- Each gait is a state of its own, because the order of the feet differs: gaits are cross-faded only briefly.
-- Within a gait the clip's speed matches the ground speed. The bark is an additive layer.
--
--   galatea play scripts/examples/hound.lua      WASD or stick: move her; shift: run; B: bark

local WALK, RUN = 1.4, 4.2 -- her speeds, metres per second
local FASTEST, NEAR = 6.5, 0.45 -- the hound's top speed, and its position next to her

-- The woman -----------------------------------------------------------------------------------

local hero = character "assets/galatea.glb"
hero.machine = machine {
	params = { speed = 0 },
	state "stand" { "idle" },
	state "move" { blend1d { param = "speed", match_speed = true, { 0, "idle" }, "walk", "run" } },
	transition_to "move" { from = "stand", when = "speed > 0.2", fade = 0.25 },
	transition_to "stand" { from = "move", when = "speed < 0.2", fade = inertial(0.35) },
}

-- The hound -----------------------------------------------------------------------------------

local hound = character("assets/hound.glb", { position = vec(0.8, 0, -1.2) })
hound.machine = machine {
	params = { speed = 0, waits = false },
	state "stand" { random_clips { { "idle", 3 }, "look_about", "wag" } },
	state "walk" { blend1d { param = "speed", match_speed = true, { 0, "idle" }, "walk" } },
	state "trot" { blend1d { param = "speed", match_speed = true, "trot" } },
	state "gallop" { blend1d { param = "speed", match_speed = true, "run" } },
	state "sit" {
		intro = "sit_down", loop = "sit", outro = "stand_up",
		on_enter = function(me) me:look_at(hero) end,
		on_exit = function(me) me:look_at(false) end,
	},

	-- Slower gaits start at a lower speed than the one at which they ended (hysteresis).
	transition_to "trot" { from = "walk", when = "speed > 1.7", fade = 0.25 },
	transition_to "walk" { from = "trot", when = "speed < 1.4", fade = 0.25 },
	transition_to "gallop" { from = "trot", when = "speed > 3.8", fade = 0.2 },
	transition_to "trot" { from = "gallop", when = "speed < 3.3", fade = 0.25 },
	transition_to "walk" { from = "stand", when = "speed > 0.15", fade = 0.2 },
	transition_to "stand" { from = "walk", when = "speed < 0.1", fade = inertial(0.3) },
	transition_to "sit" { from = "stand", when = "waits", fade = 0.25 },
	transition_to "stand" { from = "sit", when = "not waits", min_time = 1.2, fade = 0.2 },
}

for event, gain in { step = 0.35, fore_step = 0.25 } do
	hound:on(event, function(e)
		sound.play("step_" .. e.surface, { position = e.position, volume = gain, pitch = 1.5 })
	end)
end
hound:on("bark", function()
	print "woof"
end)
hero:on("step", function(e)
	sound.play("step_" .. e.surface, { position = e.position, volume = 0.6 })
end)

-- Her input: the keys, or else a fixed round with a rest at its end ------------------------------

input.bind("bark", { "b", "pad_west" })

local ROUND = { { 5, 0, 0 }, { 6, WALK, 20 }, { 5, RUN, -45 }, { 3, WALK, 60 } } -- seconds, speed, degrees a second

local led = keep_on_reload("hound", { leg = 1, since = 0, still = 0 })

-- Returns her speed, and her turn in this tick in degrees.
local function wish(dt: number)
	local x, y = input.axis("move_x"), input.axis("move_y")
	if x ~= 0 or y ~= 0 then
		return (if input.down("run") then RUN else WALK) * math.max(y, 0), -90 * x * dt
	end
	led.since += dt
	if led.since > ROUND[led.leg][1] then
		led.leg, led.since = led.leg % #ROUND + 1, 0
		if ROUND[led.leg][2] == 0 then
			hound:play("bark", { additive = true })
		end
	end
	return ROUND[led.leg][2], ROUND[led.leg][3] * dt
end

local function ahead_of(who)
	local yaw = math.rad(who.yaw)
	return vec(math.sin(yaw), 0, math.cos(yaw))
end

-- Turns a character towards a direction by at most `most` degrees, and returns a speed reduced by the remaining angle.
local function go(who, way, speed, most)
	local off = (math.deg(math.atan2(way.x, way.z)) - who.yaw + 180) % 360 - 180
	who.yaw += math.clamp(off, -most, most)
	return speed * math.clamp(math.cos(math.rad(off)), 0.15, 1)
end

local function follow(dt: number)
	local ahead = ahead_of(hero)
	local beside = hero.position + vec(ahead.z, 0, -ahead.x) * 0.8 + ahead * 0.3
	local way = beside - hound.position
	local far = vector.magnitude(way)
	local hers = hero.machine.params.speed
	led.still = if hers < 0.3 and far < 2 * NEAR then led.still + dt else 0

	local params = hound.machine.params
	params.waits = led.still > 1.5
	local wanted = 0
	if hound.machine:state() ~= "sit" and (far > NEAR or hers > 0.3) then
		local lags = vector.dot(way, ahead_of(hound))
		local speed = if hers > 0.3 then hers + 1.2 * lags else 1.3 * far
		wanted = go(hound, way + ahead * hers * 1.2, math.clamp(speed, 0, FASTEST), 200 * dt)
	end
	params.speed += math.clamp(wanted - params.speed, -6 * dt, 5 * dt)
	hound.position += ahead_of(hound) * params.speed * dt
end

camera.follow(hero, { distance = 5.5, pitch = 12, yaw = 130, fov = 36 })

function update(dt)
	local speed, turn = wish(dt)
	local params = hero.machine.params
	params.speed += (speed - params.speed) * (1 - math.exp(-5 * dt))
	hero.yaw += turn * math.min(1, params.speed)
	hero.position += ahead_of(hero) * params.speed * dt
	follow(dt)
	if input.pressed "bark" then
		hound:play("bark", { additive = true })
	end
end
