-- Intro, loop and outro clips: she crouches down, stays down as long as shift is held, and gets up again.
-- If you release shift during the intro, the intro finishes and the outro follows at once.
--
--   galatea play scripts/examples/crouch.lua      shift: crouch

local hero = character "assets/galatea.glb"

hero.machine = machine {
	params = { low = false },
	state "stand" { "idle" },
	state "crouch" { intro = "crouch_down", loop = "crouch", outro = "crouch_up" },
	transition_to "crouch" { from = "stand", when = "low", fade = 0.15 },
	-- The state has an outro, so the outro plays before this transition. `play_outro = false` would skip it.
	transition_to "stand" { from = "crouch", when = "not low", fade = 0.2 },
}

hero:on("state_enter", function(e)
	print(`{e.from} -> {e.state}`)
end)

camera.follow(hero, { distance = 3, pitch = 8, yaw = 50 })

function update()
	hero.machine.params.low = input.down("run") or now() % 6 > 2.5 and now() % 6 < 4.5
end
