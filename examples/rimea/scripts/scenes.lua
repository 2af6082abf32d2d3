-- Scenes of the RiMEA test cases: walls as static boxes, a navigation mesh, and agents with goals.
-- RiMEA: "Guideline for Microscopic Evacuation Analysis", version 3.0, 2016.

local HEIGHT, THICK = 1.2, 0.3

-- `body` is the model of the agents.
local scenes = { body = "" }

-- Walls from x0, z0 to x1, z1 on the ground, with openings: { wall = "north" | "south" | "east" | "west", at, width }.
function scenes.room(x0: number, z0: number, x1: number, z1: number, openings)
	local function wall(name: string, low: number, high: number, box)
		local from = low - THICK
		local own = {}
		for _, opening in openings or {} do
			if opening.wall == name then
				table.insert(own, opening)
			end
		end
		table.sort(own, function(a, b)
			return a.at < b.at
		end)
		table.insert(own, { at = high + THICK, width = 0 })
		for _, opening in own do
			local to = opening.at - opening.width / 2
			if to - from > 0.01 then
				box((from + to) / 2, to - from)
			end
			from = opening.at + opening.width / 2
		end
	end
	local function along_x(z)
		return function(middle, length)
			physics.box { position = vec(middle, HEIGHT / 2, z), size = vec(length, HEIGHT, THICK), body_type = "static" }
		end
	end
	local function along_z(x)
		return function(middle, length)
			physics.box { position = vec(x, HEIGHT / 2, middle), size = vec(THICK, HEIGHT, length), body_type = "static" }
		end
	end
	wall("north", x0, x1, along_x(z1 + THICK / 2))
	wall("south", x0, x1, along_x(z0 - THICK / 2))
	wall("east", z0, z1, along_z(x1 + THICK / 2))
	wall("west", z0, z1, along_z(x0 - THICK / 2))
end

-- A navigation mesh around the origin.
function scenes.mesh(size: vector, at: vector?)
	return navmesh { position = at, size = size, cell_size = 0.1, agent_radius = 0.25 }
end

-- Agents in a rectangle. Their free speeds are those of the guideline's working-age adults unless `speed` says otherwise.
function scenes.agents(level, count: number, at: vector, size: vector, speed, seed: number?)
	return crowd {
		model = scenes.body, count = count, position = at, size = size, speed = speed or { 1.04, 1.54 },
		navmesh = level, scale = 1, seed = seed or 1,
	}
end

return scenes
