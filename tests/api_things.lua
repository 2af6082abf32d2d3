-- Force fields, hands, exact raycasts, held props and arrows: tests every function and its effect.

local function v(x, y, z)
	return vector.create(x, y, z)
end

local function far(a, b)
	return vector.magnitude(a - b)
end

local function near(a, b, within)
	return far(a, b) <= (within or 1e-3)
end

local GALATEA = "assets/mannequin.glb"

test("an exact ray hits the mesh of a character, and returns bone and triangle", function(t)
	local hero = character(GALATEA)
	t:run_ticks()
	local head = hero:bone_position "head" + v(0, 0.08, 0)
	local from, to = head + v(0, 0, 3), head - v(0, 0, 3)
	t:expect(physics.raycast(from, to) == nil, "it is not solid")
	local hit = physics.raycast(from, to, { exact = true })
	t:expect(hit and hit.character == hero and hit.bone == "head", hit and hit.bone)
	t:expect(hit.normal.z > 0 and hit.position.z > head.z and hit.position.z < head.z + 0.2, hit.position)
	t:expect(math.abs(hit.distance - far(from, hit.position)) < 1e-4)
	local sum = hit.barycentric.x + hit.barycentric.y + hit.barycentric.z
	t:expect(math.abs(sum - 1) < 1e-5 and hit.triangle >= 1 and type(hit.part) == "string" and hit.uv.z == 0)
	local own = hero:raycast(from, to)
	t:expect(own and own.triangle == hit.triangle and near(own.position, hit.position, 1e-6))
	t:expect(hero:raycast(from + v(1, 0, 0), to + v(1, 0, 0)) == nil, "beside it")
	t:expect(physics.raycast(from, to, { exact = true, exclude = hero }) == nil)
	local wall = physics.box { position = head + v(0, 0, 1), size = v(1, 1, 0.1) }
	local first = physics.raycast(from, to, { exact = true })
	t:expect(first.character == wall and math.abs(first.position.z - head.z - 1.05) < 1e-3, "the wall before it")
	local down = physics.raycast(v(5, 2, 0), v(5, -1, 0), { exact = true })
	t:expect(down and down.character == nil and math.abs(down.position.y) < 1e-4, "the floor")
end)

test("an exact ray follows the pose", function(t)
	local hero = character(GALATEA)
	t:run_ticks()
	local hand = hero:bone_position "left_hand"
	local from, to = hand + v(0, 0, 2), hand - v(0, 0, 2)
	t:expect(hero:raycast(from, to), "the hand hangs there")
	hero.position += v(1, 0, 0.5)
	hero.yaw = 90
	t:run_ticks()
	local now = hero:bone_position "left_hand"
	t:expect(far(now, hand) > 0.3)
	t:expect(hero:raycast(now + v(2, 0, 0), now - v(2, 0, 0)), "and now here")
end)

test("a camera ray goes through the center of the view, or through the pointer", function(t)
	camera.orbit { target = v(0, 1, 0), distance = 4, yaw = 0, pitch = 0, fov = 40 }
	t:run(3)
	local middle = camera.ray { x = 0.5, y = 0.5, length = 4 }
	t:expect(near(middle.from, camera.position()) and near(middle.to, v(0, 1, 0), 0.01), middle.to)
	t:expect(near(middle.direction, v(0, 0, -1), 0.01))
	local top = camera.ray { x = 0.5, y = 0, length = 10 }
	local angle = math.deg(math.acos(vector.dot(top.direction, middle.direction)))
	t:expect(math.abs(angle - 20) < 0.01, `half of the field of view, {angle}`)
	t:expect(camera.ray { x = 0.75 }.direction.x > 0.2, "to the right")
	t:expect(near(camera.ray().direction, middle.direction), "the pointer is in the middle")
end)

