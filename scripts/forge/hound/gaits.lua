-- Walk at 1.0 m/s, trot at 2.4 m/s, run at 6.5 m/s. Footfalls and ratios after Hildebrand's gait diagrams of dogs: a
-- walk in lateral sequence whose forefeet follow the hind ones of their side by a quarter, a trot of diagonal pairs
-- with a short flight, a rotary gallop with two flights, stretched and gathered. The left hind foot comes down at 0.
local v = vector.create
local L = require "./legs"
local P = require "./pose"

local M = {}

M.WALK, M.TROT, M.RUN = 1.0, 2.4, 6.5

-- A paw over a cycle: it is planted for `duty` and moves back with the ground, then swings forwards.
-- `middle` is its position at mid-stance relative to rest, `aside` its distance outwards. From the fraction `rolls` of
-- its stance it rolls over its toes, and leaves the ground at the pitch `off`. `swing` has rows of { fraction of the swing,
-- height, pitch, fold }.
local function paw(name, gait, o)
	local stride = gait.speed * gait.period
	local duty = gait.duty
	local side = if string.sub(name, 1, 4) == "left" then 1 else -1
	local rolls = duty * o.rolls
	local lift = { { 0, 0 }, { duty, 0 } }
	local pitch = { { 0, 0 }, { rolls, 0 }, { duty, o.off } }
	local fold = { { 0, 0 }, { rolls, 0 } }
	for _, row in o.swing do
		local u = duty + (1 - duty) * row[1]
		table.insert(lift, { u, row[2] })
		table.insert(pitch, { u, row[3] })
		table.insert(fold, { u, row[4] })
	end
	for _, rows in { lift, pitch, fold } do
		table.insert(rows, { 1, 0 })
		rows.round = 1
	end
	local high, tilt, bent = curve(lift), curve(pitch), curve(fold)
	local middle = o.middle + stride * duty / 2
	return function(u)
		u = (u - o.phase) % 1
		local gone = 0
		if u > duty then
			local s = (u - duty) / (1 - duty)
			gone = s * s * (3 - 2 * s)
		end
		return {
			[name] = v(side * o.aside, high(u), middle + stride * (gone - u)),
			[`{name}_pitch`] = tilt(u),
			[`{name}_fold`] = bent(u),
		}
	end
end

-- All four legs; the right ones use the left ones with other phases.
local function paws(gait)
	local all = {}
	for _, name in P.PAWS do
		local o = table.clone(gait[if string.find(name, "fore") then "fore" else "hind"])
		o.phase = gait.phases[name]
		table.insert(all, paw(name, gait, o))
	end
	return function(u)
		return P.sum(all[1](u), all[2](u), all[3](u), all[4](u))
	end
end

-- Gaits are synchronised by the hind feet; markers of the forefeet have other names.
local function cycle(name, gait, body)
	local feet = paws(gait)
	local markers = {}
	for _, paw_name in P.PAWS do
		local t = gait.phases[paw_name] * gait.period
		local foot = if string.find(paw_name, "left") then "left" else "right"
		local fore = string.find(paw_name, "fore") ~= nil
		table.insert(markers, {
			t, if fore then "fore_step" else "step", foot = foot, bone = if fore then `{foot}_fingers` else `{foot}_toes`,
		})
	end
	return L.clip {
		name = name,
		seconds = gait.period,
		loop = true,
		rate = gait.rate,
		at = function(t)
			local u = t / gait.period
			return P.sum(feet(u), body(u))
		end,
		markers = markers,
	}
end

M.walk_gait = {
	period = 0.82,
	speed = M.WALK,
	duty = 0.63,
	phases = { left_hind = 0, left_fore = 0.25, right_hind = 0.5, right_fore = 0.75 },
	fore = {
		middle = -0.012, aside = -0.012, rolls = 0.60, off = 42,
		swing = { { 0.28, 0.042, 94, 58 }, { 0.52, 0.040, 64, 58 }, { 0.80, 0.026, -2, 10 } },
	},
	hind = {
		middle = 0.045, aside = 0.006, rolls = 0.68, off = 34,
		swing = { { 0.24, 0.030, 66, -4 }, { 0.52, 0.034, 40, -8 }, { 0.82, 0.022, -4, 0 } },
	},
}

