-- Limbs and typical mistakes of new users: arrows hitting walking characters, sizes, bodies without limbs, compliant
-- motors, and the state after a fall.

local function v(x, y, z)
	return vector.create(x, y, z)
end

local function far(a, b)
	return vector.magnitude(a - b)
end

local GALATEA = "assets/mannequin.glb"

local function fails(what: string, call): boolean
	local ok, why = pcall(call)
	return not ok and string.find(tostring(why), what, 1, true) ~= nil
end

test("an arrow passes through the capsule of a walking character and sticks in its mesh", function(t)
	ground.set { height = 0, collider = true }
	local function shoot(hero, x, y)
		local told
		local arrow = physics.cylinder {
			position = hero.position + v(x, y, 3),
			radius = 0.012,
			height = 0.7,
			pitch = 90,
			mass = 0.05,
			stick_on_hit = true,
			bullet = true,
			velocity = v(0, 0.5, -30),
		}
		arrow:on("stick", function(e)
			told = e
		end)
		t:run(0.3)
		return told, arrow
	end
	local plain, walker = character(GALATEA), character(GALATEA, { position = v(8, 0, 0) })
	walker:controller {}
	t:run(0.2)
	for _, place in { v(0.05, 1.6, 0), v(0, 1.2, 0), v(-0.1, 0.7, 0), v(0.1, 0.7, 0) } do
		local want, here = shoot(plain, place.x, place.y)
		local told, there = shoot(walker, place.x, place.y)
		t:expect(want and told and want.bone and told.bone == want.bone, `{told and told.bone} {want and want.bone}`)
		t:expect(far(there.position - walker.position, here.position - plain.position) < 0.01, there.position)
	end
	-- A walking character is not stopped by it either.
	walker:move(v(1, 0, 0))
	physics.cylinder { position = v(9, 0.3, 0), radius = 0.05, height = 0.6, mass = 0.2, stick_on_hit = true }
	t:run(2)
	t:expect(walker.position.x > 9.5, walker.position)
end)

test("sizes must be above 0", function(t)
	local hero, other = character(GALATEA), character(GALATEA, { position = v(2, 0, 0) })
	for _, wrong in { 0, -1, 1e-9, 1e9 } do
		t:expect(fails("scale must be 0.001 to 1000", function()
			hero.scale = wrong
		end))
		t:expect(fails("must be 0.001 to 1000", function()
			hero:attach(other, "right_hand", { scale = wrong })
		end))
		t:expect(fails("must be 0.001 to 1000", function()
			character(GALATEA, { scale = wrong })
		end))
	end
	t:expect(hero.scale == 1)
	hero.scale = 0.001
	hero:knock_down()
	t:run(0.2)
	local head = hero:bone_position "head"
	t:expect(head == head, head)
end)

test("calls that need limbs are errors on rigid bodies", function(t)
	local box = physics.box { position = v(0, 0.5, 0), mass = 1 }
	local calls = {
		function() box:knock_down() end,
		function() box:kill() end,
		function() box:ragdoll() end,
		function() box:ragdoll { motor_strength = 1 } end,
		function() box:hit { impulse = v(0, 0, -5) } end,
		function() box:hit_reactions { hit_on_touch = true } end,
	}
	for _, call in calls do
		t:expect(fails("push", call))
	end
	t:run(0.1)
	t:expect(not box.is_down and math.abs(box.position.y - 0.5) < 0.06, box.position)
	box:ragdoll(false)
	t:expect(not box:get_up())
end)

