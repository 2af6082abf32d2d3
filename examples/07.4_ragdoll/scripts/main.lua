-- 7.4 Ragdoll: a ragdoll drives the mesh of a man. He is hit at the top of the stairs and falls down.
--
--   space    restart
--   v        draws the bodies with their joint limits
--   a        exercise: adds a ragdoll, up to five
--   e        exercise: more obstacles: crates
--   g        exercise: gravity: earth, moon, none
--   d        exercise: more damping
--   j        exercise: other joints: stiff ones with a smaller range
--   u        he gets up
--   mouse    exercise: click to shoot from the pointer; a hit pushes the ragdoll

light.rig("noon", { position = vec(0, 1, 0) })
light.sun { yaw = 60, pitch = 38, intensity = 3.2, color = vec(1, 0.9, 0.76) }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.08 }
local STONE = vec(0.4, 0.35, 0.28)
ground.set { color = vec(0.3, 0.26, 0.2), grid = 0, color_variation = 0.6, surface = "stone" }
physics.stairs { position = vec(0.6, 0, 0), yaw = -90, steps = 8, width = 3.2, color = STONE, name = "stairs" }
physics.box { position = vec(-2.72, 0.68, 0), size = vec(2, 1.36, 3.2), color = STONE, name = "landing" }
camera.orbit { target = vec(-0.5, 0.85, 0.1), distance = 8, yaw = 22, pitch = 11, fov = 28 }

local BODIES = { "assets/man.glb", "assets/galatea.glb", "assets/elder.glb", "assets/child.glb", "assets/man.glb" }
local GRAVITIES = { { "earth", -9.81 }, { "moon", -1.62 }, { "none", 0 } }
local count, gravity, view, stiff = 1, 1, false, false
local people, crates, air = {}, {}, nil

local function fall()
	for _, one in people do
		one:remove()
	end
	table.clear(people)
	for i = 1, count do
		local side = if count == 1 then 0 else (i - 1) / (count - 1) * 2.2 - 1.1
		local one = character(BODIES[i], { position = vec(-1.95 - 0.1 * (i % 2), 1.36, side), yaw = 90 + (i * 37) % 50 - 25, name = `person {i}` })
		one:hit_reactions { get_up_delay = false }
		if stiff then
			-- Half of each range: the limbs fold less.
			one:ragdoll_bodies { bones = { left_upper_leg = { swing = 20, twist = 10 }, right_upper_leg = { swing = 20, twist = 10 }, left_lower_leg = { range = { 0, 25 } }, right_lower_leg = { range = { 0, 25 } }, left_upper_arm = { swing = 30, twist = 15 }, right_upper_arm = { swing = 30, twist = 15 } } }
		end
		one:task(function(a)
			a:wait(0.15 + 0.25 * (i - 1))
			one:hit { bone = "chest", impulse = vec(185, 10, 12 * (i % 3 - 1)), reaction = "fall" }
		end)
		people[i] = one
	end
end
fall()

local function toggle_crates()
	if #crates > 0 then
		for _, one in crates do
			one:remove()
		end
		table.clear(crates)
		return
	end
	for i = 1, 9 do
		local column, row = (i - 1) // 3, (i - 1) % 3
		crates[i] = physics.box { position = vec(1.4 + 0.05 * row, 0.2 + 0.405 * row, (column - 1) * 0.5), size = vec(0.4, 0.4, 0.4), yaw = 7 * i, mass = 4, surface = "wood", color = vec(0.42, 0.24, 0.1) }
	end
end

local function shoot(aim)
	local hit = physics.raycast(aim.from, aim.to, { exact = true })
	local one = hit and hit.character
	if one and table.find(people, one) then
		one:hit { bone = hit.bone, position = hit.position, impulse = aim.direction * 70 }
		one:decal("blood", hit, { size = 0.07 })
		particles("blood", hit, { burst = 14 })
	elseif one then
		pcall(one.apply_impulse, one, aim.direction * 20, hit.position)
	end
	return one
end

ui.text("7.4  Ragdoll", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("space: again    v: bodies    a: more of them    e: crates    g: gravity    d: damping    j: joints    u: up    click: shoot", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

function update(_dt)
	if input.pressed "space" then
		fall()
	elseif input.pressed "v" then
		view = not view
		debug_view(if view then "bodies" else nil, { legend = false })
	elseif input.pressed "a" then
		count = count % #BODIES + 1
		fall()
	elseif input.pressed "e" then
		toggle_crates()
		fall()
	elseif input.pressed "g" then
		gravity = gravity % #GRAVITIES + 1
		physics.set { gravity = vec(0, GRAVITIES[gravity][2], 0) }
	elseif input.pressed "d" then
		if air then
			air:remove()
			air = nil
		else
			air = physics.force_field { wind = vector.zero, drag = 60 }
		end
	elseif input.pressed "j" then
		stiff = not stiff
		fall()
	elseif input.pressed "u" then
		for _, one in people do
			one:get_up()
		end
	elseif input.pressed "mouse_left" then
		shoot(camera.ray())
	end
	local down = 0
	for _, one in people do
		down += if one.is_down then 1 else 0
	end
	state.text = `{#people} on the stairs, {down} down, {people[1].posture}; gravity: {GRAVITIES[gravity][1]}; joints: {if stiff then "stiff" else "a human's"}{if air then "; damped" else ""}`
end

return { people = people, crates = crates, shoot = shoot }
