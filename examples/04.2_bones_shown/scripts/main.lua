-- 4.2 Skeletal animation: a man is animated. The bones are drawn over the skin and show how clips rotate them.
--
--   space        shows the bone hierarchy or the skin
--   left right   previous or next clip
--   up down      playback speed
--   n            exercise: a new clip, made in code and added to the character
--   a            plays all clips, one after the other

light.rig("three_point", { position = vec(0, 0.95, 0) })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.2 }
camera.orbit { target = vec(0, 0.95, 0), distance = 4.6, yaw = 32, pitch = 5, fov = 28 }

local man = character "assets/man.glb"

-- Knees bend and stretch, arms go up: bone rotations about the model's axes, added to the rest pose.
man:add_clip(clip "made_in_code" {
	space = "model", interpolation = "cubic", mode = "loop",
	bones = {
		hips = { position = { { 0, 0, 0, 0 }, { 0.6, 0, -0.16, 0 }, { 1.2, 0, 0, 0 } } },
		left_upper_leg = { rotation = { { 0, 0, 0, 0 }, { 0.6, -50, 0, 0 }, { 1.2, 0, 0, 0 } } },
		right_upper_leg = { rotation = { { 0, 0, 0, 0 }, { 0.6, -50, 0, 0 }, { 1.2, 0, 0, 0 } } },
		left_lower_leg = { rotation = { { 0, 0, 0, 0 }, { 0.6, 88, 0, 0 }, { 1.2, 0, 0, 0 } } },
		right_lower_leg = { rotation = { { 0, 0, 0, 0 }, { 0.6, 88, 0, 0 }, { 1.2, 0, 0, 0 } } },
		left_foot = { rotation = { { 0, 0, 0, 0 }, { 0.6, -38, 0, 0 }, { 1.2, 0, 0, 0 } } },
		right_foot = { rotation = { { 0, 0, 0, 0 }, { 0.6, -38, 0, 0 }, { 1.2, 0, 0, 0 } } },
		left_upper_arm = { rotation = { { 0, 0, 0, 0 }, { 0.6, -80, 0, 0 }, { 1.2, 0, 0, 0 } } },
		right_upper_arm = { rotation = { { 0, 0, 0, 0 }, { 0.6, -80, 0, 0 }, { 1.2, 0, 0, 0 } } },
	},
})

local names = {}
for name in man:clips() do
	if name ~= "made_in_code" then
		table.insert(names, name)
	end
end
table.sort(names)

local chosen = table.find(names, "run") or 1
local play, speed, bones, all = nil, 1, false, false

local function set_active(name)
	play = man:play(name, { mode = if all then "once" else "loop", fade = 0.25, speed = speed })
end
set_active(names[chosen])

ui.text("4.2  Skeletal animation", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("space: bones    left right: animation    up down: speed    n: made in code    a: all in turn", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

local active = names[chosen]
function update(dt)
	if input.pressed "space" then
		bones = not bones
		debug_view(if bones then "skeleton" else nil, { legend = false })
	end
	if input.pressed "a" then
		all = not all
	end
	local step = (if input.pressed "right" or (all and play:end_reason()) then 1 else 0) - (if input.pressed "left" then 1 else 0)
	if step ~= 0 then
		chosen = (chosen - 1 + step) % #names + 1
		active = names[chosen]
		set_active(active)
	elseif input.pressed "n" then
		active = "made_in_code"
		set_active(active)
	end
	speed = math.clamp(speed + ((if input.down "up" then 1 else 0) - (if input.down "down" then 1 else 0)) * dt, 0, 3)
	if play.time then
		play.speed = speed
	end
	state.text = string.format("%s (%d of %d), %.2f s of %.2f, speed %.1f", active, chosen, #names, play.time or 0, man:clip(active).duration, speed)
end

return { man = man, names = names, active = function() return active end, play = function() return play end, bones = function() return bones end }
