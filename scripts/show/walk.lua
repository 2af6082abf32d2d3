-- 5. Walk. Shows: steps, gravel, boards, grass and marble, each with its own sound. Foot IK adapts one walk clip to all
-- of them. To change: the path (PATH), the pace.

local court = require "./court"
local v = vector.create

local PACE = 1.4
local PATH = {
	{ v(0, 0, 4.0), v(0.1, -0.56, 6.2) }, -- the steps, gravel
	{ v(0.1, -0.47, 7.9), v(0.2, -0.47, 9.1) }, -- boards over the ditch
	{ v(0.05, -0.3, 10.2), v(-0.25, 0.19, 11.45) }, -- grass, and up to the gate
}

local function go(a, way)
	for _, place in way do
		a:walk_to(place, { speed = PACE, stop_distance = 0.3 })
	end
end

return {
	{
		film = {
			2.8,
			eye = { v(1.6, -0.05, 8.2), v(1.3, 0.1, 8.6) },
			at = { v(0, 0.55, 3.0), v(0, 0.3, 5.6) },
			fov = { 34, 38 },
		},
		run = function(a, hero)
			hero:look_at()
			go(a, PATH[1])
		end,
	},
	-- Close-up of her feet.
	{
		film = {
			2.2,
			eye = { v(1.9, -0.28, 7.1), v(1.9, -0.2, 8.6) },
			at = { v(0.1, -0.3, 6.7), v(0.1, -0.25, 8.4) },
			fov = 34,
			ease = false,
		},
		run = function(a, hero)
			court.sun(1, 85)
			go(a, PATH[2])
		end,
	},
	{
		film = {
			2.2,
			eye = { v(-2.6, 0.4, 8.4), v(-2.3, 0.7, 9.0) },
			at = { v(0, 0.1, 0.1), v(0, 0.32, 0) },
			on = "hips",
			fov = { 36, 42 },
		},
		run = function(a, hero)
			court.sun(1, 122)
			go(a, PATH[3])
		end,
	},
}
