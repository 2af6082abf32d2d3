-- 8.3 Werewolf: a runner turns into a wolf and back. One number controls everything: the morph targets of his face and
-- of the wolf head, the scale of his bones, the colours of his skin, and the length of his fur. Morph targets are
-- applied first, then skinning deforms the result.
--
--   space       change to wolf or man; without input he changes automatically
--   up down     set the value by hand, also below 0 and above 1
--   m           only morph targets, without fur, colours and bones
--   s           he stands still, for a close view

local fur_on = require "fur"

-- A full moon behind him, and the last light of the day.
light.sun { yaw = 150, pitch = 32, color = vec(0.6, 0.75, 1), intensity = 2.2 }
light.sky { zenith = vec(0.012, 0.02, 0.05), horizon = vec(0.05, 0.07, 0.13), ground = vec(0.02, 0.025, 0.02) }
light.fog { density = 0.012, height = 6, color = vec(0.05, 0.07, 0.12) }
light.exposure(0.7)
light.post_process { tonemap = "agx", contrast = 1.08 }
ground.set { color = vec(0.12, 0.14, 0.07), grid = 0, color_variation = 0.7, surface = "grass" }

local man = character "assets/man.glb"
local head = character "assets/wolf_head.glb"
man:attach(head, "head", { offset = vec(0, 0.115, 0.022) })
local moon = light.spot { color = vec(0.6, 0.75, 1), intensity = 26, outer_angle = 30, shadows = false }
camera.follow(man, { target = vec(0, 0.95, 0), distance = 4.7, yaw = 38, pitch = 4, fov = 29 })

-- A wolf's body shape, added to any clip: rotations about the model's axes, and bone scales.
local function held(...)
	return { { 0, ... }, { 1, ... } }
end
man:add_clip(clip "wolf" {
	space = "model",
	bones = {
		spine = { rotation = held(12, 0, 0), scale = held(1.06) },
		chest = { rotation = held(14, 0, 0), scale = held(1.16) },
		neck = { rotation = held(-14, 0, 0), scale = held(1.12) },
		head = { rotation = held(-12, 0, 0), scale = held(0.95) },
		left_hand = { scale = held(1.4) }, right_hand = { scale = held(1.4) },
		left_lower_arm = { scale = held(1.12) }, right_lower_arm = { scale = held(1.12) },
	},
})

-- A copy in the rest pose, out of sight below the ground, is used to measure the fur.
local twin = character("assets/man.glb", { name = "twin", position = vec(0, -60, 0) })
twin:idle_motion(false)
twin.machine = machine { state "rest" {} }

-- The fur spreads over the body: each piece starts to grow at its own moment of the change.
local furs = {}
local function fur(at, bone, to, long)
	for _, side in if bone == "neck" then { "" } else { "left_", "right_" } do
		table.insert(furs, { at = at, options = fur_on(twin, side .. bone, if bone == "neck" then to else side .. to, long) })
	end
end
local function measure()
	fur(0.35, "neck", "head", 0.09)
	fur(0.45, "lower_arm", "hand", 0.06)
	fur(0.55, "upper_arm", "lower_arm", 0.06)
	fur(0.62, "lower_leg", "foot", 0.06)
	fur(0.7, "upper_leg", "lower_leg", 0.06)
	twin:remove()
end

local amount, wish, plain, stands = 0, nil, false, false
local build
local function go()
	man:play(if stands then "idle" else "run", { mode = "loop", fade = 0.3 })
	if build then
		build:stop(0)
	end
	build = man:play("wolf", { mode = "loop", additive = "rest", weight = 0, fade = 0 })
end
go()

-- One number drives everything. Values with limits are clamped to 0..1.
local WOLF_SKIN = vec(0.14, 0.11, 0.09)
local function shift(s)
	local u = math.clamp(s, 0, 1)
	head:morph("wolf", s)
	man:morph("shape.jaw_width", s)
	man:morph("shape.nose_length", -s)
	man:morph("shape.brow_height", -0.6 * s)
	man:morph("emotion.anger", 0.7 * s)
	local others = if plain then 0 else u
	build.weight = others
	for _, name in { "skin", "lips" } do
		man:material(name).tint = vec(1, 1, 1) + (WOLF_SKIN - vec(1, 1, 1)) * others
	end
	man:material("eye").emissive = vec(1, 0.55, 0.08) * (0.5 * others)
	for _, one in furs do
		if others > one.at and not one.worn then
			one.worn = man:hair(one.options)
		elseif others <= one.at and one.worn then
			one.worn:remove()
			one.worn = nil
		end
	end
end

local trees = {}
for i = 1, 16 do
	trees[i] = character("assets/tree.glb", { position = vec(-3.2 - 1.3 * math.abs(math.sin(i * 2.3)), 0, (i - 4) * 4.1), yaw = i * 71, scale = 1 + 0.2 * math.sin(i), name = `tree {i}` })
end

ui.text("8.3  Werewolf", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("space: man or wolf    up down: by hand    m: morphs alone    s: stand still", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

local clock = 0
function update(dt)
	if #furs == 0 then
		measure()
	end
	if input.pressed "space" then
		wish = if amount > 0.5 then 0 else 1
	elseif input.pressed "m" then
		plain = not plain
	elseif input.pressed "s" then
		stands = not stands
		go()
	end
	local hand = (if input.down "up" then 1 else 0) - (if input.down "down" then 1 else 0)
	if hand ~= 0 then
		amount = math.clamp(amount + 0.6 * hand * dt, -0.4, 1.4)
		wish = amount
	elseif wish then
		amount += math.clamp(wish - amount, -0.7 * dt, 0.7 * dt)
	else
		clock += dt
		amount = math.clamp(0.5 - 0.8 * math.cos(clock * 0.9), 0, 1)
	end
	shift(amount)
	if not stands then
		man.position += vec(0, 0, 4.2 * dt)
	end
	local z = man.position.z
	for _, tree in trees do
		if tree.position.z < z - 16 then
			tree.position += vec(0, 0, #trees * 4.1)
		end
	end
	moon.position = man.position + vec(2.2, 3.2, 3)
	moon:aim_at(man.position + vec(0, 1, 0))
	state.text = string.format("man %.2f, wolf %.2f%s", 1 - amount, amount, if plain then "; morphs alone" else "")
end

return { man = man, head = head, furs = furs, amount = function() return amount end }
