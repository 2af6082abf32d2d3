-- The rig: foot IK, reach, look-at, lean, orientation warp, idle motion, helper bones, interactions and modifiers:
-- tests every function and its effect.

local HERO = "assets/mannequin.glb"
local v = vector.create

local function far(a, b)
	return vector.magnitude(a - b)
end

test("a hand reaches its target and is released", function(t)
	local hero = character(HERO)
	local rest = hero:bone_position "right_hand"
	local goal = v(-0.35, 1.25, 0.35)
	local reach = hero:reach("right_hand", goal, { fade = 0, pole = v(-1, -1, 0), softness = 0 })
	t:run_ticks()
	t:expect(far(hero:bone_position "right_hand", goal) < 0.001, hero:bone_position "right_hand")
	t:expect(reach.kind == "reach" and reach.name == "right_hand" and reach.character == hero)
	t:expect(reach.target_error < 0.001 and reach.weight == 1 and reach.effective_weight == 1 and reach.enabled)
	reach.weight = 0.5
	t:run_ticks()
	local half = hero:bone_position "right_hand"
	t:expect(far(half, goal) > 0.05 and far(half, rest) > 0.05, half)
	reach.enabled = false
	t:run_ticks()
	t:expect(far(hero:bone_position "right_hand", goal) > 0.1)
	reach.enabled = true
	reach:remove()
	for _ = 1, 20 do
		reach = hero:reach("right_hand", goal, { fade = 0.25 })
		t:run_ticks()
	end
	t:expect(reach.weight == 1, "asked again and again it comes all the same")
	hero:reach("right_hand", nil, { fade = 0.2 })
	t:run(0.3)
	t:expect(reach.effective_weight == 0 and reach.weight == 0 and not reach.enabled and not reach.target_error and not reach.inactive_reason)
	t:expect(#hero:modifiers() == 0 and not hero:modifier("right_hand"), "it is gone")
	reach:fade(0)
	reach.weight = 0
	t:expect(not reach:remove())
	for _, shows in { function() reach:fade(1) end, function() reach.weight = 0.5 end, function() reach:move_before("foot_ik") end } do
		local ok, why = pcall(shows)
		t:expect(not ok and string.find(tostring(why), "was removed from its character") ~= nil, why)
	end
	-- A modifier that is restarted during its fade-out stays; so does one that was positioned with move_before or
	-- move_after.
	reach = hero:reach("right_hand", goal, { fade = 0 })
	t:run_ticks()
	hero:reach("right_hand", nil, { fade = 0.2 })
	t:run_ticks()
	reach:fade(1, 0.1)
	t:run(0.5)
	t:expect(reach.weight == 1 and far(hero:bone_position "right_hand", goal) < 0.001)
	hero:foot_ik()
	reach:move_before("foot_ik")
	hero:reach("right_hand", nil, { fade = 0.1 })
	t:run(0.3)
	t:expect(reach.effective_weight == 0 and hero:modifiers()[1].name == "right_hand", "it keeps its place")
	t:expect(reach:remove() and not reach:remove())
	-- Other released modifiers are removed in the same way.
	hero:aim_at(v(0, 1.4, 3), { fade = 0 })
	hero:chain_ik("spine", "left_hand", v(0.4, 1.2, 0.4), { fade = 0 })
	hero:sit(v(0, 0.5, -0.3), { fade = 0 })
	hero:look_at(v(0, 1.5, 3))
	hero:grip("left_hand", 1, { fade = 0 })
	t:run_ticks()
	t:expect(#hero:modifiers() == 6, tostring(hero:modifiers()))
	hero:aim_at(nil, { fade = 0.1 })
	hero:chain_ik("spine", "left_hand", nil, { fade = 0.1 })
	hero:sit(false)
	hero:look_at(false)
	hero:modifier("foot_ik"):remove()
	hero:grip("left_hand", nil, { fade = 0.1 })
	t:run(0.4)
	t:expect(#hero:modifiers() == 0, tostring(hero:modifiers()))
end)

test("an upper arm stays within the limits of the shoulder", function(t)
	local hero = character(HERO)
	local middle
	hero:add_modifier("middle", function(pose)
		middle = pose:direction("right_shoulder", v(-0.62, 0, 0.75))
	end)
	local function aside()
		return math.deg(vector.angle(hero:bone_position "right_lower_arm" - hero:bone_position "right_upper_arm", middle))
	end
	local function reach(place, limit)
		local reaching = hero:reach("right_hand", place, { max_angle = limit, fade = 0 })
		t:run_ticks()
		return aside(), reaching.target_error
	end
	-- Far behind her and across her back: without limits, with her own joint limits, and with smaller ones.
	for _, place in { v(0, 1.3, -0.6), v(0.5, 1.3, -0.35), v(0.2, 1.7, -0.5) } do
		local free = reach(place, 180)
		local own, missed = reach(place)
		t:expect(free > 130 and own < 125 and missed > 0.05, `{place}: {free} {own} {missed}`)
		t:expect(reach(place, 90) < 90.05)
	end
	-- Targets within the shoulder limits are reached as before.
	for _, place in { v(-0.3, 1.25, 0.4), v(0.2, 1.3, 0.3), v(-0.2, 0.98, -0.2), v(-0.2, 1.8, 0.1), v(-0.6, 1.3, -0.1) } do
		local own, missed = reach(place)
		t:expect(own < 125 and missed < 0.001, `{place}: {own} {missed}`)
	end
	-- The elbow must not jump between neighbouring targets.
	local before, sudden = nil, 0
	for i = 0, 200 do
		local angle = math.rad(-90 + 1.2 * i)
		reach(v(-0.2 - 0.4 * math.cos(angle), 1.3, 0.4 * math.sin(angle)))
		local elbow = hero:bone_position "right_lower_arm"
		sudden = if before then math.max(sudden, far(elbow, before)) else 0
		before = elbow
	end
	t:expect(sudden < 0.05, sudden)
end)

test("a hand follows a moving prop or bone, and a second hand follows the prop in the first", function(t)
	local hero = character(HERO)
	local other = character(HERO) { position = v(0, 0, 0.65), yaw = 180 }
	other:reach("right_hand", v(0.2, 1.25, 0.35), { fade = 0 })
	hero:reach("left_hand", other, { target_bone = "right_hand", fade = 0 })
	t:run(0.1)
	t:expect(far(hero:bone_position "left_hand", other:bone_position "right_hand") < 0.02, far(hero:bone_position "left_hand", other:bone_position "right_hand"))
	local staff = physics.cylinder { position = v(0, 3, 0), radius = 0.02, height = 1, mass = 1 }
	hero:attach(staff, "right_hand", { offset = v(0, 0.05, 0.1), pitch = 90 })
	hero:reach("left_hand", staff, { target_offset = v(0, 0.22, 0), fade = 0 })
	hero:play("run", { mode = "loop", fade = 0 })
	for _ = 1, 40 do
		t:run_ticks()
		local missed = hero:modifier("left_hand").target_error
		t:expect(missed < 0.001 and math.abs(far(hero:bone_position "left_hand", staff.position) - 0.22) < 0.002, missed)
	end
	local mine = hero:reach("right_foot", v(0, 0.4, 0.3), { target_space = "character", name = "kick", fade = 0 })
	t:run_ticks()
	t:expect(mine.name == "kick" and far(hero:bone_position "right_foot", v(0, 0.4, 0.3)) < 0.01)
end)

test("aim_at rotates the spine to a target, and chain_ik brings its tip to one", function(t)
	local hero = character(HERO)
	local goal = v(1.5, 1.2, 2.5)
	local aim = hero:aim_at(goal, { bones = { "spine", "chest" }, aim_bone = "head", aim_offset = v(0, 0.05, 0), max_side = 85, max_up = 60, max_down = 60, fade = 0 })
	t:run_ticks()
	t:expect(aim.kind == "aim_at" and aim.target_error < 0.2, aim.target_error)
	hero:aim_at(goal, { bones = { spine = 0.3, chest = 0.7 } })
	t:expect(hero:aim_at(nil, { fade = 0.1 }) == nil)
	t:run(0.2)
	t:expect(aim.effective_weight == 0)
	local tip = v(0.35, 1.1, 0.3)
	local chain = hero:chain_ik("left_shoulder", "left_hand", tip, { solver = "ccd", max_angle = 120, flexibility = 0.8, tolerance = 0.0005, max_iterations = 60, name = "arm", fade = 0 })
	t:run_ticks()
	t:expect(chain.target_error < 0.002 and far(hero:bone_position "left_hand", tip) < 0.003, chain.target_error)
	t:expect(hero:chain_ik("left_shoulder", "left_hand", nil, { name = "arm" }) == nil)
	local _, why = pcall(function()
		hero:chain_ik("left_hand", "left_shoulder", tip)
	end)
	t:expect(string.find(tostring(why), "is not below bone") ~= nil, why)
end)

test("modifiers are an ordered list that can be printed and reordered", function(t)
	local hero = character(HERO)
	hero:reach("left_hand", v(0.3, 1.2, 0.3))
	hero:look_at(v(0, 1.5, 3))
	local feet = hero:foot_ik()
	hero:idle_motion()
	local nod = hero:add_modifier("nod", function(pose)
		pose:rotate("head", v(1, 0, 0), 20)
	end)
	local function names()
		local list = {}
		for _, modifier in hero:modifiers() do
			table.insert(list, modifier.name)
		end
		return table.concat(list, " ")
	end
	t:expect(names() == "idle_motion foot_ik look_at left_hand nod", names())
	nod:move_before("look_at")
	feet:move_after("left_hand")
	t:expect(names() == "idle_motion nod look_at left_hand foot_ik", names())
	local text = tostring(hero:modifiers())
	t:expect(string.find(text, "2. nod (script", 1, true) ~= nil, text)
	t:expect(not pcall(function() nod:move_before("lok_at") end))
	local _, why = pcall(function() nod:move_before("lok_at") end)
	t:expect(string.find(tostring(why), "did you mean \"look_at\"") ~= nil, why)
	t:expect(hero:modifier("nothing") == nil)
	feet:fade(0, 0.1)
	t:run(0.2)
	t:expect(feet.weight == 0)
end)

test("a custom modifier rotates and moves bones by its weight", function(t)
	local hero = character(HERO)
	t:run_ticks()
	local head, hips = hero:bone_position "head", hero:bone_position "hips"
	local seen
	local bow = hero:add_modifier("bow", function(pose, dt)
		t:expect(math.abs(dt - 1 / 60) < 1e-9)
		pose:rotate("spine", v(1, 0, 0), 30, "character")
		pose:move("hips", v(0, -0.1, 0))
		seen = pose:position("head")
		t:expect(far(pose:direction("spine", v(0, 1, 0)), pose:direction("spine", v(0, 2, 0))) < 1e-6)
	end, { fade = 0 })
	t:run_ticks()
	t:expect(hero:bone_position("head").z > head.z + 0.15 and hero:bone_position("hips").y < hips.y - 0.09)
	t:expect(far(seen, hero:bone_position "head") < 1e-4, "the pose is the one that is shown")
	bow.weight = 0.5
	t:run_ticks()
	t:expect(math.abs(hero:bone_position("hips").y - hips.y + 0.05) < 0.01)
	local kept
	hero:add_modifier("keep", function(pose)
		kept = pose
	end, { before = "bow" })
	t:run_ticks()
	t:expect(not pcall(function() return kept:position("head") end), "a pose is over with its function")
end)

test("foot IK places feet on the ground and emits steps", function(t)
	local hero = character(HERO)
	physics.box { position = v(0.3, 0.1, 0), size = v(0.6, 0.2, 2) }
	local level = hero:bone_position "left_foot"
	local feet = hero:foot_ik { max_slope = 30, unlock_distance = 0.3, max_up = 0.5, max_down = 0.5, pelvis_weight = 1, smooth_time = 0.1, lock_feet = true, step_events = true, fade = 0 }
	t:run(1)
	t:expect(math.abs(hero:bone_position("left_foot").y - level.y - 0.2) < 0.01, hero:bone_position "left_foot")
	t:expect(math.abs(hero:bone_position("right_foot").y - level.y) < 0.01, hero:bone_position "right_foot")
	t:expect(feet.inactive_reason == nil)
	local walker = character(HERO) { position = v(-3, 0, 0) }
	walker:controller {}
	walker.machine = machine { state "walk" { "walk" } }
	walker:foot_ik()
	local steps = {}
	walker:on("step", function(e)
		table.insert(steps, e)
	end)
	for _ = 1, 240 do
		walker:move(v(0, 0, 1.4))
		t:run_ticks()
	end
	t:expect(#steps >= 6 and #steps <= 10, #steps)
	local e = steps[#steps]
	t:expect(e.source == "foot_ik" and (e.foot == "left" or e.foot == "right") and e.surface == "stone")
	t:expect(e.normal.y > 0.99 and e.speed > 0 and e.weight == 1 and e.next_position.z > e.position.z and e.time_to_next > 0.3)
	t:expect(walker:metric("foot_slide") < 0.01, walker:metric("foot_slide"))
	t:expect(hero:foot_ik(false) == nil)
end)

test("eyes and head look at a target, release targets behind, and report the required turn", function(t)
	local hero = character(HERO)
	local other = character(HERO) { position = v(1.5, 0, 1.5), yaw = 180 }
	local look = hero:look_at(other, { eyes_weight = 1, head_weight = 1, max_eye_side = 30, max_eye_up = 20, max_eye_down = 30, chest_weight = 0.3, view_angle = 140, eye_activity = 0.5, blink_rate = 1, gaze_mode = "listening", out_of_range = "release" })
	local ahead
	hero:add_modifier("see", function(pose)
		ahead = pose:direction("head", v(0, 0, 1))
	end)
	t:run(1.5)
	t:expect(math.deg(math.atan2(ahead.x, ahead.z)) > 20, ahead)
	t:expect(hero.required_turn == nil and look.kind == "look_at")
	hero:look_at(v(0.3, 1.6, -2))
	t:run(0.5)
	t:expect(math.abs(hero.required_turn) > 150, hero.required_turn)
	hero:look_at({ { other, interest = 3 }, v(0, 1.5, 2), { camera, target_radius = 0.1 } })
	t:run(0.5)
	hero:look_at()
	t:run(0.2)
	hero:look_at(false)
	t:run(0.4)
	t:expect(look.effective_weight == 0)
end)

test("idle motion, lean and orientation warp move the body", function(t)
	local hero = character(HERO)
	hero:add_clip(clip "still" { bones = {}, duration = 1 })
	hero.machine = machine { state "still" { "still" } }
	hero:idle_motion { breath = 1, sway = 1, noise = 1, effort = 0.5, valence = 0.2, arousal = 0.1 }
	hero:foot_ik()
	t:run(1.2)
	local least, most = 9, 0
	for _ = 1, 300 do
		t:run_ticks()
		local x = hero:bone_position("chest").z
		least, most = math.min(least, x), math.max(most, x)
	end
	t:expect(most - least > 0.0005 and most - least < 0.05, most - least)
	t:expect(hero:idle_motion(false) == nil)

	local runner = character(HERO) { position = v(-4, 0, 0) }
	runner:controller { turn_to_movement = false }
	runner:lean { turn = 1, acceleration = 0.5, slope = 0.3, max_angle = 25, smooth_time = 0.1 }
	runner:orientation_warp { max_angle = 100, spine = 1, smooth_time = 0.1 }
	t:expect(runner.walk_sign == 1)
	for _ = 1, 60 do
		runner:move(v(1.5, 0, 0))
		t:run_ticks()
	end
	local hips = runner:bone_position("left_upper_leg") - runner:bone_position("right_upper_leg")
	t:expect(math.abs(hips.x) < 0.3 * math.abs(hips.z), hips)
	for _ = 1, 60 do
		runner:move(v(0, 0, -1.5))
		t:run_ticks()
	end
	t:expect(runner.walk_sign == -1)
	t:expect(runner:lean(false) == nil and runner:orientation_warp(false) == nil)
end)

test("a helper bone follows its source bone", function(t)
	local hero = character(HERO)
	local helpers = hero:helper_bone { kind = "driver", source = "left_lower_arm", measure = "swing", output = "morph", morph = "smile", curve = { { 20, 0 }, { 90, 1 } } }
	t:expect(helpers.name == "helper_bones" and helpers.kind == "helper_bones")
	hero:helper_bone { kind = "copy", bone = "right_hand", source = "head", weight = 1 }
	local head, hand, arm
	hero:add_modifier("turn", function(pose)
		pose:rotate("head", v(0, 1, 0), 50, "character")
		head, hand = pose:direction("head"), nil
	end, { fade = 0 })
	t:run_ticks()
	local plain = character(HERO) { position = v(3, 0, 0) }
	t:run_ticks()
	-- The helper rotates the fingers about the hand by the head's rotation. Without the helper they do not move.
	hand = hero:bone_position("right_fingers") - hero:bone_position("right_hand")
	arm = plain:bone_position("right_fingers") - plain:bone_position("right_hand")
	t:expect(math.abs(head.x) > 0.6 and far(hand, arm) > 0.02, far(hand, arm))
	local _, why = pcall(function()
		hero:helper_bone { kind = "twist", bone = "left_hnd", source = "left_hand" }
	end)
	t:expect(string.find(tostring(why), "left_hand") ~= nil, why)
	t:expect(not pcall(function() hero:helper_bone { kind = "twits" } end))
	t:run(0.1)
end)

test("a task walks and uses an interaction, and both objects get events", function(t)
	local hero = character(HERO)
	hero:controller {}
	local lever = physics.box { position = v(0, 1.1, 2.0), size = v(0.05, 0.3, 0.05) }
	lever:add_interaction("top", { position = v(0, 0.15, 0), stand_position = v(0.15, -1.1, -0.5), stand_yaw = 0, hand = "right_hand", other_hand = v(0.1, 0.1, 0), reach_time = 0.3, hold_time = 0.2, release_time = 0.2 })
	local phases, at_hold, result, walked = {}, nil, nil, nil
	lever:on("used", function(e)
		table.insert(phases, e.phase)
		t:expect(e.other == hero and e.interaction == "top")
	end)
	hero:on("use", function(e)
		if e.phase == "hold" then
			-- The palm is at the target, the wrist is near it.
			at_hold = hero:modifier("right_hand").target_error
			t:expect(far(hero:bone_position "right_hand", v(0, 1.25, 2.0)) < 0.12)
		end
	end)
	hero:task(function(a)
		walked = a:walk_to(v(0.5, 0, 0.8), { speed = 1.4, stop_distance = 0.1, yaw = 90, stuck_timeout = 2 })
		t:expect(math.abs(hero.yaw - 90) < 1, hero.yaw)
		local from = hero.position
		t:expect(a:walk_to(v(0, 0, 0.4), { target_space = "character", stop_distance = 0.05 }) and math.abs(hero.position.x - from.x - 0.4) < 0.1, hero.position)
		result = a:use(lever, "top", { speed = 1.2 })
	end)
	t:run(8)
	t:expect(walked == true and result == "done", result)
	t:expect(table.concat(phases, " ") == "reach hold release end", table.concat(phases, " "))
	t:expect(at_hold and at_hold < 0.001, at_hold)
	local ended
	hero:task(function(a)
		local ok, text = pcall(function() a:use(lever, "tpo") end)
		ended = not ok and string.find(tostring(text), "top") ~= nil
	end)
	t:run(0.1)
	t:expect(ended == true)
end)

test("a look target behind a character makes it turn in place", function(t)
	ground.set { height = 0, collider = true }
	local hero = character(HERO)
	hero:controller {}
	hero:foot_ik()
	local slid, before, seen, turned_first = 0, {}, false, true
	local ahead
	hero:look_at(v(0, 1.5, 3))
	hero:add_modifier("see", function(pose)
		ahead = pose:direction("head", v(0, 0, 1))
	end)
	t:run(0.5)
	local goal = v(-0.6, 1.5, -3)
	local want = math.deg(math.atan2(goal.x, goal.z))
	hero:look_at(goal, { turn_in_place = { turn_rate = 110, turn_acceleration = 300 } })
	local function away()
		return (want - hero.yaw + 180) % 360 - 180
	end
	local most = -999
	for _ = 1, 240 do
		t:run_ticks()
		slid = math.max(slid, hero:metric("foot_slide") or 0)
		most = math.max(most, -away() * math.sign(want))
		if hero.required_turn and math.abs(math.deg(math.atan2(ahead.x, ahead.z))) > 45 then
			turned_first = false
		end
		seen = hero.required_turn == nil
	end
	t:expect(math.abs(away()) < 3 and most < 2, `{away()} {most}`)
	t:expect(seen and turned_first, "eyes and head come when the body has turned")
	t:expect(slid < 0.01, slid)
	-- Player input has priority: a walking character is not turned.
	for _ = 1, 60 do
		hero:look_at(hero.position + v(0, 1.5, 3))
		hero:move(v(0, 0, -1))
		t:run_ticks()
	end
	local function off(yaw)
		return math.abs((hero.yaw - yaw + 180) % 360 - 180)
	end
	t:expect(off(180) < 20, hero.yaw)
	hero:move(vector.zero)
	t:run(4)
	t:expect(off(0) < 3, hero.yaw)
	hero:look_at(hero.position + v(0, 1.5, -3), { turn_in_place = false })
	t:run(2)
	t:expect(off(0) < 3 and math.abs(hero.required_turn) > 150, hero.yaw)
end)

test("a task turns a character to a target, with a turn clip if it has one", function(t)
	local hero = character(HERO)
	local other = character(HERO) { position = v(2, 0, 0) }
	local faced = {}
	hero:task(function(a)
		table.insert(faced, a:turn_to(-120))
		table.insert(faced, math.abs((hero.yaw + 120 + 180) % 360 - 180))
		table.insert(faced, a:turn_to(other, { turn_rate = 200, turn_acceleration = 600 }))
		table.insert(faced, math.abs((hero.yaw - 90 + 180) % 360 - 180))
	end)
	t:run(5)
	t:expect(faced[1] == true and faced[2] < 0.6 and faced[3] == true and faced[4] < 0.6, `{faced[2]} {faced[4]}`)
	local turner = character(HERO)
	local played
	turner:look_at(v(0.3, 1.5, -3), { turn_in_place = { left_clip = "wave" } })
	for _ = 1, 240 do
		t:run_ticks()
		for _, hand in { "left_hand", "right_hand" } do
			played = math.max(played or 0, turner:bone_position(hand).y)
		end
	end
	local want = math.deg(math.atan2(0.3, -3))
	t:expect(math.abs((want - turner.yaw + 180) % 360 - 180) < 3, turner.yaw)
	t:expect(played > turner:bone_position("left_hand").y + 0.2, "the clip was seen")
	local _, why = pcall(function()
		turner:look_at(v(0, 1, 1), { turn_in_place = { left_clip = "wavee" } })
	end)
	t:expect(string.find(tostring(why), "wave") ~= nil, why)
end)

test("turning in place plays a state's clip as the state does, without a transition", function(t)
	local function turned(states)
		local hero = character(HERO)
		hero.machine = machine(states)
		hero:look_at(v(0.3, 1.5, -3), { turn_in_place = { left_clip = "round" } })
		local high = { left_hand = 0, right_hand = 0 }
		local ticks = 0
		for tick = 1, 240 do
			t:run_ticks()
			for hand, before in high do
				high[hand] = math.max(before, hero:bone_position(hand).y)
			end
			if math.abs((math.deg(math.atan2(0.3, -3)) - hero.yaw + 180) % 360 - 180) > 3 then ticks = tick end
		end
		t:expect(hero.machine:state() == "stand")
		return high, ticks, hero
	end
	local plain, slow = turned { state "stand" { "idle" }, state "round" { "wave" } }
	local other, fast, hero = turned {
		state "stand" { "idle" },
		state "round" { "wave", speed = 2, mirror = true },
		state "both" { sequence { "wave", "walk" } },
		state "still" { "wave", speed = 0 },
	}
	local apart = plain.left_hand - plain.right_hand
	t:expect(math.abs(apart) > 0.2 and apart * (other.left_hand - other.right_hand) < -0.04, "the other hand waves")
	t:expect(fast < 0.65 * slow and fast > 10, `{fast} of {slow} ticks`)
	for name, told in { both = "one clip", still = "forwards", rond = "round" } do
		local _, why = pcall(function()
			hero:look_at(v(0, 1, 1), { turn_in_place = { right_clip = name } })
		end)
		t:expect(string.find(tostring(why), told) ~= nil, why)
	end
end)

test("full-body reach moves the body and then steps, with the feet planted", function(t)
	ground.set { height = 0, collider = true }
	local function stands(at)
		local hero = character(HERO) { position = at }
		hero:controller {}
		hero:foot_ik()
		return hero
	end
	for i, goal in { v(-0.15, 1.2, 0.7), v(-0.2, 0.08, 0.4), v(-0.2, 1.95, 0.1), v(-0.85, 1.15, 0.15) } do
		local at = v(3 * i, 0, 0)
		local hero = stands(at)
		t:run(0.4)
		local feet = { hero:bone_position "left_toes", hero:bone_position "right_toes" }
		local reach = hero:reach("right_hand", at + goal, { full_body = true, fade = 0.5 })
		t:run(0.8)
		t:expect(far(hero:bone_position "right_hand", at + goal) < 0.001 and reach.target_error < 0.001, `{goal}: {reach.target_error}`)
		t:expect(far(hero:bone_position "left_toes", feet[1]) < 0.003 and far(hero:bone_position "right_toes", feet[2]) < 0.003)
	end
	local hero, goal = stands(v(0, 0, -4)), v(-0.3, 1, -2.4)
	local slid = 0
	local reach = hero:reach("right_hand", goal, { allow_steps = true, fade = 0.3 })
	for _ = 1, 180 do
		t:run_ticks()
		slid = math.max(slid, hero:metric "foot_slide" or 0)
	end
	t:expect(reach.target_error < 0.001 and far(hero:bone_position "right_hand", goal) < 0.001, reach.target_error)
	t:expect(slid < 0.01 and hero.position.z > -3.6 and hero.position.z < -2.7, `{slid} {hero.position}`)
end)

test("a lever follows the hand and returns, a cup is taken, a seat is sat on", function(t)
	ground.set { height = 0, collider = true }
	local hero = character(HERO)
	hero:controller {}
	hero:foot_ik()
	local lever = physics.box { position = v(-0.25, 1.0, 1.6), size = v(0.04, 0.5, 0.04), body_type = "kinematic" }
	lever:add_interaction("grip", { kind = "lever", position = v(0, 0.22, -0.03), pivot = v(0, -0.25, 0), axis = v(1, 0, 0), swing = 30, stand_position = v(0.2, -1, -0.5), stand_yaw = 0, hold_time = 0.6 })
	local cup = physics.cylinder { position = v(1.2, 0.05, 1.0), radius = 0.04, height = 0.1, body_type = "kinematic" }
	cup:add_interaction("cup", { kind = "pick_up", position = v(0, 0.04, 0), stand_position = v(0.15, 0, -0.45), stand_yaw = 0, reach_time = 0.7 })
	local stool = physics.box { position = v(-1.5, 0.225, 0), size = v(0.4, 0.45, 0.4), body_type = "kinematic" }
	stool:add_interaction("seat", { kind = "seat", position = v(0, 0.225, 0), stand_position = v(0, -0.225, 0.42), reach_time = 0.9, hold_time = 0.8, release_time = 0.9 })
	local off, tops, done = 0, {}, {}
	local function grip()
		local top = lever.position
		return top
	end
	hero:task(function(a)
		table.insert(done, a:use(lever))
		table.insert(tops, grip())
		table.insert(done, a:use(lever))
		table.insert(tops, grip())
		table.insert(done, a:use(cup))
		table.insert(tops, cup.position)
		table.insert(done, a:use(stool))
	end)
	local holds, sat, hand_off = false, nil, 0
	lever:on("used", function(e)
		holds = e.phase == "hold"
	end)
	stool:on("used", function(e)
		if e.phase == "release" then
			sat = hero:bone_position "hips"
		end
	end)
	for _ = 1, 60 * 24 do
		t:run_ticks()
		if holds then
			off = math.max(off, hero:modifier("right_hand").target_error)
		end
	end
	t:expect(table.concat(done, " ") == "done done done done", table.concat(done, " "))
	t:expect(off < 0.001, off)
	-- Rotates 30 degrees about its foot, and back.
	local a = math.rad(30)
	t:expect(far(tops[1], v(-0.25, 0.75 + 0.25 * math.cos(a), 1.6 + 0.25 * math.sin(a))) < 0.002, tops[1])
	t:expect(far(tops[2], v(-0.25, 1, 1.6)) < 0.002, tops[2])
	t:expect(tops[3].y > 0.5 and far(cup.position, hero:bone_position "right_hand") < 0.15, `{tops[3]} {cup.position} {hero:bone_position "right_hand"}`)
	t:expect(sat and sat.y > 0.5 and sat.y < 0.6 and far(sat, v(-1.5, sat.y, 0)) < 0.02, sat)
	t:expect(hero:bone_position("hips").y > 0.8, "she stands again")
	hero:sit(hero.position + v(0, 0.5, -0.3), { fade = 0, lean = 20 })
	t:run_ticks(2)
	t:expect(hero:bone_position("hips").y < 0.65, hero:bone_position "hips")
	-- A seat that is too far away or too high moves the hips only as far as the legs reach.
	for _, far_away in { v(1e8, 0, 0), v(30, 0.5, 0), v(0, 9, -0.3) } do
		hero:sit(hero.position + far_away, { fade = 0 })
		t:run_ticks(2)
		local leg = vector.magnitude(hero:bone_position "left_upper_leg" - hero:bone_position "left_foot")
		t:expect(leg < 0.9 and far(hero:bone_position "hips", hero.position) < 1.2, `{far_away}: {leg} {hero:bone_position "hips"}`)
	end
	hero:sit(hero.position + v(0, 0.5, -0.3), { fade = 0, lean = 20 })
	t:run_ticks(2)
	-- A target behind a sitting character does not turn it.
	local yaw = hero.yaw
	local back = v(math.sin(math.rad(yaw)), 0, math.cos(math.rad(yaw))) * -3
	hero:look_at(hero.position + back + v(0, 1.2, 0), { turn_in_place = true })
	t:run_ticks(90)
	t:expect(hero.yaw == yaw, hero.yaw - yaw)
	t:expect(hero:sit(false) == nil)
	t:run_ticks(150)
	t:expect(math.abs((hero.yaw - yaw + 360) % 360 - 180) < 60, hero.yaw - yaw)
end)

test("the markers of a clip control the time of the reach", function(t)
	local hero = character(HERO)
	hero:add_marker("wave", 0.7, "grab")
	hero:add_marker("wave", 1.0, "release")
	local box = physics.box { position = v(-0.25, 1.2, 0.4), size = v(0.1, 0.1, 0.1), body_type = "kinematic" }
	box:add_interaction("top", { clip = "wave", reach_time = 0.3 })
	local times, began = {}, now()
	box:on("used", function(e)
		times[e.phase] = e.time - began
	end)
	hero:task(function(a)
		a:use(box)
	end)
	t:run(3)
	t:expect(math.abs(times.hold - 0.7) < 0.05 and math.abs(times.release - 1.0) < 0.05, `{times.hold} {times.release}`)
end)

test("a hand reaches a knob at five heights, with the elbow within limits and a smooth shoulder", function(t)
	ground.set { height = 0, collider = true }
	for i, height in { 0.6, 0.8, 1.0, 1.3, 1.7 } do
		local at = v(3 * i, 0, 0)
		local hero = character(HERO) { position = at + v(-0.3, 0, -1.4) }
		hero:controller {}
		hero:foot_ik()
		local door = physics.box { position = at + v(0, 1.02, 0), size = v(0.98, 2.04, 0.05), body_type = "kinematic" }
		door:add_interaction("knob", { position = v(-0.42, height - 1.02, -0.05), stand_position = v(-0.3, -1.02, -0.5), stand_yaw = 0, hold_time = 0.4 })
		local knob = at + v(-0.42, height, -0.05)
		local missed, jump, done, holds, reaches, before, fastest = 0, 0, nil, false, false, nil, nil
		door:on("used", function(e)
			holds, reaches = e.phase == "hold", e.phase ~= "end"
		end)
		hero:task(function(a)
			done = a:use(door)
		end)
		for _ = 1, 300 do
			t:run_ticks()
			local shoulder = hero:bone_position "right_upper_arm" - hero.position
			-- Movement per tick, and its change from tick to tick.
			local way = if before then shoulder - before else nil
			if way and fastest then
				jump = math.max(jump, far(way, fastest))
			end
			before, fastest = if reaches then shoulder else nil, way
			if holds then
				missed = math.max(missed, hero:modifier("right_hand").target_error)
				t:expect(far(hero:bone_position "right_hand", knob) < 0.12, "the palm is there, the wrist is near")
				local upper, lower, hand = hero:bone_position "right_upper_arm", hero:bone_position "right_lower_arm", hero:bone_position "right_hand"
				local angle = math.deg(vector.angle(upper - lower, hand - lower))
				t:expect(angle > 20 and angle < 179, `{height}: elbow {angle}`)
			end
		end
		t:expect(done == "done" and missed < 0.001, `{height}: {done} {missed}`)
		t:expect(jump < 0.012, `{height}: shoulder {jump}`)
	end
end)
