-- Walk and run, blended by speed. The clips are synchronised: both put the same foot down at the same
-- moment, at any speed between them and in transitions from standing.
--
--   galatea play scripts/examples/locomotion.lua      W and S: change the speed

local hero = character "assets/galatea.glb"

hero.machine = machine {
	params = { speed = 0 },
	state "stand" { "idle" },
	-- A clip without a blend position is placed at the ground speed measured from its feet. Below walking speed
	-- the steps get smaller until she stands.
	state "move" { blend1d { param = "speed", match_speed = true, { 0, "idle" }, "walk", "run" } },

	transition_to "move" { from = "stand", when = "speed > 0.2", fade = 0.25 },
	transition_to "stand" { from = "move", when = "speed < 0.2", fade = inertial(0.35) },
}

hero:on("step", function(e)
	sound.play("step_stone", { position = e.position, volume = math.clamp(e.weight, 0.3, 1) })
end)

camera.follow(hero, { distance = 4, pitch = 8, yaw = 60 })

local wish = 0

function update(dt)
	-- Without input: from standing to running and back, in a loop.
	local wave = 2.4 - 2.8 * math.cos(now() / 12 * 2 * math.pi)
	local held = input.axis("move_y")
	wish = if held ~= 0 then math.clamp(wish + held * 3 * dt, 0, 5) else math.max(0, wave)
	local params = hero.machine.params
	params.speed += (wish - params.speed) * (1 - math.exp(-5 * dt))
	hero.position += vec(0, 0, params.speed * dt)
end
