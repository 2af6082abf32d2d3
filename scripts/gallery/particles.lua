-- Six effects, one per second: a cracking statue, a run on sand, sparks from iron, breath at dawn, a fire, snow.
local v = vector.create

ground.set { color = v(0.20, 0.18, 0.155), surface = "sand", grid = 0 }
light.rig "sunset"
light.post_process { tonemap = "agx", contrast = 1.08, saturation = 1.05, vignette = 0.2 }

local STATIONS = {
	{ at = v(0, 0, 0), eye = v(0.5, 1.6, 2.3), look = v(0, 1.2, 0), fov = 38 },
	{ at = v(20, 0, 0), eye = v(22.3, 0.6, 2.6), look = v(20.75, 0.86, 0.2), fov = 38 },
	{ at = v(40, 0, 0), eye = v(41.2, 1.6, 2.9), look = v(40.05, 1.22, 0), fov = 38 },
	{ at = v(60, 0, 0), eye = v(61.0, 1.58, 0.75), look = v(60.08, 1.5, 0.22), fov = 36 },
	{ at = v(80, 0, 0), eye = v(80, 1.0, 3.6), look = v(80, 0.85, 0), fov = 38 },
	{ at = v(100, 0, 0), eye = v(100.9, 1.7, 2.6), look = v(100, 1.3, 0), fov = 36 },
}

local statue = character("assets/galatea.glb", { position = STATIONS[1].at })
statue.machine = machine { state "statue" { "statue" } }
for _, name in statue:materials() do
	statue:material(name):fade { thickness = 1, duration = 0 }
end
local runner = character("assets/man.glb", { position = STATIONS[2].at + v(0, 0, -1.3), yaw = 25 })
runner:play("run", { mode = "loop" })
runner:on("step", function(step)
	particles("dust", step.position, { burst = 22 })
end)
local robot = character("assets/robot.glb", { position = STATIONS[3].at })
local cold = character("assets/galatea.glb", { position = STATIONS[4].at })
local breath = cold:particles("breath", { seed = 4 })
local child = character("assets/child.glb", { position = STATIONS[6].at, yaw = 10 })
child:look_at(camera)
particles("snow", STATIONS[6].at + v(0, 3.2, 0.8), { box_size = v(6, 0.2, 5), rate = 420, max_particles = 3000 })

-- The fire: a custom particle effect for the flames, embers and smoke above them, and a flickering light.
local fire = STATIONS[5].at
for i = -2, 2 do
	physics.box { position = fire + v(i * 0.07, 0.05, 0.03 * (i % 2)), size = v(0.07, 0.07, 0.6), yaw = i * 34, color = v(0.05, 0.03, 0.02), body_type = "static" }
end
particles("plain", fire + v(0, 0.1, 0), {
	rate = 70, shape = "disc", radius = 0.14, lifetime = { 0.5, 0.9 }, speed = { 0.6, 1.1 }, spread = 12, drag = 0.4, gravity_scale = -0.12, turbulence = 0.5,
	size = { 0.16, 0.26 }, size_over_lifetime = { 0.7, 1, 0.8, 0.3 }, alpha = { 0, 0.5, 0.4, 0 }, emissive_strength = 5, prewarm = 2,
	color = { v(1, 0.62, 0.22), v(1, 0.34, 0.06), v(0.7, 0.10, 0.01) },
})
particles("embers", fire + v(0, 0.3, 0), { prewarm = 3, rate = 40 })
particles("smoke", fire + v(0, 0.9, 0), { prewarm = 5, rate = 14 })
local lamp = light.point { position = fire + v(0, 0.5, 0.2), color = v(1, 0.5, 0.15), intensity = 2.2, range = 6, source_radius = 0.1 }

local last = 0
function update()
	local i = math.clamp(math.floor(now()) + 1, 1, #STATIONS)
	lamp.intensity = 2.2 + 0.5 * math.sin(now() * 21) * math.sin(now() * 13)
	-- She exhales at the time of her frame.
	if now() > 3.05 and now() < 3.5 then
		breath:emit(1)
	end
	if i == last then
		return
	end
	last = i
	local here = STATIONS[i]
	local away = here.eye - here.look
	local distance = vector.magnitude(away)
	camera.orbit {
		target = here.look,
		distance = distance,
		yaw = math.deg(math.atan2(away.x, away.z)),
		pitch = math.deg(math.asin(away.y / distance)),
		fov = here.fov,
		cut = true,
	}
end

-- The stone cracks and the iron strikes a little before their frames.
statue:task(function(a)
	a:wait(0.42)
	statue:particles("chips", { shape = "surface", burst = 260, speed = { 0.1, 0.8 }, size = { 0.006, 0.03 } })
	statue:particles("dust", { shape = "surface", burst = 200, speed = { 0, 0.25 }, size = { 0.04, 0.10 }, gravity_scale = 0.05, radial_speed = 0.1, color = v(0.7, 0.68, 0.64) })
end)
robot:task(function(a)
	a:wait(2.45)
	local hit = physics.raycast(v(40.1, 1.45, 3), v(40.1, 1.45, -3), { exact = true })
	robot:particles("sparks", hit, { burst = 130, spread = 75 })
	robot:particles("smoke", hit, { burst = 5, rate = 0 })
end)
