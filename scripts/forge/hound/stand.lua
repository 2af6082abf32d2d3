-- The standing pose, in which most clips begin and end, and idle actions: it looks around, wags, shakes itself.
local v = vector.create
local L = require "./legs"
local P = require "./pose"

local M = {}

M.SECONDS = 4

M.feet = {
	left_fore = v(0, 0, 0.018),
	right_fore = v(0, 0, -0.014),
	left_hind = v(0.004, 0, 0.008),
	right_hind = v(-0.004, 0, 0.058),
}

-- The idle at a fraction of its cycle: two breaths, a weight shift, small constant movements of tail and ears.
function M.at(u)
	local breath, shift = wave(2 * u, 0.3), wave(u, 0.2)
	local pose = {
		hips = v(0.007 + 0.009 * shift, -0.012 + 0.0012 * breath, 0.004 + 0.003 * wave(u, 0.7)),
		pelvis = v(0.4 + 0.2 * breath, 1 + 0.8 * drift(u, 3), 1.2 + 1.1 * shift),
		chest = v(0.4 - 0.5 * breath, -0.6 + 0.5 * drift(u, 4), -0.6 - 0.7 * shift),
		neck = v(2 - 1.1 * breath + 1.4 * drift(u, 5), 1.6 * drift(u, 6), 0),
		head = v(2 - 0.4 * breath + 1.4 * drift(u, 7), 3 * drift(u, 8), 1.4 * drift(u, 9)),
		mouth = 0,
		ears_back = 0,
		blink = 0,
	}
	local function tail(at)
		return v(1 + 0.6 * wave(at, 0.1), 4 * wave(at, 0.35), 0)
	end
	return P.sum(M.feet, pose, P.tail(tail, u, 0.12), {
		left_ear = v(-2 + 3 * drift(u, 10), 3 * drift(u, 11), 0),
		right_ear = v(-2 + 3 * drift(u, 12), 3 * drift(u, 13), 0),
	})
end

M.pose = M.at(0)

-- Additive idle movements during other actions; zero at time 0.
function M.life(u)
	return P.sum(M.at(u), P.scaled(M.pose, -1))
end

-- An ear twitch and a blink.
local flick = curve { { 0, 0 }, { 0.06, 1 }, { 0.14, -0.35 }, { 0.24, 0 } }
local wink = curve { { 0, 0 }, { 0.07, 1 }, { 0.11, 1 }, { 0.22, 0 } }

local function idle(t)
	return P.sum(M.at(t / M.SECONDS), {
		left_ear = v(-22, 18, 0) * flick(t - 1.1),
		right_ear = v(-20, -16, 0) * flick(t - 2.9),
		blink = wink(t - 0.7) + wink(t - 3.2),
	})
end

-- The nose moves first, then neck and chest; the ears turn towards a sound.
local function look(yaw, pitch)
	return {
		head = v(pitch, yaw, -yaw * 0.06),
		neck = v(-2 + pitch * 0.3, yaw * 0.55, 0),
		chest = v(0, yaw * 0.10, 0),
		left_ear = v(5, -yaw * 0.3, 0),
		right_ear = v(5, -yaw * 0.3, 0),
	}
end
local ahead = {
	head = vector.zero, neck = vector.zero, chest = vector.zero, left_ear = vector.zero, right_ear = vector.zero,
	hips = vector.zero, blink = 0,
}

local looks = P.keys({
	{ 0, ahead },
	{ 0.4, ahead },
	{ 0.85, look(48, -6), ease = "hit" },
	{ 0.9, { hips = v(-0.006, 0, 0.004) } },
	{ 1.9, look(52, -4) },
	{ 2.15, { blink = 0 } },
	{ 2.25, { blink = 1 } },
	{ 2.4, { blink = 0 } },
	{ 2.45, look(20, 6) },
	{ 3.0, look(-50, -2), ease = "hit" },
	{ 3.2, { hips = v(-0.016, -0.002, 0.002) } },
	{ 4.3, look(-46, 1) },
	{ 5.2, ahead },
	{ 6, ahead },
}, { late = { neck = 0.06, chest = 0.16, left_ear = -0.08, right_ear = -0.05 } })

-- The tail wags and moves the rump along.
local WAG, BEATS = 1.2, 3
local function wag(t)
	local u = BEATS * t / WAG
	local function tail(at)
		return v(14, 18 * wave(at, 0.25), 0)
	end
	return P.sum(M.pose, M.life(t / WAG), P.tail(tail, u, 0.17), {
		pelvis = v(0, -3.6 * wave(u, 0.18), 1.4 * wave(u, 0.20)),
		hips = v(0.006 * wave(u, 0.22), 0, 0),
		chest = v(0, 1.2 * wave(u, 0.18), 0),
		head = v(-5 + 0.8 * wave(2 * u, 0.1), 2 * wave(u, 0.3), 1.5 * wave(u, 0.2)),
		neck = v(-4, 0.8 * wave(u, 0.25), 0),
		mouth = 0.35 + 0.07 * wave(2 * u, 0.2),
		ears_back = 0.35,
	}, P.ears(v(-6, 6, 0)))
end

-- It shakes itself from head to tail, with its feet wider apart.
local SHAKE = 1.7
local shakes = curve { { 0, 0 }, { 0.2, 0 }, { 0.45, 1 }, { 1.0, 1 }, { 1.45, 0 } }
local function shake(t)
	local function roll(later)
		return shakes(t - later) * wave(5.4 * (t - later), 0.1)
	end
	local down = shakes(t + 0.08)
	local function tail(at)
		return v(6 * shakes(at), 16 * shakes(at) * wave(5.4 * at, 0.1), 0)
	end
	local ear = shakes(t) * wave(5.4 * t, 0.3)
	return P.sum(M.pose, P.tail(tail, t - 0.24, 0.05), {
		hips = v(0, -0.024 * down, -0.01 * down),
		head = v(10 * down, 8 * roll(0.03), 30 * roll(0)),
		neck = v(12 * down, 0, 15 * roll(0.03)),
		chest = v(1 * down, 0, 12 * roll(0.10)),
		pelvis = v(0, 0, 9 * roll(0.2)),
		left_ear = v(-18 * down, 0, 26 * ear),
		right_ear = v(-18 * down, 0, 26 * ear),
		blink = math.min(1, 1.4 * down),
	})
end

function M.clips()
	return {
		L.clip { name = "idle", seconds = M.SECONDS, loop = true, rate = 30, at = idle },
		L.clip {
			name = "look_about", seconds = 6, loop = true, rate = 30,
			at = function(t)
				return P.sum(M.pose, M.life(t / 3), looks(t))
			end,
		},
		L.clip { name = "wag", seconds = WAG, loop = true, at = wag },
		L.clip { name = "shake", seconds = SHAKE, at = shake },
	}
end

return M
