-- The character: her model, movement and sounds. The beats control everything else.

local WALK, RUN = 1.4, 4.2 -- metres per second, the speeds of the clips

local galatea = {}

function galatea.another(options)
	return character("assets/galatea.glb", options)
end

local hero = galatea.another { name = "Galatea", position = vector.create(0, 0.51, 0) }
galatea.hero = hero
galatea.WALK, galatea.RUN = WALK, RUN

hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" {
		blend1d { param = "speed", sync = "feet", match_speed = true, { 0.3, "idle" }, { WALK, "walk" }, { RUN, "run" } },
	},
	state "jump" { "jump", mode = "once" },

	transition_to "move" { from = "idle", when = "speed > 0.15", fade = 0.25 },
	transition_to "idle" { from = "move", when = "speed < 0.1", fade = inertial(0.3) },
	transition_to "jump" { from = { "idle", "move" }, on = "jump", fade = 0.15 },
	transition_to "move" { from = "jump", at_end = true, when = "speed > 0.15", fade = 0.2 },
	transition_to "idle" { from = "jump", at_end = true, fade = 0.2 },
}

-- She has a character controller, foot IK, lean, breathing, and eyes that look at other characters.
hero:controller { max_step_height = 0.3, acceleration = 5, deceleration = 6, turn_rate = 300 }
hero:foot_ik()
hero:lean()
hero:idle_motion()
hero:look_at(camera)
hero:hit_reactions { get_up_delay = 0.5 }

-- Dust under her feet, by surface.
local DUST = { gravel = 14, grass = 3 }

local function raise(e, much)
	local n = DUST[e.surface]
	if n then
		particles("dust", e.position, { burst = math.ceil(n * much) })
	end
end

hero:on("step", function(e)
	local hard = if hero.speed > 2.5 then 1 else 0.6
	sound.play("step_" .. e.surface, { position = e.position, volume = hard, pitch = random_range(0.94, 1.06) })
	raise(e, hard)
end)
hero:on("takeoff", function(e)
	sound.play("jump", { position = e.position, volume = 0.5 })
end)
hero:on("land", function(e)
	sound.play("land_" .. e.surface, { position = e.position })
	raise(e, 2)
end)
hero:on("knock_down", function()
	sound.play("cloth", { position = hero.position, volume = 0.6 })
	sound.play("thud", { position = hero.position, volume = 0.9, delay = 0.35 })
end)

-- Shows her breath as mist while the morning is cold.
function galatea.mist(seconds)
	hero:particles("breath", { duration = seconds })
end

-- Sets the stone fraction of a character; flesh spreads from the heart (shaders/inc/stone.wgsl). In `seconds`, or now.
galatea.BRONZE = 2

function galatea.marble(one, share, seconds)
	for _, name in one:materials() do
		one:material(name):fade { thickness = share, duration = seconds or 0 }
	end
end

-- A statue neither breathes nor blinks.
local pose

function galatea.still(is_still)
	if is_still then
		pose = hero:play("statue", { mode = "loop", fade = 0 })
	elseif pose then
		pose:stop(0.4)
		pose = nil
	end
	hero:look_at(if is_still then false else camera)
	hero:idle_motion(if is_still then false else nil)
	hero.face:configure { blink_rate = if is_still then 0 else 1 }
end

function galatea.update()
	hero.machine.params.speed = hero.speed
end

return galatea
