-- Spring bones, jiggle bones, wind, ropes, cloth and hair: tests every function and its effect.

local function far(a, b)
	return vector.magnitude(a - b)
end

test("spring bones lag behind and come to rest, scaled by the weight", function(t)
	local hero = character "assets/mannequin.glb"
	local still = hero:bone_position "left_hand"
	local spring = hero:spring_bone("left_upper_arm", { gravity = 2, stiffness = 0.5, drag = 0.2, radius = 0.03, wind_scale = 0.1, max_angle = 90 })
	t:run(0.3)
	local hanging = hero:bone_position "left_hand"
	t:expect(hanging.y < still.y - 0.05 or far(hanging, still) > 0.05, `{hanging} {still}`)
	t:expect(spring.weight == 1)
	spring.weight = 0
	t:run_ticks()
	t:expect(far(hero:bone_position "left_hand", still) < 0.03, "the pose alone")
	spring.weight = 1
	spring:reset()
	t:run_ticks()
	t:expect(far(hero:bone_position "left_hand", still) < 0.06, "it begins again at the pose")
	spring:remove()
	t:run(0.2)
	t:expect(far(hero:bone_position "left_hand", still) < 0.03)
	t:expect(not pcall(function() return spring.weight end), "it is gone")
end)

test("a teleport moves spring bones along, and an impulse swings them", function(t)
	local hero = character "assets/mannequin.glb"
	hero:spring_bone({ "left_upper_arm", "right_upper_arm" }, { stiffness = 1, center = nil, collide = true, weight = 1 })
	t:run(1)
	local before = hero:bone_position "left_hand"
	local by = vector.create(25, 0, 0)
	hero.position += by
	t:run_ticks()
	t:expect(far(hero:bone_position "left_hand", before + by) < 0.01, hero:bone_position "left_hand" - by - before)
	hero.position += vector.create(0.4, 0, 0)
	t:run_ticks()
	t:expect(far(hero:bone_position "left_hand", before + by + vector.create(0.4, 0, 0)) > 0.05, "less than a body's length is a push")
	hero:reset_springs()
	t:run_ticks()
	t:expect(far(hero:bone_position "left_hand", before + by + vector.create(0.4, 0, 0)) < 0.03)
end)

test("a jiggle bone swings at its frequency, within its limit", function(t)
	local hero = character "assets/mannequin.glb"
	hero:jiggle_bone("head", { frequency = 2, damping = 0.05, limit = 0.03 })
	hero:jiggle_bone("left_hand", { frequency = 4, limit = vector.create(20, 20, 20), tip = vector.create(0, 0.1, 0), weight = 0.5 })
	t:run(0.1)
	local at = hero:bone_position("head").x
	hero.position += vector.create(0.1, 0, 0)
	local last, ups, widest = 0, 0, 0
	for _ = 1, 120 do
		t:run_ticks()
		local x = hero:bone_position("head").x - at - 0.1
		widest = math.max(widest, math.abs(x))
		if last < 0 and x >= 0 then
			ups += 1
		end
		last = x
	end
	t:expect(ups >= 3 and ups <= 5, `two a second for two seconds, {ups}`)
	t:expect(widest > 0.015 and widest < 0.05, widest)
end)

test("cloth hangs from its pins, and wind lifts it", function(t)
	local flag = cloth { position = vector.create(0, 3, 0), size = vector.create(1, 1, 0), columns = 8, rows = 8, pins = "top" }
	t:run(1)
	local hem = flag:bone_position "c4_r7"
	t:expect(math.abs(hem.y - 2) < 0.05 and math.abs(hem.z) < 0.05, hem)
	t:expect(far(flag:bone_position "c0_r0", vector.create(-0.5, 3, 0)) < 1e-3)
	wind { direction = vector.create(0, 0, 1), speed = 9, gusts = 0.1, gust_size = 3 }
	t:run(2)
	t:expect(flag:bone_position("c4_r7").z > 0.4, flag:bone_position "c4_r7")
	flag.position += vector.create(0, 0, -20)
	t:run_ticks()
	t:expect(far(flag:bone_position "c0_r0", vector.create(-0.5, 3, -20)) < 1e-3, "its pins go along with it")
	t:expect(flag:bone_position("c4_r7").z > -19.7, "as it was")
	flag:remove()
	t:run_ticks()
end)

