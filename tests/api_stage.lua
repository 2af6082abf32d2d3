-- Globals, sound, camera, light and ground: tests every function and its results.

test("time advances, kept tables persist, and random_range stays within its range", function(t)
	t:expect_near(now(), 0)
	t:run(0.5)
	t:expect_near(now(), 0.5, 1e-9)
	local game = keep_on_reload("game", { lives = 3 })
	t:expect(game.lives == 3)
	game.lives = 2
	t:expect(keep_on_reload("game", { lives = 3 }).lives == 2, "it is the same table")
	local low, high = 1, 0
	for _ = 1, 1000 do
		local n = random_range(2, 4)
		low, high = math.min(low, (n - 2) / 2), math.max(high, (n - 2) / 2)
	end
	t:expect(low >= 0 and low < 0.01 and high < 1 and high > 0.99, `{low} {high}`)
	print("printed", "by a test")
end)

test("the camera can be placed, and follows", function(t)
	camera.orbit { target = vector.create(0, 1, 0), distance = 4, yaw = 0, pitch = 0 }
	t:run_ticks()
	t:expect(vector.magnitude(camera.position() - vector.create(0, 1, 4)) < 0.001, camera.position())
	t:expect(vector.magnitude(camera.forward() - vector.create(0, 0, -1)) < 0.001, camera.forward())
	local hero = character "assets/mannequin.glb"
	camera.follow(hero, { target = vector.create(0, 1, 0), distance = 3 })
	hero.position = vector.create(10, 0, 0)
	t:run(2)
	t:expect(vector.magnitude(camera.position() - vector.create(10, 1, 3)) < 0.01, camera.position())
	camera.orbit { target = vector.create(0, 1, 0), distance = 4, yaw = 0, pitch = 0 }
	t:run(0.05)
	t:expect(camera.position().x > 1, camera.position())
	camera.orbit { cut = true }
	t:run_ticks()
	t:expect(vector.magnitude(camera.position() - vector.create(0, 1, 4)) < 0.001, camera.position())
	camera.frame(hero, { yaw = 90 })
	t:run(2)
	local away = camera.position() - hero.position
	t:expect(away.x > 1.7 and math.abs(away.z) < 0.1, "all of her is seen, from the side")
end)

test("the first-person camera follows the character's eyes", function(t)
	local hero = character("assets/mannequin.glb", { position = vector.create(2, 0, 0), yaw = 90 })
	camera.first_person(hero, { fov = 80 })
	t:expect(camera.position().y > 1.4, "it is there at once")
	t:run(0.1)
	local eye = camera.position()
	t:expect(eye.y > 1.4 and eye.y < 1.8 and eye.x > 2, eye)
	t:expect(vector.magnitude(camera.forward() - vector.create(1, 0, 0)) < 0.001, camera.forward())
	hero.position = vector.create(5, 0, 0)
	t:run_ticks(2)
	t:expect_near(camera.position().x, eye.x + 3, 0.02)
	camera.first_person(hero, { yaw = 180 })
	t:run_ticks()
	t:expect(vector.magnitude(camera.forward() - vector.create(0, 0, 1)) < 0.001, "it looks in the requested direction")
	camera.orbit { target = vector.create(0, 1, 0), distance = 4, yaw = 0, pitch = 0, cut = true }
	t:run_ticks()
	t:expect(vector.magnitude(camera.position() - vector.create(0, 1, 4)) < 0.001, camera.position())
	local box = physics.box { position = vector.create(0, 5, 0), size = vector.create(1, 1, 1) }
	local ok, why = pcall(camera.first_person, box)
	t:expect(not ok, why)
end)

test("ground.surface returns the surface at a position", function(t)
	ground.set { height = 0, surface = "stone", grid = 0.5, color_variation = 0.2, color = vector.create(0.3, 0.3, 0.3) }
	t:expect(ground.surface(vector.zero) == "stone")
	ground.patch { position = vector.create(3, 0, 0), radius = 2, surface = "grass", color = vector.create(0.1, 0.4, 0.1) }
	t:expect(ground.surface(vector.create(4.9, 0, 0)) == "grass")
	t:expect(ground.surface(vector.create(5.1, 0, 0)) == "stone")
end)

-- The caller of this test checks the audio output afterwards.
test("sounds can be played, stopped and made louder", function(t)
	local first = sound.play("land_wood", { volume = 0.5, pitch = 2 })
	local second = sound.play("land_wood", { position = vector.create(1, 0, 0), delay = 0.5 })
	t:expect(first ~= second)
	first:stop(0.25)
	t:expect(first:end_reason() == "stopped" and first.time == nil and first.volume == nil)
	sound.volume(0.75)
	t:expect(not pcall(sound.play, "land_wod"), "there is no such sound")
end)

test("a sound can be changed while it plays", function(t)
	local s = sound.play("land_wood", { position = vector.create(1, 0, 0), delay = 0.5 })
	t:expect(s:end_reason() == nil and s.time == 0)
	t:expect(s.position == vector.create(1, 0, 0) and s.volume == 1 and s.pitch == 1)
	s.position = vector.create(2, 0, 0)
	s.volume = 0.25
	s.pitch = 0.5
	t:expect(not pcall(function() sound.play("land_wood").position = vector.one end), "no 3D position")
	t:run(0.6)
	t:expect(math.abs(s.time - 0.05) < 1e-6, "a tenth of a second at half the speed")
	t:expect(s.position.x == 2 and s.volume == 0.25 and s.pitch == 0.5)
	t:run(3)
	t:expect(s:end_reason() == "end" and s.volume == nil)
end)

