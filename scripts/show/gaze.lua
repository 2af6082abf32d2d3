-- 2. Gaze. Shows: eyes that turn to the camera before the head does, and stay on it while it moves around her.
-- To change: the path of the camera (`eye`), the restlessness of her eyes (`eye_activity`), the target of her gaze.

local galatea = require "./galatea"
local v = vector.create

return {
	-- Something moves in the distance.
	{
		film = {
			2.6,
			eye = { v(1.5, 2.0, 1.2), v(1.3, 2.05, 1.05) },
			at = { v(0.05, 2.01, 0.02), v(0.02, 2.03, 0.02) },
			fov = 24,
		},
		run = function(a, hero)
			hero:look_at(v(-3, 2, 4), { head_weight = 0.3 })
			a:wait(0.9)
			hero:look_at(camera, { head_weight = 0.2 })
			a:wait(0.7)
			hero:look_at(camera, { fade = 0.4 })
		end,
	},
	-- The camera circles her, and her gaze follows it.
	{
		film = {
			5,
			eye = { v(1.55, 1.8, 1.85), v(-1.6, 2.0, 1.45) },
			at = { v(0, 1.85, 0), v(0, 1.93, 0) },
			fov = { 33, 30 },
		},
		run = function(a, hero)
			galatea.still(false)
			hero:idle_motion()
			a:wait(2.6)
			hero.face:mood("happiness", { intensity = 0.55, fade = 1.2 })
		end,
	},
}
