-- 6.2 Particles and boxes: two hundred particles fall on rotated boxes and bounce
-- off. The particle integration and the box collision are in verlet.lua, on one page.
--
--   space       restart
--   up down     restitution: 0 like clay, 1 bounces forever
--   g           gravity: earth, moon, none
--   w           wind
--   e           extension: another environment, a staircase
--   m           exercise: each particle has its own mass and restitution; wind moves light ones more
--   p           the same with the runtime's particle emitter

local verlet = require "verlet"

light.rig("studio", { position = vec(0, 1, 0), size = 3 })
light.post_process { tonemap = "agx", contrast = 1.06 }
ground.set { color = vec(0.5, 0.49, 0.47), grid = 1 }
camera.orbit { target = vec(0, 1.1, 0), distance = 7, yaw = 18, pitch = 10, fov = 28 }

local world = verlet.world()
local COUNT = 200
local GRAVITIES = { { "earth", -9.81 }, { "moon", -1.62 }, { "none", 0 } }
local gravity, wind_on, bounce, varied, place = 1, false, 0.6, false, 1

local ENVIRONMENTS = {
	{ { vec(-0.55, 1.15, 0), vec(1.3, 0.1, 0.9), 0, 0, -24 }, { vec(0.65, 0.6, 0), vec(1.2, 0.1, 0.9), 0, 0, 22 }, { vec(-0.5, 0.22, 0.1), vec(0.4, 0.4, 0.4), 30, 0, 0 }, { vec(0.9, 1.75, 0), vec(0.5, 0.3, 0.5), 20, 35, 20 } },
	{ { vec(-0.85, 1.75, 0), vec(0.9, 0.1, 1.2), 0, 0, -18 }, { vec(-0.4, 0.65, 0), vec(0.4, 1.3, 1.2) }, { vec(0, 0.45, 0), vec(0.4, 0.9, 1.2) }, { vec(0.4, 0.25, 0), vec(0.4, 0.5, 1.2) }, { vec(1.6, 0.2, 0), vec(0.12, 0.4, 1.2), 0, 0, -15 } },
}
local shown = {}
local function build()
	for _, body in shown do
		body:remove()
	end
	shown, world.boxes = {}, {}
	verlet.box(world, vec(0, -0.5, 0), vec(40, 1, 40))
	for i, one in ENVIRONMENTS[place] do
		verlet.box(world, one[1], one[2], one[3], one[4], one[5])
		shown[i] = physics.box { position = one[1], size = one[2], yaw = one[3], pitch = one[4], roll = one[5], color = vec(0.09, 0.2, 0.3) }
	end
end
build()

local balls = {}
local HEAVY, LIGHT = vec(0.5, 0.04, 0.02), vec(0.85, 0.55, 0.1)
local LIFE = 3.5 -- seconds, lifetime of a particle before it is emitted again
local function top(i)
	return vec(-0.8 + random_range(-0.25, 0.25), 2.2 + (i or 0) * 0.004, random_range(-0.3, 0.3))
end
local function pour()
	world.particles = {}
	for i = 1, COUNT do
		local mass = if varied then random_range(0.3, 3) else 1
		verlet.particle(world, top(i), { ends = now() + LIFE * i / COUNT, mass = mass, bounce = if varied then random_range(0, 0.95) else bounce, radius = 0.03 })
		balls[i] = balls[i] or physics.sphere { radius = 0.03, collider = false, roughness = 0.35 }
		balls[i]:material("Surface").color = LIGHT + (HEAVY - LIGHT) * ((mass - 0.3) / 2.7)
	end
end
pour()

ui.text("6.2  Particles and boxes", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("space: pour    up down: bounce    g: gravity    w: wind    e: environment    m: masses    p: runtime's", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

local emitter
function update(dt)
	if input.pressed "space" then
		pour()
	elseif input.pressed "g" then
		gravity = gravity % #GRAVITIES + 1
	elseif input.pressed "w" then
		wind_on = not wind_on
	elseif input.pressed "e" then
		place = place % #ENVIRONMENTS + 1
		build()
		pour()
	elseif input.pressed "m" then
		varied = not varied
		pour()
	elseif input.pressed "p" then
		if emitter then
			emitter:stop()
			emitter = nil
		else
			emitter = particles("plain", vec(0.2, 2.4, 0), { rate = 60, lifetime = 4, size = 0.05, shape = "disc", radius = 0.3, collision = "bounce", restitution = bounce, speed = 0.5, color = vec(0.1, 0.5, 0.2) })
		end
	end
	local wish = (if input.down "up" then 1 else 0) - (if input.down "down" then 1 else 0)
	if wish ~= 0 then
		bounce = math.clamp(bounce + 0.5 * wish * dt, 0, 1)
		for _, one in world.particles do
			one.bounce = bounce
		end
	end
	world.gravity = vec(0, GRAVITIES[gravity][2], 0)
	world.wind = if wind_on then vec(2.5, 0, 0) else vector.zero
	verlet.update(world, dt)
	local resting = 0
	for i, one in world.particles do
		if now() > one.ends then
			one.at = top()
			one.old, one.ends = one.at, one.ends + LIFE
		end
		balls[i].position = one.at
		resting += if vector.magnitude(verlet.velocity(one)) < 0.25 then 1 else 0
	end
	state.text = string.format("%d particles, %d at rest; bounce %.2f, gravity: %s%s", COUNT, resting, bounce, GRAVITIES[gravity][1], if wind_on then ", wind" else "")
end

return { world = world, verlet = verlet, bounce = function() return bounce end }
