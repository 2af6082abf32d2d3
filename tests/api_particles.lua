-- Particles: tests every function and its effect.

local v = vector.create

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

test("a burst ends by itself", function(t)
	local dust = particles("dust", v(0, 0, 0))
	t:run_ticks()
	t:expect(dust.is_valid and dust.count == 18, dust.count)
	t:run(2)
	t:expect(not dust.is_valid and dust.count == 0)
	fails(t, function() dust:emit(3) end, "has ended")
	dust:stop()
	dust:remove()
end)

test("an emitter emits at its rate until it is stopped", function(t)
	local smoke = particles("smoke", v(0, 1, 0), { rate = 60, lifetime = 1, max_particles = 500 })
	t:run(0.5)
	t:expect(smoke.is_emitting and math.abs(smoke.count - 30) <= 1, smoke.count)
	smoke.rate = 120
	t:expect(smoke.rate == 120)
	t:run(0.25)
	t:expect(math.abs(smoke.count - 60) <= 1, smoke.count)
	smoke:stop()
	t:run(0.1)
	local left = smoke.count
	t:expect(not smoke.is_emitting and left > 0)
	smoke:start()
	smoke.rate = 0
	smoke:emit(40)
	t:run_ticks()
	t:expect(smoke.is_emitting and smoke.count >= 40)
	smoke:remove()
	t:run_ticks()
	t:expect(not smoke.is_valid)
end)

test("particles start at the position of the emitter, and fall to the floor", function(t)
	local chips = particles("chips", v(2, 1, -1), { speed = 0, seed = 4 })
	t:expect(chips.position == v(2, 1, -1))
	t:run(1)
	t:expect(chips.count == 18)
	chips.position = v(0, 3, 0)
	t:run_ticks()
	t:expect(chips.position == v(0, 3, 0))
	chips.color = { v(1, 0, 0), v(0, 1, 0) }
	t:expect(chips.color == v(1, 0, 0))
	chips.color = v(0, 0, 1)
	t:expect(chips.color == v(0, 0, 1))
end)

test("particles above max_particles are dropped and counted", function(t)
	local many = particles("plain", v(0, 0, 0), { burst = 150, max_particles = 100, rate = 0, shape = "sphere", radius = 0.2, radial_speed = 1 })
	t:run_ticks()
	t:expect(many.count == 100 and many.dropped_count == 50, many.dropped_count)
end)

test("an emitter on a character moves with it, and ends with it", function(t)
	local hero = character "assets/mannequin.glb"
	local hand = hero:particles("motes", "left_hand", { offset = v(0, 0.1, 0), direction = v(0, 0, 1) })
	t:run_ticks()
	t:expect(vector.magnitude(hand.position - hero:bone_position "left_hand") < 0.2)
	hero.position = v(4, 0, 0)
	t:run(0.1)
	t:expect(vector.magnitude(hand.position - hero:bone_position "left_hand") < 0.2)
	fails(t, function() hand.position = v(0, 0, 0) end, "is attached to a character")
	fails(t, function() hero:particles("motes", "left_hnad") end, 'did you mean "left_hand"')
	hero:remove()
	t:run(0.1)
	t:expect(not hand.is_emitting)
end)

test("an emitter can start at a hit, and a miss creates none", function(t)
	local hero = character "assets/mannequin.glb"
	t:run(0.1)
	local hit = physics.raycast(v(0, 1.2, 3), v(0, 1.2, -3), { exact = true })
	local drips = hero:particles("drips", hit)
	t:run_ticks()
	t:expect(drips and vector.magnitude(drips.position - hit.position) < 0.03, drips and drips.position)
	t:expect(hero:particles("drips", { from = v(0, 9, 3), to = v(0, 9, -3) }) == nil)
	t:run(2)
	t:expect(drips.count > 0)
end)

test("breath particles follow the breathing", function(t)
	local hero = character "assets/galatea.glb"
	local breath = hero:particles "breath"
	t:run(1)
	local least, most = math.huge, 0
	for _ = 1, 8 * 60 do
		t:run_ticks()
		least, most = math.min(least, breath.count), math.max(most, breath.count)
	end
	t:expect(least == 0 and most > 6, `{least} to {most}`)
	local head = hero:bone_position "head"
	t:expect(vector.magnitude(breath.position - head) < 0.25 and breath.position.z > head.z + 0.05, breath.position - head)
end)

test("particles can start on the whole surface of a body", function(t)
	local hero = character "assets/mannequin.glb"
	t:run(0.1)
	local dust = hero:particles("plain", { shape = "surface", rate = 0, burst = 300, speed = 0, lifetime = 5 })
	t:run_ticks()
	t:expect(dust.count == 300, dust.count)
	fails(t, function() particles("dust", v(0, 0, 0), { shape = "surface" }) end, "needs a character; use character:particles")
end)

test("all options are accepted", function(t)
	local all = particles("plain", { position = v(0, 1, 0), normal = v(1, 0, 0) }, {
		rate = 10, duration = 1, prewarm = 0.5, shape = "box", box_size = v(1, 0.1, 1), direction = v(0, 0, 1),
		lifetime = { 1, 2 }, speed = { 0, 1 }, spread = 20, inherit_velocity = 0.5, gravity_scale = 0.1, drag = 1, wind_scale = 0.5, turbulence = 0.1, turbulence_size = 0.4,
		collision = "bounce", restitution = 0.3, slide = 0.4, size = { 0.1, 0.2 }, size_over_lifetime = { 0, 1, 2 }, brightness_variation = 0.2, alpha = { 0, 1, 0 }, emissive_strength = 2,
		random_rotation = false, angular_velocity = { -90, 90 }, stretch = 0.1, soft_distance = 0.2, gloss = 0.1, translucency = 0.5, flipbook_mode = "lifetime", name = "all",
	})
	t:run_ticks()
	t:expect(all.count == 5 or all.count == 6, all.count)
	local lying = particles("plain", v(0, 0.2, 0), { gravity_scale = 1, collision = "stick", landed_lifetime = 1, landed_scale = 2, rate = 0, burst = 5, lifetime = 2, drag = 0 })
	t:run(0.6)
	t:expect(lying.count == 5)
end)

test("invalid options are errors", function(t)
	fails(t, function() particles("dusk", v(0, 0, 0)) end, 'did you mean "dust"')
	fails(t, function() particles("dust", {}) end, "expected a position")
	fails(t, function() particles("dust", v(0, 0, 0), { rate = -1 }) end, '"rate": must be 0 to 100000')
	fails(t, function() particles("dust", v(0, 0, 0), { size = { 2, 1 } }) end, '"size": expected a number or { min, max }, with min not above max')
	fails(t, function() particles("dust", v(0, 0, 0), { alpha = { 0, 3 } }) end, '"alpha": entry 2: must be 0 to 1')
	fails(t, function() particles("dust", v(0, 0, 0), { color = { v(1, 1, 1), 3 } :: any }) end, '"color": entry 2: expected a colour')
	fails(t, function() particles("dust", v(0, 0, 0), { texture = "assets/nothing.png" }) end, "nothing.png")
	fails(t, function() particles("dust", v(0, 0, 0), { sise = 1 } :: any) end, 'did you mean "size"')
end)
