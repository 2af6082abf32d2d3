-- 7. Fall. Shows: a hit, a stagger, a ragdoll that falls down three steps, getting up, and her comment.
-- To change: the impulse of the balls (BLOW), or the objects that come through the gate.

local v = vector.create

local BLOW = 80 -- newton seconds; 20 is a punch
local FROM = v(-0.9, 1.4, 19)

local balls = {}

-- Throws a ball that hits her there after the given number of seconds.
local function throw(a, hero, bone, seconds, reaction)
	local at = hero:bone_position(bone) + v(0, 0.12, 0.1)
	if balls[bone] then
		balls[bone]:remove()
	end
	local ball = physics.sphere {
		name = `ball at {bone}`,
		position = FROM,
		radius = 0.15,
		mass = 0.8,
		surface = "rubber",
		restitution = 0.7,
		color = v(0.5, 0.06, 0.03),
		roughness = 0.5,
		velocity = (at - FROM) / seconds + v(0, 9.81 / 2 * seconds, 0),
		angular_velocity = v(-300, 80, 0),
	}
	balls[bone] = ball
	ball:on("touch", function(e)
		if e.speed > 0.6 then
			sound.play("ball", { position = ball.position, volume = math.min(1, e.speed / 5) })
		end
	end)
	a:wait_until(function()
		return ball.position.z < at.z + 0.5
	end, { timeout = 2 })
	ball.velocity = v(-1.4, 2.6, 1.6)
	sound.play("bonk", { position = at })
	hero:hit { bone = bone, impulse = v(0.1, 0, -1) * BLOW, reaction = reaction }
end

return {
	{
		film = { 2, eye = { v(-1.6, 1.5, 9.9), v(-1.45, 1.5, 10.1) }, at = v(-0.22, 1.5, 11.7), fov = 30 },
		run = function(a, hero)
			hero:look_at(camera)
			a:wait(0.5)
			throw(a, hero, "head", 0.7, "stagger")
			hero.face:show("surprise", { fade_in = 0.08, hold_time = 1 })
			a:wait(1)
		end,
	},
	-- After the first hit: three steps.
	{
		film = {
			2.8,
			eye = { v(3.6, 0.45, 9.6), v(3.2, 0.45, 9.3) },
			at = { v(0, 0.75, 10.9), v(0, 0.0, 10.1) },
			fov = 38,
		},
		run = function(a, hero)
			throw(a, hero, "chest", 0.5, "fall")
			a:wait("settle", { timeout = 4 })
		end,
	},
	-- She gets up.
	{
		film = {
			3,
			eye = { v(-2.2, 0.3, 8.2), v(-2.0, 0.6, 8.0) },
			at = { v(0, -0.1, 0), v(0, 0.05, 0) },
			on = "chest",
			fov = 34,
		},
		run = function(a)
			a:wait("get_up_end", { timeout = 6 })
		end,
	},
	-- She looks at the camera.
	{
		film = {
			5,
			eye = { v(0.5, 0.05, -1.9), v(0.4, 0.08, -1.6) },
			at = v(0, 0, 0),
			on = "head",
			rides = true,
			fov = 25,
		},
		run = function(a, hero)
			hero:look_at(camera, { turn_in_place = true })
			hero.face:mood("contempt", { intensity = 0.6 })
			a:start(function(b)
				b:turn_to(camera)
			end)
			a:wait(1.1)
			hero:say {
				"fall_1.wav",
				text = "Two thousand years of pigeons. \z
					{frown}And [talk_beat_5]not[/] {brow_up}[shake]one[/] of them was that rude.",
			}
			a:wait "say_end"
			a:wait(0.4)
		end,
	},
}
