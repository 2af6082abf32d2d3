-- 6. Handle. Shows: an interaction, which defines where to stand and what the hand does (defined in show/court.lua).
-- The body bends where the arm is too short. To change: her line, or how long she holds on (court.lua: `hold_time`).

local court = require "./court"
local v = vector.create

return {
	{
		film = {
			4.2,
			eye = { v(-1.25, 1.62, 9.5), v(-1.0, 1.64, 9.75) },
			at = { v(-0.1, 1.5, 11.45), v(-0.12, 1.46, 11.45) },
			fov = 28,
		},
		run = function(a, hero)
			hero:look_at(camera)
			a:turn_to(camera)
			hero:say {
				"handle_1.wav",
				text = "That gate. {brow_up}I have looked at it for two [beat]thousand[/] years.",
			}
			a:wait "say_end"
			hero:look_at(court.gate, { target_offset = v(-1.2, 1.05, 0) })
			hero:task(function(b)
				b:use(court.gate, "ring")
			end)
			a:wait("use", { timeout = 4 })
		end,
	},
	-- Close-up of the hand.
	{
		film = {
			1.5,
			eye = { v(-1.45, 1.5, 11.3), v(-1.3, 1.42, 11.4) },
			at = { v(-0.38, 1.25, 12.1), v(-0.42, 1.25, 12.15) },
			fov = 32,
		},
		run = function(a)
			a:wait_until(function()
				return court.opening()
			end, { timeout = 3 })
			a:wait(0.5)
		end,
	},
	-- The gate opens.
	{
		film = {
			3,
			eye = { v(0.3, 0.55, 8.3), v(0.2, 0.75, 8.9) },
			at = { v(-0.05, 1.2, 12.2), v(-0.05, 1.25, 12.2) },
			fov = 34,
		},
		run = function(a, hero)
			court.open(true)
			hero:look_at(v(-0.2, 1.5, 18))
			a:wait(1.3)
			a:turn_to(camera)
			hero:look_at(camera)
			hero.face:mood("happiness", { intensity = 0.9 })
		end,
	},
}