test("sun, sky and exposure can be set, and bones can be shown", function(t)
	local hero = character "assets/mannequin.glb"
	camera.orbit { target = vector.create(0, 0.9, 0), distance = 3, yaw = 30, pitch = 10 }
	light.sun { yaw = -60, pitch = 20, intensity = 5, color = vector.create(1, 0.6, 0.3) }
	light.sky {
		zenith = vector.create(0.02, 0.03, 0.1),
		horizon = vector.create(0.1, 0.05, 0.1),
		ground = vector.create(0.02, 0.02, 0.03),
		seamless = false,
	}
	light.exposure(0.5)
	hero:play("wave", { fade = 0 })
	t:run(0.7)
	t:expect_image("evening", { size = { 240, 240 } })
	show_bones()
	t:expect_image("evening_bones", { size = { 240, 240 } })
end)

test("environment light is loaded from a file, and unknown files are errors", function(t)
	light.environment("tests/sky.hdr", { yaw = 90, intensity = 2, background = false, blur = 0.5 })
	light.environment "tests/sky.hdr"
	light.environment(nil)
	local good, why = pcall(light.environment, "tests/skyy.hdr")
	t:expect(not good and string.find(tostring(why), "tests/skyy.hdr: there is no such file", 1, true), why)
	good, why = pcall(light.environment, "assets/mannequin.glb")
	t:expect(not good and string.find(tostring(why), "the image format is not supported", 1, true), why)
end)

test("lights can be placed, attached, changed and removed", function(t)
	local hero = character "assets/mannequin.glb"
	local lamp = light.point { position = vector.create(1, 2, 1), color = vector.create(1, 0.5, 0.25), intensity = 4, range = 8, source_radius = 0.1, shadows = false }
	t:expect(lamp.position == vector.create(1, 2, 1) and lamp.intensity == 4 and lamp.range == 8)
	t:expect_near(lamp.source_radius, 0.1, 1e-6)
	t:expect_near(lamp.color.y, 0.5, 1e-6)
	t:expect(lamp.shadows == false)
	lamp.position = vector.create(0, 3, 0)
	lamp.intensity = 9
	lamp.color = vector.create(0, 1, 0)
	lamp.range = 5
	lamp.source_radius = 0.5
	lamp.shadows = true
	t:expect(lamp.position.y == 3 and lamp.intensity == 9 and lamp.color.x == 0 and lamp.range == 5 and lamp.shadows)
	t:expect(not pcall(function() lamp:aim_at(vector.zero) end), "it shines all around")
	local spot = light.spot { position = vector.create(0, 3, 2), target = vector.create(0, 1, 0), outer_angle = 20 }
	spot:aim_at(vector.create(0, 0, 0))
	local torch = light.point { character = hero, bone = "right_hand", intensity = 2 }
	t:run(0.1)
	local there = torch.position
	t:expect(vector.magnitude(there - hero.position) < 1.5 and there.y > 0.3, there)
	hero.position = vector.create(5, 0, 0)
	t:run(0.1)
	t:expect_near(torch.position.x - there.x, 5, 0.1)
	local ok, why = pcall(light.point, { character = hero, bone = "right_hnd" })
	t:expect(not ok and string.find(tostring(why), "right_hand", 1, true) ~= nil, why)
	lamp:remove()
	t:expect(not pcall(function() return lamp.intensity end), "it is gone")
end)

test("light rigs, fog and post-processing can be set", function(t)
	local hero = character "assets/mannequin.glb"
	for _, name in { "noon", "three_point", "studio", "overcast", "sunset", "night", "spotlight", "neon", "embers" } do
		light.rig(name, { character = hero, intensity = 0.5 })
	end
	light.rig("three_point", { position = vector.create(0, 1, 0), yaw = 90, size = 2 })
	local ok, why = pcall(light.rig, "three_pont")
	t:expect(not ok and string.find(tostring(why), "three_point", 1, true) ~= nil, why)
	light.fog { density = 0.1, height = 2, base = 0.5, color = vector.create(0.1, 0.2, 0.3) }
	light.post_process { tonemap = "aces", bloom = 0.2, ambient_occlusion = 0.5, contact_shadows = 0, contrast = 1.1, saturation = 0.9, temperature = 0.2, tint = -0.1, vignette = 0.3, auto_exposure = true, adapt_speed = 3 }
	light.quality "low"
	t:run_ticks()
end)

test("a debug view is chosen by name, and unknown bones and morph targets are errors", function(t)
	local function wrong(...)
		local went_well, why = pcall(debug_view, ...)
		t:expect(not went_well, "that view is there")
		return tostring(why)
	end
	t:expect(string.find(wrong "wieghts", '"weights"', 1, true) ~= nil)
	t:expect(string.find(wrong("weights", { bone = "head" }), "there are none", 1, true) ~= nil, "nobody is here")
	local hero = character "assets/mannequin.glb"
	debug_view("weights", { bone = "head", character = hero, legend = false })
	local why = wrong("weights", { bone = "haed", character = hero })
	t:expect(string.find(why, 'did you mean "head"', 1, true) ~= nil, why)
	why = wrong("morphs", { morph = "smiel" })
	t:expect(string.find(why, 'did you mean "smile"', 1, true) ~= nil, why)
	t:run_ticks()
	debug_view()
end)

test("classic shading is chosen by name", function(t)
	light.post_process { shading = "classic" }
	local went_well, why = pcall(light.post_process, { shading = "clasic" })
	t:expect(not went_well and string.find(tostring(why), "classic", 1, true) ~= nil, why)
	light.post_process { shading = "physical" }
end)
