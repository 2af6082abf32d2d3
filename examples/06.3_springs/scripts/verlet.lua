-- Particles with Verlet integration: each has a position and a previous position; their difference is the velocity.
-- Each step applies forces, then moves positions, then solves constraints: springs of fixed length, and box collisions.

local verlet = { STEP = 1 / 120 }

function verlet.world()
	return { particles = {}, springs = {}, boxes = {}, gravity = vec(0, -9.81, 0), wind = vector.zero, time = 0, passes = 12 }
end

function verlet.particle(world, at, options)
	local one = table.clone(options or {})
	one.at, one.old = at, at - (one.velocity or vector.zero) * verlet.STEP
	one.mass, one.bounce, one.radius = one.mass or 1, one.bounce or 0.5, one.radius or 0.05
	table.insert(world.particles, one)
	return one
end

-- Without a stiffness the length is fixed. With one (newtons per metre) the spring oscillates.
function verlet.spring(world, a, b, stiffness, damping)
	local one = { a = a, b = b, rest = vector.magnitude(a.at - b.at), stiffness = stiffness, damping = damping or 0 }
	table.insert(world.springs, one)
	return one
end

-- A box from its centre, half extents, and rotation about x (pitch), y (yaw) and z (roll), as in `physics.box`.
function verlet.box(world, at, size, yaw, pitch, roll)
	local function turned(p)
		local r, q, y = math.rad(roll or 0), math.rad(pitch or 0), math.rad(yaw or 0)
		p = vec(p.x * math.cos(r) - p.y * math.sin(r), p.x * math.sin(r) + p.y * math.cos(r), p.z)
		p = vec(p.x, p.y * math.cos(q) - p.z * math.sin(q), p.y * math.sin(q) + p.z * math.cos(q))
		return vec(p.x * math.cos(y) + p.z * math.sin(y), p.y, -p.x * math.sin(y) + p.z * math.cos(y))
	end
	local one = { at = at, half = { size.x / 2, size.y / 2, size.z / 2 }, axes = { turned(vec(1, 0, 0)), turned(vec(0, 1, 0)), turned(vec(0, 0, 1)) } }
	table.insert(world.boxes, one)
	return one
end

-- Pushes the point out through the nearest face. Tangential velocity stays; normal velocity is reflected by the bounce.
local function out_of(box, one)
	local away = one.at - box.at
	local least, normal = math.huge, nil
	for i, half in box.half do
		local along = vector.dot(away, box.axes[i])
		local depth = half + one.radius - math.abs(along)
		if depth <= 0 then
			return false
		elseif depth < least then
			least, normal = depth, box.axes[i] * (if along < 0 then -1 else 1)
		end
	end
	local velocity = one.at - one.old
	one.at += normal * least
	local into = normal * vector.dot(normal, velocity)
	if vector.dot(into, normal) < 0 then
		one.old = one.at - ((velocity - into) * 0.995 - into * one.bounce)
	else
		one.old = one.at - velocity
	end
	return true
end

local function step(world)
	local dt = verlet.STEP
	for _, one in world.particles do
		one.force = world.gravity * one.mass + world.wind
	end
	for _, spring in world.springs do
		if spring.stiffness then
			local way = spring.b.at - spring.a.at
			local long = math.max(vector.magnitude(way), 1e-6)
			local along = way / long
			local speed = vector.dot((spring.b.at - spring.b.old) - (spring.a.at - spring.a.old), along) / dt
			local pull = along * (spring.stiffness * (long - spring.rest) + spring.damping * speed)
			spring.a.force += pull
			spring.b.force -= pull
		end
	end
	for _, one in world.particles do
		if not one.held then
			one.at, one.old = one.at * 2 - one.old + one.force / one.mass * (dt * dt), one.at
		end
	end
	for _ = 1, if #world.springs > 0 then world.passes else 1 do
		for _, spring in world.springs do
			if not spring.stiffness then
				local a, b = spring.a, spring.b
				local way = b.at - a.at
				local long = math.max(vector.magnitude(way), 1e-6)
				local ma, mb = if a.held then 0 else 1 / a.mass, if b.held then 0 else 1 / b.mass
				local move = way * ((long - spring.rest) / long / (ma + mb))
				a.at += move * ma
				b.at -= move * mb
			end
		end
		for _, box in world.boxes do
			for _, one in world.particles do
				if not one.held and out_of(box, one) then
					one.hits = (one.hits or 0) + 1
				end
			end
		end
	end
end

-- Fixed time steps, independent of the tick length: Verlet integration needs a constant step.
function verlet.update(world, dt)
	world.time += dt
	while world.time > verlet.STEP / 2 do
		world.time -= verlet.STEP
		step(world)
	end
end

function verlet.velocity(one)
	return (one.at - one.old) / verlet.STEP
end

return verlet
