-- Flight clips: wing beats and gliding.
local v = vector.create
local pi, sin, cos = math.pi, math.sin, math.cos

-- The same on both sides.
local function both(out, bone, turn)
	out["left_" .. bone] = { turn = turn }
	out["right_" .. bone] = { turn = v(turn.x, -turn.y, -turn.z) }
end

local BEAT, DOWN = 0.32, 0.55 -- seconds, and the fraction of the downstroke

-- Half a circle for the downstroke, the other half for the upstroke.
local LONGER = pi * (2 * DOWN - 1) / (1 - cos(2 * pi * DOWN))
local function phase(u)
	return 2 * pi * u - LONGER * (1 - cos(2 * pi * u))
end

-- Fold of the wing: during the upstroke.
local fold = curve { { 0, 0.22 }, { 0.14, 0 }, { 0.46, 0 }, { 0.74, 1 }, round = 1 }

local function fly(t)
	local u = t / BEAT
	local a, late = phase(u), phase(u - 0.06)
	local stroke, flex = cos(a), sin(late)
	local f = fold(u % 1)
	local down, up = math.max(flex, 0), math.max(-flex, 0)
	local bob, dip = -0.0075 * cos(phase(u - 0.03)), 1.5 * sin(a)
	local out = {
		body = { at = v(0, bob, 0), turn = v(dip, 0, 0) },
		-- The head moves less than the body.
		head = { at = v(0, -0.3 * bob, 0), turn = v(-dip, 0, 0) },
		tail = { turn = v(-4 * cos(late) - 2, 0, 0) },
	}
	both(out, "shoulder", v(6 * flex, 15 * f - 4 * stroke, 8 + 40 * stroke))
	both(out, "elbow", v(0, -20 * f, 5 * down - 4 * up - 4 * f))
	both(out, "wrist", v(3 * down + 5 * up, 42 * f, 11 * down - 6 * up - 6 * f))
	return out
end

local GLIDE = 1
local function glide(t)
	local u = t / GLIDE
	local out = {
		body = { at = v(0, 0.0012 * wave(u), 0), turn = v(0, 0, 0.7 * drift(u, 3)) },
		head = { turn = v(0.6 * drift(u, 5), 1.2 * drift(u, 6), -0.7 * drift(u, 3)) },
		tail = { turn = v(-2 + 1.5 * drift(u, 7), 0, 1.5 * drift(u, 8)) },
	}
	for side, sign in { left = 1, right = -1 } do
		local n = if sign > 0 then 11 else 21
		local one = drift(u, n)
		out[side .. "_shoulder"] = { turn = v(1 + 0.8 * one, -2 * sign, sign * (9 + 0.8 * drift(u, n + 1))) }
		out[side .. "_elbow"] = { turn = v(0, 2 * sign, sign * (1 + 0.6 * one)) }
		out[side .. "_wrist"] = { turn = v(0, 5 * sign, sign * (-3 + 1.2 * drift(2 * u, n + 2))) }
	end
	return out
end

return {
	clip { name = "fly", seconds = BEAT, loop = true, rate = 60, at = fly },
	clip { name = "glide", seconds = GLIDE, loop = true, rate = 30, at = glide },
}
