-- Camera moves for the show. A move is a table:
--
--   { 4, eye = { from, to }, at = { from, to }, fov = { from, to }, on = "head" }
--
-- The first value is the duration in seconds. `eye` and `at` are the camera's position and target in world space; with
-- `on`, they are relative to that bone of hers, which the camera follows smoothly (`rides`: `eye` follows too). A single
-- value instead of a pair does not move. `ease = false` moves at constant speed; the default eases in and out.

local film = {}

local hero = require("./galatea").hero
local move, time, bone_at

local function pair(value)
	if type(value) == "table" then
		return value[1], value[2]
	end
	return value, value
end

-- The stage camera follows its target smoothly, by a fraction of the distance per tick, but a cut must arrive at once.
-- So the target is moved farther away by the inverse of that fraction.
local GLIDE = 8 -- per second
local focus = keep_on_reload("film", {})

local function there_at_once(target, dt)
	local from = focus.at or target
	if dt == 0 then
		return target
	end
	focus.at = target
	return from + (target - from) / (1 - math.exp(-GLIDE * dt))
end

function film.roll(new)
	move, time, bone_at = new, 0, nil
end

function film.update(dt)
	if not move then
		return
	end
	time += dt
	local u = math.clamp(time / move[1], 0, 1)
	if move.ease ~= false then
		u = u * u * (3 - 2 * u)
	end
	local function mixed(value)
		local a, b = pair(value)
		return a + (b - a) * u
	end
	local at, eye = mixed(move.at or vector.zero), mixed(move.eye)
	if move.on then
		local bone = hero:bone_position(move.on)
		bone_at = if bone_at then bone_at + (bone - bone_at) * (1 - math.exp(-7 * dt)) else bone
		at += bone_at
		if move.rides then
			eye += bone_at
		end
	end
	-- The user controls the camera.
	local t = now() * 0.45
	local sway = vector.create(math.noise(t, 1.5), math.noise(t, 7.5), math.noise(t, 3.5))
	eye += sway * 0.006 * vector.magnitude(eye - at)
	local way = eye - at
	local far = vector.magnitude(way)
	camera.orbit {
		target = there_at_once(at, dt),
		distance = far,
		yaw = math.deg(math.atan2(way.x, way.z)),
		pitch = math.deg(math.asin(way.y / far)),
		fov = mixed(move.fov or 32),
		locked = true,
	}
end

return film
