-- Characters: tests every function and property and its results.

local function near(a: vector, b: vector, within: number?): boolean
	return vector.magnitude(a - b) < (within or 0.001)
end

local function fails(what: string, call): boolean
	local good, why = pcall(call)
	return not good and string.find(tostring(why), what, 1, true) ~= nil
end

test("position, yaw and scale can be set and read", function(t)
	local hero = character("assets/mannequin.glb", { position = vector.create(1, 0, 2), yaw = 90, scale = 2 })
	t:expect(near(hero.position, vector.create(1, 0, 2)))
	t:expect_near(hero.yaw, 90, 0.001)
	t:expect_near(hero.scale, 2)
	t:expect(character("assets/mannequin.glb", { name = "other" }).name == "other")
	t:expect(string.find(hero.name, "mannequin.glb", 1, true), hero.name)
	t:run_ticks()
	local head = hero:bone_position "head"
	hero.position = vector.create(5, 0, 2)
	hero.yaw = 0
	hero.scale = 1
	t:run_ticks()
	t:expect_near(hero.yaw, 0, 0.001)
	t:expect_near(hero.scale, 1)
	t:expect(hero:bone_position("head").x > 4.5, "the bones went with it")
	t:expect(hero:bone_position("head").y < 0.7 * head.y, "and shrank with it")
	local box = hero:rest_bounds()
	t:expect(box.max.y > 1.5 and box.max.y < 1.9 and box.min.y < 0.1, tostring(box.max))
	hero:remove()
	t:expect(fails("", function() return hero.position end), "it is off the stage")
end)

test("parts can be hidden, morph weights can be set, and unknown names are errors", function(t)
	local hero = character "assets/mannequin.glb"
	hero:play("idle", { speed = 0, fade = 0 })
	t:run_ticks()
	local target = hero:bone_position "head" + vector.create(0, 0.06, 0.05)
	local face = { size = { 200, 160 }, camera = { target = target, distance = 0.35, yaw = 15, pitch = 0 } }
	hero:morph("smile", 1)
	t:run(0.1)
	t:expect_image("smile", face)
	hero:morph("smile")
	t:run_ticks()
	t:expect_image("no_smile", face)
	hero:show_part("body", false)
	t:run_ticks()
	t:expect_image("nobody", face)
	hero:show_part("body")
	t:run_ticks()
	t:expect_image("no_smile", face)
	t:expect(fails('did you mean "smile"', function() hero:morph("smlie", 1) end))
	t:expect(fails('did you mean "body"', function() hero:show_part("bdoy", false) end))
end)

test("an attached prop follows the hand until it is detached", function(t)
	local hero = character "assets/mannequin.glb"
	local thing = character("assets/mannequin.glb", { scale = 0.1 })
	hero:attach(thing, "right_hand")
	hero:play("wave", { fade = 0 })
	t:run(0.5)
	t:expect(near(thing.position, hero:bone_position "right_hand"), "in the hand")
	local before = thing.position
	thing:detach()
	hero.position = vector.create(3, 0, 0)
	t:run(0.1)
	t:expect(near(thing.position, before), "where it was let go")
end)

test("root motion is extracted completely, also for small movements and any start of the clip", function(t)
	local hero = character "assets/mannequin.glb"
	local hips = hero:bone_position "hips"
	-- One metre out and back in two seconds: the clip ends where it started.
	hero:add_clip(clip "out_and_back" {
		duration = 2,
		bones = { hips = { position = { { 0, 0, hips.y, 0 }, { 1, 0, hips.y, 1 }, { 2, 0, hips.y, 0 } } } },
	})
	-- Two centimetres, on a bone that is not the root.
	hero:add_clip(clip "shuffle" {
		duration = 1,
		bones = { hips = { position = { { 0, 0, hips.y, 0 }, { 1, 0, hips.y, 0.02 } } } },
	})
	-- A rotation of four degrees.
	hero:add_clip(clip "shift" { duration = 1, bones = { root = { rotation = { { 0, 0, 0, 0 }, { 1, 0, 4, 0 } } } } })
	for _, name in { "out_and_back", "shuffle", "shift" } do
		t:expect(hero:clip(name).is_in_place, name)
	end
	hero.machine = machine {
		state "out" { "out_and_back", root_motion = true },
		state "shuffle" { "shuffle", root_motion = true },
		state "shift" { "shift", root_motion = true },
		state "still" { "idle" },
		transition_to "still" { from = "out", on = "stop", fade = 0 },
		transition_to "shuffle" { from = "still", on = "shuffle", fade = 0 },
		transition_to "shift" { from = "shuffle", on = "shift", fade = 0 },
	}
	t:run(1)
	local body = hero:bone_position "hips"
	t:expect_near(hero.position.z, 1, 0.02)
	hero.machine:send "stop"
	t:run(1 / 60)
	t:expect_near(hero:bone_position("hips").z, body.z, 0.02)
	local z = hero.position.z
	hero.machine:send "shuffle"
	t:run(0.5)
	t:expect_near(hero.position.z - z, 0.01, 0.001)
	hero.machine:send "shift"
	t:run(0.5)
	t:expect_near(hero.yaw, 2, 0.15)
end)

