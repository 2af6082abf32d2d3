-- Face shapes: tests every function and its effect.

local HERO = "assets/mannequin.glb"

local function near(a, b, within)
	return math.abs(a - b) < (within or 1e-5)
end

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

-- Largest difference between the weights of two faces.
local function apart(a, b)
	local most = 0
	for name, weight in a do
		most = math.max(most, math.abs(weight - b[name]))
	end
	return most
end

test("shapes have names, ranges and weights", function(t)
	local face = character(HERO).face
	local shapes = face:shapes()
	t:expect(shapes.nose_width.value == 0 and shapes.nose_width.min == -1 and shapes.nose_width.max == 1)
	t:expect(not shapes.smile, "what a face does is no shape")
	t:expect(near(face:shape("nose_width", 0.7), 0.7))
	t:expect(near(face:shape "shape.nose_width", 0.7), "with the target's whole name")
	face:shape { jaw_width = -0.5, ears = 1 }
	t:expect(near(face:shapes().jaw_width.value, -0.5) and near(face:shape "ears", 1))
	fails(t, function() face:shape("nose_widht", 1) end, "nose_width")
	fails(t, function() face:shape("nose_width", 1.5) end, "-1 to 1")
	fails(t, function() face:shape { nose_width = "much" } end, "names and weights")
	fails(t, function() face:shape({ nose_width = 1 }, 1) end, "cannot be followed by a weight")
	t:expect(near(face:shape "nose_width", 0.7), "what fails changes nothing")
end)

test("a seed gives the same face, and a face can be saved and copied to others", function(t)
	local a, b = character(HERO), character(HERO)
	local one = a.face:randomize { seed = 7 }
	local same = b.face:randomize { seed = 7 }
	t:expect(apart(one, same) == 0)
	t:expect(apart(one, b.face:randomize { seed = 8 }) > 0.05)
	b.face:shape(one)
	t:expect(near(b.face:shape "chin", one.chin))
	local with = b.face:randomize { seed = 7, fixed = { nose_width = 0.3 } }
	t:expect(near(with.nose_width, 0.3) and near(with.chin, one.chin))
	local only = b.face:randomize { seed = 9, only = { "chin", "lips" } }
	t:expect(near(only.nose_width, 0.3) and not near(only.chin, one.chin))
	local none = b.face:randomize { variation = 0, asymmetry = 0 }
	for _, weight in none do
		t:expect(weight == 0)
	end
	for _, weight in b.face:randomize { seed = 3, uniform = true } do
		t:expect(weight >= 0 and weight < 1 and near(weight * 1000, math.round(weight * 1000), 1e-3), weight)
	end
	-- Without a seed, the result depends on the character.
	t:expect(apart(a.face:randomize(), a.face:randomize()) == 0)
	t:expect(apart(a.face:randomize(), b.face:randomize()) > 0.05)
	t:expect(apart(a.face:randomize { seed = 0.25 }, a.face:randomize { seed = 0.5 }) > 0.05)
	fails(t, function() a.face:randomize { fixed = { nose = 0.3 } } end, "no shape")
	fails(t, function() a.face:randomize { only = "chinn" } end, "chin")
	fails(t, function() a.face:randomize { variation = -1 } end, "0 to 3")
	fails(t, function() a.face:randomize { variants = { 3 } } end, "expected a string or a table")
	fails(t, function() a.face:randomize { variants = { "tooon" } } end, "toon")
end)

test("fifty faces, and no two are alike", function(t)
	local hero = character(HERO)
	local faces = {}
	for seed = 1, 50 do
		local face = hero.face:randomize { seed = seed }
		for _, other in faces do
			t:expect(apart(face, other) > 0.05)
		end
		table.insert(faces, face)
	end
end)

test("an appearance is chosen from a list, always the same for a seed", function(t)
	local hero = character(HERO)
	local seen = {}
	for seed = 1, 30 do
		hero.face:randomize { seed = seed, variants = { "toon", { materials = { porcelain = { roughness = 0.9 } } } } }
		seen[hero.variant or "plain"] = true
		local variant = hero.variant
		hero.face:randomize { seed = seed, variants = { "toon", {} } }
		t:expect(hero.variant == variant)
	end
	t:expect(seen.toon and seen.plain)
end)

test("other morph targets can be shapes, and stay animated", function(t)
	local hero = character(HERO)
	local face = hero.face
	face:configure { blink_rate = 0, asymmetry = 0 }
	local shapes = face:shapes { "smile", brows_up = { -0.5, 0.5 } }
	t:expect(shapes.brows_up.min == -0.5 and shapes.brows_up.max == 0.5 and shapes.smile)
	face:shape { smile = 0.25, brows_up = -0.5 }
	face:mood("happiness", { intensity = 1, fade = 0 })
	t:run(0.2)
	t:expect(near(face:get "smile", 0.8, 0.01), "what it shows does not count what it is like")
	t:expect(near(face:shape "smile", 0.25))
	fails(t, function() face:shapes { "smlie" } end, "smile")
	fails(t, function() face:shapes { smile = { 1, 0 } } end, "min must be less than max")
	fails(t, function() face:shapes { smile = 1 } end, "min, max")
end)

test("eyes move with the face shape, and still look at their target", function(t)
	local a, b = character(HERO), character(HERO)
	b.position = vector.create(0, 0, 0)
	t:run_ticks()
	local function gap(hero)
		return vector.magnitude(hero:bone_position "left_eye" - hero:bone_position "right_eye")
	end
	local before = gap(b)
	t:expect(near(gap(a), before))
	b.face:shape("eye_spacing", 1)
	t:run_ticks()
	t:expect(gap(b) - before > 0.005 and gap(b) - before < 0.0105, gap(b) - before)
	t:expect(near(gap(a), before), "the other has a face of its own")
	b.face:shape { eye_spacing = 0, chin = 1, ears = 1 }
	t:run_ticks()
	t:expect(near(gap(b), before, 1e-5), gap(b) - before)
end)
