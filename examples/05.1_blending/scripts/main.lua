-- 5.1 Animation blending: two clips in two tracks, each with its own weight and speed. The left man shows track 0 only,
-- the right man track 1; the middle man shows both, blended by the ratio of their weights.
--
--   space        two random clips, weights and speeds
--   left right   moves weight from one track to the other
--   s            exercise: the same clip in both tracks, one slightly faster: the tracks drift apart
--   t            extension: adds a third track with a wave
--   p            priority: track 1 only affects the upper body; running and waving combine

light.rig("three_point", { position = vec(0, 0.95, 0), size = 2.2 })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.2 }
camera.orbit { target = vec(0, 1.1, 0), distance = 6.2, yaw = 14, pitch = 5, fov = 28 }

local CLIPS = { "walk", "run", "sneak", "idle", "strafe_left", "walk_back", "push", "laugh", "wave", "punch" }
local AUBURN, TEAL = vec(1, 1, 1), vec(0.25, 0.8, 1.3)

local left = character("assets/man.glb", { name = "track 0", position = vec(-1.25, 0, 0) })
local blend = character("assets/man.glb", { name = "blend" })
local right = character("assets/man.glb", { name = "track 1", position = vec(1.25, 0, 0) })
left:material("cloth").tint = AUBURN
right:material("cloth").tint = TEAL

local a, b = { clip = "walk", speed = 1 }, { clip = "push", speed = 1 }
local share, third, upper = 0.5, 0, false -- share: weight of track 1; track 0 has the rest

-- A layer is a track: a clip that loops at its own speed, blended over the layers below by its weight.
local function track(name, clip, weight, mask)
	return layer(name) { weight = weight, mask = mask, state(name) { clip, mode = "loop", speed = `{name}_speed` } }
end

local function build()
	blend.machine = machine {
		params = { zero_speed = a.speed, one_speed = b.speed, two_speed = 1, one = share, two = third },
		track("zero", a.clip),
		track("one", b.clip, "one", if upper then "upper_body" else nil),
		track("two", "wave", "two", { right_arm = 1, head = 0.5 }),
	}
	left:play(a.clip, { mode = "loop", speed = a.speed, fade = 0.2 })
	right:play(b.clip, { mode = "loop", speed = b.speed, fade = 0.2 })
	right:material("cloth").tint = TEAL
end
build()

for _, label in { { left, "track 0" }, { blend, "both" }, { right, "track 1" } } do
	ui.text(label[2], { character = label[1], offset = vec(0, 1.98, 0), size = 22, outline = 2 })
end
ui.text("5.1  Animation blending", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
local bar = ui.bar(0.5, { position = vec(0, -64, 0), anchor = "bottom", width = 500, height = 12, color = vec(0.05, 0.3, 0.5), background = vec(0.45, 0.07, 0.03) })
ui.text("space: by chance    left right: weights    s: same twice    t: third track    p: upper body", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

local function pick()
	return { clip = CLIPS[math.floor(random_range(1, #CLIPS + 0.999))], speed = random_range(0.2, 2) }
end

function update(dt)
	if input.pressed "space" then
		a, b, share = pick(), pick(), random_range()
		build()
	elseif input.pressed "s" then
		a, b, share = { clip = "walk", speed = 1 }, { clip = "walk", speed = 1.12 }, 0.5
		build()
	elseif input.pressed "t" then
		third = 1 - third
	elseif input.pressed "p" then
		upper = not upper
		build()
	end
	local wish = (if input.down "right" then 1 else 0) - (if input.down "left" then 1 else 0)
	share = math.clamp(share + 0.6 * wish * dt, 0, 1)
	local params = blend.machine.params
	params.one = share
	params.two += (third - params.two) * math.min(1, 6 * dt)
	bar.value = share
	state.text = string.format("track 0: %s at %.0f %%, weight %.2f    track 1: %s at %.0f %%, weight %.2f", a.clip, a.speed * 100, 1 - share, b.clip, b.speed * 100, share)
end

return { left = left, right = right, blend = blend, tracks = function() return a, b, share end }