test("root motion moves a character, can be read by the script, and can be warped", function(t)
	local hero = character "assets/mannequin.glb"
	hero:add_clip(clip "go" {
		duration = 1,
		bones = { root = { position = { { 0, 0, 0, 0 }, { 1, 0, 0, 1 } } } },
	})
	hero.machine = machine { state "go" { "go", root_motion = true } }
	t:run(0.5)
	t:expect(math.abs(hero.position.z - 0.5) < 0.05, hero.position)
	t:expect(math.abs(hero.root_motion.translation.z - 1 / 60) < 0.002, hero.root_motion.translation)
	t:expect(hero.apply_root_motion)
	hero.apply_root_motion = false
	local stays = hero.position
	t:run(0.2)
	t:expect(near(hero.position, stays))
	t:expect(not hero.apply_root_motion and hero.root_motion.translation.z > 0.01)
	hero.apply_root_motion = true
	t:expect(not hero.is_warping)
	local why
	hero:on("warp_end", function(e) why = e.reason end)
	local there = hero.position + vector.create(0.4, 0, 0.4)
	hero:motion_warp { position = there, duration = 0.5 }
	t:run(0.2)
	t:expect(hero.is_warping)
	t:run(0.4)
	t:expect(why == "arrived" and not hero.is_warping, why)
	t:expect(math.abs(hero.position.x - there.x) < 0.05, hero.position)
end)

