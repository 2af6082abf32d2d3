-- Walking: controllers, their inputs, and the events they emit.

local function fails(what: string, call): boolean
	local good, why = pcall(call)
	return not good and string.find(tostring(why), what, 1, true) ~= nil
end

-- All walking events of a character, by name.
local function listen(hero)
	local heard = {}
	for _, name in { "jump", "fall", "land", "step_up", "slide", "slide_end", "bump" } do
		heard[name] = {}
		hero:on(name, function(e)
			if e.source == "controller" then
				table.insert(heard[name], e)
			end
		end)
	end
	return heard
end

test("a controller walks at the requested velocity, and turns in that direction", function(t)
	ground.set { height = 0, collider = true }
	local hero = character "assets/mannequin.glb"
	t:expect(not hero.is_grounded and hero.speed == 0)
	t:expect(fails("has no controller", function() hero:move(vector.create(0, 0, 1)) end))
	t:expect(fails("has no controller", function() hero.crouching = true end))
	hero:controller {}
	t:run(0.2)
	t:expect(hero.is_grounded and math.abs(hero.position.y) < 0.005, tostring(hero.position))
	hero:move(vector.create(1.4, 0, 0))
	t:run(2)
	t:expect_near(hero.speed, 1.4, 0.001)
	t:expect_near(hero.velocity.x, 1.4, 0.001)
	t:expect_near(hero.yaw, 90, 0.5)
	t:expect(hero.position.x > 2 and math.abs(hero.position.y) < 0.005, tostring(hero.position))
	hero:move(vector.zero)
	t:run(0.5)
	t:expect(hero.speed == 0)
	hero:controller(false)
	t:expect(not hero.is_grounded)
end)

test("options are checked, and omitted options keep their values", function(t)
	local hero = character "assets/mannequin.glb"
	t:expect(fails('"max_slope": must be 0 to 85, got 95', function() hero:controller { max_slope = 95 } end))
	t:expect(fails("twice the radius", function() hero:controller { radius = 2 } end))
	t:expect(fails('"characters"', function() hero:controller { layer = "caracters" } end))
	t:expect(not pcall(function() hero:controller { stepp = 1 } end))
	hero:controller { gravity = 0, acceleration = 1000 }
	hero:move(vector.create(0, 1, 0))
	t:run(1)
	t:expect(hero.position.y > 0.9, "without gravity it goes up")
	hero:controller { turn_rate = 90, turn_to_movement = true, layer = "characters" }
	t:run(0.5)
	t:expect(hero.position.y > 1.4, "and goes on")
	t:expect(fails("the character has a collider", function()
		local box = physics.box { position = vector.create(5, 1, 0) }
		box:controller {}
	end))
end)

