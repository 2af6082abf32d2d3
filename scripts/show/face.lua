-- 4. Face. Shows: expressions by name, layered, each with its own fade-in; and a clip for the chest.
-- To change: the list. `galatea inspect assets/galatea.glb` lists the expressions of her face.

local v = vector.create

local SHOWN = {
	{ "anger", seconds = 1.6, intensity = 0.9 },
	{ "confusion", seconds = 1.8, intensity = 1, side = "right" },
	{ "smile", seconds = 1.6, intensity = 0.8 },
	{ { happiness = 1, mouth_open = 0.5 }, seconds = 2, intensity = 1, clip = "laugh" },
}

return {
	{
		film = {
			7.2,
			eye = { v(0.42, 1.6, 3.15), v(-0.34, 1.58, 2.95) },
			at = { v(0, 1.56, 2.14), v(0, 1.57, 2.14) },
			fov = { 26, 23 },
		},
		run = function(a, hero)
			hero.face:mood()
			hero:look_at(camera, { eye_activity = 0.4 })
			for _, one in SHOWN do
				hero.face:show(one[1], {
					intensity = one.intensity,
					side = one.side,
					fade_in = 0.35,
					hold_time = one.seconds - 0.7,
					fade_out = 0.4,
				})
				if one.clip then
					hero:play(one.clip, { mask = "chest", fade = 0.2 })
				end
				a:wait(one.seconds)
			end
			hero.face:mood("happiness", { intensity = 0.35 })
		end,
	},
}
