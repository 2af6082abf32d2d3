-- The stage: a courtyard in the early morning, with its colliders, the gate, the rising sun and birds.

local v = vector.create

local court = {}

local scenery = character("assets/court.glb", { name = "court" })
scenery:collider {
	shape = "mesh",
	surface = "stone",
	surfaces = { grass = "grass", earth = "grass", gravel = "gravel", board = "wood", board_dark = "wood" },
}
character("assets/court_green.glb", { name = "green" })
for i, scale in { 1, 1.14, 0.94, 1.2, 0.98, 1.08, 0.92, 1.16 } do
	character("assets/court_hills.glb", { name = `hills {i}`, yaw = i * 45 + 8 * scale, scale = scale })
end
ground.set { height = -0.95, surface = "grass", grid = 0, color = v(0.11, 0.13, 0.05), color_variation = 0.5 }

-- The hinge of the gate is to her left as she arrives; it opens away from her.
local HINGE = v(0.75, 0.19, 12.24)
local gate = character("assets/court_gate.glb", { name = "gate", position = HINGE })
gate:collider { shape = "box", size = v(1.5, 2.3, 0.07), offset = v(-0.75, 1.15, 0), body_type = "kinematic", surface = "wood" }
gate:add_interaction("ring", {
	position = v(-1.2, 1.045, -0.075),
	stand_position = v(-0.98, -0.02, -0.52),
	stand_yaw = 0,
	radius = 0.012,
	bar = v(1, 0, 0),
	reach_time = 0.7,
	hold_time = 0.75,
	release_time = 0.35,
})
court.gate = gate
local leaf = keep_on_reload("gate", { angle = 0, opens = false })

gate:on("used", function(e)
	if e.phase == "hold" then
		sound.play("knocker", { position = e.position })
		court.open(true)
	end
end)

function court.open(is_open)
	if is_open and not leaf.opens then
		sound.play("creak", { position = HINGE })
	end
	leaf.opens = is_open
end

function court.opening()
	return leaf.opens
end

function court.shut()
	leaf.opens, leaf.angle = false, 0
end

local sky = keep_on_reload("sky", { yaw = 62 })

-- Sets the sunrise: 0 before sunrise, 1 when the sun lights all of her. `yaw` sets the direction of the sun; a scene can
-- choose it freely, as time passes between cuts in a film.
function court.sun(up, yaw)
	local low = 1 - up
	sky.yaw = yaw or sky.yaw
	light.sun {
		yaw = sky.yaw,
		pitch = 3.5 + 11 * up,
		color = v(1, 0.73 - 0.25 * low, 0.46 - 0.28 * low),
		intensity = 5 - 2.7 * low,
		source_angle = 1.4,
	}
	light.sky {
		zenith = v(0.13 - 0.05 * low, 0.25 - 0.1 * low, 0.56 - 0.22 * low),
		horizon = v(0.72, 0.58 - 0.13 * low, 0.47 - 0.1 * low),
		ground = v(0.13, 0.11, 0.1),
	}
	light.fog {
		density = 0.008 + 0.012 * low,
		height = 5,
		base = -1,
		color = v(0.66, 0.58 - 0.07 * low, 0.56 - 0.07 * low),
	}
end

function court.morning()
	light.post_process {
		tonemap = "agx",
		bloom = 0.08,
		contrast = 1.2,
		saturation = 1.14,
		vignette = 0.3,
		shadow_tint = v(0, 0.002, 0.01),
	}
	court.sun(1)
	sound.play("wind", { loop = true, volume = 0.35, duck = 0.5 })
end

local bird = keep_on_reload("bird", { at = 1 })

function court.update(dt)
	if now() > bird.at then
		bird.at = now() + random_range(0.7, 4)
		sound.play("bird", {
			position = v(random_range(-9, 9), random_range(3, 6), random_range(-9, 4)),
			volume = random_range(0.25, 0.6),
			pitch = random_range(0.9, 1.1),
		})
	end
	if leaf.opens then
		-- The gate opens slowly at first, then falls open by its own weight.
		leaf.angle += (2 + 60 * math.sin(math.pi * math.clamp((leaf.angle + 4) / 108, 0, 1))) * dt
	end
	leaf.angle = math.clamp(leaf.angle, 0, 102)
	gate.yaw = leaf.angle
end

return court
