-- Space hits her, harder each time, until she falls. Then she gets up again.

local hero = character "assets/galatea.glb"
hero.machine = machine { state "idle" { "idle" } }
hero:hit_reactions { get_up_delay = 1 }
camera.follow(hero, { distance = 5.4, yaw = 55, pitch = 14 })

for i = 1, 6 do
	physics.box {
		position = vec((i - 1) % 3 * 0.5 - 0.5, 0.2 + 0.405 * ((i - 1) // 3), -1.3),
		size = vec(0.4, 0.4, 0.4),
		yaw = 13 * i,
		mass = 2,
		surface = "wood",
		color = vec(0.5, 0.3, 0.14),
	}
end
physics.sphere { position = vec(1.2, 0.2, 0.6), radius = 0.2, mass = 1, color = vec(0.7, 0.12, 0.1) }

local BLOWS = {
	{ bone = "left_upper_arm", impulse = vec(-12, 0, 4) },
	{ bone = "head", impulse = vec(8, 0, -9) },
	{ bone = "chest", impulse = vec(5, 0, -38) },
	{ bone = "chest", impulse = vec(0, 0, 85) },
	{ bone = "chest", impulse = vec(-90, 20, -160) },
}
local n = 0

local caption = ui.text("space strikes her", { anchor = "bottom", position = vec(0, -24, 0), size = 20 })
hero:on("hit", function(e)
	caption.text = string.format("%s at the %s: %.0f newton seconds", e.reaction, e.bone, vector.magnitude(e.impulse))
end)
hero:on("settle", function(e) caption.text = "she lies " .. e.posture end)
hero:on("get_up_end", function() caption.text = "she stands" end)

function update()
	if input.pressed "space" and not hero.is_down then
		n = n % #BLOWS + 1
		hero:hit { bone = BLOWS[n].bone, impulse = BLOWS[n].impulse }
	end
end