test("wind and force fields push bodies until they are disabled or moved", function(t)
	local ball = physics.sphere { position = v(0, 5, 0), radius = 0.3, mass = 0.2, gravity_scale = 0, damping = 0 }
	local wind = physics.force_field { wind = v(8, 0, 0), drag = 1 }
	t:run(1)
	t:expect(ball.velocity.x > 3 and ball.velocity.x < 8, ball.velocity)
	wind.enabled = false
	t:expect(not wind.enabled)
	local speed = ball.velocity.x
	t:run(0.5)
	t:expect(math.abs(ball.velocity.x - speed) < 1e-3, "no air, no drag")
	wind:remove()
	t:expect(not pcall(function()
		return wind.enabled
	end), "it is gone")
	local stone = physics.sphere { position = v(0, 5, 5), radius = 0.1, mass = 4, gravity_scale = 0, damping = 0 }
	local push = physics.force_field { force = v(0, 8, 0), position = v(0, 5, 5), size = v(1, 1, 1), layers = "props" }
	t:run(0.5)
	t:expect(math.abs(stone.velocity.y - 1) < 0.05, `8 N on 4 kg for half a second: {stone.velocity}`)
	push.position = v(50, 0, 0)
	t:expect(near(push.position, v(50, 0, 0)))
	t:run(0.5)
	t:expect(math.abs(stone.velocity.y - 1) < 0.05, "it is elsewhere")
	local ok, why = pcall(physics.force_field, { wind = v(1, 0, 0), force = v(1, 0, 0) })
	t:expect(not ok and string.find(tostring(why), "one of", 1, true), why)
	t:expect(not pcall(physics.force_field, {}))
end)

test("wood floats at a depth that fits its density, and stone sinks", function(t)
	ground.set { collider = false }
	physics.force_field { water = true, position = v(0, -1, 0), size = v(20, 2, 20) }
	local wood = physics.box { position = v(0, 0.3, 0), size = v(0.5, 0.5, 0.5), density = 600 }
	local stone = physics.box { position = v(4, 0.3, 0), size = v(0.5, 0.5, 0.5), density = 2500 }
	local boat = physics.box { position = v(-4, 0.3, 0), size = v(1, 0.4, 2), density = 300, roll = 35 }
	t:run(8)
	-- Archimedes: 0.6 of its height is below the surface at y = 0.
	t:expect(math.abs(wood.position.y - (0.25 - 0.6 * 0.5)) < 0.03, wood.position)
	t:expect(stone.position.y < -2, stone.position)
	t:expect(math.abs(boat.position.y - (0.2 - 0.3 * 0.4)) < 0.03, `it lies level again: {boat.position}`)
end)

test("a planet pulls with the square of the distance", function(t)
	physics.set { gravity = v(0, 0, 0) }
	local one = physics.sphere { position = v(2, 5, 0), radius = 0.1, mass = 1, damping = 0 }
	local two = physics.sphere { position = v(-4, 5, 0), radius = 0.1, mass = 7, damping = 0 }
	local planet = physics.force_field { attractor = v(0, 5, 0), attraction = 8 }
	t:run_ticks()
	t:expect(math.abs(one.velocity.x + 2 / 60) < 1e-3, `8 / 2²: {one.velocity}`)
	t:expect(math.abs(two.velocity.x - 0.5 / 60) < 1e-3, `8 / 4², whatever the mass: {two.velocity}`)
	planet:remove()
end)

test("a resting body sleeps in a force field, and wakes when the field changes", function(t)
	local crate = physics.box { position = v(0, 0.2, 0), size = v(0.4, 0.4, 0.4), mass = 8 }
	local pad = physics.force_field { acceleration = v(0, 30, 0), size = v(2, 2, 2), enabled = false }
	t:run(3)
	t:expect(crate.is_sleeping)
	pad.enabled = true
	t:run(0.2)
	t:expect(not crate.is_sleeping and crate.velocity.y > 1, crate.velocity)
end)

test("a jump pad launches a body that enters, once", function(t)
	physics.force_field { launch_velocity = v(0, 6, 0), position = v(0, 0.2, 0), size = v(1, 0.6, 1) }
	local ball = physics.sphere { position = v(0, 2, 0), radius = 0.1, mass = 1, damping = 0 }
	local top, low = 0, math.huge
	for _ = 1, 90 do
		t:run_ticks()
		low = math.min(low, ball.position.y)
		if ball.velocity.y > 0 then
			top = math.max(top, ball.position.y)
		end
	end
	t:expect(low > 0.2 and low < 0.6, low)
	t:expect(math.abs(top - (low + 6 * 6 / (2 * 9.81))) < 0.25, top)
end)

