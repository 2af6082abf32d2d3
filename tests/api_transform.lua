-- Rotation, visibility, bone transforms, single listeners, plays by clip, and finding characters.

local function near(a, b, tolerance)
	return vector.magnitude(a - b) < (tolerance or 1e-3)
end

local function fails(expected, call, ...)
	local ok, message = pcall(call, ...)
	return not ok and string.find(tostring(message), expected, 1, true) ~= nil
end

test("vec makes vectors; components that are left out are 0", function(t)
	t:expect(vec(1, 2, 3) == vector.create(1, 2, 3))
	t:expect(vec() == vector.zero and vec(4) == vector.create(4, 0, 0))
	t:expect(fails("expected a number", vec, "1", {}))
end)

test("a rotation can be set and read as pitch, yaw and roll", function(t)
	local box = physics.box { position = vec(0, 1, 0), size = vec(1, 0.2, 0.2) }
	box.rotation = vec(20, 70, -30)
	t:expect(near(box.rotation, vec(20, 70, -30)), tostring(box.rotation))
	t:expect(math.abs(box.yaw - 70) < 1e-4)
	box.yaw = 10
	t:expect(near(box.rotation, vec(20, 10, -30)), "the yaw alone keeps pitch and roll")
	t:run_ticks()
	local bone = box:bone_transform "box"
	t:expect(near(bone.position, box.position) and near(bone.rotation, box.rotation))
	-- Yaw 90 turns +Z to +X.
	box.rotation = vec(0, 90, 0)
	t:run_ticks()
	bone = box:bone_transform "box"
	t:expect(near(bone.forward, vec(1, 0, 0)), tostring(bone.forward))
	t:expect(near(bone.up, vec(0, 1, 0)))
	t:expect(near(bone.right, vector.cross(bone.forward, bone.up)))
	t:expect(fails('did you mean "box"', function() box:bone_transform "bxo" end))
end)

test("a detached prop keeps its position and rotation", function(t)
	local hero = character "assets/mannequin.glb"
	local sword = physics.box { size = vec(0.05, 0.05, 0.9), collider = false }
	hero:attach(sword, "right_hand", { pitch = 35, yaw = 20 })
	t:run(0.2)
	local position, rotation = sword.position, sword.rotation
	t:expect(not near(rotation, vec(0, 0, 0), 1), "it turns with the hand")
	sword:detach()
	t:run(0.2)
	t:expect(near(sword.position, position) and near(sword.rotation, rotation, 0.05), tostring(sword.rotation))
end)

test("a hidden character and its attached props are not drawn, but still move", function(t)
	local hero = character "assets/mannequin.glb"
	local sword = physics.box { size = vec(0.05, 0.05, 0.9), color = vec(0.9, 0.1, 0.1), collider = false }
	hero:attach(sword, "right_hand")
	local view = { size = { 160, 160 }, camera = { target = vec(0, 0.9, 0), distance = 3, yaw = 20, pitch = 5 } }
	t:expect(hero.visible and sword.visible)
	hero.visible = false
	t:run(0.5)
	t:expect(not hero.visible and sword.visible, "each has its own value")
	t:expect_image("hidden", view)
	hero.visible = true
	t:run_ticks()
	t:expect_image("visible_again", view)
end)

test("once gets one event, and can be removed before it", function(t)
	local hero = character "assets/mannequin.glb"
	hero:play("walk", { mode = "loop", fade = 0 })
	local once, all = 0, 0
	hero:on("step", function() all += 1 end)
	local heard = hero:once("step", { min_weight = 0.1 }, function(e)
		once += 1
		t:expect(e.name == "step" and e.character == hero)
	end)
	local never = hero:once("step", function() error "it was taken off" end)
	never:off()
	t:run(2.5)
	t:expect(once == 1 and all >= 4, `{once} of {all}`)
	heard:off()
	t:expect(fails("stpe", function() hero:once("stpe", print) end))
	t:expect(fails("there is no event", function() hero:once("said", print) end))
end)

test("plays are found and stopped by their clips", function(t)
	local hero = character "assets/mannequin.glb"
	t:expect(not hero:is_playing() and hero:stop() == 0)
	local walk = hero:play("walk", { mode = "loop", fade = 0.1 })
	t:expect(hero:is_playing() and hero:is_playing "walk" and not hero:is_playing "wave")
	hero:play("wave", { mask = "right_upper_arm", mode = "loop" })
	t:run(0.3)
	t:expect(hero:is_playing "walk" and hero:is_playing "wave", "two masks")
	t:expect(hero:stop("wave", 0.2) == 1)
	t:expect(not hero:is_playing "wave" and hero:is_playing "walk", "one that fades out does not count")
	t:run(0.5)
	t:expect(hero:stop() == 1 and walk:end_reason() == nil, "it fades first")
	t:run(0.5)
	t:expect(walk:end_reason() == "stopped")
	t:expect(fails('did you mean "walk"', function() hero:stop "wlak" end))
end)

test("all characters are listed, and one is found by its name", function(t)
	local crate = physics.box { name = "crate" }
	local hero = character("assets/mannequin.glb", { name = "hero" })
	local all = characters()
	t:expect(#all == 2 and all[1] == crate and all[2] == hero)
	t:expect(find_character "hero" == hero and find_character "nobody" == nil)
	crate:remove()
	t:expect(#characters() == 1 and find_character "crate" == nil)
end)
