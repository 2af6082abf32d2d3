-- 14.2  Decal meshes: a shot copies the triangles around the hit point into a decal mesh that follows the skinned body.
-- A green grid texture shows the projection.
--
--   mouse        aim
--   left button  shoot; until the first click, shots are fired automatically
--   Up, Down     decal size
--   P            projection: planar, or along the surface
--   W            wireframe of the triangles: watch the joints
--   1, 2, 3      the clip: walk, run, crouch
--   C            remove all decals

local hero = character "assets/galatea.glb"
hero.apply_root_motion = false
light.rig("three_point", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.2 }
camera.orbit { target = vec(0, 0.83, 0), distance = 4.4, yaw = 12, pitch = 4, fov = 26 }

local CLIPS = { "walk", "run", "crouch" }
local state = { clip = 1, size = 0.2, planar = false, wires = false, alone = true, shots = 0, marks = {} }
hero:play(CLIPS[1], { mode = "loop", fade = 0 })

local aim_mark = physics.sphere { radius = 0.012, collider = false, color = vec(1, 0.3, 0.1) }

local function shoot(from, to)
	local hit = hero:raycast(from, to)
	state.shots += 1
	if hit then
		local mark = hero:decal("assets/lattice.png", hit, { size = state.size, planar = state.planar, roll = 0 })
		if mark then
			table.insert(state.marks, mark)
		end
	end
end

local AT = { vec(0.02, 1.22, 0), vec(0.19, 0.5, 0), vec(-0.12, 0.98, 0), vec(0.16, 1.36, 0), vec(-0.09, 0.6, 0), vec(0.06, 0.85, 0), vec(-0.17, 1.36, 0), vec(0.0, 1.55, 0) }
local next_shot = 0.4
local function alone()
	if now() >= next_shot and state.shots < #AT then
		next_shot += 0.35
		-- Aims at the current position of a bone, so that the ray hits the body in any pose.
		local at = AT[state.shots + 1]
		shoot(at + vec(0.6, 0.1, 3), at + vec(-0.2, -0.04, -1))
	end
end

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("14.2  Decal meshes", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

function update()
	for i, name in CLIPS do
		if input.pressed(tostring(i)) then
			state.clip = i
			hero:play(name, { mode = "loop", fade = 0.3 })
		end
	end
	local more = (if input.pressed "up" then 0.04 else 0) - (if input.pressed "down" then 0.04 else 0)
	state.size = math.clamp(state.size + more, 0.04, 0.4)
	if input.pressed "p" then
		state.planar = not state.planar
	end
	if input.pressed "w" then
		state.wires = not state.wires
		debug_view(if state.wires then "wireframe" else nil, { legend = false })
	end
	if input.pressed "c" then
		hero:clear_decals(0.3)
		state.marks = {}
	end

	local aim = camera.ray()
	if input.pressed "mouse_left" then
		state.alone = false
		shoot(aim.from, aim.to)
	end
	if state.alone then
		alone()
	end
	local hit = if state.alone then nil else hero:raycast(aim.from, aim.to)
	aim_mark.position = if hit then hit.position else vec(0, -3, 0)
	keys.text = table.concat({
		"Left button  shoot",
		`Up Down  {string.format("%.2f", state.size)} m`,
		`P  {if state.planar then "straight" else "along the surface"}`,
		"W  wires",
		`1 2 3  {CLIPS[state.clip]}`,
		"C  clean",
		`{hero.decal_count} on her`,
	}, "     ")
end

return { hero = hero, state = state }
