-- A character controller on stairs, a lift, a ramp, a turning disc, crates to push, a step to jump onto and a
-- beam to crouch under. The controller moves her; the state machine only reads her movement.
--
--   galatea play scripts/examples/walker.lua      WASD or stick: walk; shift: run; space: jump; C: crouch

local WALK, RUN, SNEAK = 1.4, 4.2, 0.7 -- metres per second

-- The yard ------------------------------------------------------------------------------------

local STONE, WOOD, BRASS = vec(0.36, 0.35, 0.34), vec(0.36, 0.2, 0.1), vec(0.5, 0.36, 0.14)

ground.set { height = 0, collider = true, surface = "stone", grid = 1, color = vec(0.3, 0.3, 0.29) }
light.sun { yaw = 40, pitch = 46 }

physics.stairs { position = vec(0, 0, 2), steps = 6, step_height = 0.17, step_depth = 0.3, width = 2.2, color = STONE }
physics.box { position = vec(0, 0.51, 5), size = vec(2.2, 1.02, 2.4), color = STONE }
physics.box { position = vec(4.4, 1.2, 5), size = vec(2.4, 2.4, 2.4), color = STONE }
physics.ramp { position = vec(4.4, 0, -1.2), size = vec(2.2, 2.4, 5), surface = "wood", color = WOOD }
local lift = physics.box { position = vec(2.15, 0.92, 5), size = vec(1.9, 0.2, 1.9), body_type = "kinematic", surface = "metal", color = BRASS, metallic = 0.6, roughness = 0.35 }
local disc = physics.cylinder { position = vec(1.6, 0.06, -3.4), radius = 1.5, height = 0.12, body_type = "kinematic", surface = "metal", color = BRASS, metallic = 0.6, roughness = 0.35 }
-- A crate that is light enough to push, one that is too heavy, and a ball.
local crate = physics.box { position = vec(-1.4, 0.35, -3.4), size = vec(0.7, 0.7, 0.7), mass = 20, surface = "wood", color = WOOD }
physics.box { position = vec(-1.6, 0.45, -4.9), size = vec(0.9, 0.9, 0.9), mass = 2000, surface = "metal", color = vec(0.12, 0.12, 0.14) }
physics.sphere { position = vec(-0.6, 0.2, -2.2), radius = 0.2, mass = 1, surface = "rubber", color = vec(0.5, 0.06, 0.04) }
physics.box { position = vec(-4, 0.3, -1.6), size = vec(1.6, 0.6, 0.4), color = STONE }
-- A beam 1.3 m above the ground, on two posts.
physics.box { position = vec(-4, 1.45, 1), size = vec(2.2, 0.3, 0.5), surface = "wood", color = WOOD }
for side = -1, 1, 2 do
	physics.box { position = vec(-4 + side * 1.0, 0.65, 1), size = vec(0.2, 1.3, 0.4), surface = "wood", color = WOOD }
end

-- The character -------------------------------------------------------------------------------

local hero = character "assets/galatea.glb"
hero:controller { jump_height = 0.75, crouch_height = 1.15 }

-- Bent legs are shorter while walking than while standing, so this clip lowers the hips.
hero:add_clip(clip "sink" { space = "model", bones = { hips = { position = { { 0, 0, -0.07, 0 } } } } })

hero.machine = machine {
	params = { speed = 0, air = 0, grounded = true, low = 0 },
	layer "body" {
		state "idle" { "idle" },
		state "move" { blend1d { param = "speed", sync = "feet", match_speed = true, { 0.3, "idle" }, "walk", "run" } },
		-- The parameter `air` sets the time in the clip, so the jump can last as long as it needs.
		state "air" { "jump", time_param = "air" },
		state "landed" { "jump", mode = "once" },

		transition_to "air" { from = { "idle", "move", "landed" }, when = "not grounded", fade = 0.12 },
		transition_to "landed" { from = "air", on = "landed", start = 0.84, fade = 0.08 },
		transition_to "move" { from = "air", when = "grounded and speed > 0.5", fade = 0.15 },
		transition_to "idle" { from = "air", when = "grounded", fade = 0.2 },
		transition_to "move" { from = "landed", when = "speed > 0.5", fade = 0.25 },
		transition_to "idle" { from = "landed", at_end = true, fade = 0.25 },
		transition_to "move" { from = "idle", when = "speed > 0.15", fade = 0.2 },
		transition_to "idle" { from = "move", when = "speed < 0.1", fade = inertial(0.3) },
	},
	-- Crouching is an additive layer over standing and walking.
	layer "low" {
		additive = "rest",
		weight = "low",
		mask = { lower_body = 1, spine = 0.6 },
		state "low" { "crouch" },
	},
	layer "sink" { additive = "rest", weight = "low", state "sink" { "sink" } },
}

