-- Records the yaw of both eyes and the head in degrees, positive to her left, after all modifiers.
local function watch(hero)
	local seen = { left = 0, right = 0, head = 0 }
	hero:add_modifier("seen", function(pose)
		for name, bone in { left = "left_eye", right = "right_eye", head = "head" } do
			local way = pose:direction(bone, vec(0, 0, 1))
			seen[name] = math.deg(math.atan2(way.x, way.z))
		end
	end)
	return seen
end

local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

test("the eyes follow the mouse, and turn in to what is near", function(t)
	local main = require "main"
	local seen = watch(main.hero)
	t:run(3)
	t:replay("tests/mouse_left.jsonl")
	t:run(1)
	local to_left = (seen.left + seen.right) / 2
	t:replay("tests/mouse_right.jsonl")
	t:run(1)
	-- The left of the picture is her right.
	local to_right = (seen.left + seen.right) / 2
	t:expect(to_left < -10 and to_right > 10, `they look {to_left} and {to_right} degrees to her left`)
	t:expect(seen.right - seen.left > 4, `they turn in by {seen.right - seen.left} degrees`)
	t:expect(math.abs(seen.head) < 7, "the head stays")
end)

test("the head goes along with H, and the gains make the angle smaller", function(t)
	local main = require "main"
	local seen = watch(main.hero)
	t:run(3)
	t:replay("tests/mouse_right.jsonl")
	t:run(1)
	local plain = (seen.left + seen.right) / 2 - seen.head
	tap(t, "g")
	t:run(0.6)
	t:expect(main.on.gains)
	local gained = (seen.left + seen.right) / 2 - seen.head
	t:expect(gained < plain * 0.95 and gained > plain * 0.5, `{plain} became {gained}`)
	tap(t, "g")
	tap(t, "h")
	t:run(1.4)
	t:expect(seen.head > 5, `the head turns by {seen.head}`)
end)

test("twitching eyes leave the point now and then, and come back", function(t)
	local main = require "main"
	t:replay("tests/mouse_right.jsonl")
	tap(t, "t")
	local places = {}
	for _ = 1, 300 do
		t:run_ticks()
		places[tostring(main.shown.target)] = true
	end
	local n = 0
	for _ in places do
		n += 1
	end
	t:expect(n >= 3, `{n} places in five seconds`)
end)
