-- 11.1  Look-at: a clip plays, and look-at IK turns the head to the mouse.
--
--   mouse       the look target; until the mouse moves, the ball moves automatically
--   1, 2, 3     the clip: idle, walk, run
--   C           targets outside his cone of 120 degrees: he stops looking, or looks as far as he can
--   T           targets behind him: he turns on the spot first
--   Up, Down    exercise: blend weight between clip and look-at IK
--   R           exercise: a rifle; IK keeps the other hand on it
--   A           exercise: he aims it

local rifle = require "rifle"

local man = character "assets/man.glb"
man.apply_root_motion = false
man:foot_ik { step_events = false }
local ball = physics.sphere { radius = 0.05, collider = false, color = vec(0.7, 0.1, 0.05), roughness = 0.3 }

light.rig("noon", { character = man })
light.sun { yaw = 35, pitch = 42 }
light.post_process { tonemap = "agx", contrast = 1.08 }
ground.set { color = vec(0.32, 0.29, 0.24), grid = 0, surface = "gravel" }
ground.patch { position = vector.zero, radius = 1.1, surface = "stone", color = vec(0.46, 0.4, 0.32) }
character("assets/tree.glb", { position = vec(2.6, 0, -4.5) })
camera.orbit { target = vec(0, 0.86, 0), distance = 5.3, yaw = 12, pitch = 5, fov = 26 }

local CLIPS = { "idle_shift", "walk", "run" }
local state = { clip = 1, outside = "release", turn = false, weight = 1, rifle = false, aim = false, ball = ball }
man:play(CLIPS[1], { mode = "loop" })

local moved, first = false, input.pointer()
local function pointed()
	if not moved then
		return vec(1 * math.sin(now() * 0.9), 1.55 + 0.4 * math.sin(now() * 1.4), 1.3)
	end
	-- On a plane that faces the camera, between the camera and him.
	local aim = camera.ray()
	local ahead = camera.forward()
	local plane = man.position - ahead * 1.3
	local share = vector.dot(plane - aim.from, ahead) / vector.dot(aim.direction, ahead)
	return aim.from + aim.direction * share
end

ui.box { anchor = "bottom", width = 4000, height = 76, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("11.1  Look-at", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -12, 0), size = 20 })

local function tell(on)
	return if on then "on" else "off"
end

function update()
	moved = moved or input.pointer() ~= first
	for i, name in CLIPS do
		if input.pressed(tostring(i)) and i ~= state.clip then
			state.clip = i
			man:play(name, { mode = "loop", fade = 0.25 })
		end
	end
	if input.pressed "c" then
		state.outside = if state.outside == "release" then "clamp" else "release"
	end
	if input.pressed "t" then
		state.turn = not state.turn
	end
	if input.pressed "up" or input.pressed "down" then
		state.weight = math.clamp(state.weight + (if input.pressed "up" then 0.25 else -0.25), 0, 1)
	end
	if input.pressed "r" then
		state.rifle = not state.rifle
		rifle.hold(man, state.rifle)
	end
	if input.pressed "a" then
		state.aim = not state.aim
	end

	ball.position = pointed()
	man:look_at(ball, { out_of_range = state.outside, turn_in_place = state.turn, weight = state.weight, chest_weight = if state.aim then 0 else 0.35 })
	rifle.aim(man, if state.aim and state.rifle then ball else nil)
	keys.text = table.concat({
		"Mouse  look",
		`1 2 3  {CLIPS[state.clip]}`,
		`C  outside of the cone {state.outside == "clamp" and "as far as he can" or "let go"}`,
		`T  turn {tell(state.turn)}\n`,
	}, "     ")
		.. `Up Down  weight {string.format("%.2f", state.weight)}     R  rifle {tell(state.rifle)}     A  aim {tell(state.aim)}`
end

return { man = man, state = state, rifle = rifle }