test("physics.grab lifts a box, carries it and throws it", function(t)
	local crate = physics.box { position = v(0, 0.2, 0), size = v(0.4, 0.4, 0.4), mass = 8 }
	local wall = physics.box { position = v(4, 0.5, 0) }
	t:run(1)
	t:expect(physics.grab { character = wall, position = wall.position } == nil, "it does not move")
	local hand = physics.grab(physics.raycast(v(0, 3, 0), v(0, 0, 0)), { frequency = 5 })
	t:expect(hand and hand.character == crate and near(hand.position, v(0, 0.4, 0), 0.01))
	hand.position = v(0, 1.5, 0)
	t:run(1.5)
	t:expect(math.abs(crate.position.y - 1.3) < 0.05, crate.position)
	for i = 1, 20 do
		hand.position += v(0, 0, 0.08)
		t:run_ticks()
	end
	hand:release()
	t:expect(hand.position == nil and hand.character == nil, "open")
	t:expect(crate.velocity.z > 2.5, `it goes on: {crate.velocity}`)
	t:run(1)
	t:expect(crate.position.z > 2 and crate.position.y < 0.5, crate.position)
end)

test("a grabbed character hangs, and gets up after it is released", function(t)
	local hero = character(GALATEA)
	t:run_ticks()
	local at = hero:bone_position "right_hand"
	local hand = physics.grab { character = hero, bone = "right_hand", position = at }
	t:expect(hand and hero.is_down ~= nil)
	hand.position = v(at.x, 2.4, at.z)
	t:run(4)
	t:expect(hero.is_down, "who is held does not get up")
	t:expect(math.abs(hero:bone_position("right_hand").y - 2.4) < 0.03, hero:bone_position "right_hand")
	t:expect(hero:bone_position("head").y < 2.3 and hero:bone_position("left_foot").y > 0.1, "it hangs")
	hand:release()
	t:run(7)
	t:expect(not hero.is_down and hero:bone_position("head").y > 1.2, hero:bone_position "head")
end)

test("a detached prop keeps the velocity of the hand", function(t)
	local hero = character(GALATEA)
	local ball = physics.sphere { position = v(0, 0.1, 3), radius = 0.08, mass = 1, damping = 0 }
	hero:attach(ball, "right_hand")
	t:run(0.2)
	t:expect(near(ball.position, hero:bone_position "right_hand", 0.05))
	for _ = 1, 30 do
		hero.position += v(0, 0, 3 / 60)
		hero.yaw += 6
		t:run_ticks()
	end
	local before, at = ball.velocity, ball.position
	t:expect(vector.magnitude(before) > 1.2, before)
	t:expect(math.abs(ball.angular_velocity.y - 360) < 20, `it turns with the hand: {ball.angular_velocity}`)
	ball:detach()
	t:run_ticks()
	t:expect(near(ball.velocity, before - v(0, 9.81 / 60, 0), 0.05), `{ball.velocity} {before}`)
	t:expect(near(ball.position, at + before / 60, 0.02), ball.position - at)
end)

test("an arrow sticks in a wall, a floor, a falling body and a bone", function(t)
	local function arrow(from, velocity)
		return physics.capsule { position = from, radius = 0.02, height = 0.6, pitch = 90, mass = 0.1, stick_on_hit = true, velocity = velocity, gravity_scale = 0 }
	end
	local wall = physics.box { position = v(0, 1, -2), size = v(2, 2, 0.1) }
	local first = arrow(v(0, 1, 2), v(0, 0, -40))
	local told
	first:on("stick", function(e)
		told = e
	end)
	t:run(0.5)
	t:expect(told and told.other == wall and math.abs(told.speed - 40) < 1, told and told.speed)
	t:expect(near(told.position, v(0, 1, -1.95), 0.01), told.position)
	t:expect(near(first.position, v(0, 1, -1.95 + 0.24), 0.03), first.position)
	local down = arrow(v(5, 2, 0), v(0, -20, 0))
	t:run(0.5)
	local lies = down.position
	t:run(0.5)
	t:expect(near(down.position, lies, 1e-4) and lies.y > -0.1, lies)
	local crate = physics.box { position = v(10, 3, 0), mass = 20 }
	local third = arrow(v(10, 3, 3), v(0, 0, -30))
	t:run(0.15)
	local offset = third.position - crate.position
	t:run(1)
	t:expect(crate.position.y < 1)
	t:expect(math.abs(far(third.position, crate.position) - vector.magnitude(offset)) < 0.05, "it goes along")
	local hero = character(GALATEA, { position = v(-5, 0, 0) })
	t:run_ticks()
	local chest = hero:bone_position "chest"
	local fourth, bone = arrow(chest + v(0, 0, 3), v(0, 0, -30)), nil
	fourth:on("stick", function(e)
		bone = e.bone
	end)
	t:run(0.3)
	t:expect(bone, "it sticks in a bone")
	local away = far(fourth.position, hero:bone_position(bone))
	hero:knock_down()
	t:run(2)
	t:expect(math.abs(far(fourth.position, hero:bone_position(bone)) - away) < 0.02, "also while it falls")
end)

