-- A cart on rails up a hill: its floor is tilted and moves, and her feet stay planted on it.

local v = vector.create
local OAK, PALE, IRON, STONE = v(0.22, 0.11, 0.05), v(0.38, 0.24, 0.12), v(0.10, 0.10, 0.11), v(0.46, 0.40, 0.31)
local FROM, LEAN, LENGTH = v(-0.85, 0.42, 0), 17, 2.1
local turn = math.rad(LEAN)
local ALONG, UP = v(math.cos(turn), math.sin(turn), 0), v(-math.sin(turn), math.cos(turn), 0)

-- The moving parts. The offsets of a part are along the rails, perpendicular to them, and sideways.
local parts = {}
local function part(x, y, z, thing)
	table.insert(parts, { at = ALONG * x + UP * y + v(0, 0, z), thing = thing })
end
for i = 0, 5 do
	local shade = 1 + 0.25 * math.noise(i * 1.7, 0.4)
	part(-0.5 + 0.2 * i, -0.03, 0, physics.box { position = FROM, size = v(0.194, 0.06, 1.1), roll = LEAN, body_type = "kinematic", surface = "wood", color = PALE * shade, roughness = 0.8 })
end
for _, z in { -0.4, 0.4 } do
	part(0, -0.1, z, physics.box { position = FROM, size = v(1.2, 0.08, 0.1), roll = LEAN, body_type = "kinematic", collider = false, color = OAK })
	for _, x in { -0.38, 0.38 } do
		part(x, -0.19, z * 1.2, physics.cylinder { position = FROM, radius = 0.1, height = 0.06, pitch = 90, body_type = "kinematic", collider = false, color = IRON, metallic = 1, roughness = 0.45 })
	end
end

local middle = FROM + ALONG * (LENGTH / 2) - UP * 0.32
for _, z in { -0.48, 0.48 } do
	physics.box { position = middle + v(0, 0, z), size = v(LENGTH + 1.7, 0.06, 0.06), roll = LEAN, collider = false, color = IRON, metallic = 1, roughness = 0.45 }
end
for k = -3, 3 do
	local top = middle + ALONG * (0.55 * k) - UP * 0.07
	physics.box { position = top, size = v(0.16, 0.08, 1.3), roll = LEAN, collider = false, color = OAK }
	if top.y > 0.1 then
		physics.box { position = v(top.x, top.y / 2, 0), size = v(0.12, top.y, 0.9), collider = false, color = STONE * 0.8 }
	end
end

local hero = character("assets/galatea.glb", { position = FROM, yaw = 42 })
hero:controller {}
hero.machine = machine { state "idle" { "idle" } }
hero:foot_ik()
hero:lean()
hero:idle_motion()
hero:look_at(camera)

local clock = 0
function update(dt)
	clock += dt
	local share = math.clamp((clock - 1.2) / 3, 0, 1)
	local now = FROM + ALONG * (LENGTH * share * share * (3 - 2 * share))
	for _, it in parts do
		it.thing.position = now + it.at
	end
	camera.orbit { target = v(0.05, 1.16, 0) + (now - FROM) * 0.6 - v(0.45, 0, 0) }
end

light.rig("noon", { character = hero })
light.sun { yaw = -30, pitch = 44 }
ground.set { grid = 0, color = v(0.36, 0.28, 0.18) }
camera.orbit { distance = 9, yaw = 12, pitch = 6, fov = 16.5 }