test("cloth on her shoulders does not penetrate the body", function(t)
	local hero = character "assets/mannequin.glb"
	local cape = cloth {
		size = vector.create(0.4, 0.9, 0),
		columns = 9,
		rows = 10,
		pins = {
			{ u = 0, v = 0, character = hero, bone = "left_shoulder", offset = vector.create(0.1, 0.03, -0.1) },
			{ u = 1, v = 0, character = hero, bone = "right_shoulder", offset = vector.create(-0.1, 0.03, -0.1) },
		},
		collide_with = hero,
		collision_margin = 0.02,
		colliders = { { position = vector.create(5, 0, 0), radius = 1 }, { position = vector.create(5, 0, 0), size = vector.one, yaw = 3 } },
	}
	wind { direction = vector.create(0, 0, 1), speed = 3 }
	t:run(2)
	local middle = cape:bone_position "c4_r4"
	local back = hero:bone_position "spine"
	t:expect(middle.z < back.z - 0.04, `{middle} is behind {back}`)
	hero.position = vector.create(30, 0, 0)
	t:run_ticks()
	t:expect(far(cape:bone_position "c4_r4" - hero.position, middle) < 0.05, "it goes along")
end)

test("a rope with two attached ends sags, and a free end swings", function(t)
	local line = rope { from = vector.create(-1, 3, 0), to = vector.create(1, 3, 0), length = 2.4, links = 25, radius = 0.01 }
	t:run(2)
	t:expect(far(line:bone_position "link_0", vector.create(-1, 3, 0)) < 1e-3)
	t:expect(far(line:bone_position "end", vector.create(1, 3, 0)) < 1e-3)
	local low = line:bone_position("link_12").y
	t:expect(low < 2.6 and low > 2.2, low)
	local hero = character "assets/mannequin.glb"
	local free = rope { from = { character = hero, bone = "right_hand" }, length = 0.5, end_mass = 10, floor = false }
	t:run(1)
	t:expect(math.abs(hero:bone_position("right_hand").y - free:bone_position("end").y - 0.5) < 0.05)
end)

test("a rope carries the body that hangs on it", function(t)
	local longest = {}
	local function hang(at, mass, from, length)
		local body = physics.box { position = at, size = vector.create(0.2, 0.2, 0.2), mass = mass }
		rope { from = from, to = { character = body }, length = length, links = 12 }
		return function()
			local holder = if typeof(from) == "vector" then from else from.character:bone_position(from.bone)
			longest[body] = math.max(longest[body] or 0, far(holder, body.position) / length)
			return body
		end
	end
	local hero = character "assets/mannequin.glb"
	hero:play("walk", { mode = "loop", fade = 0 })
	local hung = {
		hang(vector.create(2, 3.9, 0.1), 8, vector.create(2, 4, 0), 1.5),
		hang(vector.create(4, 3.9, 0.1), 80, vector.create(4, 4, 0), 1.5),
		hang(hero:bone_position "right_hand" - vector.create(0, 0.3, 0), 8, { character = hero, bone = "right_hand" }, 0.4),
	}
	local upper = physics.box { position = vector.create(6, 3, 0), size = vector.create(0.2, 0.2, 0.2), mass = 4 }
	local lower = physics.box { position = vector.create(6, 2.3, 0), size = vector.create(0.2, 0.2, 0.2), mass = 60 }
	rope { from = vector.create(6, 4, 0), to = { character = upper }, length = 1.1 }
	rope { from = { character = upper }, to = { character = lower, offset = vector.create(0, 0.1, 0) }, length = 0.9 }
	for _ = 1, 240 do
		t:run_ticks()
		for _, look in hung do
			look()
		end
	end
	for body, factor in longest do
		t:expect(factor > 0.98 and factor < 1.02, `{body.position}: {factor}`)
	end
	t:expect(math.abs(upper.position.y - 2.9) < 0.03, upper.position)
	t:expect(math.abs(upper.position.y - lower.position.y - 1) < 0.03, lower.position)
	lower:remove()
	upper:remove()
	t:run_ticks()
end)

