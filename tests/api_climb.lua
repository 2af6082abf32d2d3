-- Ladders: climbing up and down, interrupting, moving ladders.
local v = vector.create
local HERO = "assets/mannequin.glb"

local function far(a, b)
	return vector.magnitude(a - b)
end

-- A platform at 2.24 m with a ladder of eight rungs in front of it.
local function ladder(fields)
	ground.set { height = 0, collider = true }
	local loft = physics.box { position = v(0, 1.12, 1.6), size = v(3, 2.24, 2), body_type = "kinematic" }
	local spec = {
		kind = "ladder",
		position = v(0, -0.84, -1.25),
		rung_offset = v(0, 0.28, 0.03),
		rungs = 8,
		width = 0.44,
		rails = 0.5,
		stand_position = v(0, -1.12, -1.8),
		top = v(0, 1.12, -0.5),
		stand_yaw = 0,
	}
	for name, value in fields or {} do
		spec[name] = value
	end
	loft:add_interaction("ladder", spec)
	return loft
end

local function climber(at)
	local hero = character(HERO, { position = at })
	hero:controller {}
	hero:foot_ik()
	hero:idle_motion()
	return hero
end

local LIMBS = { "left_hand", "right_hand", "left_foot", "right_foot" }

test("a character climbs a ladder hand over hand, and down again", function(t)
	local loft = ladder()
	local hero = climber(v(0.2, 0, -1))
	local done, heights = {}, {}
	hero:task(function(a)
		for _ = 1, 2 do
			table.insert(done, a:use(loft, "ladder"))
			table.insert(heights, hero.position)
		end
	end)
	local holds, worst, fewest = false, 0, 4
	loft:on("used", function(e)
		holds = e.phase == "hold"
	end)
	local before, sudden = hero.position, 0
	local places = {}
	for _ = 1, 60 * 25 do
		t:run_ticks()
		if holds then
			local held = 0
			for _, name in LIMBS do
				local limb, place = hero:modifier(name), hero:bone_position(name)
				-- A limb that does not move must keep its grip.
				if limb and limb.weight >= 1 and places[name] and far(place, places[name]) < 0.001 then
					worst = math.max(worst, limb.target_error)
					held += 1
				end
				places[name] = place
			end
			local y = hero.position.y
			if y > 0.4 and y < 1.2 then
				fewest = math.min(fewest, held)
			end
			sudden = math.max(sudden, far(hero.position, before))
		end
		before = hero.position
		if #done == 2 then
			break
		end
	end
	t:expect(table.concat(done, " ") == "done done", table.concat(done, " "))
	t:expect(far(heights[1], v(0, 2.24, 1.1)) < 0.03, heights[1])
	t:expect(far(heights[2], v(0, 0, -0.2)) < 0.03, heights[2])
	t:expect(worst < 0.001, `a limb misses its rung by {worst}`)
	t:expect(fewest >= 3, `{fewest} limbs on the ladder`)
	t:expect(sudden < 0.04, `she moves {sudden} m in a tick`)
	t:expect(math.abs(hero.yaw) < 2, hero.yaw)
	-- She is back on the ground.
	t:run_ticks(40)
	t:expect(hero.is_grounded and not hero:modifier("left_foot"), tostring(hero.is_grounded))
end)

test("a character whose climb is stopped falls, and a moving ladder carries the climber", function(t)
	local loft = ladder()
	local hero = climber(v(0, 0, -0.4))
	local climbing = hero:task(function(a)
		a:use(loft)
	end)
	t:wait_for(function()
		return hero.position.y > 0.8
	end, 12)
	local own = hero.position - loft.position
	local y = hero.position.y
	for _ = 1, 30 do
		loft.position += v(0.02, 0, 0)
		t:run_ticks()
	end
	local now = hero.position - loft.position
	t:expect(math.abs(now.x - own.x) < 0.03 and hero.position.y >= y, now)
	t:expect(hero:modifier("left_foot").target_error < 0.001)
	climbing:stop()
	t:run_ticks(120)
	t:expect(hero.position.y < 0.01 and hero.is_grounded, hero.position)
end)

test("climbing needs arms and legs, and a character at the top climbs down", function(t)
	local loft = ladder { rungs = 8.7, width = 0.01, rails = -3 }
	local box = physics.box { position = v(0, 1, -3), size = v(0.1, 0.1, 0.1), body_type = "kinematic" }
	local why
	box:task(function(a)
		local ok, text = pcall(function()
			a:use(loft, "ladder", { walk = false })
		end)
		why = not ok and text
	end)
	t:run_ticks(2)
	t:expect(string.find(tostring(why), "cannot climb") ~= nil, why)
	local hero = climber(v(0, 2.24, 1.3))
	local done
	hero:task(function(a)
		done = a:use(loft)
	end)
	t:wait_for(function()
		return done ~= nil
	end, 20)
	t:expect(done == "done" and hero.position.y < 0.02, `{done} {hero.position}`)
end)
