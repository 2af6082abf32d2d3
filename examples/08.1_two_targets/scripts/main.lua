-- 8.1 Two morph targets: blends a face between two faces, vertex by vertex on the CPU. The small faces next to it
-- show the targets with weight 0 and weight 1.
--
--   up down      blend weight, also below 0 and above 1
--   left right   exercise: a third target, added to the first
--   t            other targets
--   space        blends back and forth automatically

local HEIGHT = 1.56
light.rig("three_point", { position = vec(0, HEIGHT, 0), size = 0.7 })
light.post_process { tonemap = "agx", contrast = 1.06, vignette = 0.25 }
camera.orbit { target = vec(0, HEIGHT - 0.005, 0), distance = 2.1, yaw = 0, pitch = 1, fov = 14 }

local PAIRS = { { "emotion.happiness", "emotion.surprise" }, { "emotion.anger", "emotion.sadness" }, { "shape.age", "shape.face_width" }, { "mouthPucker", "eyeBlinkLeft" } }
local pair = 1

local function face(name, at, scale, yaw)
	-- Puts the head at this height, whatever its size.
	local one = character("assets/galatea.glb", { name = name, position = vec(at, HEIGHT * (1 - scale), 0), scale = scale, yaw = yaw, skinning_mode = "cpu" })
	one:idle_motion(false)
	one:play("idle", { speed = 0, fade = 0 })
	one:look_at(false)
	one.face:configure { blink_rate = 0 }
	return one
end
local big = face("blend", 0, 1, 0)
local left, right = face("target 1", -0.29, 0.5, 12), face("target 2", 0.29, 0.5, -12)

local amount, third, by_itself, clock = 0.32, 0, false, 0

ui.text("8.1  Two morph targets", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
for _, label in { { -0.29, "target 1: weight 0" }, { 0.29, "target 2: weight 1" } } do
	ui.text(label[2], { world_position = vec(label[1], HEIGHT - 0.19, 0.05), size = 20, outline = 2 })
end
local bar = ui.bar(0, { position = vec(0, -62, 0), anchor = "bottom", width = 520, height = 12, color = vec(0.8, 0.4, 0.06) })
for i = 0, 1 do
	ui.box { position = vec((i - 0.5) * 260, -56, 0), anchor = "bottom", width = 3, height = 24 }
end
ui.text("up down: blend    left right: a third target    t: other targets    space: by itself", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

local function let_go()
	for _, one in { big, right } do
		for _, target in PAIRS[pair] do
			one:morph(target)
		end
	end
end

function update(dt)
	if input.pressed "t" then
		let_go()
		pair = pair % #PAIRS + 1
	elseif input.pressed "space" then
		by_itself = not by_itself
	end
	local hand = (if input.down "up" then 1 else 0) - (if input.down "down" then 1 else 0)
	local side = (if input.down "right" then 1 else 0) - (if input.down "left" then 1 else 0)
	if hand ~= 0 then
		by_itself = false
		amount = math.clamp(amount + 0.5 * hand * dt, -0.5, 1.5)
	elseif by_itself then
		clock += dt
		amount = 0.5 - 0.5 * math.cos(clock * 1.6)
	end
	third = math.clamp(third + 0.5 * side * dt, -0.5, 1.5)
	local targets = PAIRS[pair]
	big:morph(targets[1], amount)
	big:morph(targets[2], third)
	right:morph(targets[1], 1)
	bar.value = (amount + 0.5) / 2
	state.text = string.format("%s: %.0f %%%s", targets[1]:gsub("^%a+%.", ""), amount * 100, if third ~= 0 then string.format("    third, %s: %.0f %%", targets[2]:gsub("^%a+%.", ""), third * 100) else "")
end

return { big = big, left = left, right = right, amount = function() return amount end, third = function() return third end }
