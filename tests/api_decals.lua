-- Wrinkles and decals on the skin: tests every function and its effect.

local HERO = "assets/galatea.glb"
local v = vector.create

local function near(a, b, within)
	return math.abs(a - b) < (within or 1e-4)
end

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

-- The point where a ray from the front hits her.
local function shot(x, y)
	return physics.raycast(v(x, y, 3), v(x, y, -3), { exact = true })
end

test("wrinkles follow the face, and a script can set them", function(t)
	local hero = character(HERO)
	hero.machine = machine { state "rest" {} }
	t:run(0.1)
	t:expect(near(hero.face:wrinkles().brow_inner, 0))
	hero.face:set("browInnerUp", 0.5)
	t:run(0.1)
	t:expect(near(hero.face:wrinkles().brow_inner, 0.5, 0.02), hero.face:wrinkles().brow_inner)
	hero.face:set("emotion.surprise", 1)
	t:run(0.1)
	t:expect(hero.face:wrinkles().brow_left > 0.8)
	hero.face:wrinkle("frown", 1, { fade = 0.2 })
	t:run(0.1)
	local half = hero.face:wrinkles().frown
	t:expect(half > 0.3 and half < 0.7, half)
	t:run(0.2)
	t:expect(near(hero.face:wrinkles().frown, 1))
	hero.face:wrinkle("frown")
	t:run(0.1)
	t:expect(hero.face:wrinkles().frown < 0.1)
	fails(t, function() hero.face:wrinkle("frwon", 1) end, 'did you mean "frown"')
	fails(t, function() hero.face:wrinkle("frown", 2) end, "0 to 1")
end)

test("a decal stays on the skin until it is removed, fades, or is replaced", function(t)
	local hero = character(HERO)
	hero.machine = machine { state "rest" {} }
	t:run(0.1)
	local hit = shot(0, 1.55)
	t:expect(hit.character == hero)
	local wound = hero:decal("wound", hit, { size = 0.04 })
	t:expect(wound.is_valid and hero.decal_count == 1)
	hero.position = v(3, 0, 0)
	t:run(0.1)
	hero:decal("blood", { position = v(3, 1.36, 0.2), direction = v(0, 0, -1) }, { lifetime = 0.5, fade = 0.5 })
	t:expect(hero.decal_count == 2)
	t:expect(hero:decal("mud", { from = v(0, 9, 3), to = v(0, 9, -3) }) == nil, "a miss leaves nothing")
	t:run(1.5)
	t:expect(hero.decal_count == 1, "blood has faded")
	t:expect(wound:remove(0.5))
	t:run(0.2)
	t:expect(wound.is_valid)
	t:run(0.6)
	t:expect(not wound.is_valid and hero.decal_count == 0)
	t:expect(not wound:remove())
	for i = 1, 270 do
		hero:decal("scratch", { position = v(3, 1.36, 0.2), direction = v(0, 0, -1) }, { size = 0.02 })
	end
	t:expect(hero.decal_count == 256)
	hero:clear_decals()
	t:expect(hero.decal_count == 0)
end)

test("the kind of a decal depends on the material, on entry and exit", function(t)
	local hero = character(HERO)
	hero.machine = machine { state "rest" {} }
	t:run(0.1)
	local kinds = { skin = "wound", cloth = false, gold = "dent", other = false }
	hero:decal(kinds, shot(0, 1.1))
	t:expect(hero.decal_count == 0, "her dress takes none")
	-- Into a shin and out at its back.
	local hit = shot(0.09, 0.42)
	hero:decal(kinds, hit, { penetrate = true, exit_kind = "blood", size = 0.05 })
	t:expect(hero.decal_count == 2, hero.decal_count)
	local blow = { position = hit.position, impulse = v(0, 0, -20) }
	t:expect(hero:decal("bruise", blow) ~= nil)
end)

test("invalid decal arguments are errors", function(t)
	local hero = character(HERO)
	t:run(0.1)
	local hit = shot(0, 1.55)
	fails(t, function() hero:decal("wuond", hit) end, 'unknown kind "wuond"; did you mean "wound"?')
	fails(t, function() hero:decal("assets/no_such.png", hit) end, "no_such.png")
	fails(t, function() hero:decal("blood", { position = v(0, 1, 0) }) end, "the position needs a normal, a direction or an impulse")
	fails(t, function() hero:decal("blood", {}) end, "a hit of physics.raycast")
	fails(t, function() hero:decal("blood", hit, { size = 9 }) end, "size")
	fails(t, function() hero:decal("blood", hit, { dry_time = -1 }) end, "dry_time must be")
	fails(t, function() hero:decal({ skin = 3 }, hit) end, "skin must be the name of a decal")
	local torn = hero:decal("hole", shot(0, 1.1))
	t:expect(torn and torn.is_valid, "her dress is woven, one thread as the other: it is a mesh of its own")
	t:expect(hero:decal("dent", shot(0, 1.1)) == nil, "of which only colour is seen")
	t:expect(hero:decal("tests/logo.png", hit, { height_map = "tests/logo.png", depth = 0.001, roughness = 0.2, tint = v(1, 0, 0), opacity = 0.5, roll = 30, dry_time = 4, planar = true }) ~= nil)
end)
