-- Hand closing: around reach targets, held props, and objects used by tasks.

local v = vector.create
local HERO = "assets/mannequin.glb"

local function far(a, b)
	return vector.magnitude(a - b)
end

-- Finger closure relative to the rest pose: degrees between the fingers and the hand.
local function closed(hero, side)
	local hand, elbow = hero:bone_position(`{side}_hand`), hero:bone_position(`{side}_lower_arm`)
	local tip
	hero:add_modifier("measure", function(pose)
		local along = pose:direction(`{side}_hand`, v(if side == "left" then 1 else -1, -1, 0))
		local finger = pose:direction(`{side}_fingers`, v(if side == "left" then 1 else -1, -1, 0))
		tip = math.deg(vector.angle(along, finger))
	end)
	return function()
		return tip
	end
end

test("fingers close half or fully, and open again", function(t)
	local hero = character(HERO)
	hero:play("idle", { mode = "loop", fade = 0 })
	local angle = closed(hero, "right")
	t:run_ticks()
	local rest = angle()
	local grip = hero:grip("right_hand", 0.5, { fade = 0 })
	t:run_ticks()
	t:expect(grip.kind == "grip" and grip.name == "right_hand_grip" and math.abs(angle() - 50) < 0.5, angle())
	hero:grip("right_hand", 1)
	t:run(0.4)
	t:expect(math.abs(angle() - 100) < 0.5, angle())
	grip.weight = 0.5
	t:run_ticks()
	t:expect(angle() > rest + 20 and angle() < 80, angle())
	t:expect(hero:grip("right_hand", nil, { fade = 0.2 }) == nil)
	t:run(0.3)
	t:expect(math.abs(angle() - rest) < 3 and not hero:modifier("right_hand_grip"), `{angle()} {rest}`)
end)

test("a hand closes on arrival, opens when it leaves, and aligns its palm with a bar", function(t)
	local hero = character(HERO)
	local angle = closed(hero, "left")
	local rod = physics.cylinder { position = v(0.3, 1.2, 0.4), radius = 0.015, height = 0.5, roll = 20, body_type = "kinematic" }
	local plain = hero:reach("left_hand", rod, { fade = 0 })
	t:run_ticks()
	local open = angle()
	t:expect(plain.target_error < 0.001 and far(hero:bone_position "left_hand", rod.position) < 0.001)
	plain:remove()
	local options = { grip = 0.8, palm = true, radius = 0.015, bar = v(0, 1, 0), fade = 0.4 }
	local reach = hero:reach("left_hand", rod, options)
	t:run(0.2)
	t:expect(angle() < open + 10, `it is open on the way: {angle()}`)
	t:run(0.4)
	t:expect(math.abs(angle() - 80) < 0.5 and reach.target_error < 0.001, `{angle()} {reach.target_error}`)
	local hand = hero:bone_position "left_hand"
	t:expect(far(hand, rod.position) > 0.06 and far(hand, rod.position) < 0.11, far(hand, rod.position))
	-- The width is measured along the rod, which is tilted.
	local across
	hero:add_modifier("width", function(pose)
		across = pose:direction("left_hand", v(0, 0, 1))
	end)
	t:run_ticks()
	local lean = v(-math.sin(math.rad(20)), math.cos(math.rad(20)), 0)
	local off = math.deg(vector.angle(across, lean))
	t:expect(math.min(off, 180 - off) < 1, off)
	hero:reach("left_hand", nil, { fade = 0.4 })
	t:run(0.25)
	t:expect(angle() < open + 10, `open before it is back: {angle()}`)
	t:run(0.3)
	t:expect(not hero:modifier("left_hand"))
end)

test("a hand grasps a used object with the grip of its interaction, and a taken object until it is detached", function(t)
	local hero = character(HERO)
	local right = closed(hero, "right")
	local knob = physics.sphere { position = v(-0.3, 1.15, 0.42), radius = 0.03, body_type = "kinematic" }
	knob:add_interaction("knob", { radius = 0.03, hold_time = 0.4 })
	local cup = physics.cylinder { position = v(-0.3, 1.0, 0.4), radius = 0.035, height = 0.1, body_type = "kinematic" }
	cup:add_interaction("cup", { kind = "pick_up", radius = 0.035, bar = v(0, 1, 0), grip = 0.7, hold_time = 0.3 })
	local angles, phase, done = {}, nil, {}
	for _, thing in { knob, cup } do
		thing:on("used", function(e)
			if e.phase == "release" then
				table.insert(angles, right())
				table.insert(done, if thing == cup then 0 else hero:modifier("right_hand").target_error)
			end
		end)
	end
	hero:task(function(a)
		a:use(knob)
		a:use(cup)
		phase = "over"
	end)
	t:wait_for(function()
		return phase == "over"
	end, 6)
	t:expect(math.abs(angles[1] - 60) < 1 and done[1] < 0.001, `{angles[1]} {done[1]}`)
	t:expect(math.abs(angles[2] - 70) < 1, angles[2])
	t:run(0.5)
	t:expect(math.abs(right() - 70) < 1, "it still holds the cup")
	cup:detach()
	t:run(0.4)
	t:expect(right() < 40 and not hero:modifier("right_hand_grip"), right())
end)

test("only one character at a time can use an interaction", function(t)
	local chair = physics.box { position = v(0, 0.225, 0), size = v(0.45, 0.45, 0.45) }
	chair:add_interaction("seat", { kind = "seat", position = v(0, 0.225, 0), stand_position = v(0, -0.225, 0.45), stand_yaw = 0, hold_time = 0.5 })
	local heroes, came = { character(HERO, { position = v(0, 0, 1) }), character(HERO, { position = v(1, 0, 1) }) }, {}
	for _, hero in heroes do
		hero:controller {}
	end
	local first = heroes[1]:task(function(a) came[1] = a:use(chair) end)
	heroes[2]:task(function(a)
		came[2] = a:use(chair)
		-- An interrupted character no longer uses the chair.
		first:stop()
		came[3] = a:use(chair)
		-- Neither does a character that has finished.
		came[4] = a:use(chair)
	end)
	t:run(20)
	t:expect(came[1] == nil and came[2] == "occupied" and came[3] == "done" and came[4] == "done", `{came[1]} {came[2]} {came[3]} {came[4]}`)
	local _, why = pcall(function() chair:add_interaction("seat", { kind = "sit" }) end)
	t:expect(string.find(tostring(why), "unknown value") ~= nil, why)
	local wrong
	heroes[1]:task(function(a) wrong = select(2, pcall(function() a:use(chair, "seat", { hold_time = -1 }) end)) end)
	t:run_ticks(2)
	t:expect(string.find(tostring(wrong), "hold_time must be 0 or more, got -1 s", 1, true) ~= nil, wrong)
end)
