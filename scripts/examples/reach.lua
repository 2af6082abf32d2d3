-- Look-at and reach (IK): she looks at the ball, and the nearer hand reaches for it, as far as it can. One foot stands
-- on a block. The pointer moves the ball while the left button is held; otherwise it follows a path. Examples 11.1 and
-- 11.2 of Character Animation with Direct3D (Granberg 2009), with both arms.
--
--   galatea play scripts/examples/reach.lua

ground.set { height = 0, collider = true, surface = "stone", grid = 1, color = vec(0.3, 0.3, 0.29) }
light.sun { yaw = 30, pitch = 44 }

local hero = character "assets/galatea.glb"
physics.box { position = vec(0.24, 0.07, 0), size = vec(0.3, 0.14, 0.6), color = vec(0.36, 0.35, 0.34) }
local ball = physics.sphere { position = vec(0, 1.3, 0.5), radius = 0.05, body_type = "kinematic", color = vec(0.6, 0.08, 0.05) }

hero:foot_ik()
hero:idle_motion()
hero:look_at(ball, { out_of_range = "clamp" })

-- The hand changes only when the ball is clearly on the other side (hysteresis), so it does not flicker.
local hand = "right_hand"
local function take()
	local side = ball.position.x
	local other = if side > 0.08 then "left_hand" elseif side < -0.08 then "right_hand" else hand
	if other ~= hand then
		hero:reach(hand, nil, { fade = 0.35 })
		hand = other
	end
	-- Limits the upper arm to the range of a shoulder, slightly stiffer than a real one.
	hero:reach(hand, ball, { fade = 0.35, softness = 0.08, max_angle = 115 })
end

local clock = 0
function update(dt)
	clock += dt
	if input.down "mouse_left" then
		-- Intersects the pointer's ray with the plane in front of her.
		local aim = camera.ray()
		local share = (0.45 - aim.from.z) / aim.direction.z
		ball.position = aim.from + aim.direction * share
	else
		ball.position = vec(0.55 * math.sin(0.7 * clock), 1.25 + 0.35 * math.sin(1.1 * clock), 0.42 + 0.1 * math.cos(0.9 * clock))
	end
	take()
end

camera.orbit { target = vec(0, 1.05, 0.1), distance = 3, yaw = 24, pitch = 8 }
