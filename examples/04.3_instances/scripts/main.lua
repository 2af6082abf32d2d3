-- 4.3 Instances: four soldiers share one model (mesh, skeleton and clips). Each instance has its own time and its own
-- active animation.
--
--   space   random clips
--   s       synchronised: the same clip at the same time
--   a       extension: four more, up to 64: a whole army
--   r       back to four

light.rig("noon", { position = vec(0, 0.95, 0) })
light.sun { yaw = 50, pitch = 30, intensity = 3.2, color = vec(1, 0.9, 0.76) }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.08 }
ground.set { color = vec(0.3, 0.26, 0.2), grid = 0, color_variation = 0.6, surface = "sand" }

local CLIPS = { "walk", "run", "wave", "idle", "sneak", "jump", "laugh", "shrug", "push", "punch", "strafe_left", "crouch" }
local instances = {}

local function begin(one, name, from)
	one.clip = name
	one.play = one.body:play(name, { mode = "loop", fade = 0.3, start_time = from })
end
local function by_chance(one)
	local name = CLIPS[math.floor(random_range(1, #CLIPS + 0.999))]
	begin(one, name, random_range(0, one.body:clip(name).duration))
end

local COLUMNS = 8
local function place(i)
	if i <= 4 then
		return vec((i - 2.5) * 1.25, 0, 0)
	end
	local row, column = (i - 5) // COLUMNS, (i - 5) % COLUMNS
	return vec((column - (COLUMNS - 1) / 2) * 1.25, 0, -1.7 * (row + 1))
end

local function add(count)
	for _ = 1, count do
		local i = #instances + 1
		local body = character("assets/man.glb", { name = `soldier {i}`, position = place(i), yaw = random_range(-12, 12) })
		local helmet = character("assets/helmet.glb", { name = `helmet {i}` })
		body:attach(helmet, "head", { offset = vec(0, 0.115, 0.022) })
		body:show_part("hair", false)
		body:material("cloth").tint = vec(0.3, 1.1, 0.5) * random_range(0.8, 1.2)
		body:hit_reactions { hit_on_touch = false }
		instances[i] = { body = body, helmet = helmet }
		by_chance(instances[i])
	end
end
add(4)

local function look()
	local far = if #instances > 4 then 1 else 0
	camera.orbit { target = vec(0, 0.95 - 0.2 * far, -2 * far), distance = 6.4 + 6 * far, yaw = 8, pitch = 7 + 9 * far, fov = 28 }
end
look()

ui.text("4.3  Instances", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("space: by chance    s: in step    a: four more    r: four", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

function update(_dt)
	if input.pressed "space" then
		for _, one in instances do
			by_chance(one)
		end
	elseif input.pressed "s" then
		for _, one in instances do
			begin(one, "walk", 0)
		end
	elseif input.pressed "a" and #instances < 64 then
		add(4)
		look()
	elseif input.pressed "r" then
		for i = #instances, 5, -1 do
			instances[i].body:remove()
			instances[i].helmet:remove()
			instances[i] = nil
		end
		look()
	end
	local doing = {}
	for i = 1, 4 do
		doing[i] = string.format("%s %.2f s", instances[i].clip, instances[i].play.time or 0)
	end
	state.text = `{#instances} instances of one model: {table.concat(doing, ", ")}{if #instances > 4 then " …" else ""}`
end

return { instances = instances }