test("listeners get events until they are removed, and markers fire until they are removed", function(t)
	local hero = character "assets/mannequin.glb"
	local hello = hero:add_marker("wave", 0.5, "hello", { bone = "right_hand", word = "hi" })
	local words = {}
	local heard = hero:on("hello", function(e) table.insert(words, e.word) end)
	local all = 0
	hero:on("hello", { all_clips = true }, function() all += 1 end)
	hero:play("wave", { mode = "loop" })
	t:run(1)
	t:expect(#words == 1 and words[1] == "hi" and all == 1)
	heard:off()
	t:run(2.2)
	t:expect(#words == 1 and all == 2)
	t:expect(hello:remove() and not hello:remove())
	t:run(2.2)
	t:expect(all == 2, "the marker is off")
	local told = 0
	for _, e in hero:event_log() do
		if e.name == "hello" and e.outcome == "fired" then told += 1 end
	end
	t:expect(told == 2, told)
end)

test("a character has its own state machine, and a curve returns the value of its clip", function(t)
	local hero = character "assets/mannequin.glb"
	t:expect(fails("", function() return hero.machine:state() end), "there is none yet")
	hero.machine = machine { state "stand" { "idle" } }
	t:expect(hero.machine:state() == "stand")
	hero:add_clip(clip "shine" { curves = { glow = { { 0, 0 }, { 1, 1 } } } })
	hero:play("shine", { fade = 0 })
	t:run(0.5)
	t:expect_near(hero:curve "glow", 0.5, 0.02)
end)

test("clips() lists the clips of a character with their durations", function(t)
	local hero = character "assets/mannequin.glb"
	local clips = hero:clips()
	t:expect_near(clips.walk, 1, 0.001)
	t:expect(clips.nod == nil)
	hero:add_clip(clip "nod" { duration = 0.5, bones = { head = { rotation = { { 0, 0, 0, 0 } } } } })
	t:expect_near(hero:clips().nod, 0.5, 0.001)
	t:expect(hero:clip("nod").name == "nod")
end)

test("the foot slide metric is measured and can be reset", function(t)
	local hero = character "assets/mannequin.glb"
	t:expect_near(hero:metric "foot_slide", 0)
	hero:play("walk", { mode = "loop" })
	t:run(1)
	t:expect(hero:metric "foot_slide" > 0.1, "a walk on the spot slides")
	t:expect_near(hero:metrics().foot_slide, hero:metric "foot_slide")
	hero:reset_metrics()
	t:expect_near(hero:metric "foot_slide", 0)
end)

test("skinning is set for all meshes or by name, and unknown names are errors", function(t)
	local all = character("assets/mannequin.glb", { skinning = "dual_quaternion" })
	local some = character("assets/mannequin.glb", { skinning = { body = "dual_quaternion" }, skinning_mode = "small16" })
	t:run_ticks()
	t:expect(near(all:bone_position "head", some:bone_position "head"), "bones do not depend on it")
	local file = "assets/mannequin.glb"
	t:expect(fails('did you mean "body"', function() character(file, { skinning = { boddy = "linear" } }) end))
	t:expect(fails("dual_quaternion", function() character(file, { skinning = "dual" }) end))
	t:expect(fails('did you mean "dual_quaternion"', function() character(file, { skinning = { body = "dual_quaternoin" } }) end))
	t:expect(fails('did you mean "indexed"', function() character(file, { skinning_mode = "index" }) end))
	t:expect(fails("small16", function() character(file, { skinning_mode = "small1" }) end))
	t:expect(fails("inside the parentheses", function() return (character(file)) { skinning = "linear" } end))
end)

test("materials of one character are set, faded and reset, and unknown names are errors", function(t)
	local hero = character("assets/mannequin.glb", {
		materials = { hair = { kind = "hair", color = vector.create(0.5, 0.1, 0.1), roughness = 0.25 } },
	})
	local other = character "assets/mannequin.glb"
	t:expect(table.concat(hero:materials(), " "):find("porcelain cloth gold hair", 1, true) == 1)
	local hair = hero:material "hair"
	t:expect(hair.kind == "hair" and near(hair.color, vector.create(0.5, 0.1, 0.1)))
	t:expect_near(hair.roughness, 0.25)
	t:expect_near(other:material("hair").roughness, 0.52, 0.001)
	local set = {
		alpha = 0.5,
		metallic = 0.25,
		roughness = 0.75,
		specular = 0.5,
		ior = 1.25,
		emissive_strength = 4,
		normal_scale = 0.5,
		occlusion = 0.5,
		alpha_cutoff = 0.25,
		clearcoat = 0.5,
		clearcoat_roughness = 0.125,
		sheen_roughness = 0.5,
		transmission = 0.25,
		thickness = 0.125,
		color = vector.create(0.5, 0.25, 0.125),
		tint = vector.create(1, 0.5, 0.25),
		emissive = vector.create(0.5, 0, 1),
		sheen = vector.create(0.25, 0.5, 0.75),
		kind = "cloth",
	}
	local gold = hero:material "gold"
	local before = {}
	for name, value in set do
		before[name] = gold[name]
		t:expect(before[name] ~= value, name)
		gold[name] = value
		t:expect(gold[name] == value, name)
	end
	t:expect(hero:material("gold").tint == set.tint, "whoever asks sees it")
	t:expect(other:material("gold").tint == vector.one)
	gold:reset "tint"
	t:expect(gold.tint == vector.one and gold.kind == "cloth")
	gold:reset()
	for name, value in before do
		t:expect(gold[name] == value, name)
	end
	gold.roughness = -3
	t:expect(gold.roughness == 0, "numbers are held to their range")
	gold:fade { roughness = 1, tint = vector.create(0, 1, 1), duration = 1 }
	t:run(0.5)
	t:expect_near(gold.roughness, 0.5, 0.001)
	t:expect_near(gold.tint.x, 0.5, 0.001)
	gold.tint = vector.zero
	t:run(0.6)
	t:expect_near(gold.roughness, 1)
	t:expect(gold.tint == vector.zero, "setting it ended its fade")
	t:expect(fails('no material "hiar"; did you mean "hair"?', function() hero:material "hiar" end))
	t:expect(fails('no "rughness"; did you mean "roughness"?', function() hair.rughness = 1 end))
	t:expect(fails('no "clor"; did you mean "color"?', function() hair:reset "clor" end))
	t:expect(fails('unknown value "skni"; did you mean "skin"?', function() hair.kind = "skni" end))
	t:expect(fails("roughness: expected a number", function() hair.roughness = "x" end))
	t:expect(fails('no material "hiar"', function()
		character("assets/mannequin.glb", { materials = { hiar = { roughness = 1 } } })
	end))
	t:expect(fails('field "materials": entry "hair": unknown field "shine"', function()
		character("assets/mannequin.glb", { materials = { hair = { shine = 1 } } })
	end))
end)

test("variants are set by name, and a file without variants has none", function(t)
	local hero = character "assets/mannequin.glb"
	t:expect(table.concat(hero:variants(), ",") == "toon" and hero.variant == nil)
	hero.variant = "toon"
	t:expect(hero.variant == "toon" and hero:material("toon_hair").kind == "toon")
	hero.variant = nil
	t:expect(hero.variant == nil)
	t:expect(fails('no variant "ton"; did you mean "toon"?', function() hero.variant = "ton" end))
	t:expect(fails("variant: expected a string", function() hero.variant = 3 end))
	t:expect(fails('no variant "red"', function() character("assets/mannequin.glb", { variant = "red" }) end))
	local knob = character "assets/gallery/knob.glb"
	t:expect(#knob:variants() == 0 and knob.variant == nil)
	t:expect(fails('no variant "red"; there are none', function() knob.variant = "red" end))
end)
