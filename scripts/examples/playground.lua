-- A physics playground: stairs, crates, a pool, an automatic door, a lift, a launch pad, and people who react
-- to hits. Without input it plays by itself.
--
--   galatea play scripts/examples/playground.lua      mouse: pick up and throw; space: shoot; E: shoot arrows

local function v(x, y, z)
	return vec(x, y, z)
end

local WOOD, STONE, CLAY, BLUE = v(0.36, 0.21, 0.1), v(0.36, 0.36, 0.34), v(0.5, 0.16, 0.08), v(0.05, 0.2, 0.28)

local function crate(name, at, size, color)
	return physics.box { name = name, position = at, size = v(size, size, size), density = 150, surface = "wood", color = color or WOOD, roughness = 0.7 }
end

-- Stairs up to a landing, and a wall of crates on the floor.
physics.stairs { position = v(1.7, 0, -1.1), yaw = 90, steps = 7, width = 1.8, color = STONE, name = "stairs" }
physics.box { position = v(4.53, 0.595, -1.1), size = v(1.6, 1.19, 1.8), color = STONE, name = "landing" }
for row = 0, 2 do
	for i = 1, 3 - row do
		crate(`crate {row} {i}`, v(-1.9 + i * 0.46 + row * 0.23, 0.21 + row * 0.42, -1.6), 0.42, if (row + i) % 2 == 0 then WOOD else CLAY)
	end
end

-- A pool: walls, water, and floating objects.
for i, wall in { { v(-3.6, 0.25, -1.35), v(2.2, 0.5, 0.12) }, { v(-3.6, 0.25, 0.85), v(2.2, 0.5, 0.12) }, { v(-4.64, 0.25, -0.25), v(0.12, 0.5, 2.1) }, { v(-2.56, 0.25, -0.25), v(0.12, 0.5, 2.1) } } do
	physics.box { position = wall[1], size = wall[2], color = STONE, name = `pool {i}` }
end
physics.box { position = v(-3.6, 0.2, -0.25), size = v(1.98, 0.36, 2.1), color = BLUE, roughness = 0.05, collider = false, name = "water" }
physics.force_field { water = true, position = v(-3.6, 0.19, -0.25), size = v(1.98, 0.38, 2.1) }
for i = 1, 3 do
	crate(`float {i}`, v(-4.6 + i * 0.5, 0.6, -0.7 + i * 0.25), 0.24, CLAY)
end

-- A door that opens while a character is near, and a lift that never stops.
local door = physics.box { position = v(0.9, 0.9, -3), size = v(1, 1.8, 0.1), body_type = "kinematic", layer = "world", color = CLAY, name = "door" }
for i, x in { 0.3, 1.5 } do
	physics.box { position = v(x, 1.05, -3), size = v(0.2, 2.1, 0.3), color = STONE, name = `post {i}` }
end
physics.layer("eyes", { ignore = "world" })
local near = 0
local gate = physics.box { position = v(0.9, 1, -3), size = v(1, 1.9, 2.4), sensor = true, layer = "eyes", name = "gate" }
gate:show_part("box", false)
gate:on("touch", function()
	near += 1
end)
gate:on("touch_end", function()
	near -= 1
end)
local lift = physics.box { position = v(6.1, 0.06, -1.1), size = v(1.4, 0.12, 1.6), body_type = "kinematic", color = WOOD, name = "lift" }

-- A pad that launches anything that enters it.
physics.cylinder { position = v(-0.4, 0.02, 1.5), radius = 0.45, height = 0.04, color = v(0.7, 0.42, 0.03), name = "pad" }
physics.force_field { launch_velocity = v(0.6, 6.5, -0.6), position = v(-0.4, 0.2, 1.5), size = v(0.7, 0.4, 0.7) }

local people = {}
for i, place in { { v(0.4, 0, 0.2), 10 }, { v(4.45, 1.19, -1.1), -40 }, { v(-1.2, 0, -0.4), 35 } } do
	local one = character("assets/galatea.glb", { position = place[1], yaw = place[2], name = `person {i}` })
	one:hit_reactions { hit_on_touch = true }
	people[i] = one
