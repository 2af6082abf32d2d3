-- A layer for the upper body: she waves while she walks, and the legs are not affected. The layer has its own
-- state machine; a parameter fades the whole layer in and out.
--
--   galatea play scripts/examples/upper_body.lua      Q: wave

local hero = character "assets/galatea.glb"

hero.machine = machine {
	params = { greeting = 0 },
	layer "legs" {
		state "walk" { "walk" },
	},
	layer "arms" {
		-- Body parts of a humanoid by name, bones, or names with weights.
		mask = { right_arm = 1, chest = 0.3, head = 0.8 },
		weight = "greeting",
		state "rest" {},
		state "wave" { "wave", mode = "once" },
		transition_to "wave" { from = "rest", on = "greet", fade = 0.2 },
		transition_to "rest" { from = "wave", at_end = true, fade = 0.3 },
	},
}

camera.follow(hero, { distance = 3.2, pitch = 6, yaw = 25 })

local next_greeting = 1

function update(dt)
	if input.pressed("wave") or now() > next_greeting then
		next_greeting = now() + 4
		hero.machine:send("greet")
	end
	local params = hero.machine.params
	local wish = if hero.machine:state("arms") == "wave" then 1 else 0
	params.greeting += (wish - params.greeting) * (1 - math.exp(-10 * dt))
	hero.position += vec(0, 0, 1.4 * dt)
end