test("a rope over a beam holds, and two thrown bodies stay together", function(t)
	local at = vector.create(0, 3, 0)
	physics.box { position = at, size = vector.create(0.3, 0.3, 2) }
	local body = physics.box { position = vector.create(0.6, 2.8, 0), size = vector.create(0.3, 0.3, 0.3), mass = 8 }
	rope {
		from = vector.create(-1, 3.9, 0),
		to = { character = body },
		length = 3.2,
		links = 40,
		colliders = { { position = at, size = vector.create(0.3, 0.3, 2) } },
	}
	local one = physics.box { position = vector.create(9, 0.2, 0), size = vector.create(0.3, 0.3, 0.3), mass = 4 }
	local other = physics.box {
		position = vector.create(10, 0.2, 0),
		size = vector.create(0.3, 0.3, 0.3),
		mass = 8,
		velocity = vector.create(0, 6, 8),
	}
	rope { from = { character = one }, to = { character = other }, length = 2, links = 24 }
	local lowest, highest, longest = 9, 0, 0
	for i = 1, 300 do
		t:run_ticks()
		longest = math.max(longest, far(one.position, other.position))
		if i > 120 then
			lowest = math.min(lowest, body.position.y)
			highest = math.max(highest, body.position.y)
		end
	end
	t:expect(lowest > 1.2 and highest < 1.6, `it hangs and swings: {lowest} to {highest}`)
	t:expect(longest < 2.04, longest)
	t:expect(one.position.z > 2, `it was pulled along: {one.position}`)
end)

test("ropes that cannot carry their load are errors", function(t)
	local one = physics.box { position = vector.create(0, 2, 0), size = vector.create(0.2, 0.2, 0.2), mass = 4 }
	local other = physics.box { position = vector.create(1, 2, 0), size = vector.create(0.2, 0.2, 0.2), mass = 4 }
	local line = rope { from = vector.create(0, 3, 0), length = 1 }
	local hero = character "assets/mannequin.glb"
	local function wrong(options, words)
		local ok, why = pcall(rope, options)
		t:expect(not ok and string.find(tostring(why), words, 1, true), `{why}`)
	end
	local far_away = vector.create(0, 6, 0)
	wrong({ from = far_away, to = { character = one }, length = 1.5 }, "the ends are 4.00 m apart, but the length is 1.50 m")
	wrong({ from = { character = line, bone = "end" }, to = { character = one }, length = 3 }, "cannot carry")
	local colliders = { { position = vector.zero, radius = 1 } }
	wrong({ from = { character = one }, to = { character = other }, length = 3, colliders = colliders }, "between two dynamic bodies cannot collide")
	wrong({ from = far_away, to = { character = hero }, length = 9 }, "character: needs the option bone")
end)

test("cloth without pins falls, drapes over colliders and comes to rest", function(t)
	local colliders = { { position = vector.create(0, 0.5, 0), radius = 0.3 } }
	local sheet = cloth {
		position = vector.create(0, 1.2, 0.5),
		pitch = 90,
		size = vector.create(1, 1, 0),
		columns = 12,
		rows = 12,
		pins = "none",
		colliders = colliders,
	}
	local upright = cloth { position = vector.create(3, 2, 0), size = vector.create(1, 1, 0), pins = "none" }
	t:run_ticks()
	t:expect(far(sheet:bone_position "c0_r0", vector.create(-0.5, 1.2, 0.5)) < 0.05, sheet:bone_position "c0_r0")
	t:expect(far(sheet:bone_position "c11_r11", vector.create(0.5, 1.2, -0.5)) < 0.05, `it lies flat: {sheet:bone_position "c11_r11"}`)
	t:run(6)
	t:expect(sheet:bone_position("c0_r0").y < 0.5 and sheet:bone_position("c11_r11").y < 0.5, "its corners hang")
	t:expect(sheet:bone_position("c5_r5").y > 0.75, sheet:bone_position "c5_r5")
	local before = upright:bone_position "c6_r3"
	t:run(1)
	t:expect(far(upright:bone_position "c6_r3", before) < 0.01, "it rests")
	t:expect(upright:bone_position("c6_r0").y < 0.4, `and does not stand: {upright:bone_position "c6_r0"}`)
end)

test("cloth is rotated in the same order as bodies: roll, then pitch, then yaw", function(t)
	local flag = cloth {
		position = vector.create(0, 3, 0),
		size = vector.create(2, 1, 0),
		columns = 3,
		rows = 2,
		yaw = 30,
		pitch = 40,
		roll = 50,
	}
	t:run_ticks()
	local left, right = flag:bone_position "c0_r0", flag:bone_position "c2_r0"
	local across = right - left
	t:expect(math.abs(vector.magnitude(across) - 2) < 1e-3, across)
	-- The x axis after a roll of 50, a pitch of 40 and a yaw of 30 degrees.
	local want = vector.create(0.8030, 0.5868, 0.1050) * 2
	t:expect(far(across, want) < 2e-3, `{across} {want}`)
end)