end

-- A bullet: a raycast that applies a hit at the first intersection.
local function shoot(aim)
	local hit = physics.raycast(aim.from, aim.to, { exact = true })
	if not hit or not hit.character then
		return
	end
	local impulse = aim.direction * 45
	if hit.bone and not hit.character.is_sleeping and hit.surface == "flesh" then
		hit.character:hit { bone = hit.bone, position = hit.position, impulse = impulse, damage = 0.05 }
	else
		hit.character:apply_impulse(impulse, hit.position)
	end
end

local quiver = {} -- arrows, oldest first; the oldest is removed to make room

local function arrow(from, direction)
	local yaw, pitch = math.deg(math.atan2(direction.x, direction.z)), 90 - math.deg(math.asin(direction.y))
	local one = physics.capsule {
		position = from + direction * 0.8,
		radius = 0.014,
		height = 0.75,
		yaw = yaw,
		pitch = pitch,
		mass = 0.3,
		stick_on_hit = true,
		velocity = direction * 32,
		color = v(0.75, 0.6, 0.35),
	}
	table.insert(quiver, one)
	if #quiver > 24 then
		table.remove(quiver, 1):remove()
	end
end

-- Grabbing with the mouse: the body stays at its distance from the camera.
local hand, reach
local idle, clock = 0, 0

local function drag()
	local aim = camera.ray()
	if input.pressed "mouse_left" then
		local hit = physics.raycast(aim.from, aim.to, { exact = true })
		hand = hit and hit.character and physics.grab(hit)
		reach = hit and hit.distance
		camera.orbit { locked = hand ~= nil }
	elseif hand and input.down "mouse_left" then
		hand.position = aim.from + aim.direction * reach
	elseif hand then
		hand:release()
		hand = nil
		camera.orbit { locked = false }
	end
	if input.pressed "jump" then
		shoot(aim)
	end
	if input.pressed "use" then
		arrow(aim.from, aim.direction)
	end
	return hand ~= nil or input.pressed "jump" or input.pressed "use"
end

-- Without input: actions run one after the other.
local function at(who, bone)
	local from = v(0.6, 2, 6)
	return from, vector.normalize(who:bone_position(bone) - from)
end
local show = {
	function()
		arrow(at(people[3], "chest"))
	end,
	function()
		local from, direction = at(people[1], "chest")
		local one = crate("thrown", from + direction * 3, 0.42)
		one.velocity = direction * 15 + v(0, 0.8, 0)
	end,
	function()
		arrow(at(people[3], "left_upper_leg"))
		people[2]:hit { bone = "chest", impulse = v(-260, 0, 30) }
	end,
	function()
		physics.sphere { name = "ball", position = v(-0.4, 1.6, 1.5), radius = 0.16, mass = 3, surface = "rubber", color = CLAY }
		physics.explosion(v(-0.8, 0.2, -1.3), { radius = 2.5, impulse = 60 })
	end,
	function()
		physics.sphere { name = "visitor", position = v(0.9, 0.3, -1.1), radius = 0.2, mass = 4, color = BLUE, velocity = v(0, 0, -2.4) }
	end,
}
local next_show = 1

camera.orbit { target = v(0.75, 0.75, -0.9), distance = 8.9, yaw = 8, pitch = 14 }
light.rig "noon"

function update(dt)
	clock += dt
	local open = if near > 0 then 2.6 else 0.9
	door.position += v(0, math.clamp(open - door.position.y, -1.5 * dt, 1.5 * dt), 0)
	lift.position = v(6.1, 0.66 - 0.6 * math.cos(clock * 0.8), -1.1)
	idle = if drag() then -20 else idle + dt
	if idle > 0.8 and show[next_show] then
		show[next_show]()
		next_show += 1
		idle = -0.4
	end
end
