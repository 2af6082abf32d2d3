-- 3.3 Hardware skinning: the same man three times. Left: CPU skinning. Middle: GPU skinning with the whole bone palette.
-- Right: GPU skinning in pieces of at most 16 bones. All three must look the same: this is the
-- point of the example. (Without a GPU, all three use CPU skinning.)
--
--   1 2     linear blend or dual quaternion skinning: the twisting wrists show the difference
--   h       exercise: rotates the necks in the bone palette
--   space   they run

light.rig("noon", { position = vec(0, 0.95, 0) })
light.sun { yaw = -40, pitch = 38, intensity = 3 }
light.post_process { tonemap = "agx", contrast = 1.08 }
ground.set { color = vec(0.36, 0.34, 0.3), grid = 1 }
camera.orbit { target = vec(0, 1.1, 0), distance = 6.0, yaw = 6, pitch = 5, fov = 28 }

local WAYS = { { "cpu", "processor" }, { "indexed", "card, whole palette" }, { "small16", "card, 16 bones" } }
local FORMULAS = { "linear", "dual_quaternion" }
local formula, turn, runs = 2, false, false
local men = {}

local function make()
	for _, man in men do
		man:remove()
	end
	for i, way in WAYS do
		local man = character("assets/man.glb", {
			name = `{way[1]} {FORMULAS[formula]}`, position = vec((i - 2) * 1.15, 0, 0),
			skinning_mode = way[1], skinning = FORMULAS[formula],
		})
		man:idle_motion(false)
		man:play("idle", { speed = 0, fade = 0 })
		man:add_modifier("turn", function(pose)
			if turn then
				pose:rotate("neck", vec(0, 1, 0), 40 * math.sin(now() * 1.6))
			end
			-- The forearms twist: here a skinning method loses or keeps volume.
			pose:rotate("left_lower_arm", vec(0, 1, 0), 50 * math.sin(now() * 2))
			pose:rotate("right_lower_arm", vec(0, 1, 0), 50 * math.sin(now() * 2))
		end)
		if runs then
			man:play("run", { mode = "loop" })
		end
		ui.text(way[2], { character = man, offset = vec(0, 2.02, 0), size = 20, outline = 2 })
		men[i] = man
	end
end
make()

ui.text("3.3  Hardware skinning", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("1 2: linear, dual quaternions    h: heads turn    space: run", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

function update(_dt)
	for i = 1, #FORMULAS do
		if input.pressed(tostring(i)) and i ~= formula then
			formula = i
			make()
		end
	end
	if input.pressed "h" then
		turn = not turn
	elseif input.pressed "space" then
		runs = not runs
		make()
	end
	state.text = `bones are mixed as: {FORMULAS[formula]:gsub("_", " ")}`
end

return { men = men }