test("weak motors let her fall, and she stays down until get_up is called", function(t)
	ground.set { height = 0, collider = true }
	local hero = character(GALATEA)
	hero:controller {}
	local heard = {}
	for _, name in { "knock_down", "settle", "get_up", "get_up_end" } do
		hero:on(name, function()
			table.insert(heard, name)
		end)
	end
	hero:ragdoll { motor_strength = 0.5, pin = 0 }
	t:run(4)
	t:expect(hero.is_down and heard[1] == "knock_down" and heard[2] == "settle" and #heard == 2, table.concat(heard, " "))
	local hips = hero:bone_position "hips"
	t:expect(far(v(hips.x, 0, hips.z), hero.position) < 0.1, `{hero.position} under {hips}`)
	t:expect(hero:get_up())
	t:run(4)
	t:expect(table.concat(heard, " ") == "knock_down settle get_up get_up_end", table.concat(heard, " "))
	t:expect(not hero.is_down and hero:bone_position("head").y > 1.3)
end)

test("strong motors keep her standing", function(t)
	local hero = character(GALATEA)
	hero:ragdoll { motor_strength = 0.8 }
	t:run(2)
	t:expect(not hero.is_down and hero:bone_position("head").y > 1.3)
end)

test("limb settings of a script stay through falls and hits until the script changes them", function(t)
	ground.set { height = 0, collider = true }
	local hero = character(GALATEA)
	-- Height of a waving hand above the shoulders.
	local function high()
		hero:play("wave", { fade = 0 })
		local most = -1
		for _ = 1, 120 do
			t:run_ticks()
			for _, side in { "left", "right" } do
				most = math.max(most, hero:bone_position(`{side}_hand`).y - hero:bone_position(`{side}_upper_arm`).y)
			end
		end
		t:run(0.5)
		return most
	end
	local waves = high()
	t:expect(waves > 0.1, waves)
	hero:ragdoll { bones = { "left_upper_arm", "right_upper_arm" } }
	t:run(0.5)
	t:expect(high() < -0.1, "it hangs")
	hero:hit { bone = "head", impulse = v(0, 0, -5) }
	t:run(1)
	t:expect(high() < -0.1, "after a blow")
	hero:hit { impulse = v(0, 0, -200) }
	t:run(8)
	t:expect(not hero.is_down and high() < -0.1, "after a fall")
	-- Knocked down again while it gets up.
	hero:knock_down()
	while hero.is_down do
		t:run_ticks()
	end
	t:run(0.3)
	hero:knock_down()
	t:run(8)
	t:expect(not hero.is_down and high() < -0.1, "after two falls")
	hero:ragdoll(false)
	t:run(1)
	t:expect(math.abs(high() - waves) < 0.01, "until it wants otherwise")
end)

test("limb motors work again after a fall", function(t)
	ground.set { height = 0, collider = true }
	local hero = character(GALATEA)
	hero:ragdoll { motor_strength = 0.5, motor_frequency = 4 }
	hero:hit { impulse = v(0, 0, -200) }
	t:run(8)
	t:expect(not hero.is_down)
	local before = hero:bone_position "right_hand"
	hero:apply_impulse(v(0, 0, 6), before)
	t:run(0.1)
	t:expect(far(hero:bone_position "right_hand", before) > 0.05, "a push moves it")
end)

test("she gets up at a human pace, through sitting on the ground", function(t)
	ground.set { height = 0, collider = true }
	local hero = character(GALATEA)
	t:run(0.1)
	local ankle = hero:bone_position("left_foot").y
	for _, push in { v(0, 0, -200), v(0, 0, 220) } do
		local up, stands = false, false
		hero:on("get_up", function()
			up = true
		end)
		hero:on("get_up_end", function()
			stands = true
		end)
		hero:hit { bone = "chest", impulse = push }
		local fastest, seats, head = 0, 1, nil
		for _ = 1, 600 do
			t:run_ticks()
			local now = hero:bone_position "head"
			if up and head and not stands then
				local speed = far(now, head) * 60
				fastest = math.max(fastest, speed)
				if speed < 0.1 and now.y > 0.5 then
					for _, side in { "left", "right" } do
						local foot = hero:bone_position(`{side}_foot`).y
						t:expect(math.abs(foot - ankle) < 0.02, `{side} {foot} {ankle}`)
					end
					seats = math.min(seats, hero:bone_position("hips").y)
				end
			end
			head = up and now or nil
		end
		t:expect(stands and fastest < 2.6, `the head at {fastest} m/s`)
		if push.z < 0 then
			t:expect(seats < 0.14, `hips at {seats}`)
		end
	end
end)

test("a sitting character with the head above the hips is upright, whatever the rotation of the hips", function(t)
	local hero = character(GALATEA)
	local function word(hips, spine)
		local name = `bent {hips}`
		hero:add_clip(clip(name) {
			space = "model",
			bones = { hips = { rotation = { { 0, hips, 0, 0 } } }, spine = { rotation = { { 0, spine, 0, 0 } } } },
		})
		hero:play(name, { mode = "loop", fade = 0 })
		t:run_ticks(2)
		return hero.posture
	end
	t:expect(word(-90, 0) == "face_up")
	t:expect(word(90, 0) == "face_down")
	t:expect(word(-60, 70) == "upright")
	t:expect(word(60, -70) == "upright")
end)

test("markers of clips are silent while the character is down", function(t)
	local hero = character "assets/mannequin.glb"
	hero:add_clip(clip "stroll" {
		duration = 0.5,
		bones = { root = { position = { { 0, 0, 0, 0 }, { 0.5, 0, 0, 1 } } } },
	})
	hero:add_marker("stroll", 0.25, "tread")
	hero.machine = machine { state "go" { "stroll" } }
	hero:controller {}
	hero:move(vector.create(0, 0, 2))
	hero:event_log()
	local n = 0
	hero:on("tread", function() n += 1 end)
	t:run(2)
	t:expect(n >= 3 and hero.speed > 1, hero.speed)
	hero:ragdoll()
	t:run(0.1)
	n = 0
	t:run(2)
	t:expect(hero.is_down and n == 0, n)
	t:expect(hero.speed == 0, hero.speed)
	local log = hero:event_log()
	local last = log[#log]
	t:expect(last.outcome == "suppressed" and last.reason == "down", last.reason)
end)
