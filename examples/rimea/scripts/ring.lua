-- A ring in which people walk one behind the other without end, to measure their speed at a given density.
-- RiMEA 3.0, test 4 (fundamental diagram), with a ring instead of a long corridor.
local scenes = require "scenes"

local INNER, OUTER, N_WALLS, N_LANES = 5, 7, 64, 4
local AREA = math.pi * (OUTER ^ 2 - INNER ^ 2)
-- Minimum distance of goals from the walls, metres; angle to the next goal, radians; ticks between two goals of a person.
local MARGIN, AHEAD, PERIOD = 0.3, 0.25, 5

local ring = { width = 2 * OUTER + 2 }

local function around(center: vector, angle: number, radius: number): vector
	return center + vec(math.cos(angle) * radius, 0, math.sin(angle) * radius)
end

-- Adds a ring around `center`, with `density` people per square metre.
function ring.add(center: vector, density: number)
	local walls = {}
	for _, radius in { INNER, OUTER } do
		for k = 1, N_WALLS do
			local from, to = 2 * math.pi * k / N_WALLS, 2 * math.pi * (k + 1) / N_WALLS
			table.insert(walls, { around(center, from, radius), around(center, to, radius) })
		end
	end
	local people = crowd {
		model = scenes.body, count = math.round(density * AREA), position = center, size = vec(20, 0, 20),
		speed = { 1.09, 1.59 }, walls = walls, scale = 1, -- Weidmann's mean is 1.34 m/s
	}
	return { people = people, center = center, ticks = 0, density = people.count / AREA }
end

-- Places all people on circles, at equal distances.
local function place(one)
	local in_lane = math.ceil(one.people.count / N_LANES)
	for i = 0, one.people.count - 1 do
		local lane, k = i % N_LANES, i // N_LANES
		local radius = INNER + MARGIN + (OUTER - INNER - 2 * MARGIN) * lane / (N_LANES - 1)
		one.people:teleport(i + 1, around(one.center, 2 * math.pi * (k + 0.5 * (lane % 2)) / in_lane, radius))
	end
end

-- Advances a ring by one tick. Returns the mean speed along the ring, m/s.
function ring.step(one): number
	if one.ticks == 0 then
		place(one)
	end
	one.ticks += 1
	local sum = 0
	for i = 1, one.people.count do
		local off = one.people:position(i) - one.center
		local angle, radius = math.atan2(off.z, off.x), math.sqrt(off.x ^ 2 + off.z ^ 2)
		if (one.ticks + i) % PERIOD == 0 or one.ticks == 1 then
			local own = math.clamp(radius, INNER + MARGIN, OUTER - MARGIN)
			one.people:walk_to(i, around(one.center, angle + AHEAD, own))
		end
		sum += vector.dot(one.people:velocity(i), vec(-math.sin(angle), 0, math.cos(angle)))
	end
	return sum / one.people.count
end

-- Speed of people at a density, m/s (Weidmann 1993, "Transporttechnik der Fußgänger").
function ring.weidmann(density: number): number
	return 1.34 * (1 - math.exp(-1.913 * (1 / density - 1 / 5.4)))
end

return ring