test("a jump has the requested height, and emits jump and land", function(t)
	ground.set { height = 0, collider = true, surface = "stone" }
	local hero = character "assets/mannequin.glb"
	hero:controller { jump_height = 0.5 }
	local heard = listen(hero)
	t:run(0.2)
	local function top(): number
		local top = 0
		for _ = 1, 80 do
			t:run_ticks()
			top = math.max(top, hero.position.y)
		end
		return top
	end
	hero:jump()
	t:expect_near(top(), 0.5, 0.005)
	hero:jump { height = 1 }
	t:expect_near(top(), 1, 0.01)
	hero:jump { speed = 2 }
	t:expect_near(top(), 4 / (2 * 9.81), 0.003)
	t:expect(#heard.jump == 3 and #heard.land == 3, `{#heard.jump} {#heard.land}`)
	t:expect_near(heard.jump[3].speed, 2, 1e-5)
	local land = heard.land[2]
	t:expect_near(land.height, 1, 0.02)
	t:expect_near(land.speed, math.sqrt(2 * 9.81), 0.2)
	t:expect(land.surface == "stone" and land.normal.y > 0.99)
end)

test("a controller uses the gravity of the world, unless it has its own", function(t)
	ground.set { height = 0, collider = true }
	physics.set { gravity = vector.create(0, -1.62, 0) }
	local hero = character "assets/mannequin.glb"
	hero:controller {}
	t:run(0.2)
	hero:jump { speed = 2 }
	t:run(1)
	t:expect_near(hero.position.y, 2 - 1.62 / 2, 0.05)
	hero:controller { gravity = 9.81 }
	t:run(0.6)
	t:expect(hero.is_grounded)
end)

test("setting the velocity launches the character", function(t)
	ground.set { height = 0, collider = true }
	local hero = character "assets/mannequin.glb"
	hero:controller {}
	local heard = listen(hero)
	t:run(0.2)
	hero.velocity = vector.create(2, 5, 0)
	t:run(0.5)
	t:expect(not hero.is_grounded and #heard.jump == 0)
	t:expect_near(hero.position.x, 1, 0.01)
	t:expect_near(hero.position.y, 5 * 0.5 - 9.81 / 2 * 0.25, 0.01)
	t:run(1)
	t:expect(hero.is_grounded and hero.speed == 0 and #heard.land == 1)
end)

test("a controller climbs stairs, falls from their end and bumps into a wall", function(t)
	ground.set { height = 0, collider = true }
	local hero = character "assets/mannequin.glb"
	physics.stairs { position = vector.create(0, 0, 1), steps = 4, step_height = 0.2, step_depth = 0.3, surface = "wood" }
	local wall = physics.box { position = vector.create(0, 1, 5), size = vector.create(4, 2, 0.2) }
	hero:controller { max_step_height = 0.3 }
	local heard = listen(hero)
	hero:move(vector.create(0, 0, 1.4))
	t:run(4)
	t:expect(#heard.step_up == 4, `{#heard.step_up} steps`)
	for _, e in heard.step_up do
		t:expect_near(e.height, 0.2, 0.01)
		t:expect(e.surface == "wood")
	end
	t:expect(#heard.fall == 1 and #heard.land == 1)
	t:expect(#heard.bump == 1 and heard.bump[1].other == wall, `{#heard.bump} bumps`)
	t:expect_near(heard.bump[1].speed, 1.4, 0.01)
	t:expect(heard.bump[1].normal.z < -0.99)
end)

test("a controller slides down steep slopes", function(t)
	ground.set { height = 0, collider = true }
	local hero = character("assets/mannequin.glb", { position = vector.create(0, 3, 1.7) })
	physics.ramp { size = vector.create(3, 4, 2) }
	hero:controller { max_slope = 45 }
	local heard = listen(hero)
	local slid = false
	for _ = 1, 120 do
		t:run_ticks()
		slid = slid or hero.is_sliding
	end
	t:expect(slid and not hero.is_sliding)
	t:expect(#heard.slide >= 1 and #heard.slide_end == #heard.slide, `{#heard.slide} {#heard.slide_end}`)
	t:expect_near(heard.slide[1].slope, math.deg(math.atan2(4, 2)), 0.5)
	t:expect(hero.position.y < 0.05 and hero.position.z < 0.3, tostring(hero.position))
end)

test("a controller crouches under a beam and stands up behind it", function(t)
	ground.set { height = 0, collider = true }
	local hero = character "assets/mannequin.glb"
	physics.box { position = vector.create(0, 1.8, 2), size = vector.create(4, 1, 1) }
	hero:controller { crouch_height = 1.1 }
	hero:move(vector.create(0, 0, 1.4))
	t:run(1.5)
	t:expect(hero.position.z < 1.4 and not hero.crouching)
	hero.crouching = true
	t:run(0.5)
	t:expect(hero.crouching)
	hero.crouching = false
	t:expect(hero.crouching, "there is no room")
	t:run(2)
	t:expect(hero.position.z > 3 and not hero.crouching, tostring(hero.position))
end)

test("a lift carries a controller, and a ceiling squeezes it", function(t)
	ground.set { height = 0, collider = true }
	local hero = character "assets/mannequin.glb"
	local lift = physics.box { position = vector.create(0, 0.1, 0), size = vector.create(2, 0.2, 2), body_type = "kinematic" }
	physics.box { position = vector.create(0, 3.5, 0), size = vector.create(4, 1, 4) }
	hero.position = vector.create(0, 0.2, 0)
	hero:controller {}
	t:run(0.1)
	for i = 1, 60 do
		lift.position = vector.create(i / 60, 0.1 + i / 60, 0)
		t:run_ticks()
		t:expect_near(hero.position.y, lift.position.y + 0.1, 0.001)
		t:expect_near(hero.position.x, lift.position.x, 0.001)
	end
	t:expect(hero.is_grounded and not hero.is_crushed)
	local squeezed = false
	for i = 1, 60 do
		lift.position += vector.create(0, 1 / 60, 0)
		t:run_ticks()
		squeezed = squeezed or hero.is_crushed
	end
	t:expect(squeezed)
end)

test("root motion moves a controller, and walls stop it", function(t)
	ground.set { height = 0, collider = true }
	local hero = character "assets/mannequin.glb"
	physics.box { position = vector.create(0, 1, 2), size = vector.create(4, 2, 0.2) }
	hero:add_clip(clip "glide" { bones = { hips = { position = { { 0, 0, 0.9, 0 }, { 1, 0, 0.9, 1 } } } } })
	hero.machine = machine { state "go" { "glide", root_motion = true } }
	hero:controller {}
	t:run(1)
	t:expect(hero.position.z > 0.8 and hero.position.z < 1.1, tostring(hero.position))
	t:run(3)
	t:expect(hero.position.z > 1.5 and hero.position.z < 1.75, tostring(hero.position))
	-- The requested movement is added to it.
	hero.position = vector.create(0, 0, -4)
	hero:controller { turn_to_movement = false, acceleration = 1000 }
	hero:move(vector.create(0.5, 0, 0))
	t:run(2)
	t:expect_near(hero.position.x, 1, 0.02)
	t:expect_near(hero.position.z, -2, 0.05)
end)

test("a ragdoll has no capsule, and walks again when it is up", function(t)
	ground.set { height = 0, collider = true }
	local hero = character "assets/mannequin.glb"
	hero:controller {}
	hero:move(vector.create(0, 0, 1.4))
	t:run(1)
	hero:ragdoll()
	t:run(1.5)
	t:expect(hero.is_down)
	hero:get_up()
	local from = hero.position
	t:run(3.5)
	t:expect(hero.is_grounded and not hero.is_down)
	t:expect(vector.magnitude(hero.position - from) > 1, "it goes on as it was told")
end)
