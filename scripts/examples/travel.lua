-- Travel: the state machine finds a path of transitions. There is no direct transition from crouching to running,
-- so she gets up and walks first. Each clip on the path plays as its transition says.
--
--   galatea play scripts/examples/travel.lua

local hero = character "assets/galatea.glb"

hero.machine = machine {
	params = { low = false },
	state "crouch" { intro = "crouch_down", loop = "crouch", outro = "crouch_up" },
	state "stand" { "idle" },
	state "walk" { "walk" },
	state "run" { "run" },

	transition_to "stand" { from = "crouch", when = "not low", fade = 0.2 },
	transition_to "crouch" { from = "stand", when = "low", fade = 0.2 },
	transition_to "walk" { from = "stand", on = "go", fade = 0.3 },
	transition_to "run" { from = "walk", on = "go", min_time = 1, fade = 0.3 },
	transition_to "walk" { from = "run", on = "slow", fade = 0.3 },
	transition_to "stand" { from = "walk", on = "slow", min_time = 1, fade = 0.3 },
}

hero:on("state_enter", function(e)
	local last = hero.machine:transition_history()
	print(e.state, last[#last].reason)
end)

camera.follow(hero, { distance = 4, pitch = 8, yaw = 60 })

local goals = { "run", "crouch" }
local next_goal, at = 1, 2

function update(dt)
	if now() > at then
		print("travelling to " .. goals[next_goal], table.concat(hero.machine:travel(goals[next_goal]), ", "))
		next_goal = next_goal % #goals + 1
		at = now() + 7
	end
	hero.machine.params.low = hero.machine:state() == "crouch"
	local speeds = { walk = 1.4, run = 4.2 }
	hero.position += vec(0, 0, (speeds[hero.machine:state()] or 0) * dt)
end
