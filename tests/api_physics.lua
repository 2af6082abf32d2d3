-- Rigid bodies, physics queries, hits and limbs: tests every function and its effect.

local function v(x, y, z)
	return vector.create(x, y, z)
end

local function far(a, b)
	return vector.magnitude(a - b)
end

local function near(a, b, within)
	return far(a, b) <= (within or 1e-3)
end

test("a body with a mass falls, rests on the floor and sleeps", function(t)
	local crate = physics.box { position = v(0, 0.5, 0), size = v(0.4, 0.4, 0.4), mass = 8, surface = "wood" }
	local ball = physics.sphere { position = v(2, 0.4, 0), radius = 0.2, mass = 3, color = v(1, 0, 0), roughness = 0.3, metallic = 0, angular_damping = 5 }
	local drum = physics.cylinder { position = v(4, 0.6, 0), radius = 0.3, height = 1, density = 700 }
	local post = physics.capsule { position = v(6, 1.2, 0), radius = 0.1, height = 0.8, mass = 5, lock_rotation = true, name = "post" }
	t:run(3)
	t:expect(near(crate.position, v(0, 0.2, 0), 0.005), crate.position)
	t:expect(math.abs(ball.position.y - 0.2) < 0.005, ball.position)
	t:expect(math.abs(drum.position.y - 0.5) < 0.005, drum.position)
	t:expect(math.abs(post.position.y - 0.4) < 0.005, "it stands on its end: " .. tostring(post.position))
	for _, thing in { crate, ball, drum, post } do
		t:expect(thing.is_sleeping and vector.magnitude(thing.velocity) < 0.02, thing.name)
	end
	crate:apply_impulse(v(0, 0, 16))
	t:run_ticks()
	t:expect(not crate.is_sleeping, "a push wakes it")
	t:expect(crate.velocity.z > 1.5 and crate.velocity.z < 2, crate.velocity)
end)

test("bodies without a mass are static, and a prop without a collider collides with nothing", function(t)
	local shelf = physics.box { position = v(0, 1, 0), size = v(1, 0.1, 1) }
	local ghost = physics.box { position = v(0, 2, 0), size = v(1, 0.1, 1), collider = false }
	local ball = physics.sphere { position = v(0, 3, 0), radius = 0.1, mass = 1, damping = 0, restitution = 0 }
	t:run(2)
	t:expect(near(shelf.position, v(0, 1, 0)) and near(ghost.position, v(0, 2, 0)))
	t:expect(math.abs(ball.position.y - 1.15) < 0.005, ball.position)
	t:expect(not pcall(physics.box, { size = v(0, 1, 1) }), "a box has a size")
	local ok, why = pcall(physics.box, { siz = v(1, 1, 1) })
	t:expect(not ok and string.find(tostring(why), "size", 1, true), why)
	t:expect(not pcall(physics.sphere, { mass = 0 }), "no mass of 0")
end)

test("velocity and angular velocity can be read and set, and gravity can be set globally and by body", function(t)
	physics.set { gravity = v(0, 0, 0) }
	local stone = physics.sphere { position = v(0, 3, 0), radius = 0.1, mass = 2, angular_damping = 0, angular_velocity = v(0, 90, 0) }
	t:run_ticks()
	t:expect(near(stone.angular_velocity, v(0, 90, 0), 0.01), stone.angular_velocity)
	stone.velocity = v(1, 0, -2)
	stone.angular_velocity = v(0, 0, 180)
	t:expect(near(stone.velocity, v(1, 0, -2)) and near(stone.angular_velocity, v(0, 0, 180), 0.01))
	t:run(1)
	t:expect(near(stone.position, v(1, 3, -2), 0.005), stone.position)
	physics.set { gravity = v(0, -1.62, 0) }
	local balloon = physics.sphere { position = v(5, 3, 0), radius = 0.1, mass = 1, gravity_scale = -1, damping = 0 }
	stone.velocity = v(0, 0, 0)
	t:run(0.5)
	t:expect(math.abs(stone.velocity.y + 0.81) < 0.02, stone.velocity)
	t:expect(math.abs(balloon.velocity.y - 0.81) < 0.02, balloon.velocity)
end)