test("a flying body hits a character with hit_on_touch", function(t)
	local hero = character(GALATEA)
	local heard = {}
	hero:on("hit", function(e)
		table.insert(heard, e.reaction)
	end)
	local function throw(speed, mass)
		physics.box { position = hero.position + v(0, 1.2, 1.2), size = v(0.3, 0.3, 0.3), mass = mass, velocity = v(0, 0, -speed), gravity_scale = 0 }
	end
	throw(8, 6)
	t:run(0.5)
	t:expect(#heard == 0, "it has no body that could be touched")
	hero:hit_reactions { hit_on_touch = true }
	t:run(0.2)
	throw(8, 1)
	t:run(0.5)
	t:expect(heard[1] == "flinch", heard[1])
	t:run(1)
	throw(9, 40)
	t:run(0.5)
	t:expect(heard[#heard] == "fall" and hero.is_down, heard[#heard])
	t:run(8)
	t:expect(not hero.is_down)
	hero:hit_reactions { hit_on_touch = false }
	local n = #heard
	throw(9, 40)
	t:run(0.5)
	t:expect(#heard == n and not hero.is_down)
end)

test("a controller does not block hits on the body", function(t)
	local hero = character(GALATEA)
	hero:controller {}
	hero:hit_reactions { hit_on_touch = true }
	local heard = {}
	hero:on("hit", function(e)
		table.insert(heard, e)
	end)
	t:run(0.2)
	local function throw(aside, height, speed, mass)
		return physics.sphere {
			position = hero.position + v(aside, height, 1.5),
			radius = 0.1,
			mass = mass,
			velocity = v(0, 0, -speed),
			gravity_scale = 0,
		}
	end
	local place = hero.position
	local ball = throw(0, 1.2, 8, 1)
	t:run(0.5)
	t:expect(#heard == 1 and heard[1].reaction == "flinch", #heard)
	t:expect(heard[1] and heard[1].position.z < place.z + 0.25, "it hit the chest, not the capsule around it")
	t:expect(vector.magnitude(hero.position - place) < 0.02, "a ball does not move a walker")
	ball:remove()
	-- Through the capsule, but past the mesh.
	throw(0.26, 1.75, 8, 1)
	t:run(0.5)
	t:expect(#heard == 1, "it flew past the head")
	throw(0, 1.2, 9, 40)
	t:run(0.5)
	t:expect(hero.is_down, "a heavy one throws it down")
end)

test("on_hit runs before a thrown body has an effect", function(t)
	local hero = character(GALATEA)
	local asked, by
	hero:hit_reactions {
		hit_on_touch = true,
		on_hit = function(e)
			asked, by = e.impulse, e.other
			return false
		end,
	}
	t:run(0.2)
	local box = physics.box { position = v(0, 1.2, 1.2), size = v(0.3, 0.3, 0.3), mass = 40, velocity = v(0, 0, -9), gravity_scale = 0 }
	t:run(0.5)
	t:expect(asked and asked.z < -100, asked)
	t:expect(by == box, by)
	t:expect(not hero.is_down)
end)

test("the event hit names the object, and a body is hit while it gets up", function(t)
	local hero = character(GALATEA)
	local heard = {}
	hero:on("hit", function(e)
		table.insert(heard, e)
	end)
	hero:hit_reactions { hit_on_touch = true, get_up_delay = 0.1 }
	t:run(0.2)
	hero:hit { impulse = v(0, 0, -300) }
	t:run_ticks()
	t:expect(heard[1].other == nil and hero.is_down and not hero.is_getting_up)
	hero:hit { impulse = v(0, 0, -1), other = hero }
	t:run_ticks()
	t:expect(heard[2].other == hero)
	t:wait_for(function() return hero.is_getting_up end, 15)
	t:expect(not hero.is_down)
	t:run(0.6)
	t:expect(hero.is_getting_up)
	local from = hero:bone_position "chest" + v(0, 0.8, 0)
	local ball = physics.sphere { position = from, radius = 0.08, mass = 30, velocity = v(0, -14, 0) }
	t:run(0.4)
	t:expect(#heard == 3 and heard[3].other == ball, #heard)
	t:expect(hero.is_down and not hero.is_getting_up, "it falls again")
end)
