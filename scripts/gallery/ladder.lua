-- Climbing a ladder to a loft, hand over hand: three limbs hold while one moves.

local v = vector.create
local OAK, PALE, IRON = v(0.20, 0.10, 0.045), v(0.34, 0.20, 0.10), v(0.10, 0.10, 0.11)

-- Varies the brightness of one colour from piece to piece.
local function shade(color, i)
	return color * (1 + 0.28 * math.noise(i * 1.37, 0.5, 2.1))
end

local function beam(at, size, color, i)
	return physics.box { position = at, size = size, surface = "wood", color = shade(color, i), roughness = 0.8 }
end

-- The loft, 2.52 m high: posts, beams and planks, with a stone wall behind.
local loft = physics.box { position = v(0, 2.48, 1.95), size = v(3.2, 0.02, 2.4), surface = "wood", color = OAK }
for i = 0, 15 do
	beam(v(-1.5 + 0.2 * i, 2.495, 1.95), v(0.19, 0.05, 2.4), PALE, i)
end
for i, x in { -1.45, 1.45 } do
	for k, z in { 0.9, 2.9 } do
		beam(v(x, 1.18, z), v(0.18, 2.36, 0.18), OAK, 5 * i + k)
	end
	beam(v(x, 2.38, 1.95), v(0.14, 0.18, 2.36), OAK, i)
end
beam(v(0, 2.38, 0.9), v(3.2, 0.18, 0.14), OAK, 3)
beam(v(0, 2.38, 2.0), v(3.2, 0.18, 0.14), OAK, 7)
for row = 0, 21 do
	for i = 0, 7 do
		local x = -2.0 + 0.56 * i + 0.28 * (row % 2)
		physics.box { position = v(x, 0.1 + 0.2 * row, 3.3), size = v(0.55, 0.19, 0.3), color = shade(v(0.30, 0.26, 0.21), 8 * row + i), roughness = 0.95 }
	end
end

-- Crates in and under the loft.
for i, place in { v(-0.95, 0.26, 2.55), v(-0.42, 0.2, 2.65), v(-0.9, 0.7, 2.6), v(-1.0, 2.76, 2.6), v(1.05, 2.72, 2.5) } do
	local size = 0.52 - 0.04 * (i % 3)
	physics.box { position = place, size = v(size, if i == 2 then 0.4 else 0.46, size), yaw = 23 * i, surface = "wood", color = shade(v(0.38, 0.25, 0.13), 9 * i), roughness = 0.85 }
end

-- A ladder with nine rungs that leans against the loft.
local FOOT, RISE, RUNGS, WIDTH = v(0, 0.28, 0.36), v(0, 0.28, 0.035), 9, 0.58
for i = 0, RUNGS - 1 do
	physics.cylinder { position = FOOT + RISE * i, radius = 0.016, height = WIDTH, roll = 90, collider = false, color = IRON, roughness = 0.4, metallic = 1 }
end
for i, x in { -WIDTH / 2, WIDTH / 2 } do
	local lean = math.deg(math.atan2(RISE.z, RISE.y))
	physics.box { position = FOOT + RISE * 5.05 + v(x, 0, 0), size = v(0.04, 3.4, 0.05), pitch = lean, collider = false, color = shade(PALE, 3 * i) }
end
loft:add_interaction("ladder", {
	kind = "ladder",
	position = FOOT - loft.position,
	rung_offset = RISE,
	rungs = RUNGS,
	width = WIDTH,
	rails = 0.6,
	stand_position = v(0, -2.48, -2.07),
	top = v(0, 0.04, -0.6),
	stand_yaw = 0,
})

local hero = character("assets/galatea.glb", { position = v(0, 0, -1.5) })
hero:controller {}
hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" { blend1d { param = "speed", sync = "feet", match_speed = true, { 0.3, "idle" }, "walk" } },
	transition_to "move" { from = "idle", when = "speed > 0.15", fade = 0.2 },
	transition_to "idle" { from = "move", when = "speed < 0.1", fade = inertial(0.3) },
}
hero:foot_ik()
hero:idle_motion()

hero:task(function(a)
	a:use(loft)
end)

function update()
	hero.machine.params.speed = hero.speed
	camera.orbit { target = v(0, 1.0 + 0.92 * hero.position.y, 0.35 * hero.position.z + 0.2) }
end

light.rig("noon", { character = hero })
light.sun { yaw = 245, pitch = 40 }
ground.set { grid = 0, color = v(0.36, 0.28, 0.18), collider = true }
camera.orbit { distance = 7.2, yaw = 226, pitch = 6, fov = 20 }
