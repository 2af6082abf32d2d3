local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

local function all(main)
	local n = 0
	for _, who in main.state.targets do
		n += who.decal_count
	end
	return n
end

test("left alone, bodies and static meshes are marked", function(t)
	local main = require "main"
	t:run(5)
	t:expect(main.state.shots >= 14)
	for i = 1, 3 do
		t:expect(main.state.targets[i].decal_count > 0, `nothing on target {i}`)
	end
	tap(t, "c")
	tap(t, "4")
	t:run(1)
	t:expect(all(main) == 0)
end)

test("a shot through her leaves two wounds, one without leaves one", function(t)
	local main = require "main"
	tap(t, "1")
	t:replay "tests/body.jsonl"
	t:run(0.2)
	local one = #main.state.marks
	local first = main.hero.decal_count
	t:expect(one == 1 and first >= 1, `{one} marks, {first} decals`)
	tap(t, "x")
	t:replay "tests/body.jsonl"
	t:run(0.2)
	t:expect(main.hero.decal_count - first > first, `{main.hero.decal_count - first} more where it goes through`)
end)

test("the manager keeps the last twenty, and the other options switch", function(t)
	local main = require "main"
	for _, key in { "f", "p", "d", "m" } do
		tap(t, key)
	end
	local state = main.state
	t:expect(state.managed and state.particles and not state.relief and not state.by)
	t:run(12)
	t:expect(#state.marks <= main.MOST and #state.marks > 10, `{#state.marks} marks`)
end)