hero:on("step", function(e)
	sound.play("step_" .. e.surface, { position = e.position, volume = math.clamp(e.weight, 0.3, 1) })
end)
-- The clip has a marker of this name too; this handler reacts to the controller's landing.
hero:on("land", function(e)
	if e.source == "controller" and e.speed > 2 then
		hero.machine:send "landed"
		sound.play("land_stone", { position = e.position, volume = math.clamp(e.speed / 6, 0.2, 1) })
	end
end)

-- Her input: the keys, or else a fixed round -------------------------------------------------------

input.bind("crouch", { "c", "pad_east" })

local ROUND = {
	{ to = vec(0, 0, 4.9), pace = WALK, seconds = 7 },
	{ wait = "low" },
	{ to = vec(2.15, 0, 5), pace = WALK, seconds = 4 },
	{ wait = "high" },
	{ to = vec(4.4, 0, 5), pace = WALK, seconds = 4 },
	{ to = vec(4.4, 0, -2.2), pace = RUN, seconds = 6 },
	{ to = vec(1.9, 0, -3.4), pace = WALK, seconds = 5 },
	{ wait = "turn", seconds = 3 },
	{ to = vec(0.2, 0, -3.4), pace = WALK, seconds = 4 },
	{ to = vec(-2.2, 0, -3.4), pace = WALK, seconds = 4 },
	{ to = vec(-4, 0, -3.6), pace = WALK, seconds = 4 },
	{ to = vec(-4, 0, -0.4), pace = RUN * 0.7, seconds = 3, jump = -2.6 },
	{ to = vec(-4, 0, 2.4), pace = SNEAK, seconds = 6, low = true },
	{ to = vec(0, 0, 0), pace = WALK, seconds = 6 },
}

local led = keep_on_reload("walker", { leg = 1, since = 0, jumped = false, alone = 10 })

local function from_keys()
	local x, y = input.axis("move_x"), input.axis("move_y")
	if x == 0 and y == 0 then
		return vector.zero
	end
	local ahead = vector.normalize(camera.forward() * vec(1, 0, 1))
	local right = vec(-ahead.z, 0, ahead.x)
	local way = ahead * y + right * x
	local pace = if hero.crouching then SNEAK elseif input.down("run") then RUN else WALK
	return vector.normalize(way) * math.min(1, vector.magnitude(way)) * pace
end

-- Returns the input of the fixed round, and true if she is to crouch.
local function from_round(dt: number)
	local leg = ROUND[led.leg]
	led.since += dt
	local done = led.since > (leg.seconds or 12)
	local wish = vector.zero
	if leg.to then
		local way = (leg.to - hero.position) * vec(1, 0, 1)
		done = done or vector.magnitude(way) < 0.2
		if not done then
			wish = vector.normalize(way) * leg.pace
		end
		if leg.jump and hero.position.z > leg.jump and not led.jumped then
			led.jumped = true
			hero:jump()
		end
	elseif leg.wait == "low" then
		done = done or lift.position.y < 0.95
	elseif leg.wait == "high" then
		done = done or lift.position.y > 2.27
	end
	if done then
		led.leg, led.since, led.jumped = led.leg % #ROUND + 1, 0, false
	end
	return wish, leg.low or false
end

-- Each tick -------------------------------------------------------------------------------------------

camera.follow(hero, { distance = 5.2, pitch = 16, yaw = -150, fov = 36 })

function update(dt)
	-- The lift: up in 2.5 s, a pause, down again.
	local u = now() % 9
	local share = math.clamp(u / 2.5, 0, 1) - math.clamp((u - 4.5) / 2.5, 0, 1)
	lift.position = vec(2.15, 0.92 + 1.38 * share * share * (3 - 2 * share), 5)
	disc.yaw = now() * 40

	local wish, low = from_keys(), input.down("crouch")
	led.alone = if wish == vector.zero and not low and not input.down("jump") then led.alone + dt else 0
	if input.pressed("jump") then
		hero:jump()
	end
	if led.alone > 4 then
		wish, low = from_round(dt)
	end
	hero:move(wish)
	hero.crouching = low

	local params = hero.machine.params
	params.speed = hero.speed
	params.grounded = hero.is_grounded
	params.low += ((if hero.crouching then 1 else 0) - params.low) * (1 - math.exp(-9 * dt))
	-- Take-off is at 0.36 of the clip, landing at 0.64.
	params.air = math.clamp(0.5 - 0.14 * hero.velocity.y / 3.8, 0.38, 0.62)
end
