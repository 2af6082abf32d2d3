-- Agent behaviour apart from walking: states, events, clips, groups, and smart objects.

local v = vector.create
local BODY = "assets/mannequin.glb"

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

local function flat(at)
	return v(at.x, 0, at.z)
end

test("states have durations and successors, and call their callbacks", function(t)
	local told = {}
	local people = crowd {
		model = BODY,
		count = 6,
		states = {
			rest = {
				clip = "wave",
				duration = 1,
				next = "walk",
				on_enter = function(own, i, from) table.insert(told, `{i} rests from {from}`) end,
				on_exit = function(_, i, to) table.insert(told, `{i} leaves for {to}`) end,
			},
			walk = {
				speed = 2,
				on_enter = function(own, i) own:walk_to(i, v(i * 2 - 7, 0, 20)) end,
				update_interval = 0.5,
				on_update = function(own, i, dt)
					told[own] = (told[own] or 0) + 1
					t:expect(math.abs(dt - 0.5) < 0.02, dt)
				end,
			},
		},
		start = "rest",
	}
	t:run_ticks()
	t:expect(people:state(1) == "rest")
	t:expect(#told == 6 and told[1] == "1 rests from nil", told[1])
	t:run(1.1)
	t:expect(people:state(1) == "walk" and #told == 12 and told[7] == "1 leaves for walk", told[7])
	t:run(2)
	t:expect(people:velocity(1).z > 1.7, people:velocity(1))
	-- Four updates per agent in two seconds.
	t:expect(told[people] >= 18 and told[people] <= 30, told[people])
	people:set_state(2, "rest")
	t:run_ticks()
	t:expect(people:state(2) == "rest" and told[#told] == "2 rests from walk", told[#told])
	t:run(0.5)
	t:expect(vector.magnitude(people:velocity(2)) < 0.3)
	fails(t, function() people:set_state(1, "rset") end, 'did you mean "rest"')
end)

test("events change the state, or call a function that can return a state", function(t)
	local heard = {}
	local people = crowd {
		model = BODY,
		count = 4,
		size = v(8, 0, 8),
		states = {
			calm = {
				on = {
					bang = "panic",
					hello = function(own, i, about)
						table.insert(heard, { i, about })
						return if about == 1 then "wave" else nil
					end,
				},
			},
			wave = { clip = "wave", once = true, on = { clip_end = "calm" } },
			panic = { flee_distance = 12, speed = 3, duration = 3, next = "calm" },
		},
		start = "calm",
	}
	t:run_ticks()
	people:send(2, "hello", 1)
	people:send(3, "hello", v(1, 0, 0))
	people:send(4, "nothing of it")
	t:run_ticks()
	t:expect(#heard == 2 and heard[1][1] == 2 and heard[1][2] == 1 and heard[2][2].x == 1, #heard)
	t:expect(people:state(2) == "wave" and people:state(3) == "calm" and people:state(4) == "calm")
	t:run(4)
	t:expect(people:state(2) == "calm", people:state(2))
	local bang = people:position(1) + v(0.5, 0, 0)
	t:expect(people:send_near(bang, 100, "bang") == 4)
	t:expect(people:send_near(v(500, 0, 0), 5, "bang") == 0)
	t:run_ticks()
	t:expect(people:state(1) == "panic")
	t:run(2.5)
	for i = 1, 4 do
		t:expect(vector.magnitude(people:position(i) - bang) > 5, people:position(i))
	end
	t:run(2)
	t:expect(people:state(1) == "calm")
end)

test("an event spreads to agents nearby, and from them to others", function(t)
	local people = crowd {
		model = BODY,
		count = 20,
		size = v(30, 0, 0.7),
		states = {
			calm = { on = { bang = "panic" } },
			panic = { flee_distance = 30, speed = 0.5, spread_event = "bang", range = 2.2 },
		},
		start = "calm",
	}
	t:run_ticks()
	t:expect(people:send_near(people:position(1), 0.1, "bang") == 1)
	t:run(4)
	for i = 1, 20 do
		t:expect(people:state(i) == "panic", `{i} {people:state(i)}`)
	end
end)

test("two agents that meet stop and face each other", function(t)
	local met = {}
	local people = crowd {
		model = BODY,
		count = 2,
		size = v(1, 0, 10),
		meet_chance = 1,
		states = {
			go = {
				on = {
					met = function(_, i, other)
						met[i] = other
						return "talk"
					end,
				},
			},
			talk = { clip = "wave", duration = 4, next = "go" },
		},
		start = "go",
	}
	people:teleport(1, v(0, 0, -4), 0)
	people:teleport(2, v(0.1, 0, 4), 180)
	people:walk_to(1, v(0, 0, 8))
	people:walk_to(2, v(0, 0, -8))
	t:run(3.4)
	t:expect(met[1] == 2 and met[2] == 1, met[1])
	t:expect(people:state(1) == "talk" and people:state(2) == "talk")
	local apart = vector.magnitude(people:position(1) - people:position(2))
	t:expect(apart < 1.8 and apart > 0.45, apart)
	t:run(12)
	-- They continued to their goals.
	t:expect(people:position(1).z > 7 and people:position(2).z < -7, people:position(1))
end)

test("groups walk together, and an agent follows a character", function(t)
	local people = crowd { model = BODY, count = 9, size = v(10, 0, 10), group_size = 3, seed = 2 }
	for i = 1, 9, 3 do
		people:walk_to(i, v(i * 3 - 12, 0, 30), 1.4)
	end
	t:run(16)
	for i = 1, 9, 3 do
		for k = 1, 2 do
			local apart = vector.magnitude(people:position(i) - people:position(i + k))
			t:expect(apart < 1.6, `{i} {k} {apart}`)
			t:expect(people:velocity(i + k).z > 1, people:velocity(i + k))
		end
	end
	local hero = character(BODY, { position = v(40, 0, 0) })
	people:follow(2, hero, 1, 0)
	people:follow(3)
	local at = people:position(3)
	t:run(45)
	-- For an agent facing +z, left is +x.
	t:expect(vector.magnitude(people:position(2) - v(41, 0, 0)) < 0.4, people:position(2))
	t:expect(vector.magnitude(people:position(3) - at) < 3)
	fails(t, function() people:follow(2, 2) end, "cannot follow itself")
	fails(t, function() people:follow(2, 99) end, "no agent 99")
end)

test("an agent plays a clip, is teleported, and turns to a position", function(t)
	local people = crowd { model = BODY, count = 3 }
	people:play(1, "wave")
	people:play(2, "crouch", "loop")
	people:play(2)
	people:teleport(3, v(5, 0, 5), 90)
	people:turn_to(3, v(5, 0, 0))
	people:turn_to(1)
	t:run(2)
	t:expect(vector.magnitude(people:position(3) - v(5, 0, 5)) < 0.01)
	t:expect(people:state(1) == nil)
	fails(t, function() people:play(1, "wvae") end, 'did you mean "wave"')
end)

test("an agent uses a smart object, another queues, and both continue afterwards", function(t)
	local log = {}
	local seat = smart_object {
		position = v(0, 0, 4),
		yaw = 180,
		clip = "crouch",
		intro = "crouch_down",
		outro = "crouch_up",
		duration = 2,
		queue = { position = v(1.5, 0, 0), spacing = 0.7 },
		on_enter = function(own, people, i)
			t:expect(people:used_object(i) == own)
			table.insert(log, `in {i}`)
		end,
		update_interval = 0.5,
		on_update = function(_, _, _, dt) log.updates = (log.updates or 0) + dt end,
		on_exit = function(_, _, i) table.insert(log, `out {i}`) end,
	}
	local heard = {}
	local people = crowd {
		model = BODY,
		count = 3,
		size = v(4, 0, 1),
		states = {
			go = {
				on = {
					use = function(_, i, about) heard[i] = about end,
					use_end = function(_, i) heard[-i] = true end,
				},
			},
		},
	}
	t:expect(people:use(1, seat) and not people:use(1, seat))
	t:run_ticks()
	t:expect(seat.user_count == 1 and people:use(2, seat))
	t:run(0.3)
	t:expect(seat.user_count == 1 and seat.waiting_count == 1 and #seat:users(people) == 2)
	t:run(3.9)
	t:expect(log[1] == "in 1" and heard[1] == seat, log[1])
	t:expect(vector.magnitude(flat(people:position(1)) - v(0, 0, 4)) < 0.15, people:position(1))
	t:run(14)
	t:expect(table.concat(log, ", ") == "in 1, out 1, in 2, out 2", table.concat(log, ", "))
	t:expect(heard[-1] and heard[-2] and people:used_object(1) == nil and seat.user_count == 0)
	t:expect(log.updates >= 4 and log.updates <= 8, log.updates)
	people:use(3, seat)
	t:run(4)
	people:stop_using(3)
	t:run(3)
	t:expect(people:used_object(3) == nil)
	seat:remove()
	fails(t, function() print(seat.user_count) end, "removed")
end)

test("an agent moves with the object that it uses; objects attract and push agents", function(t)
	local lift = smart_object { position = v(0, 0, 3), clip = "idle" }
	local people = crowd { model = BODY, count = 1, size = v(1, 0, 1) }
	people:use(1, lift)
	t:run(4)
	for k = 1, 60 do
		lift.position = v(0, k * 0.05, 3)
		lift.yaw = k
		t:run_ticks()
	end
	t:expect(math.abs(lift.yaw - 60) < 1e-3 and math.abs(people:position(1).y - 3) < 0.06, people:position(1))
	t:expect(vector.magnitude(lift.position - v(0, 3, 3)) < 1e-5)
	people:stop_using(1)
	people:remove()
	local bench = smart_object {
		position = v(20, 0, 0),
		slots = { v(-0.5, 0, 0), { position = v(0.5, 0, 0), yaw = 10 } },
		attract_radius = 6,
		attract_chance = 1,
		duration = 60,
	}
	local drawn = crowd { model = BODY, count = 5, position = v(20, 0, 3), size = v(4, 0, 2) }
	t:run(6)
	t:expect(bench.user_count == 2 and bench.waiting_count == 0, bench.user_count)
	drawn:remove()
	t:run_ticks()
	t:expect(bench.user_count == 0)
	local push = smart_object { position = v(-20, 0, 0), push_speed = 3, push_radius = 4 }
	push.push_speed = 2
	t:expect(push.push_speed == 2)
	local pushed = crowd { model = BODY, count = 1, position = v(-20, 0, 1), size = v(1, 0, 1) }
	t:run(5)
	t:expect(vector.magnitude(flat(pushed:position(1)) - v(-20, 0, 0)) > 2.4, pushed:position(1))
end)

test("an agent is promoted to a character, falls, gets up and continues", function(t)
	local told = {}
	local people = crowd {
		model = BODY,
		count = 5,
		size = v(6, 0, 6),
		speed = 1.4,
		colors = { cloth = { v(1, 0.2, 0.2) } },
		on_promote = function(own, i, hero)
			table.insert(told, i)
			t:expect(own:character(i) == hero)
		end,
	}
	people:walk_to(2, v(2, 0, 40))
	t:run(2)
	local at, velocity = people:position(2), people:velocity(2)
	local hero = people:promote(2)
	t:expect(hero == people:promote(2) and hero == people:character(2) and people:character(1) == nil)
	t:run_ticks()
	t:expect(#told == 1 and told[1] == 2)
	t:expect(vector.magnitude(hero.position - at) < 0.06, hero.position)
	t:run(2)
	-- It continues to walk at the same velocity, without foot sliding.
	t:expect(people:position(2).z - at.z > 1.9 * velocity.z, people:position(2))
	t:expect(vector.magnitude(hero.position - people:position(2)) < 0.05, hero.position)
	t:expect(hero:metric("foot_slide") < 0.12, hero:metric("foot_slide"))
	hero:ragdoll()
	t:run(3)
	local lies = people:position(2)
	t:expect(hero.is_down and vector.magnitude(flat(lies) - flat(hero.position)) < 0.05, hero.position)
	t:expect(hero:get_up())
	t:run(8)
	t:expect(people:position(2).z > lies.z + 1.5, people:position(2))
	people:demote(2)
	t:expect(people:character(2) == nil)
	t:run(2)
	t:expect(people:velocity(2).z > 1.1, people:velocity(2))
	fails(t, function() print(hero.position) end, "")
end)

test("an agent that is promoted again keeps its state", function(t)
	local told = {}
	local people = crowd {
		model = "assets/galatea.glb",
		count = 3,
		size = v(6, 0, 6),
		speed = 1.3,
		on_promote = function(_, i, _, again) table.insert(told, `{i} {again}`) end,
	}
	people:walk_to(2, v(0, 0, 30))
	local hero = people:promote(2)
	t:run(0.2)
	local ball = physics.sphere { position = v(0, 0.1, 9), radius = 0.05, mass = 0.2 }
	hero:attach(ball, "right_hand")
	hero.face:mood("happiness", { intensity = 1, fade = 0 })
	hero.health = 0.4
	local chest = hero:bone_position "head" - v(0, 0.25, 0)
	local hit = physics.raycast(chest + v(0, 0, 3), chest - v(0, 0, 3), { exact = true })
	t:expect(hit.character == hero, hit.character)
	hero:decal("wound", hit, { size = 0.04 })
	t:run(0.2)
	t:expect(hero.decal_count == 1, hero.decal_count)
	local smile = hero.face:contributions("emotion.happiness").mood
	t:expect(smile > 0.5, smile)
	people:demote(2)
	t:run(1)
	t:expect(people:character(2) == nil)
	-- The held prop stays in the hand of the agent.
	t:expect(vector.magnitude(flat(ball.position) - flat(people:position(2))) < 0.8, ball.position)
	t:expect(ball.position.y > 0.5, ball.position)
	hero = people:promote(2)
	t:run(0.2)
	t:expect(hero.decal_count == 1, hero.decal_count)
	t:expect(math.abs(hero.face:contributions("emotion.happiness").mood - smile) < 0.02)
	t:expect(math.abs(hero.health - 0.4) < 1e-4, hero.health)
	t:expect(vector.magnitude(ball.position - hero:bone_position "right_hand") < 0.2, ball.position)
	t:expect(told[1] == "2 false" and told[2] == "2 true", told[2])
	-- Other agents start in the state of the file.
	local third = people:promote(3)
	t:run_ticks()
	t:expect(third.decal_count == 0 and told[3] == "3 false")
end)

test("a list of clips supports models with different clips", function(t)
	local people = crowd {
		model = { BODY, "assets/hound.glb" },
		count = 12,
		walk = { "trot", "walk" },
		start = "rest",
		states = { rest = { clip = { "wave", "wag", "idle" }, intro = { "wave", "idle" } } },
	}
	t:run(3)
	fails(t, function() people:play(1, "wvae") end, 'did you mean "wave"')
	local function refused(clip, why)
		fails(t, function()
			crowd { model = { BODY, "assets/hound.glb" }, count = 2, states = { rest = { clip = clip } } }
		end, why)
	end
	refused("wave", "assets/hound.glb has none of the clips wave")
	refused({ "wave", "wvae" }, 'no model has a clip "wvae"; did you mean "wave"')
	fails(t, function() crowd { model = { BODY, "assets/hound.glb" }, count = 2, walk = "wlak" } end, 'did you mean "walk"')
	fails(t, function() crowd { model = { BODY, BODY }, count = 2, forward_axis = { "-z", "+z", "+x" } } end, "each of the 2 models")
end)

test("agents near the camera are promoted, and demoted when the camera leaves", function(t)
	local people = crowd { model = BODY, count = 30, size = v(30, 0, 30), promote_distance = { distance = 9, max_characters = 4 } }
	local function n_own()
		local n = 0
		for i = 1, people.count do
			if people:character(i) then
				n += 1
			end
		end
		return n
	end
	camera.orbit { target = v(0, 1, 0), distance = 3, pitch = 5, cut = true }
	t:run(0.3)
	t:expect(n_own() == 4, n_own())
	camera.orbit { target = v(500, 1, 0), distance = 3, cut = true }
	t:run(0.3)
	t:expect(n_own() == 0, n_own())
	local third = people:promote(3)
	local ended
	third:task(function(a)
		a:on_end(function(why) ended = why end)
		a:wait(60)
	end)
	t:run_ticks()
	people:remove()
	-- Removing the crowd ends the running action, like removing the agent itself.
	t:expect(ended == "stopped", ended)
	fails(t, function() print(third.position) end, "")
	fails(t, function() crowd { model = BODY, promote_distance = { distnace = 3 } } end, 'did you mean "distance"')
end)

test("invalid states and smart objects are errors", function(t)
	local function states(all, start)
		return function() crowd { model = BODY, count = 1, states = all, start = start } end
	end
	fails(t, states { go = { cilp = "wave" } }, 'did you mean "clip"')
	fails(t, states { go = { clip = "wvae" } }, "states.go.clip")
	fails(t, states { go = {}, rest = {} }, "start")
	fails(t, states({ go = { next = "rset" }, rest = {} }, "go"), 'did you mean "rest"')
	fails(t, states({ go = { on = { met = "tlak" } }, talk = {} }, "go"), "on.met")
	fails(t, states({ go = { on = { met = 3 } } }, "go"), "expected a string or a function")
	fails(t, states({ go = { duration = { 3, 1 } } }, "go"), "min, max")
	fails(t, states({ walk = {} }, "wlak"), 'did you mean "walk"')
	fails(t, states {}, "states")
	fails(t, function() crowd { model = BODY, count = 1, start = "go" } end, "needs the option states")
	fails(t, function() crowd { model = BODY, avoidance = "push", states = { go = {} } } end, "cannot have states")
	fails(t, function() smart_object { slots = {} } end, "slots")
	fails(t, function() smart_object { slots = { 3 } } end, '"slots": entry 1')
	fails(t, function() smart_object { queue = { spaicng = 1 } } end, 'did you mean "spacing"')
	fails(t, function() smart_object { attract_chance = 2 } end, "attract_chance")
end)

test("a promoted agent reaches for the object that it uses, and releases it", function(t)
	local lever = smart_object {
		position = v(0, 0, 4),
		yaw = 90,
		clip = "idle",
		duration = 4,
		ik_targets = {
			right_hand = v(-0.2, 1.1, 0.35),
			left_hand = { position = v(0.25, 1.2, 0.3), grip = 0.5, palm = true, full_body = true },
		},
	}
	local people = crowd { model = BODY, count = 2, size = v(2, 0, 2), speed = 1.4 }
	local hero = people:promote(1)
	people:use(1, lever)
	-- The slot faces +x: ahead is +x, left is -z.
	local place = v(0.35, 1.1, 4.2)
	local function away()
		return vector.magnitude(hero:bone_position "right_hand" - place)
	end
	t:wait_for(function() return away() < 0.01 end, 7)
	lever.position += v(0, 0, -0.1)
	place += v(0, 0, -0.1)
	t:run(0.5)
	t:expect(away() < 0.01, away())
	t:run(5)
	t:expect(people:used_object(1) == nil and away() > 0.15, away())
	-- A knocked-down character releases the lever.
	local other = people:promote(2)
	people:use(2, lever)
	t:wait_for(function() return other:modifier "uses right_hand" ~= nil end, 7)
	other:ragdoll()
	t:run(1)
	t:expect(other:modifier "uses right_hand" == nil)
	fails(t, function() smart_object { ik_targets = { right_hnad = v(0, 1, 0) } } end, 'did you mean "right_hand"')
	fails(t, function() smart_object { ik_targets = { right_hand = { grip = 0.5 } } } end, '"position" is missing')
	fails(t, function() smart_object { ik_targets = { right_hand = { position = v(0, 1, 0), grip = 3 } } } end, "grip")
end)