test("chains of a character's own bones move as cloth", function(t)
	local hero = character "assets/mannequin.glb"
	local before = hero:bone_position "left_hand"
	local arm = hero:cloth { chains = { "left_upper_arm" }, pose_stiffness = 0, collide_with = {}, stiffness = 0 }
	t:run(1)
	local hand, shoulder = hero:bone_position "left_hand", hero:bone_position "left_upper_arm"
	t:expect(hand.y < shoulder.y - 0.35, "it hangs")
	arm.weight = 0
	t:run_ticks()
	t:expect(far(hero:bone_position "left_hand", before) < 0.03)
	arm:reset()
	arm:remove()
	t:run_ticks()
end)

test("invalid arguments are errors with the nearest right name", function(t)
	local hero = character "assets/mannequin.glb"
	local function wrong(f, words)
		local ok, why = pcall(f)
		t:expect(not ok and string.find(tostring(why), words, 1, true), `{why}`)
	end
	wrong(function() hero:spring_bone "hed" end, "head")
	wrong(function() hero:spring_bone({}) end, "at least one")
	wrong(function() hero:spring_bone("head", { stifness = 1 }) end, "stiffness")
	wrong(function() hero:jiggle_bone("head", { frequency = 0 }) end, "more than 0")
	wrong(function() cloth { columns = 1000 } end, "64")
	wrong(function() cloth { size = vector.zero } end, "size")
	wrong(function() cloth { pins = { { u = 0, bone = "head" } } } end, "bone: needs the option character")
	wrong(function() cloth { colliders = { { position = vector.zero } } } end, "colliders")
	wrong(function() rope { links = 1 } end, "2 to 256")
	wrong(function() hero:cloth { chains = {} } end, "at least one")
	for _ = 1, 8 do
		cloth { columns = 32, rows = 32 }
	end
	wrong(function() cloth { columns = 32, rows = 32 } end, "8192")
end)

test("hair is attached to the head, swings, and is removed with the character", function(t)
	local hero = character "assets/mannequin.glb"
	local crown = hero:bone_position "head" + vector.create(0, 0.12, 0.01)
	local guides = {}
	for i = 0, 7 do
		local around = i / 8 * 2 * math.pi
		local out = vector.create(math.sin(around), 0, math.cos(around))
		local root = crown + out * 0.07
		guides[i + 1] = { root, root + out * 0.06, root + out * 0.09 - vector.create(0, 0.12, 0) }
	end
	local hair = hero:hair { guides = guides, strands = 60, points = 8, stiffness = { 0.6, 0.1 }, name = "mop" }
	t:run_ticks()
	local root, tip = hair:bone_position "g2_0", hair:bone_position "g2_7"
	t:expect(far(root, guides[3][1]) < 0.005, root)
	t:expect(far(tip, guides[3][3]) < 0.12, tip)
	for _ = 1, 12 do
		hero.yaw += 8
		t:run_ticks()
	end
	local turned = hair:bone_position "g2_0"
	t:expect(far(turned, root) > 0.05, "the root is carried")
	local lag = far(hair:bone_position "g2_7", turned)
	t:run(2)
	t:expect(math.abs(far(hair:bone_position "g2_7", hair:bone_position "g2_0") - lag) > 1e-4, "the tip came after it")
	t:expect(#hair:materials() == 1 and hair:material("hair").kind == "hair")
	t:expect(not pcall(hero.hair, hero, { guides = { { crown } } }), "one point is no strand")
	hero:remove()
	t:run_ticks()
	t:expect(not pcall(function() return hair.position end), "it is gone with her")
end)

test("a haircut grows on a head, with generated or edited guides", function(t)
	local hero = character "assets/galatea.glb"
	local options = hair.grow { character = hero, cut = { style = "bob", guides = 40 }, seed = 3 }
	t:expect(options.in_rest_space and options.cut.style == "bob" and options.seed == 3)
	t:expect(#options.guides > 30, #options.guides)
	local head = hero:bone_position "head"
	for _, guide in options.guides do
		t:expect(#guide >= 2 and far(guide[1], head) < 0.35, guide[1])
	end
	options.strands = 100
	local bob = hero:hair(options)
	t:expect(#bob:materials() == 2 and bob:material("scalp").kind == "standard")
	local brows = hero:hair { cut = "brows", strands = 60 }
	t:run_ticks()
	local before = brows:bone_position "g0_0"
	hero:morph("browInnerUp", 1)
	hero:morph("brows_up", 1)
	t:run(0.3)
	t:expect((brows:bone_position "g0_0").y > before.y + 0.002, "brows go with the skin")
	hero:remove()
end)
