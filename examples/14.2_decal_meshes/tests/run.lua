local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

test("left alone, eight shots leave marks that stay while she walks", function(t)
	local main = require "main"
	t:run(5)
	t:expect(main.state.shots == 8)
	t:expect(main.hero.decal_count >= 6, `{main.hero.decal_count} marks`)
	for _, mark in main.state.marks do
		t:expect(mark.is_valid)
	end
end)

test("a click shoots where the mouse is, and beside her leaves nothing", function(t)
	local main = require "main"
	t:replay "tests/body.jsonl"
	t:run(0.3)
	t:expect(not main.state.alone)
	t:expect(main.state.shots == 2, `{main.state.shots} shots`)
	t:expect(#main.state.marks == 1, `{#main.state.marks} marks`)
end)

test("keys change the size and the way, and clean her", function(t)
	local main = require "main"
	tap(t, "up")
	tap(t, "up")
	t:expect_near(main.state.size, 0.28, 0.001)
	tap(t, "p")
	tap(t, "2")
	t:run(3)
	t:expect(main.hero.decal_count > 0 and main.state.planar)
	tap(t, "w")
	tap(t, "w")
	t:run(1)
	tap(t, "c")
	t:run(0.6)
	t:expect(main.hero.decal_count == 0, `{main.hero.decal_count} are left`)
end)
