-- 7.2 Joints: twenty boxes are joined into a chain. The chain is released and swings from its first box.
--
--   1           hinges: rotate about one axis, within their limits
--   2           twist-cones: swing to all sides within a cone and hardly twist
--   3           point-to-point: rotate freely
--   c           all three, side by side
--   up down     limits of the hinges and cones, degrees
--   g           exercise: gravity: earth, moon, none
--   mouse       exercise: click to shoot from the pointer
--   space       restart

light.rig("studio", { position = vec(0, 1.6, 0), size = 4 })
light.post_process { tonemap = "agx", contrast = 1.06 }
ground.set { color = vec(0.5, 0.49, 0.47), grid = 1 }

local KINDS = { "hinge", "twist-cone", "point-to-point" }
local GRAVITIES = { { "earth", -9.81 }, { "moon", -1.62 }, { "none", 0 } }
local limit, kind, all, gravity = 28.6, 1, false, 1
local LINKS = 20

local function joint(name)
	if name == "hinge" then
		return { joint = "hinge", axis = { 0, 0, 1 }, range = { -limit, limit }, from_rest = true }
	elseif name == "twist-cone" then
		return { joint = "cone", swing = limit, twist = 3, from_rest = true }
	end
	return { joint = "cone", swing = 180, twist = 180, from_rest = true }
end

local strings = {}
local function hang(n, z)
	local string = character("assets/chain.glb", { position = vec(-1.5, 3.1, z), name = KINDS[n] })
	local wishes = {}
	for i = 2, LINKS do
		wishes[`link_{i}`] = joint(KINDS[n])
	end
	-- The first box is fixed; the others hang from it.
	string:ragdoll_bodies { bones = wishes, max_bodies = LINKS + 2 }
	string:ragdoll { bones = "link_2" }
	local label = ui.text(KINDS[n], { world_position = vec(-1.7, 3.25, z), size = 20, outline = 2 })
	local post = physics.box { position = vec(-1.58, 3.1, z), size = vec(0.12, 0.3, 0.3), collider = false, color = vec(0.1, 0.1, 0.1) }
	table.insert(strings, { body = string, label = label, post = post, kind = KINDS[n] })
end

local function build()
	for _, one in strings do
		one.body:remove()
		one.label:remove()
		one.post:remove()
	end
	table.clear(strings)
	if all then
		for n = 1, #KINDS do
			hang(n, (2 - n) * 1.7)
		end
	else
		hang(kind, 0)
	end
	camera.orbit { target = vec(-0.2, 1.75, 0), distance = if all then 9.6 else 8, yaw = if all then 34 else 14, pitch = if all then 12 else 7, fov = 30 }
end
build()

local function shoot()
	local aim = camera.ray()
	local hit = physics.raycast(aim.from, aim.to, { exact = true })
	if hit and hit.character and hit.bone then
		hit.character:apply_impulse(aim.direction * 12, hit.position)
		particles("chips", hit, { burst = 10 })
	end
	return hit
end

ui.text("7.2  Joints", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("1: hinge    2: twist-cone    3: point-to-point    c: all    up down: limit    g: gravity    click: shoot    space: again", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

local changed = 0
function update(dt)
	for i = 1, #KINDS do
		if input.pressed(tostring(i)) then
			kind, all = i, false
			build()
		end
	end
	if input.pressed "c" then
		all = not all
		build()
	elseif input.pressed "space" then
		build()
	elseif input.pressed "g" then
		gravity = gravity % #GRAVITIES + 1
		physics.set { gravity = vec(0, GRAVITIES[gravity][2], 0) }
	elseif input.pressed "mouse_left" then
		shoot()
	end
	local wish = (if input.pressed "up" then 1 else 0) - (if input.pressed "down" then 1 else 0)
	if wish ~= 0 then
		limit = math.clamp(limit + 10 * wish, 8.6, 88.6)
		build()
	end
	state.text = string.format("%s; limit %.1f°; gravity: %s", if all then "all three" else KINDS[kind], limit, GRAVITIES[gravity][1])
end

-- The largest angle between two neighbours, degrees.
local function bend(string)
	local most = 0
	for i = 1, LINKS - 1 do
		local a = string:bone_position(`link_{i + 1}`) - string:bone_position(`link_{i}`)
		local b = (if i < LINKS - 1 then string:bone_position(`link_{i + 2}`) else string:bone_position "end") - string:bone_position(`link_{i + 1}`)
		most = math.max(most, math.deg(vector.angle(a, b)))
	end
	return most
end

return { strings = strings, bend = bend, limit = function() return limit end, shoot = shoot }