test("colliders of stairs and ramps match their meshes", function(t)
	physics.stairs { position = v(0, 0, 1), steps = 5, width = 2, step_height = 0.2, step_depth = 0.3 }
	physics.ramp { position = v(4, 0, 1), size = v(2, 1, 2) }
	local function height(x, z)
		local hit = physics.raycast(v(x, 5, z), v(x, -1, z))
		return hit and hit.position.y
	end
	for step = 1, 5 do
		t:expect(math.abs(height(0, 1 + (step - 0.5) * 0.3) - step * 0.2) < 1e-3, `step {step}`)
	end
	t:expect(math.abs(height(4, 2) - 0.5) < 1e-3, height(4, 2))
	t:expect(math.abs(height(4, 2.5) - 0.75) < 1e-3, height(4, 2.5))
	t:expect(height(0, 0.5) == 0 and height(4, 0.5) == 0, "before them is the floor")
end)

test("a ray hits the first body, and ignores excluded bodies and layers", function(t)
	local near_box = physics.box { position = v(0, 0.5, 2), surface = "metal" }
	local far_ball = physics.sphere { position = v(0, 0.5, -2), radius = 0.5, layer = "props" }
	local gate = physics.box { position = v(0, 0.5, 4), sensor = true }
	local from, to = v(0, 0.5, 8), v(0, 0.5, -8)
	local hit = physics.raycast(from, to)
	t:expect(hit and hit.character == near_box and hit.surface == "metal")
	t:expect(math.abs(hit.distance - 5.5) < 1e-3 and near(hit.normal, v(0, 0, 1)) and near(hit.position, v(0, 0.5, 2.5)))
	t:expect(physics.raycast(from, to, { exclude = near_box }).character == far_ball)
	t:expect(physics.raycast(from, to, { exclude = { near_box, far_ball } }) == nil)
	t:expect(physics.raycast(from, to, { sensors = true }).character == gate)
	t:expect(physics.raycast(from, to, { layers = "props" }).character == far_ball)
	local all = physics.raycast_all(from, to)
	t:expect(#all == 2 and all[1].character == near_box and all[2].character == far_ball)
	local down = physics.raycast(v(0, 3, 6), v(0, -1, 6))
	t:expect(down.character == nil and math.abs(down.distance - 3) < 1e-3, "the floor is nobody's")
	t:expect(physics.raycast(from, from) == nil, "a ray without a length meets nothing")
	local ok, why = pcall(physics.raycast, from, to, { layers = "prop" })
	t:expect(not ok and string.find(tostring(why), "props", 1, true), why)
end)

test("a shape cast hits bodies that a ray misses", function(t)
	local post = physics.box { position = v(0.3, 1, 0), size = v(0.2, 2, 0.2) }
	local from, to = v(0, 1, 4), v(0, 1, -4)
	t:expect(physics.raycast(from, to) == nil)
	local hit = physics.shape_cast(from, to, { radius = 0.25 })
	t:expect(hit and hit.character == post)
	t:expect(math.abs(hit.distance - (4 - 0.1 - math.sqrt(0.25 * 0.25 - 0.2 * 0.2))) < 0.01, hit.distance)
	t:expect(physics.shape_cast(from, to, { shape = "box", size = v(0.3, 1, 0.3) }) == nil)
	t:expect(physics.shape_cast(from, to, { shape = "box", size = v(0.3, 1, 0.3), yaw = 45 }).character == post, "its corner does")
	t:expect(physics.shape_cast(from, to, { shape = "capsule", radius = 0.25, height = 1.5 }).character == post)
	local inside = physics.overlap(v(0, 1, 0), { radius = 0.25 })
	t:expect(#inside == 1 and inside[1] == post)
	t:expect(#physics.overlap(v(-1, 1, 0), { radius = 0.25 }) == 0)
	t:expect(#physics.overlap(v(0, 1, 0), { shape = "box", size = v(1, 1, 1), exclude = post }) == 0)
end)

test("an explosion pushes bodies away, less with distance", function(t)
	physics.set { gravity = v(0, 0, 0) }
	local close = physics.sphere { position = v(1, 5, 0), radius = 0.1, mass = 1, damping = 0 }
	local wide = physics.sphere { position = v(-2, 5, 0), radius = 0.1, mass = 1, damping = 0 }
	local out = physics.sphere { position = v(0, 5, 9), radius = 0.1, mass = 1 }
	physics.explosion(v(0, 5, 0), { radius = 4, impulse = 8, lift = 0 })
	t:expect(near(close.velocity, v(6, 0, 0), 1e-2), close.velocity)
	t:expect(near(wide.velocity, v(-4, 0, 0), 1e-2), wide.velocity)
	t:expect(near(out.velocity, v(0, 0, 0)))
	physics.explosion(v(0, 5, 0), { impulse = 100, exclude = close, layers = "world" })
	t:expect(near(wide.velocity, v(-4, 0, 0), 1e-2), "layers that it does not meet")
end)

test("bodies slide on ice and stop on carpet", function(t)
	physics.surface("ice", { friction = 0.02, restitution = 0, sound = "glass" })
	physics.surface("glue", { friction = 4 })
	ground.set { surface = "ice" }
	local sled = physics.box { position = v(0, 0.1, 0), size = v(0.4, 0.2, 0.4), mass = 5, surface = "ice", velocity = v(0, 0, 3) }
	local stuck = physics.box { position = v(3, 0.1, 0), size = v(0.4, 0.2, 0.4), mass = 5, friction = 100, velocity = v(0, 0, 3) }
	t:run(1)
	t:expect(sled.position.z > 2.6, sled.position)
	t:expect(stuck.position.z < 0.8, stuck.position)
end)

test("collisions between two layers can be turned off", function(t)
	physics.layer("ghosts", { collide_with = "world" })
	physics.layer("birds", { ignore = { "world", "ghosts" } })
	local shelf = physics.box { position = v(0, 1, 0), size = v(4, 0.1, 4), layer = "props" }
	local ghost = physics.sphere { position = v(0, 1.5, 0), radius = 0.1, mass = 1, layer = "ghosts" }
	local ball = physics.sphere { position = v(1, 1.5, 0), radius = 0.1, mass = 1 }
	t:run(2)
	t:expect(math.abs(ghost.position.y - 0.1) < 0.01, `it meets the floor only: {ghost.position}`)
	t:expect(math.abs(ball.position.y - 1.15) < 0.01, ball.position)
	t:expect(not pcall(physics.box, { layer = "ghost" }), "a layer has to be there")
	t:expect(shelf.position.y == 1)
end)

test("a sensor reports the bodies in it and blocks nothing", function(t)
	local gate = physics.box { position = v(0, 1, 0), size = v(1, 0.5, 1), sensor = true }
	local ball = physics.sphere { position = v(0, 3, 0), radius = 0.1, mass = 1, surface = "rubber" }
	local told = {}
	gate:on("touch", function(e)
		table.insert(told, `in {e.other == ball} {e.sensor} {e.surface}`)
	end)
	gate:on("touch_end", function(e)
		table.insert(told, `out {e.other == ball}`)
	end)
	t:run(0.9)
	t:expect(table.concat(told, ", ") == "in true true rubber, out true", table.concat(told, ", "))
end)

test("touch events report speed and impulse", function(t)
	local ball = physics.sphere { position = v(0, 1.35, 0), radius = 0.1, mass = 2, damping = 0, restitution = 0 }
	local speed, impulse, normal
	ball:on("touch", function(e)
		speed, impulse, normal = e.speed, e.impulse, e.normal
	end)
	t:run(1)
	t:expect(speed and math.abs(speed - math.sqrt(2 * 9.81 * 1.25)) < 0.2, speed)
	t:expect(math.abs(impulse - 2 * speed) < 0.01 and near(normal, v(0, 1, 0), 0.01), `{impulse} {normal}`)
end)

test("any character can have a static, dynamic or kinematic collider", function(t)
	local prop = character("assets/mannequin.glb", { position = v(0, 1, 0) })
	prop:collider { shape = "capsule", mass = 60, lock_rotation = true }
	t:run(2)
	t:expect(math.abs(prop.position.y) < 0.02, prop.position)
	prop:collider(false)
	prop.position = v(0, 1, 0)
	t:run(0.5)
	t:expect(prop.position.y == 1, "no longer solid, it hangs in the air")
	prop:collider { shapes = { { shape = "box", size = v(1, 0.2, 1), offset = v(0, 0.1, 0) }, { shape = "sphere", radius = 0.2, offset = v(0, 1, 0) } } }
	t:expect(math.abs(physics.raycast(v(0, 5, 0), v(0, 0, 0)).position.y - 2.2) < 1e-3)
	t:expect(math.abs(physics.raycast(v(0.4, 5, 0), v(0.4, 0, 0)).position.y - 1.2) < 1e-3)
	local ok, why = pcall(prop.collider, prop, { shape = "mesh", mass = 3 })
	t:expect(not ok and string.find(tostring(why), "hull", 1, true), why)
	local lift = physics.box { position = v(6, 0.1, 0), size = v(2, 0.2, 2), body_type = "kinematic" }
	local crate = physics.box { position = v(6, 0.45, 0), size = v(0.5, 0.5, 0.5), mass = 10 }
	t:run(0.5)
	for _ = 1, 60 do
		lift.position += v(0, 1 / 60, 0)
		t:run_ticks()
	end
	t:expect(math.abs(crate.position.y - 1.45) < 0.05, `it goes up with the lift: {crate.position}`)
end)

test("a hard hit has a stronger reaction than a soft one", function(t)
	local hero = character "assets/mannequin.glb"
	local heard = {}
	hero:on("hit", function(e)
		table.insert(heard, `{e.reaction} {e.bone}`)
	end)
	t:run_ticks()
	t:expect(hero.balance == 1 and hero.health == 1 and not hero.is_dead and not hero.is_down)
	t:expect(hero:hit { bone = "chest", impulse = v(0, 0, -5), damage = 0.1 } == "flinch")
	t:expect(math.abs(hero.health - 0.9) < 1e-6, hero.health)
	t:expect(hero:hit { position = hero:bone_position "head", impulse = v(0, 0, -400) } == "fall")
	t:run_ticks()
	t:expect(heard[1] == "flinch chest" and string.find(heard[2], "fall", 1, true) == 1, table.concat(heard, ", "))
	t:run(0.3)
	t:expect(hero.is_down, "it falls")
	local other = character("assets/mannequin.glb", { position = v(3, 0, 0) })
	other.balance = 10
	t:expect(other.balance == 10)
	t:expect(other:hit { bone = "chest", impulse = v(0, 0, -40) } == "flinch", "who stands firmly hardly feels it")
	other.health = 0.05
	t:expect(math.abs(other.health - 0.05) < 1e-6)
	other:hit { bone = "chest", impulse = v(0, 0, -1), damage = 0.5 }
	t:expect(other.is_dead, "the last of its health")
	t:expect(not pcall(other.hit, other, { bone = "chest" }), "it has to say how hard")
end)

test("hit reactions have thresholds, and on_hit can change or cancel a reaction", function(t)
	local hero = character "assets/mannequin.glb"
	t:run_ticks()
	hero:hit_reactions { flinch_threshold = 0.01, brace_threshold = 50, stagger_threshold = 60, fall_threshold = 70, get_up_delay = false }
	t:expect(hero:hit { bone = "chest", impulse = v(0, 0, -400) } == "flinch")
	hero:hit_reactions {
		on_hit = function(e)
			if e.bone == "head" then
				return false
			end
			return "brace"
		end,
	}
	t:expect(hero:hit { bone = "head", impulse = v(0, 0, -40) } == false)
	t:expect(hero:hit { bone = "chest", impulse = v(0, 0, -4000) } == "brace")
	hero:hit_reactions { on_hit = false }
	t:expect(hero:hit { bone = "chest", impulse = v(0, 0, -400) } == "flinch", "its own judgement again")
	t:expect(not pcall(hero.hit_reactions, hero, { fall_threshold = 0.1 }), "less than what staggers")
end)

test("a fast ragdoll falls like an exact one", function(t)
	local hero = character "assets/mannequin.glb"
	hero:hit_reactions { ragdoll_quality = "fast", get_up_delay = false }
	hero:knock_down()
	t:run(1)
	hero:hit_reactions { ragdoll_quality = "exact" }
	hero:hit_reactions { ragdoll_quality = "fast" }
	t:run(3)
	t:expect(hero.is_down and hero:bone_position("head").y < 0.6, hero:bone_position "head")
	local ok, why = pcall(hero.hit_reactions, hero, { ragdoll_quality = "fst" })
	t:expect(not ok and string.find(tostring(why), 'did you mean "fast"', 1, true), tostring(why))
end)

test("a character falls, settles and gets up, and a dead one stays down", function(t)
	local hero = character "assets/mannequin.glb"
	local heard = {}
	for _, name in { "knock_down", "settle", "get_up", "get_up_end", "die" } do
		hero:on(name, function()
			table.insert(heard, name)
		end)
	end
	t:run_ticks()
	t:expect(hero.posture == "upright")
	hero:hit_reactions { get_up_delay = false }
	hero:knock_down()
	t:run(4)
	t:expect(hero.is_down and hero.posture ~= "upright", hero.posture)
	t:expect(hero:bone_position("head").y < 0.6, hero:bone_position "head")
	t:expect(hero:get_up(), "it lies")
	t:expect(not hero:get_up(), "it is on its way already")
	t:run(4)
	t:expect(not hero.is_down and hero.posture == "upright" and hero:bone_position("head").y > 1.2, hero:bone_position "head")
	t:expect(table.concat(heard, " ") == "knock_down settle get_up get_up_end", table.concat(heard, " "))
	hero:hit_reactions { get_up_delay = true }
	hero:kill()
	t:run(5)
	t:expect(hero.is_dead and hero.is_down and hero.health == 0)
	hero:get_up()
	t:run(4)
	t:expect(not hero.is_dead and not hero.is_down)
end)

test("limbs can be limp, driven by motors, or kinematic", function(t)
	local hero = character "assets/mannequin.glb"
	local still = hero:bone_position "left_hand"
	hero:ragdoll { bones = "left_upper_arm" }
	t:run(1.5)
	local foot = hero:bone_position "left_foot"
	t:expect(not hero.is_down and far(hero:bone_position "left_hand", still) > 0.03, hero:bone_position "left_hand" - still)
	hero:ragdoll { motor_strength = 1, motor_frequency = 20, max_torque = 20, pin = 1 }
	t:run(1)
	t:expect(far(hero:bone_position "left_hand", still) < 0.06, "motors bring it back")
	t:expect(far(hero:bone_position "left_foot", foot) < 0.05)
	hero:ragdoll { kinematic = true }
	t:run(0.2)
	hero:ragdoll(false)
	t:run(1)
	t:expect(far(hero:bone_position "left_hand", still) < 0.04, "the clips alone")
	hero:ragdoll()
	t:run(1)
	t:expect(hero.is_down)
	t:expect(not pcall(hero.ragdoll, hero, { bones = "left_wing" }), "a bone has to be there")
end)

test("the bodies of a ragdoll can be read and set", function(t)
	local hero = character "assets/mannequin.glb"
	local function find(bone)
		for _, body in hero:ragdoll_bodies() do
			if body.bone == bone then
				return body
			end
		end
		return nil
	end
	local function mass()
		local sum = 0
		for _, body in hero:ragdoll_bodies() do
			sum += body.mass
		end
		return sum
	end
	local own = mass()
	hero.scale = 0.5
	t:expect_near(mass(), own / 8, 0.01 * own)
	hero:ragdoll_bodies { mass = 9 }
	t:expect_near(mass(), 9, 0.01)
	hero.scale = 1
	t:expect_near(mass(), 72, 0.1)
	t:expect(#hero:ragdoll_bodies() > 12 and find("left_lower_leg").joint == "hinge")
	t:expect(find "left_hand" ~= nil)
	hero:ragdoll_bodies { mass = 50, bones = { left_hand = false, head = { shape = "sphere", radius = 0.12 } } }
	t:expect(find "left_hand" == nil and find("head").shape == "sphere")
	local mass = 0
	for _, body in hero:ragdoll_bodies() do
		mass += body.mass
	end
	t:expect_near(mass, 50, 0.01)
	local fine, why = pcall(hero.ragdoll_bodies, hero, { bones = { left_hnd = false } })
	t:expect(not fine and string.find(tostring(why), "left_hand", 1, true) ~= nil, tostring(why))
	fine, why = pcall(hero.ragdoll_bodies, hero, { bones = { head = { twist = { 40, -40 } } } })
	t:expect(not fine and string.find(tostring(why), "twist", 1, true) ~= nil, tostring(why))
	hero:ragdoll()
	t:run_ticks()
	t:expect(not pcall(hero.ragdoll_bodies, hero, { mass = 60 }), "not while they are in the world")
end)

test("rays, casts, bodies and characters collide with terrain at its heights", function(t)
	local function height(x, z)
		return 0.5 * math.sin(x) * math.cos(z * 0.7)
	end
	local hills = physics.terrain {
		name = "hills", position = v(0, 2, 0), size = v(12, 1, 16), columns = 61, rows = 81, heights = height,
		surface = "grass", surfaces = function(x) return if x > 3 then "ice" elseif x > 0 then "sand" else nil end,
		colors = { sand = v(1, 0.8, 0.4) },
	}
	for _, at in { v(1.03, 0, 2.31), v(-3.97, 0, -6.6), v(5.5, 0, 0) } do
		local hit = physics.raycast(v(at.x, 5, at.z), v(at.x, -5, at.z))
		local wanted = 2 + height(at.x, at.z)
		t:expect(hit.character == hills and math.abs(hit.position.y - wanted) < 0.005, tostring(hit.position) .. " / " .. wanted)
		t:expect(hit.surface == (if at.x > 3 then "ice" elseif at.x > 0 then "sand" else "grass"), hit.surface)
		local seen = physics.raycast(v(at.x, 5, at.z), v(at.x, -5, at.z), { exact = true })
		t:expect(math.abs(seen.position.y - hit.position.y) < 1e-3, seen.position)
	end
	local cast = physics.shape_cast(v(-1.5, 5, 0), v(-1.5, 0, 0), { radius = 0.2 })
	t:expect(cast.character == hills and math.abs(cast.position.y - 1.5) < 0.02, cast.position)
	local stone = physics.sphere { position = v(-1.6, 2.2, 0), radius = 0.2, mass = 3, angular_damping = 4 }
	t:run(3)
	t:expect(near(stone.position, v(-1.57, 1.7, 0), 0.03), stone.position)
end)

test("terrain accepts rows, buffers and images, and reports errors in them", function(t)
	local function top(x, z)
		return physics.raycast(v(x, 50, z), v(x, -50, z), { exclude = {} }).position.y
	end
	local listed = physics.terrain { size = v(2, 0.5, 2), heights = { { 0, 0, 0 }, { 0, 2, 0 }, { 0, 0, 0 } }, surfaces = { { "wood", "wood" }, { "ice", "wood" } } }
	t:expect(math.abs(top(0, 0) - 1) < 1e-4 and math.abs(top(0.5, 0) - 0.5) < 1e-4)
	t:expect(physics.raycast(v(-0.5, 5, 0.7), v(-0.5, -1, 0.7)).surface == "ice")
	local b = buffer.create(16)
	buffer.writef32(b, 12, 3)
	physics.terrain { position = v(10, 0, 0), size = v(2, 1, 2), heights = b, columns = 2 }
	t:expect(math.abs(top(11, 1) - 3) < 1e-3 and math.abs(top(9.001, -0.99)) < 0.01)
	local function wrong(options, words)
		local ok, why = pcall(physics.terrain, options)
		t:expect(not ok and string.find(tostring(why), words, 1, true), words .. " / " .. tostring(why))
	end
	wrong({ heights = { { 0, 0 }, { 0 } } }, "heights[2]: expected 2 columns as in the first row, got 1")
	wrong({ heights = { { 0, 0 }, { 0, "high" } } }, 'heights[2][2]: expected a number, got the string "high"')
	wrong({ heights = { { 0, 0 }, { 0, 0 / 0 } } }, "row 2, column 2: a height must be from -10000 to 10000 metres")
	wrong({ heights = { { 0, 0 } } }, "the minimum is 2 × 2")
	wrong({ heights = { 1, 2 } }, "heights[1]: expected a row")
	wrong({ heights = b }, "needs the number of columns")
	wrong({ heights = b, columns = 3 }, "do not fill rows of 3 columns")
	wrong({ heights = function() return 0 end, columns = 1000, rows = 1000 }, "too many")
	wrong({ heights = function() return nil end }, "row 1, column 1: expected a number")
	wrong({ heights = function() return 0 end, rows = 2.5 }, '"rows": must be a whole number')
	wrong({ heights = "assets/none.png" }, "none.png")
	wrong({ surfaces = { { "wod" } } }, 'did you mean "wood"')
	wrong({ surfaces = { { "wood", "wood" } } }, "expected 1 rows of 1")
	wrong({ mass = 3 }, "a triangle mesh cannot be dynamic")
	wrong({ heights = { { 0, 0 }, { 0, 0 } }, rows = 3 }, "rows: got 3, but heights has 2")
	wrong({ size = v(0, 1, 1) }, "size")
	physics.box { name = "crate", position = v(0, 9, 0) }
	wrong({ name = "crate" }, "is not a terrain")
	t:expect(listed.name ~= nil)
end)

test("a second terrain with the same name replaces the first, and characters and bodies on it move along", function(t)
	local function mound(height)
		return physics.terrain { name = "mound", size = v(10, 1, 10), columns = 11, rows = 11, heights = function(x) return height end }
	end
	local first = mound(0.5)
	local hero = character("assets/mannequin.glb", { position = v(0, 0.6, 0) })
	hero:controller {}
	local crate = physics.box { position = v(2, 0.71, 2), size = v(0.4, 0.4, 0.4), mass = 5 }
	t:run(1)
	t:expect(math.abs(hero.position.y - 0.5) < 0.01 and hero.is_grounded, hero.position)
	t:expect(mound(1.3) == first)
	t:run(1)
	t:expect(math.abs(hero.position.y - 1.3) < 0.01 and hero.is_grounded, hero.position)
	t:expect(math.abs(crate.position.y - 1.5) < 0.01, crate.position)
	mound(0.2)
	t:run(2)
	t:expect(math.abs(hero.position.y - 0.2) < 0.01 and math.abs(crate.position.y - 0.4) < 0.01, tostring(hero.position) .. tostring(crate.position))
end)

test("terrain has the given roughness and metallic value, with one surface or several", function(t)
	for _, surfaces in { false, function(x: number) return if x > 0 then "ice" else "grass" end } do
		local ground = physics.terrain {
			position = v(0, 0, 0),
			columns = 5,
			rows = 5,
			surfaces = surfaces or nil,
			color = v(0.5, 0.1, 0.1),
			roughness = 0.25,
			metallic = 0.75,
		}
		local look = ground:material(ground:materials()[1])
		t:expect_near(look.roughness, 0.25)
		t:expect_near(look.metallic, 0.75)
		local red = if surfaces then 1 else 0.5
		t:expect_near(look.color.x, red, 0.001)
		ground:remove()
	end
end)

test("each cell of terrain has the friction of its surface", function(t)
	physics.surface("moss", { friction = 0.9 })
	local rise = math.tan(math.rad(20))
	physics.terrain {
		name = "slope", size = v(20, 1, 8), columns = 41, rows = 17, heights = function(_, z) return z * rise end,
		surface = "moss", surfaces = function(x) return if x > 0 then "ice" else nil end,
	}
	local function crate(x)
		return physics.box { position = v(x, 2 * rise + 0.17, 2), pitch = -20, size = v(0.3, 0.3, 0.3), mass = 5, surface = "wood" }
	end
	local stays, slides = crate(-3), crate(3)
	t:run(1.2)
	t:expect(math.abs(stays.position.z - 2) < 0.02, stays.position)
	t:expect(slides.position.z < 1, slides.position)
end)

test("materials of a collider mesh can have different surfaces", function(t)
	local statue = character("assets/mannequin.glb", { position = v(0, 0, 0) })
	statue:collider { shape = "mesh", surface = "stone", surfaces = { hair = "grass", leather = "rubber", sole = "rubber" } }
	t:run(0.1)
	local top = physics.raycast(v(0, 3, 0), v(0, -1, 0))
	t:expect(top.character == statue and top.surface == "grass", top.surface)
	local ahead = physics.raycast(v(0, 1.25, 2), v(0, 1.25, -2))
	t:expect(ahead.character == statue and ahead.surface == "stone", ahead.surface)
	local function wrong(options, words)
		local ok, why = pcall(statue.collider, statue, options)
		t:expect(not ok and string.find(tostring(why), words, 1, true), words .. " / " .. tostring(why))
	end
	wrong({ surfaces = { hiar = "grass" } }, 'has no material "hiar"; did you mean "hair"')
	wrong({ surfaces = { hair = "gras" } }, 'unknown surface "gras"')
	wrong({ surfaces = { "grass" } }, 'expected names of materials')
	wrong({ shape = "hull", surfaces = { hair = "grass" } }, "surfaces: needs a triangle mesh")
	wrong({ mass = 5, surfaces = { hair = "grass" } }, "surfaces: needs a triangle mesh")
end)
