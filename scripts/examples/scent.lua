-- Scent field: hounds search a meadow. A hound that finds a bowl walks home and leaves a scent trail. Others follow the
-- trail and reinforce it. Ants find their paths in this manner, without a map.
--
--   galatea play scripts/examples/scent.lua      space: clear the trails; P: write out/scent.png
local HOME, REACH = vec(-9, 0, 0), 1.3
local BOWLS = { vec(9, 0, -6), vec(4, 0, 8) }

light.rig "noon"
ground.set { color = vec(0.26, 0.31, 0.15), surface = "grass", color_variation = 0.6, grid = 0 }
camera.orbit { target = vec(0, 0.3, 0.5), distance = 24, yaw = 15, pitch = 38, fov = 40 }

-- A kennel, and a fence around the meadow.
local function wood(at, size, yaw)
	return physics.box { position = at, size = size, yaw = yaw, color = vec(0.32, 0.2, 0.11), body_type = "static" }
end
wood(HOME + vec(-1.6, 0.5, 0), vec(1.2, 1, 2.2))
wood(HOME + vec(-1.6, 1.06, 0), vec(1.5, 0.12, 2.5))
local corners = { vec(-13, 0, -11), vec(13, 0, -11), vec(13, 0, 11), vec(-13, 0, 11) }
local walls = {}
for i, from in corners do
	local to = corners[i % 4 + 1]
	local way = to - from
	local yaw = math.deg(math.atan2(way.x, way.z))
	for _, y in { 0.35, 0.7 } do
		wood((from + to) / 2 + vec(0, y, 0), vec(0.05, 0.1, vector.magnitude(way)), yaw)
	end
	table.insert(walls, { from, to })
	-- Walls around the kennel: the corners of the fence, scaled down.
	local function beside(corner)
		return HOME + vec(-1.6 + corner.x / 13 * 0.6, 0, corner.z / 11 * 1.1)
	end
	table.insert(walls, { beside(to), beside(from) })
end

for _, at in BOWLS do
	physics.cylinder {
		position = at + vec(0, 0.08, 0),
		radius = 0.28,
		height = 0.16,
		color = vec(0.55, 0.16, 0.1),
		body_type = "static",
	}
end

-- Behaviour -------------------------------------------------------------------------------------

local scent = scent_field { size = vec(26, 0, 22), cell_size = 0.2, half_life = 25, diffusion = 0.1, name = "scent" }
local back, fetched = 0, { 0, 0 }

local function nearest(place)
	local a, b = vector.magnitude(place - BOWLS[1]), vector.magnitude(place - BOWLS[2])
	return if a < b then 1 else 2
end

crowd {
	model = "assets/hound.glb",
	count = 70,
	position = HOME + vec(2, 0, 0),
	size = vec(3, 0, 6),
	scale = { 0.85, 1.05 },
	radius = 0.25,
	speed = { 1.2, 1.8 },
	walls = walls,
	start = "search",
	name = "pack",
	states = {
		search = { wander_turn_rate = 50, follow_scent = scent, detect = BOWLS, range = REACH, on = { found = "eat" } },
		eat = {
			clip = "look_about",
			duration = { 1, 2 },
			next = "bring",
			on_enter = function(hounds, i)
				local bowl = nearest(hounds:position(i))
				fetched[bowl] += 1
			end,
		},
		bring = { goal = HOME + vec(1, 0, 0), leave_scent = scent, speed = { 2.4, 3 }, on = { arrived = "rest" } },
		rest = { clip = { "idle", "wag" }, duration = { 1, 3 }, next = "search", on_enter = function() back += 1 end },
	},
}

local board = ui.text("", { position = vec(20, 20, 0) })
function update()
	board.text = `{back} have come home; from one bowl {fetched[1]}, from the other {fetched[2]}`
	if input.pressed "space" then
		scent:clear()
	end
	if input.pressed "p" then
		print(scent:save_image "scent.png")
	end
end
