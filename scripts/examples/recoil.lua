-- An additive layer: the flinch is added to the current animation. Whether she stands or walks, a hit does not
-- interrupt it, however hard or frequent.
--
--   galatea play scripts/examples/recoil.lua      space: hit her

local hero = character "assets/galatea.glb"

hero.machine = machine {
	params = { force = 1 },
	layer "body" {
		state "stand" { "idle" },
		state "walk" { "walk" },
		transition_to "walk" { from = "stand", min_time = 3, fade = 0.3 },
		transition_to "stand" { from = "walk", min_time = 3, fade = 0.3 },
	},
	layer "hits" {
		additive = true,
		weight = "force",
		state "none" {},
		state "flinch" { "flinch", mode = "once" },
		-- A transition from the flinch to itself: a second hit restarts it.
		transition_to "flinch" { on = "hit", fade = 0.05, start = "start" },
		transition_to "none" { from = "flinch", at_end = true, fade = 0.1 },
	},
}

camera.follow(hero, { distance = 3, pitch = 5, yaw = 70 })

local next_blow = 1

function update(dt)
	if input.pressed("jump") or now() > next_blow then
		next_blow = now() + 1.3
		hero.machine.params.force = random_range(0.4, 1)
		hero.machine:send("hit")
	end
	if hero.machine:state("body") == "walk" then
		hero.position += vec(0, 0, 1.4 * dt)
	end
end
