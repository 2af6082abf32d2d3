-- 7.1 Falling boxes: a hundred boxes of different sizes fall on the ground and on each other.
--
--   space    restart
--   s        extension: adds spheres, cylinders and capsules
--   e        exercise: more obstacles: a ramp, stairs, pillars
--   g        exercise: gravity: earth, moon, none
--   mouse    exercise: click to shoot from the pointer; the hit pushes the body

light.rig("noon", { position = vec(0, 1, 0) })
light.sun { yaw = 62, pitch = 30, intensity = 3.3, color = vec(1, 0.9, 0.76) }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1 }
ground.set { color = vec(0.3, 0.27, 0.22), grid = 0, color_variation = 0.5 }
camera.orbit { target = vec(0, 0.75, 0.1), distance = 9.5, yaw = 20, pitch = 15, fov = 34 }

local COUNT = 100
local PAINTS = { vec(0.5, 0.08, 0.04), vec(0.6, 0.35, 0.06), vec(0.06, 0.22, 0.36), vec(0.1, 0.28, 0.12), vec(0.55, 0.5, 0.42) }
local GRAVITIES = { { "earth", -9.81 }, { "moon", -1.62 }, { "none", 0 } }
local mixed, gravity = false, 1
local things = {}

local function drop()
	for _, one in things do
		one:remove()
	end
	for i = 1, COUNT do
		local options = {
			position = vec(random_range(-1.3, 1.3), 1.5 + i * 0.09, random_range(-1.3, 1.3)), yaw = random_range(0, 360), pitch = random_range(0, 360),
			color = PAINTS[i % #PAINTS + 1], roughness = 0.55, density = 300, surface = "wood",
		}
		local kind = if mixed then i % 4 else 0
		if kind == 0 then
			options.size = vec(random_range(0.15, 0.55), random_range(0.15, 0.45), random_range(0.15, 0.5))
			things[i] = physics.box(options)
		elseif kind == 1 then
			options.radius = random_range(0.1, 0.24)
			things[i] = physics.sphere(options)
		elseif kind == 2 then
			options.radius, options.height = random_range(0.08, 0.2), random_range(0.2, 0.5)
			things[i] = physics.cylinder(options)
		else
			options.radius = random_range(0.08, 0.14)
			options.height = options.radius * 4
			things[i] = physics.capsule(options)
		end
	end
end
drop()

local place
local function more()
	if place then
		for _, one in place do
			one:remove()
		end
		place = nil
		return
	end
	local STONE = vec(0.38, 0.35, 0.31)
	place = {
		physics.ramp { position = vec(-0.6, 0, -1.6), size = vec(2, 1.2, 2.4), color = STONE },
		physics.stairs { position = vec(1.2, 0, 0.4), yaw = 180, steps = 6, width = 1.6, color = STONE },
		physics.cylinder { position = vec(-1.5, 0.6, 1), radius = 0.2, height = 1.2, color = STONE },
		physics.cylinder { position = vec(-0.7, 0.4, 1.4), radius = 0.2, height = 0.8, color = STONE },
	}
	drop()
end

local function shoot(aim)
	local hit = physics.raycast(aim.from, aim.to)
	if hit and hit.character then
		local is_thing = table.find(things, hit.character)
		if is_thing then
			hit.character:apply_impulse(aim.direction * 60, hit.position)
		end
		particles("chips", hit, { burst = 12 })
		return is_thing
	end
	return nil
end

ui.text("7.1  Falling boxes", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("space: drop    s: other shapes    e: more to fall on    g: gravity    click: shoot", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

function update(_dt)
	if input.pressed "space" then
		drop()
	elseif input.pressed "s" then
		mixed = not mixed
		drop()
	elseif input.pressed "e" then
		more()
	elseif input.pressed "g" then
		gravity = gravity % #GRAVITIES + 1
		physics.set { gravity = vec(0, GRAVITIES[gravity][2], 0) }
	elseif input.pressed "mouse_left" then
		shoot(camera.ray())
	end
	local asleep = 0
	for _, one in things do
		asleep += if one.is_sleeping then 1 else 0
	end
	state.text = `{#things} things, {asleep} asleep; gravity: {GRAVITIES[gravity][1]}`
end

return { things = things, shoot = shoot }
