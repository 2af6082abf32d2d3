-- Plays, listeners and clips: tests every function and property and its results.

test("a play has a time, can be paused, moved and stopped, and has an end reason", function(t)
	local hero = character "assets/mannequin.glb"
	local p = hero:play("walk", { mode = "loop", fade = 0 })
	t:run(0.25)
	t:expect_near(p.time, 0.25, 0.001)
	t:expect_near(p.phase, 0.25, 0.001)
	t:expect(p.loop_count == 0 and p.speed == 1 and p.weight == 1)
	t:run(1)
	t:expect(p.loop_count == 1)
	p.speed = 0
	t:run(0.5)
	t:expect(p.speed == 0)
	t:expect_near(p.time, 0.25, 0.001)
	p.weight = 0.5
	t:expect_near(p.weight, 0.5)
	t:expect(p:seek(0.75))
	t:expect_near(p.time, 0.75, 0.001)
	t:expect(p:end_reason() == nil)
	p:stop(0)
	t:run_ticks()
	t:expect(p:end_reason() == "stopped" and p.time == nil and p.weight == nil)
	t:expect(not p:seek(0.1))
end)

test("a play has its own listeners, and on_end gets the reason", function(t)
	local hero = character "assets/mannequin.glb"
	local steps, why = 0, nil
	local p = hero:play("walk", { on_end = function(reason) why = reason end })
	local heard = p:on("step", function() steps += 1 end)
	t:run(0.3)
	t:expect(steps == 1)
	heard:off()
	t:run(1)
	t:expect(steps == 1 and why == "end")
end)

test("a clip made by a script has properties, poses and curves", function(t)
	local hero = character "assets/mannequin.glb"
	hero:add_clip(clip "bow" {
		duration = 2,
		bones = { chest = { rotation = { { 0, 0, 0, 0 }, { 1, 40, 0, 0 } } } },
		curves = { glow = { { 0, 0 }, { 1, 1 } } },
		markers = { { 0.5, "bowed", deep = true } },
	})
	local bow = hero:clip "bow"
	t:expect(bow.name == "bow" and bow.source == "script")
	t:expect_near(bow.duration, 2)
	t:expect(#bow.markers == 1 and bow.markers[1].name == "bowed" and bow.markers[1].deep == true)
	t:expect_near(bow.markers[1].time, 0.5)
	t:expect(bow.bytes > 0 and bow.ground_speed == nil and bow.root_translation == nil)
	t:expect_near(bow:sample(1).chest.rotation.x, 40, 0.2)
	t:expect_near(bow:curve("glow", 0.5), 0.5, 0.001)
	local walk = hero:clip "walk"
	t:expect(string.find(walk.source, "mannequin.glb", 1, true))
	t:expect_near(walk.ground_speed, 1.4, 0.02)
end)

test("a clip with root motion reports its translation and yaw", function(t)
	local hero = character "assets/mannequin.glb"
	hero:add_clip(clip "turn" {
		duration = 1,
		bones = { root = {
			position = { { 0, 0, 0, 0 }, { 1, 0, 0, 1 } },
			rotation = { { 0, 0, 0, 0 }, { 1, 0, 90, 0 } },
		} },
	})
	local turn = hero:clip "turn"
	t:expect(vector.magnitude(turn.root_translation - vector.create(0, 0, 1)) < 0.01, turn.root_translation)
	t:expect_near(turn.root_yaw, 90, 0.5)
end)
