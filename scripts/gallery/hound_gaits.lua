-- The hound's gaits, one per row: eight frames of its walk, trot and gallop cycles.

local hound = character("assets/hound.glb", { yaw = 90 })

local GAITS, MOMENTS = { "walk", "trot", "run" }, 8

light.rig("studio", { character = hound })
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.1 }
ground.set { grid = 0.35, color = vector.create(0.30, 0.30, 0.31) }
camera.orbit { target = vector.create(0, 0.44, 0), distance = 8, yaw = 0, pitch = 2, fov = 9.4 }

local shown
function update()
	local i = math.min(math.floor(now() + 0.01), #GAITS * MOMENTS - 1)
	if i == shown then
		return
	end
	shown = i
	local gait = GAITS[i // MOMENTS + 1]
	local at = hound:clip(gait).duration * (i % MOMENTS) / MOMENTS
	hound:play(gait, { mode = "loop", start_time = at, speed = 0.001, fade = 0 })
end
