-- 9.1  Eyes: two eyeballs look at the mouse, so the face seems to look at something.
--
--   mouse   the gaze target of both eyes; until the mouse moves, the target moves automatically
--   H       head follows, or eyes only
--   G       the book's gains: 0.8 of the horizontal angle, 0.5 of the vertical angle
--   T       exercise: the eyes twitch, and sometimes dart to another point (saccades)

local hero = character "assets/galatea.glb"
hero.machine = machine { state "idle" { "idle" } }
hero.face:mood("happiness", { intensity = 0.3 })

-- A small light marks the target. It is a little in front of the face, so that the eyes converge on it.
local AHEAD = 0.38
local EYES = hero:bone_position "left_eye" * vec(0, 1, 1)
local point = physics.sphere { radius = 0.008, collider = false, color = vec(1, 0.35, 0.1), roughness = 0.3 }

light.rig("three_point", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.25 }
camera.orbit { target = vec(0, 1.575, 0.03), distance = 2.1, yaw = 0, pitch = 1, fov = 9, locked = true }

local on = { head = false, gains = false, twitch = false }
local moved, first = false, input.pointer()
local twitch, twitch_until, next_twitch = vector.zero, 0, 1

local function pointed()
	if not moved then
		return EYES + vec(0.15 * math.sin(now() * 1.3), 0.06 * math.sin(now() * 2.1), AHEAD)
	end
	local aim = camera.ray()
	local share = (EYES.z + AHEAD - aim.from.z) / aim.direction.z
	return aim.from + aim.direction * share
end

-- The point at which the eyes look when their angles are scaled by the gains.
local function with_gains(at)
	local way = at - EYES
	local side, up = math.atan2(way.x, way.z) * 0.8, math.atan2(way.y, way.z) * 0.5
	return EYES + vec(math.tan(side), math.tan(up), 1) * way.z
end

-- A dart lasts 1/3 s and goes up to about 12 degrees to the side.
local function twitched(at)
	if now() > next_twitch then
		twitch = vec(random_range(-0.13, 0.13), random_range(-0.06, 0.06), 0)
		twitch_until, next_twitch = now() + random_range(0.2, 0.4), now() + random_range(0.8, 2.2)
	end
	return if now() < twitch_until then at + twitch else at
end

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("9.1  Eyes", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })
local function tell(name)
	return if on[name] then "on" else "off"
end

local shown = { target = EYES + vec(0, 0, AHEAD) }
function update()
	moved = moved or input.pointer() ~= first
	if input.pressed "h" then
		on.head = not on.head
	end
	if input.pressed "g" then
		on.gains = not on.gains
	end
	if input.pressed "t" then
		on.twitch = not on.twitch
	end

	local at = pointed()
	point.position = at
	if on.gains then
		at = with_gains(at)
	end
	if on.twitch then
		at = twitched(at)
	end
	shown.target = at
	-- With automatic eye movement off, the eyes stay on the target, and only this script makes them twitch.
	hero:look_at(at, { head_weight = if on.head then 1 else 0, chest_weight = 0, eye_activity = 0, out_of_range = "clamp" })
	keys.text = `Mouse  look     H  head {tell "head"}     G  the book's gains {tell "gains"}     T  twitch {tell "twitch"}`
end

return { hero = hero, on = on, shown = shown }
