-- What she does when nobody holds the keys: a round over every surface, a run, a jump, a wave.

local stroll = {}

-- Where to, how fast ("walk", "run" or "stand"), for at most how many seconds, and what to do first.
local ROUND = {
	{ at = vector.create(1, 0, 1.6), pace = "walk", seconds = 9 },
	{ at = vector.create(1, 0, 1.6), pace = "stand", seconds = 3.5, act = "wave" },
	{ at = vector.create(4.4, 0, 3.2), pace = "walk", seconds = 9 },
	{ at = vector.create(8, 0, 4.4), pace = "run", seconds = 5 },
	{ at = vector.create(4.4, 0, 0), pace = "run", seconds = 5, act = "jump" },
	{ at = vector.create(0, 0, 0), pace = "walk", seconds = 6 },
	{ at = vector.create(0, 0, 0), pace = "stand", seconds = 4 },
}

local place = keep("stroll", { leg = 1, since = -1 })

-- The wished velocity, and "jump" or "wave" at the moment when one is due.
function stroll.wish(t, position, walk, run)
	local leg = ROUND[place.leg]
	local first = place.since < 0
	if first then
		place.since = t
	end
	local way = (leg.at - position) * vector.create(1, 0, 1)
	local arrived = leg.pace ~= "stand" and vector.magnitude(way) < 0.3
	if arrived or t - place.since > leg.seconds then
		place.leg = place.leg % #ROUND + 1
		place.since = -1
	end
	local speed = if leg.pace == "run" then run elseif leg.pace == "walk" then walk else 0
	if speed == 0 or vector.magnitude(way) < 1e-3 then
		return vector.zero, if first then leg.act else nil
	end
	return vector.normalize(way) * speed, if first then leg.act else nil
end

return stroll
