-- Walk with WASD or the arrows, run with shift. Change a number, save, and watch.
local hero = character "assets/galatea.glb"

hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" { blend1d { param = "speed", { 0, "idle" }, { 1.4, "walk" }, { 4.2, "run" } } },
	transition_to "move" { from = "idle", when = function(p) return p.speed > 0.1 end, fade = 0.2 },
	transition_to "idle" { from = "move", when = function(p) return p.speed < 0.05 end, fade = 0.25 },
}

-- A body that can walk, collides with walls and climbs steps.
hero:controller {}

hero:on("step", function(e)
	sound.play("step_stone", { position = e.position, volume = 0.8 })
end)

camera.follow(hero, { distance = 4.5, pitch = 12 })

function update()
	local forward = camera.forward()
	local right = vec(-forward.z, 0, forward.x)
	local speed = if input.down("run") then 4.2 else 1.4
	hero:move((forward * input.axis("move_y") + right * input.axis("move_x")) * speed)
	hero.machine.params.speed = hero.speed
end
