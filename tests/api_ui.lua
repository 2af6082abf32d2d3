-- `ui`: tests every function, its return values and effects.

local function fails(text, f, ...)
	local good, why = pcall(f, ...)
	assert(not good and string.find(tostring(why), text, 1, true), tostring(why))
end

test("a text can be changed until it is removed", function(t)
	local label = ui.text("hello", { position = vector.create(20, 30, 0), anchor = "top_left", size = 32, outline = 2, align = "right" })
	t:expect(label.text == "hello" and label.size == 32 and label.visible)
	t:expect(label.position == vector.create(20, 30, 0) and label.color == vector.one)
	label.text = "good bye"
	label.size = 20
	label.position = vector.create(5, 6, 7)
	label.color = vector.create(1, 0.5, -1)
	label.visible = false
	label.opacity = 0.25
	t:expect(label.text == "good bye" and label.size == 20 and not label.visible)
	t:expect(label.position == vector.create(5, 6, 0), "depth counts for nothing")
	t:expect(label.color == vector.create(1, 0.5, 0) and label.opacity == 0.25)
	t:expect(label.value == nil and label.world_position == nil)
	fails("value: this UI element does not have this property", function() label.value = 1 end)
	fails("size: the size of a text must be a number", function() label.size = vector.one end)
	fails("on the screen", function() label.world_position = vector.one end)
	label:remove()
	label:remove()
	fails("this UI element was removed", function() label.text = "again" end)
end)

test("bars and boxes have sizes, and a bar has a value", function(t)
	local bar = ui.bar(0.7, { width = 300, height = 20, color = vector.create(0.8, 0.1, 0.1), background = vector.zero })
	t:expect_near(bar.value, 0.7, 1e-6)
	t:expect(bar.size == vector.create(300, 20, 0) and bar.text == nil)
	bar.value = 7
	t:expect(bar.value == 1, "a bar is never more than full")
	bar.size = vector.create(100, 10, 0)
	t:expect(bar.size == vector.create(100, 10, 0))
	fails("expected vec(width, height, 0)", function() bar.size = 3 end)
	fails("text: this UI element does not have this property", function() bar.text = "no" end)
	local box = ui.box { width = 64, height = 48, anchor = "bottom_right", corner_radius = 6, border = vector.one, z_index = -1 }
	t:expect(box.size == vector.create(64, 48, 0) and box.value == nil)
end)

test("an image keeps its aspect ratio, and unusable files are errors", function(t)
	t:expect(ui.image("tests/logo.png").size == vector.create(64, 64, 0))
	t:expect(ui.image("tests/logo.png", { width = 32 }).size == vector.create(32, 32, 0))
	t:expect(ui.image("tests/logo.png", { width = 32, height = 10 }).size == vector.create(32, 10, 0))
	fails("tests/logo.pngg: there is no such file", ui.image, "tests/logo.pngg")
	fails("is not a PNG, JPEG or WebP image", ui.image, "assets/mannequin.glb")
end)

test("a label follows a character's bone, or stays at a position", function(t)
	local hero = character "assets/mannequin.glb"
	local name = ui.text("Galatea", { character = hero, bone = "head", offset = vector.create(0, 0.3, 0), full_size_distance = 4, max_distance = 20 })
	t:run_ticks()
	local height = name.world_position.y
	t:expect(height > 1.5 and height < 2.2, tostring(name.world_position))
	hero.position = vector.create(3, 0, 0)
	t:run_ticks()
	t:expect_near(name.world_position.x, 3, 0.2)
	name.world_position = vector.create(0, 1.3, 0)
	t:run_ticks()
	t:expect_near(name.world_position.y, height + 1, 0.02)
	local feet = ui.bar(1, { character = hero })
	t:run_ticks()
	t:expect(feet.world_position == hero.position, tostring(feet.world_position))
	local sign = ui.text("here", { world_position = vector.create(1, 2, 3), offset = vector.create(0, 1, 0) })
	t:expect(sign.world_position == vector.create(1, 3, 3))
	sign.world_position = vector.zero
	t:expect(sign.world_position == vector.zero)
	fails("bone: needs the option character", ui.text, "x", { bone = "head" })
	fails("no bone \"haed\"", ui.text, "x", { character = hero, bone = "haed" })
end)

test("a caption is shown for its duration, and a third one replaces the first", function(t)
	local first = ui.caption("Galatea", "Oh, it is you.", { duration = 1 })
	t:expect(first.text == "Oh, it is you." and first.size == nil)
	first.text = "Oh, it was you."
	fails("a caption has a fixed position", function() first.position = vector.one end)
	t:run(1.1)
	fails("this UI element was removed", function() return first.text end)
	local second = ui.caption("", "How are you?")
	local third = ui.caption("A", "Well.")
	ui.caption("B", "And you?", { color = vector.create(0, 1, 0) })
	fails("this UI element was removed", function() return second.text end)
	t:expect(third.text == "Well.")
	t:run(1.0)
	t:expect(third.text == "Well.", "a word takes a second to read")
	t:run(0.1)
	fails("this UI element was removed", function() return third.text end)
end)

test("unknown names, long texts and too many elements are errors", function(t)
	fails("unknown field \"ancor\"; did you mean \"anchor\"", ui.text, "x", { ancor = "top" })
	fails("did you mean \"top_left\"", ui.text, "x", { anchor = "topleft" })
	fails("at most 4096 bytes, got 5000", ui.text, string.rep("x", 5000))
	for _ = 1, 1024 do
		ui.box()
	end
	fails("the limit is 1024 elements", ui.text, "one more")
	fails("the limit is 1024 elements", ui.caption, "A", "one more")
end)
