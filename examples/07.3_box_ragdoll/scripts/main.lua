-- 7.3 Box ragdoll: one box for each limb of a man, with hinges at elbows and knees and twist-cones elsewhere. The
-- ragdoll falls.
--
--   space    restart
--   b        extension: a ragdoll that is not a biped
--   v        draws the bodies with their joint limits
--   e        exercise: more obstacles
--   g        exercise: gravity: earth, moon, none
--   c        exercise: other shapes: capsules
--   j        exercise: other joints: only hinges, or only loose cones
--   d        exercise: more damping
--   mouse    exercise: click to shoot from the pointer

light.rig("three_point", { position = vec(0, 1, 0), size = 3 })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.2 }
camera.orbit { target = vec(0.1, 0.65, 0.5), distance = 6.2, yaw = 20, pitch = 14, fov = 28 }

local GRAVITIES = { { "earth", -9.81 }, { "moon", -1.62 }, { "none", 0 } }
local JOINTS = { "hinges and cones", "all hinges", "all loose cones" }
local LIMBS = { "chest", "head", "left_upper_arm", "left_lower_arm", "left_hand", "left_upper_leg", "left_lower_leg", "left_foot", "right_upper_arm", "right_lower_arm", "right_hand", "right_upper_leg", "right_lower_leg", "right_foot" }

local beast, view, gravity, capsules, joints = false, false, 1, false, 1
local doll, place, rests

local function fall()
	if doll then
		doll:remove()
	end
	doll = character(if beast then "assets/box_beast.glb" else "assets/box_man.glb", { position = vec(0, 1.3, -0.2), yaw = 65, pitch = -18, roll = 12, name = if beast then "beast" else "man" })
	doll:idle_motion(false)
	doll:hit_reactions { get_up_delay = false }
	local wishes = {}
	if not beast then
		for _, bone in LIMBS do
			local wish = { shape = if capsules and bone ~= "chest" then "capsule" else "box" }
			if joints == 2 then
				wish.joint, wish.axis, wish.range, wish.from_rest = "hinge", { 1, 0, 0 }, { -40, 40 }, true
			elseif joints == 3 then
				wish.joint, wish.swing, wish.twist, wish.from_rest = "cone", 100, 90, true
			end
			wishes[bone] = wish
		end
	end
	doll:ragdoll_bodies { bones = wishes }
	doll:ragdoll()
	rests = false
	doll:on("settle", function()
		rests = true
	end)
end
fall()

local function more()
	if place then
		for _, one in place do
			one:remove()
		end
		place = nil
	else
		local STONE = vec(0.36, 0.33, 0.3)
		place = { physics.stairs { position = vec(-0.2, 0, 1.3), yaw = 180, steps = 5, width = 1.6, color = STONE } }
		for i = 1, 4 do
			table.insert(place, physics.box { position = vec(0.9, 0.15 + i * 0.31, -0.2), size = vec(0.3, 0.3, 0.3), yaw = i * 11, density = 120, color = vec(0.45, 0.22, 0.06) })
		end
	end
	fall()
end

local air
local function damping()
	if air then
		air:remove()
		air = nil
	else
		-- Air drag on moving bodies.
		air = physics.force_field { wind = vector.zero, drag = 60 }
	end
end

local function shoot()
	local aim = camera.ray()
	local hit = physics.raycast(aim.from, aim.to, { exact = true })
	if hit and hit.character == doll then
		doll:apply_impulse(aim.direction * 40, hit.position)
		particles("chips", hit, { burst = 12 })
	end
	return hit
end

ui.text("7.3  Box ragdoll", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("space: fall    b: beast    v: bodies    e: more    g: gravity    c: capsules    j: joints    d: damping    click: shoot", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

function update(_dt)
	if input.pressed "space" then
		fall()
	elseif input.pressed "b" then
		beast = not beast
		fall()
	elseif input.pressed "v" then
		view = not view
		debug_view(if view then "bodies" else nil, { legend = false })
	elseif input.pressed "e" then
		more()
	elseif input.pressed "g" then
		gravity = gravity % #GRAVITIES + 1
		physics.set { gravity = vec(0, GRAVITIES[gravity][2], 0) }
	elseif input.pressed "c" then
		capsules = not capsules
		fall()
	elseif input.pressed "j" then
		joints = joints % #JOINTS + 1
		fall()
	elseif input.pressed "d" then
		damping()
	elseif input.pressed "mouse_left" then
		shoot()
	end
	local bodies = doll:ragdoll_bodies()
	state.text = `{#bodies} bodies as {if capsules and not beast then "capsules" else "boxes"}; joints: {if beast then "hinges and cones" else JOINTS[joints]}; gravity: {GRAVITIES[gravity][1]}{if air then "; damped" else ""}{if rests then "; at rest" else ""}`
end

return { doll = function() return doll end, rests = function() return rests end, shoot = shoot }
