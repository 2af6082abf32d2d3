-- 2.1 Application framework: a soldier with helmet and rifle, loaded as one static model and drawn with an effect. The
-- example shows the three parts of a program: the main part (runs once), `update` (runs each tick), and drawing
-- (done by the runtime).
--
--   esc or alt+F4   quit
--   space           stop or start the turntable
--   1 2             effect: the model's materials, or the book's lighting
--   g h             extension: add a goblin or a ghost to the list of objects; each has its own `update`

light.rig("three_point", { position = vec(0, 0.95, 0) })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.2 }
ground.set { grid = 1 }
camera.orbit { target = vec(0, 0.98, 0), distance = 4.6, yaw = 8, pitch = 6, fov = 28 }

-- The soldier is static: no clip, no breathing.
local soldier = character "assets/man.glb"
soldier:idle_motion(false)
soldier:play("idle", { speed = 0, fade = 0 })
for _, part in { "hair", "hair_cap" } do
	soldier:show_part(part, false)
end
soldier:material("cloth").tint = vec(0.3, 1.1, 0.5)
soldier:attach(character "assets/helmet.glb", "head", { offset = vec(0, 0.115, 0.022) })
local rifle = character "assets/rifle.glb"
soldier:attach(rifle, "right_hand", { offset = vec(0.02, -0.174, 0.107), pitch = 80 })
soldier:reach("right_hand", soldier, { target_bone = "chest", target_offset = vec(-0.14, 0.02, 0.16), match_rotation = true, pitch = -95, yaw = 40, pole = vec(-1, -1.2, 0), fade = 0 })
soldier:reach("left_hand", rifle, { target_offset = vec(0.045, -0.022, 0.2), match_rotation = true, yaw = 50, roll = -90, pole = vec(0.6, -1, 0.2), fade = 0 })
soldier:grip("right_hand", 0.8, { fade = 0 })
soldier:grip("left_hand", 0.7, { fade = 0 })

-- A list of different objects; each has its own update function.
local things = {}
local turning = true
table.insert(things, {
	name = "soldier",
	update = function(dt)
		if turning then
			soldier.yaw += 30 * dt
		end
	end,
})

local function place(n)
	local around = math.rad(60 + n * 52)
	return vec(1.3 * math.sin(around), 0, 1.3 * math.cos(around) - 0.3)
end

local function goblin()
	local at, clock = place(#things), 0
	local body = physics.capsule { radius = 0.14, height = 0.55, collider = false, color = vec(0.08, 0.25, 0.04), position = at }
	return { name = "goblin", body = body, update = function(dt)
		clock += dt
		body.position = at + vec(0, 0.275 + 0.25 * math.abs(math.sin(clock * 5)), 0)
	end }
end

local function ghost()
	local at, clock = place(#things), 0
	local body = physics.sphere { radius = 0.2, collider = false, color = vec(0.75, 0.82, 0.9), position = at }
	return { name = "ghost", body = body, update = function(dt)
		clock += dt
		body.position = at + vec(0, 1.3 + 0.12 * math.sin(clock * 1.7), 0)
	end }
end

ui.text("2.1  Application framework", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("space: turntable    1 2: effect    g h: another thing    esc: end", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

local effect, ticks = "physical", 0

function update(dt)
	ticks += 1
	if input.pressed "space" then
		turning = not turning
	end
	for key, name in { ["1"] = "physical", ["2"] = "classic" } do
		if input.pressed(key) then
			effect = name
			light.post_process { shading = name }
		end
	end
	if #things < 7 and input.pressed "g" then
		table.insert(things, goblin())
	elseif #things < 7 and input.pressed "h" then
		table.insert(things, ghost())
	end
	for _, thing in things do
		thing.update(dt)
	end
	state.text = string.format("tick %d, %.1f ms each; %d in the list; effect: %s", ticks, dt * 1000, #things, effect)
end

return { soldier = soldier, things = things, effect = function() return effect end }
