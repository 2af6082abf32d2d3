-- 1. Wake. Shows: a moving sun, a shader driven by a material parameter from a script, clips and sounds.
-- To change: the duration of the transformation (FLESH), the camera positions, the time of the sunrise.

local galatea = require "./galatea"
local court = require "./court"

local v = vector.create
local FLESH = 8 -- seconds from the first crack to the last toe

-- Moves the sun from one fraction of the sunrise to another.
local function rise(a, from, to, seconds)
	local begin = now()
	a:wait_until(function()
		local u = math.clamp((now() - begin) / seconds, 0, 1)
		court.sun(from + (to - from) * u)
		return u >= 1
	end)
end

-- Sets the fraction of her that is stone now, then turns it into flesh while it cracks.
local function turn(hero, share)
	galatea.still(true)
	galatea.marble(hero, share)
	galatea.marble(hero, 0, FLESH * share)
end

-- The stone cracks; chips and dust fall from all of her body.
local function cracks(a, hero)
	for i = 1, 4 do
		hero:particles("chips", { shape = "surface", burst = 30, speed = { 0.1, 0.7 }, size = { 0.004, 0.02 } })
		hero:particles("dust", {
			shape = "surface",
			burst = 36,
			speed = { 0, 0.12 },
			size = { 0.03, 0.07 },
			gravity_scale = 0.06,
			radial_speed = 0,
		})
		sound.play("crack", { position = v(0, 1.8, 0), volume = 0.9 - 0.1 * i, pitch = random_range(0.8, 1.2) })
		if i % 2 == 0 then
			sound.play("crumble", { position = v(0, 0.5, 0.3), volume = 0.6 })
		end
		a:wait(random_range(0.3, 0.5))
	end
end

return {
	-- The state before the first frame.
	ready = function(hero)
		court.shut()
		court.sun(0, 62)
		hero:ragdoll(false)
		hero.position, hero.yaw, hero.velocity = v(0, 0.51, 0), 0, vector.zero
		hero.face:mood()
		galatea.marble(hero, 1)
		galatea.still(true)
	end,
	-- The court before sunrise.
	{
		film = {
			4.5,
			eye = { v(-6.4, 0.35, 9.6), v(-5.2, 0.75, 8.2) },
			at = { v(-0.4, 1.75, -1), v(-0.2, 1.6, 0) },
			fov = 36,
			ease = false,
		},
		run = function(a)
			rise(a, 0, 0.35, 4.5)
		end,
	},
	-- The light reaches her.
	{
		film = { 3.6, eye = { v(1.7, 0.55, 4.4), v(1.15, 0.8, 3.7) }, at = { v(0, 1.15, 0), v(0, 1.35, 0) }, fov = 34 },
		run = function(a, hero)
			galatea.still(true)
			galatea.marble(hero, 1)
			rise(a, 0.35, 0.8, 3.6)
		end,
	},
	-- The heart turns to flesh.
	{
		film = { 1.9, eye = { v(0.55, 1.85, 1.5), v(0.4, 1.84, 1.25) }, at = v(0.02, 1.78, 0.05), fov = 30 },
		run = function(a, hero)
			court.sun(0.8)
			sound.play("glow", { volume = 0.7 })
			turn(hero, 1)
			hero:particles("motes", "chest", { radius = 0.4, rate = 40, duration = 4 })
			cracks(a, hero)
		end,
	},
	-- The change passes over her face.
	{
		film = {
			1.9,
			eye = { v(-0.3, 1.98, 1.0), v(-0.16, 2.05, 0.92) },
			at = { v(0.02, 1.97, 0.05), v(0.02, 2.04, 0.05) },
			fov = 30,
		},
		run = function(a, hero)
			turn(hero, 1 - 1.9 / FLESH)
			a:start(function(b)
				cracks(b, hero)
			end)
			rise(a, 0.8, 1, 1.9)
		end,
	},
	-- The change reaches her toes.
	{
		film = {
			2.9,
			eye = { v(-1.6, 0.7, 3.0), v(-1.2, 0.95, 3.2) },
			at = { v(0, 1.32, 0), v(0, 1.38, 0) },
			fov = 38,
		},
		run = function(a, hero)
			turn(hero, 1 - 3.8 / FLESH)
		end,
	},
	-- The first breath.
	{
		film = {
			3.2,
			eye = { v(0.26, 2.02, 1.1), v(0.16, 2.08, 0.84) },
			at = v(0, 0.06, 0.04),
			on = "head",
			fov = 28,
		},
		run = function(a, hero)
			galatea.marble(hero, 0)
			hero:play("wake", { fade = 0.5, fade_out = 0.8 })
			a:wait(0.35)
			hero.face:blink()
			sound.play("breath", { position = hero:bone_position "head", volume = 0.9 })
			hero.face:configure { blink_rate = 1 }
			hero:idle_motion { breath = 1.6 }
			galatea.mist(6)
			a:wait(0.9)
			hero.face:blink()
			a:wait(0.5)
			hero.face:show("surprise", { intensity = 0.5, hold_time = 0.6 })
			a:wait(1)
		end,
	},
}
