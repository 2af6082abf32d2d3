-- The crowd on the meadow. Agents share poses, so 400 of them cost less than the nine marble characters.
-- To change: the number, the models, the start and end positions, the behaviour.

local v = vector.create

local FOLK = 400
-- The edge of the court, the standing area and the starting area behind it, and the half width, all in metres.
local FOOT = 22.2
local FRONT, BACK, ASIDE = 0.6, 22, 17
local FROM, TO = 5, 34
-- A position out of sight, used before they appear.
local AWAY = v(0, -0.95, 160)

local folk = {}

local function on_meadow(near, far, aside)
	-- The density is higher in front.
	return v(random_range(-aside, aside), -0.95, FOOT + near + (far - near) * random_range() ^ 1.5)
end

local people = crowd {
	model = { "assets/man.glb", "assets/galatea.glb", "assets/elder.glb", "assets/man.glb", "assets/child.glb" },
	count = FOLK,
	position = AWAY,
	size = v(60, 0, 40),
	yaw = 180,
	group_size = { 1, 3 },
	speed = { 1.25, 1.6 },
	walls = { { v(-40, 0, FOOT), v(40, 0, FOOT) } },
	colors = {
		cloth = { v(0.75, 0.24, 0.2), v(0.3, 0.42, 0.7), v(0.85, 0.72, 0.45), v(0.42, 0.56, 0.36), v(0.9, 0.87, 0.8) },
		teal = { v(0.9, 0.87, 0.8), v(0.75, 0.3, 0.22), v(0.35, 0.5, 0.5) },
	},
	start = "wait",
	name = "folk",
	states = {
		wait = { stationary = true },
		come = {
			on_enter = function(own, i)
				own:walk_to(i, on_meadow(FRONT, BACK, ASIDE))
			end,
			on = { arrived = "look" },
		},
		look = { clip = { "idle", "idle_look", "idle_shift" }, duration = { 2, 6 }, next = { "greet", "look" } },
		greet = { clip = { "wave", "laugh", "point", "talk_beat_1" }, once = true, on = { clip_end = "look" } },
	},
}
local here = keep_on_reload("folk", { came = false })

-- Starts the crowd, unless it is already there.
function folk.come()
	if here.came then
		return
	end
	here.came = true
	for i = 1, people.count do
		people:teleport(i, on_meadow(FROM, TO, ASIDE + 6), 180)
		people:set_state(i, "come")
	end
end

function folk.clear()
	if not here.came then
		return
	end
	here.came = false
	for i = 1, people.count do
		people:stop(i)
		people:teleport(i, AWAY + v(random_range(-30, 30), 0, random_range(-20, 20)), 180)
		people:set_state(i, "wait")
	end
end

return folk
