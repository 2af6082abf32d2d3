-- Bullet time: balls fly at her. In slow motion she keeps her own speed, so that she has time to step aside. A ball that hits
-- her stops the game for a moment.
--
--   galatea play scripts/examples/bullet_time.lua      A and D: step aside, space: slow motion, P: pause

local hero = character "assets/galatea.glb"
hero:controller { turn_rate = 360 }
hero:hit_reactions { get_up_delay = 0.6 }
camera.frame(hero, { yaw = 62, distance = 6, pitch = 12 })
input.bind("pause", { "p", "pad_start" })

local caption = ui.text("", { anchor = "bottom", position = vec(0, -24), size = 26, outline = 2 })
local menu = ui.text("paused", { anchor = "center", size = 60, outline = 2, visible = false })

local SLOW = 0.12
local slow_until = 0
local walk

local function slow_motion(seconds)
	slow_until = time.unscaled() + seconds
	time.scale(SLOW)
	hero.unscaled = true
	caption.text = "slow motion: she is as fast as ever"
end

local function normal()
	time.scale(1)
	hero.unscaled = false
	caption.text = "space: slow motion"
end
normal()

-- Walks to the side: -1 left, 1 right, 0 stands.
local function step_aside(way)
	hero:move(vec(way * 1.3, 0, 0))
	if way ~= 0 and not walk then
		walk = hero:play("walk", { mode = "loop", fade = 0.15 })
	elseif way == 0 and walk then
		walk:stop(0.2)
		walk = nil
	end
end

-- Without input she evades two of three balls.
local n = 0
every(1.6, function()
	n += 1
	local number = n
	local ball = physics.sphere {
		radius = 0.12,
		mass = 4,
		position = hero.position + vec(0, 1.3, 7),
		velocity = vec(0, 2.2, -13),
		color = vec(0.8, 0.25, 0.1),
	}
	after(0.33, function()
		if number % 3 == 0 or time.scale() < 1 or hero.is_down then
			return
		end
		slow_motion(1.5)
		task(function(own)
			local till = time.unscaled() + 0.7
			local way = if hero.position.x > 0 then -1 else 1
			while time.unscaled() < till do
				step_aside(way)
				own:wait(0)
			end
			step_aside(0)
		end, { unscaled = true })
	end)
	after(3, function()
		ball:remove()
	end)
end)

hero:on("hit", function(e)
	time.freeze(0.09)
	caption.text = `{e.reaction}: the game stood still for a moment`
	sound.play("thud", { position = hero.position })
end)

function update_unscaled()
	if input.pressed "pause" then
		if time.is_paused() then
			time.resume()
		else
			time.pause()
		end
		menu.visible = time.is_paused()
	end
	if time.is_paused() then
		return
	end
	if input.pressed "jump" and time.scale() == 1 then
		slow_motion(2)
	end
	if time.scale() < 1 and time.unscaled() > slow_until then
		normal()
	end
	local way = input.axis "move_x"
	if way ~= 0 or input.released "left" or input.released "right" or input.released "a" or input.released "d" then
		step_aside(way)
	end
end
