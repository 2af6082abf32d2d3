-- A ball moves around her: eyes and head follow it, and the nearer hand reaches for it with the help of the body.

local v = vector.create

local hero = character("assets/galatea.glb", { yaw = 6 })
local ball = physics.sphere { position = v(0.5, 1.15, 0.45), radius = 0.05, body_type = "kinematic", collider = false, color = v(0.62, 0.05, 0.03), roughness = 0.3 }
hero:foot_ik()
hero:idle_motion()
hero:look_at(ball, { out_of_range = "clamp" })

-- Positions of the ball, one second apart; it rests for half of each second.
local PLACES = {
	v(0.30, 1.30, 0.50),
	v(0.62, 1.45, 0.35),
	v(0.40, 1.98, 0.20),
	v(-0.32, 1.92, 0.35),
	v(-0.72, 1.40, 0.25),
	v(-0.62, 0.62, 0.42),
	v(-0.26, 0.22, 0.55),
	v(0.56, 0.45, 0.45),
	v(0.72, 1.05, 0.30),
}

local hand, clock = "left_hand", 0

function update(dt)
	clock += dt
	local part = math.clamp(2 * (clock % 1), 0, 1)
	local i = math.floor(clock) % #PLACES
	local from, to = PLACES[i + 1], PLACES[(i + 1) % #PLACES + 1]
	ball.position = from + (to - from) * (part * part * (3 - 2 * part))

	local side = ball.position.x
	local other = if side > 0.1 then "left_hand" elseif side < -0.1 then "right_hand" else hand
	if other ~= hand then
		hero:reach(hand, nil, { fade = 0.35 })
		hand = other
	end
	hero:reach(hand, ball, { full_body = true, fade = 0.35, softness = 0.05, palm = true, radius = 0.05, grip = 0.35 })
end

light.rig("noon", { character = hero })
light.sun { yaw = 32, pitch = 46 }
ground.set { grid = 0, color = v(0.36, 0.28, 0.18) }
ground.patch { position = vector.zero, radius = 0.9, surface = "stone", color = v(0.50, 0.37, 0.22) }
camera.orbit { target = v(0, 1.0, 0.1), distance = 6.6, yaw = 12, pitch = 5, fov = 20.5 }
