-- 11.2  Reach: two-bone inverse kinematics (IK) moves a hand to the target, up to the length of the arm.
--
--   mouse       moves the target; until then the ball moves automatically
--   1           the target and one arm, as in the book; with
--     S           task: joint limits at the shoulder keep the arm out of the body
--     O           task: the other arm reaches when the target is on its side
--     L           task: the nearer foot reaches for low targets
--     H           the body helps: it leans, bends its knees, rises on its toes
--     Up, Down    exercise: blend weight between clip and IK
--   2           exercise: opening a door; IK blends the hand to the handle while it is held
--     Up, Down    height of the door handle
--   3           exercise: walking on uneven ground; IK moves the feet to the surface
--     F           foot IK on or off

local door = require "door"
local hills = require "hills"

local hero = character "assets/galatea.glb"
local ball = physics.sphere { radius = 0.05, collider = false, color = vec(0.7, 0.1, 0.05), roughness = 0.3 }
hero:foot_ik()
hero:idle_motion()
hero:look_at(ball, { out_of_range = "clamp" })

light.rig("noon", { character = hero })
light.sun { yaw = 35, pitch = 44 }
light.post_process { tonemap = "agx", contrast = 1.08 }
ground.set { color = vec(0.32, 0.29, 0.24), grid = 0, surface = "stone" }
ground.patch { position = vector.zero, radius = 1.1, surface = "stone", color = vec(0.46, 0.4, 0.32) }

local state = { part = 1, limit = true, other = false, legs = false, body = false, weight = 1, limb = "right_hand", ball = ball }

local moved, first = false, input.pointer()
local function pointed()
	if not moved then
		return vec(0.32 * math.sin(now() * 0.8) - 0.4, 1.2 + 0.45 * math.sin(now() * 1.3), 0.42)
	end
	-- In a plane in front of her.
	local aim = camera.ray()
	return aim.from + aim.direction * ((0.42 - aim.from.z) / aim.direction.z)
end

-- Chooses the limb. The other arm takes over only when the target is well on its side, which prevents flicker.
local function choose()
	local at = ball.position
	local side = if at.x > 0.1 then "left" elseif at.x < -0.1 then "right" else state.limb:match "^%a+"
	if not state.other then
		side = "right"
	end
	return side .. (if state.legs and at.y < 0.55 then "_foot" else "_hand")
end

local function reach()
	local limb = choose()
	if limb ~= state.limb then
		hero:reach(state.limb, nil, { fade = 0.35 })
		state.limb = limb
	end
	hero:reach(limb, ball, {
		fade = 0.35,
		softness = 0.06,
		weight = state.weight,
		max_angle = if state.limit then 115 else 180,
		full_body = state.body and limb:find "hand" ~= nil,
	})
end

local VIEWS = {
	{ sun = 35, target = vec(0, 0.9, 0.1), distance = 4.8, yaw = 24, pitch = 7, fov = 28 },
	{ sun = 200, target = door.at + vec(-0.2, 1, 0), distance = 5.2, yaw = 215, pitch = 12, fov = 32 },
	{ sun = 60, target = hills.at + vec(0, 1, 0), distance = 8.5, yaw = 30, pitch = 12, fov = 32 },
}
local function go_to(part)
	state.part = part
	local view = table.clone(VIEWS[part])
	-- Puts a light on the camera side of each part.
	light.sun { yaw = view.sun }
	view.sun = nil
	camera.orbit(view)
end
go_to(1)

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("11.2  Reach", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

local function tell(on)
	return if on then "on" else "off"
end

function update(dt)
	moved = moved or input.pointer() ~= first
	for part = 1, 3 do
		if input.pressed(tostring(part)) then
			go_to(part)
		end
	end
	local more = (if input.pressed "up" then 1 else 0) - (if input.pressed "down" then 1 else 0)
	if state.part == 1 then
		state.weight = math.clamp(state.weight + more * 0.25, 0, 1)
		for key, name in { s = "limit", o = "other", l = "legs", h = "body" } do
			if input.pressed(key) then
				state[name] = not state[name]
			end
		end
		keys.text = table.concat({
			"1 2 3  part",
			`S  limit {tell(state.limit)}`,
			`O  other arm {tell(state.other)}`,
			`L  legs {tell(state.legs)}`,
			`H  body {tell(state.body)}`,
			`Up Down  weight {string.format("%.2f", state.weight)}`,
		}, "     ")
	elseif state.part == 2 then
		door.raise(more * 0.1)
		keys.text = `1 2 3  part     Up Down  the knob is {string.format("%.1f", door.knob)} m high`
	else
		if input.pressed "f" then
			hills.feet(not hills.on)
		end
		keys.text = `1 2 3  part     F  feet on the ground {tell(hills.on)}`
	end
	ball.position = pointed()
	reach()
	door.update(dt)
	hills.update(dt)
end

return { hero = hero, state = state, door = door, hills = hills }
