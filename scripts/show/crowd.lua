-- 8. Crowd. Shows: a crowd that crosses the meadow (folk.lua), and copies of her, some of marble, some of bronze. Each copy
-- has its own controller and avoids her and the other copies. The title ends the beat. To change: the number of copies
-- (PEOPLE), their material, their targets.

local folk = require "./folk"
local galatea = require "./galatea"
local v = vector.create

local PEOPLE = 9
local GOAL_Z = 2
-- Positions at which copies stop: by the gate, like the statues that they were.
local STAYS = { [7] = v(1.16, 0, 11.55), [8] = v(-1.16, 0, 11.55) }

local crowd = {}
local people = {}
local title = {}

local function person(i)
	local side = if i % 2 == 0 then 1 else -1
	local one = galatea.another {
		name = `one of many {i}`,
		position = v(side * random_range(0.15, 0.4) - 0.2, 0.2, 13.2 + i),
		yaw = 180,
		scale = random_range(0.94, 1.06),
	}
	one.machine = machine {
		params = { speed = 0 },
		state "move" { blend1d { param = "speed", match_speed = true, { 0.1, "idle" }, { galatea.WALK, "walk" } } },
	}
	one:controller { max_step_height = 0.3 }
	one:look_at(galatea.hero, { max_distance = 9 })
	local is_bronze = i % 3 == 0
	galatea.marble(one, if is_bronze then galatea.BRONZE else 1)
	one:on("step", function(e)
		sound.play(if is_bronze then "step_metal" else "step_stone", {
			position = e.position,
			volume = 0.3,
			pitch = random_range(0.75, 0.9),
		})
	end)
	return { one = one, pace = random_range(1.15, 1.4), stays = STAYS[i], side = side, lane = random_range(0.9, 1.5) }
end

-- Steers straight ahead, but around characters that are near and in front.
local function steer(p, hero)
	local at = p.one.position
	local lane = hero.position.x + p.side * p.lane
	local way = v((lane - at.x) * 0.5, 0, -1)
	if at.z > 11.4 then
		way = v((-0.1 + p.side * 0.22 - at.x) * 1.6, 0, -1) -- through the gate
	end
	local function avoid(other, room)
		local off = (at - other) * v(1, 0, 1)
		local far = vector.magnitude(off)
		if far < room and off.z > -0.4 then
			local push = (room - far) / room
			local aside = if math.abs(off.x) > 0.05 then math.sign(off.x) else p.side
			way += v(aside * 1.5 * push, 0, 0.35 * push)
		end
	end
	avoid(hero.position, 1.5)
	avoid(camera.position(), 1.9)
	for _, other in people do
		if other ~= p then
			avoid(other.one.position, 0.95)
		end
	end
	p.one:move(vector.normalize(way) * p.pace)
end

-- The last steps to the character's final position, where it stands still again.
local function settle(p)
	local way = (p.stays - p.one.position) * v(1, 0, 1)
	local far = vector.magnitude(way)
	if far > 0.2 then
		p.one:move(way / far * math.min(p.pace, 0.4 + far))
		return
	end
	p.one:move(vector.zero)
	p.one.yaw += ((180 - p.one.yaw + 180) % 360 - 180) * 0.08
	if not p.rests then
		p.rests = true
		p.one:look_at(false)
		p.one:play("statue", { mode = "loop", fade = 1.2, mirror = p.side > 0 })
	end
end

local function walk_on(a, hero)
	a:wait_until(function()
		for _, p in people do
			local z = p.one.position.z
			if p.stays and z < 12.1 then
				settle(p)
			elseif z > GOAL_Z then
				steer(p, hero)
			else
				p.one:move(vector.zero)
			end
			p.one.machine.params.speed = p.one.speed
		end
		return #people == 0
	end)
end

-- Starts the copies, unless they are already there.
local function gather(hero)
	if #people > 0 then
		return
	end
	for i = 1, PEOPLE do
		people[i] = person(i)
	end
	hero:task(function(a)
		walk_on(a, hero)
	end)
end

function crowd.clear()
	for _, p in people do
		p.one:remove()
	end
	for _, thing in title do
		thing:remove()
	end
	people, title = {}, {}
	folk.clear()
end

local function fade(a, thing, to, seconds)
	local from, begin = thing.opacity, now()
	a:start(function(b)
		b:wait_until(function()
			local u = math.clamp((now() - begin) / seconds, 0, 1)
			thing.opacity = from + (to - from) * u
			return u >= 1
		end)
	end)
end

crowd.beat = {
	-- View over the wall: the crowd arrives.
	{
		film = {
			5.5,
			eye = { v(0.9, 1.4, 5.6), v(0.3, 5.4, 6.4) },
			at = { v(0, 1.3, 12), v(0, -0.1, 24) },
			fov = 38,
		},
		run = function(a, hero)
			folk.come()
			hero.face:mood()
			hero:look_at(v(0, 1, 30), { turn_in_place = true })
			a:start(function(b)
				b:turn_to(0)
			end)
			a:wait(5)
		end,
	},
	-- The copies of her appear.
	{
		film = {
			3.6,
			eye = { v(1.3, 0.9, 6.3), v(1.1, 0.95, 6.5) },
			at = { v(-0.1, 0.8, 11.5), v(-0.1, 0.75, 11.5) },
			fov = 36,
		},
		run = function(a, hero)
			gather(hero)
			hero.face:mood()
			hero:look_at(v(-0.1, 1.4, 13), { turn_in_place = true })
			a:wait(1.2)
			hero.face:show("surprise", { hold_time = 1.2 })
			a:wait(1)
		end,
	},
	-- The copies split up around her.
	{
		film = {
			3,
			eye = { v(0.4, 0.1, -6.4), v(0.1, 0.3, -6.0) },
			at = { v(0, 0.1, 0), v(0, 0.12, 0) },
			on = "hips",
			rides = true,
			fov = 22,
		},
		run = function(a, hero)
			gather(hero)
			hero.face:mood("happiness", { intensity = 0.8 })
			a:start(function(b)
				b:turn_to(180)
			end)
			hero:look_at(camera)
			a:wait(2.4)
		end,
	},
	-- She waves, and the title appears.
	{
		film = {
			7,
			eye = { v(-0.2, 0.5, -4.4), v(-0.5, 0.3, -3.7) },
			at = { v(-0.4, 0.15, 0), v(-0.85, 0.25, 0) },
			on = "hips",
			rides = true,
			fov = 34,
		},
		run = function(a, hero)
			gather(hero)
			a:start(function(b)
				b:play("wave", { mask = "right_shoulder", fade = 0.25 })
			end)
			local at = {
				anchor = "right",
				position = v(-130, -96, 0),
				size = 96,
				color = v(1, 0.86, 0.62),
				shadow = true,
				opacity = 0,
			}
			title[1] = ui.text("GALATEA", at)
			at.position, at.size, at.color = v(-136, -30, 0), 27, v(1, 0.94, 0.84)
			title[2] = ui.text("a page of Lua, and it lives", at)
			a:wait(0.8)
			sound.play("glow", { volume = 0.5 })
			fade(a, title[1], 1, 1.2)
			fade(a, title[2], 1, 2)
			a:wait(2.6)
			hero:say { "crowd_1.wav", text = "{smile}Your [point]turn[/]." }
			a:wait "say_end"
			a:wait(1.4)
		end,
	},
}

return crowd