function M.walk(u)
	local pose = {
		hips = v(0.010 * wave(u, 0.33), -0.022 + 0.006 * wave(2 * u, 0.33), 0),
		pelvis = v(0.8 * wave(2 * u, 0.33), -4.5 * wave(u, 0.02), 2.6 * wave(u, 0.34)),
		chest = v(0.6 + 0.8 * wave(2 * u, 0.33), -2.8 * wave(u, 0.27), 1.8 * wave(u, 0.58)),
		neck = v(13 + 2.2 * wave(2 * u, 0.30), -1.2 * wave(u, 0.30), 0),
		head = v(4 + 1.2 * wave(2 * u, 0.36), 0.6 * wave(u, 0.30), 0.6 * wave(u, 0.6)),
	}
	local function tail(at)
		return v(5 + 1.5 * wave(2 * at, 0.4), 4 * wave(at, 0.12), 0)
	end
	return P.sum(pose, P.tail(tail, u, 0.22), P.ears(v(-3 + 3 * wave(2 * u, 0.48), 0, 0)))
end

M.trot_gait = {
	period = 0.46,
	speed = M.TROT,
	duty = 0.45,
	rate = 90,
	phases = { left_hind = 0, right_fore = 0, right_hind = 0.5, left_fore = 0.5 },
	fore = {
		middle = -0.016, aside = -0.026, rolls = 0.66, off = 34,
		swing = { { 0.22, 0.070, 104, 78 }, { 0.46, 0.085, 82, 82 }, { 0.80, 0.045, -4, 10 } },
	},
	hind = {
		middle = 0.018, aside = 0.012, rolls = 0.62, off = 38,
		swing = { { 0.22, 0.048, 78, -2 }, { 0.48, 0.066, 52, -8 }, { 0.82, 0.034, -6, 0 } },
	},
}

function M.trot(u)
	local up = wave(2 * u, 0.48)
	local pose = {
		hips = v(0, -0.016 + 0.015 * up, 0),
		pelvis = v(1 - 0.8 * wave(2 * u, 0.36), -3.4 * wave(u, 0.02), 1.8 * wave(u, 0.24)),
		chest = v(0.6 - 0.7 * wave(2 * u, 0.40), 2.6 * wave(u, 0.02), -1.4 * wave(u, 0.24)),
		neck = v(3 - 1.6 * wave(2 * u, 0.34), -0.8 * wave(u, 0.05), 0),
		head = v(2 - 0.8 * wave(2 * u, 0.42), 0, 0),
	}
	local function tail(at)
		return v(11 - 3 * wave(2 * at, 0.62), 3.5 * wave(at, 0.16), 0)
	end
	return P.sum(pose, P.tail(tail, u, 0.24), P.ears(v(-10 + 5 * wave(2 * u, 0.66), 0, 0)))
end

M.run_gait = {
	period = 0.34,
	speed = M.RUN,
	duty = 0.24,
	rate = 120,
	phases = { left_hind = 0, right_hind = 0.11, right_fore = 0.46, left_fore = 0.58 },
	fore = {
		middle = -0.020, aside = -0.024, rolls = 0.55, off = 42,
		swing = {
			{ 0.12, 0.065, 104, 70 }, { 0.32, 0.125, 118, 104 }, { 0.54, 0.140, 84, 90 }, { 0.76, 0.120, 22, 30 },
			{ 0.92, 0.045, -8, 4 },
		},
	},
	hind = {
		middle = 0.120, aside = 0.006, rolls = 0.50, off = 50,
		swing = {
			{ 0.14, 0.070, 96, 16 }, { 0.34, 0.150, 104, 4 }, { 0.56, 0.160, 60, -6 }, { 0.78, 0.095, 10, 2 },
			{ 0.93, 0.035, -8, 0 },
		},
	},
}

-- The back bends when the feet are gathered under the body, and stretches when they are far apart.
function M.run(u)
	local bent = wave(u, 0.93)
	local rock = wave(u, 0.66)
	local pose = {
		hips = v(0, -0.030 + 0.026 * wave(u, 0.70), 0.022 * bent),
		pelvis = v(1 + 3.5 * rock - 16 * bent, -1.6 * wave(u, 0.1), 1.5 * wave(u, 0.2)),
		chest = v(2 + 3.5 * rock + 10 * bent, 1.2 * wave(u, 0.6), -1.5 * wave(u, 0.68)),
		neck = v(38 + 3 * rock - 5 * bent, 0, 0),
		head = v(4 + 2 * rock, 0, 0),
	}
	local function tail(at)
		return v(17 - 8 * wave(at, 0.20), 0, 0)
	end
	return P.sum(pose, P.tail(tail, u, 0.30), P.ears(v(-30 + 8 * wave(u, 0.85), 0, 0)))
end

function M.clips()
	return { cycle("walk", M.walk_gait, M.walk), cycle("trot", M.trot_gait, M.trot), cycle("run", M.run_gait, M.run) }
end

return M
