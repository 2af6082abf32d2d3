-- Walk with WASD or the arrows, run with shift. Change a number, save, and watch.
local hero = character "assets/galatea.glb"

hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" { blend1d { param = "speed", { 0, "idle" }, { 1.4, "walk" }, { 4.2, "run" } } },
	transition_to "move" { from = "idle", when = function(p) return p.speed > 0.1 end, fade = 0.2 },
	transition_to "idle" { from = "move", when = function(p) return p.speed < 0.05 end, fade = 0.25 },
}

hero:on("step", function(e)
	sound.play("step_stone", { position = e.position, volume = 0.8 })
end)

camera.follow(hero, { distance = 4.5, pitch = 12 })

local speed = 0
function update(dt)
	local x, y = input.axis("move_x"), input.axis("move_y")
	local wish = math.min(1, math.sqrt(x * x + y * y)) * (if input.down("run") then 4.2 else 1.4)
	speed += (wish - speed) * (1 - math.exp(-8 * dt))
	hero.machine.params.speed = speed
	if wish > 0 then
		local ahead = camera.forward()
		local right = vector.create(-ahead.z, 0, ahead.x)
		local way = ahead * y + right * x
		local turn = (math.deg(math.atan2(way.x, way.z)) - hero.yaw + 180) % 360 - 180
		hero.yaw += turn * (1 - math.exp(-10 * dt))
	end
	local yaw = math.rad(hero.yaw)
	hero.position += vector.create(math.sin(yaw), 0, math.cos(yaw)) * speed * dt
end
