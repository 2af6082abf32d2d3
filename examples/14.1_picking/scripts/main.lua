-- 14.1  Picking: finds the triangle of an animated, skinned mesh that a ray hits, and draws it, also on the rest pose.
--
--   mouse       aims the ray; until the mouse moves, the ray moves automatically
--   1, 2, 3     the clip: idle, walk, run
--   A           all triangles along the ray, including exit points
--   W           wireframe
--   K           the bones' colliders, which are tested before triangles

local hero = character("assets/galatea.glb", { name = "moves", position = vec(-0.45, 0, 0) })
hero.apply_root_motion = false
local rest = character("assets/galatea.glb", { name = "at rest", position = vec(0.5, 0, 0) })
rest.machine = machine { state "rest" {} }

light.rig("three_point", { position = vec(0.1, 0.95, 0) })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.2 }
camera.orbit { target = vec(0.05, 1.2, 0), distance = 5, yaw = 0, pitch = 3, fov = 14, locked = true }

local CLIPS = { "idle_shift", "walk", "run" }
local VIEWS = { w = "wireframe", k = "bodies" }
local state = { clip = 2, all = false, view = nil, hit = nil, corners = nil, twin = nil, twin_corners = nil, hits = 0 }
hero:play(CLIPS[2], { mode = "loop", fade = 0 })

-- Axes of a bone in character space, to convert points between the two poses. Neither character is rotated.
local frames = {}
local bone = "chest"
for _, one in { hero, rest } do
	one:add_modifier("frame", function(pose)
		frames[one] = { at = pose:position(bone), x = pose:direction(bone, vec(1, 0, 0)), y = pose:direction(bone, vec(0, 1, 0)), z = pose:direction(bone, vec(0, 0, 1)) }
	end)
end
local function carried(way)
	local a, b = frames[hero], frames[rest]
	return b.x * vector.dot(way, a.x) + b.y * vector.dot(way, a.y) + b.z * vector.dot(way, a.z)
end

-- A hit has barycentric coordinates: p = b1 A + b2 B + b3 C. Three hits on one triangle give its corners.
local function corners_of(who, hit)
	local along = -hit.normal
	local side = vector.normalize(vector.cross(along, if math.abs(along.y) < 0.9 then vec(0, 1, 0) else vec(1, 0, 0)))
	local up = vector.cross(side, along)
	for _, step in { 0.0008, 0.0003, 0.0001 } do
		for turn = 0, 3 do
			local found = { hit }
			for k = 0, 1 do
				local angle = turn * math.pi / 2 + k * 1.6
				local from = hit.position + (side * math.cos(angle) + up * math.sin(angle)) * step - along * 0.01
				local other = who:raycast(from, from + along * 0.02)
				if other and other.part == hit.part and other.triangle == hit.triangle then
					table.insert(found, other)
				end
			end
			if #found == 3 then
				local a, b, c = found[1].barycentric, found[2].barycentric, found[3].barycentric
				local whole = vector.dot(a, vector.cross(b, c))
				if math.abs(whole) > 1e-9 then
					local x, y, z = vector.cross(b, c) / whole, vector.cross(c, a) / whole, vector.cross(a, b) / whole
					local function corner(part)
						return found[1].position * x[part] + found[2].position * y[part] + found[3].position * z[part]
					end
					return { corner "x", corner "y", corner "z" }
				end
			end
		end
	end
	return nil
end

-- Finds the same triangle on the rest pose: moves the hit point there with its bone, then searches in a spiral around it.
local function find_at_rest(hit)
	local at = rest.position + frames[rest].at + carried(hit.position - hero.position - frames[hero].at)
	local along = -carried(hit.normal)
	local side = vector.normalize(vector.cross(along, vec(0.3, 1, 0.1)))
	local up = vector.cross(side, along)
	for i = 0, 80 do
		local far, turn = 0.0022 * math.sqrt(i), i * 2.4
		local from = at + (side * math.cos(turn) + up * math.sin(turn)) * far - along * 0.05
		local other = rest:raycast(from, from + along * 0.1)
		if other and other.part == hit.part and other.triangle == hit.triangle then
			return other
		end
	end
	return nil
end

-- Draws a triangle as beads along its edges; the beads are moved out of sight when there is no hit.
local function beads(color)
	local all = {}
	for i = 1, 27 do
		all[i] = physics.sphere { position = vec(0, -3, 0), radius = 0.0038, collider = false, color = color, roughness = 0.4 }
	end
	return function(corners)
		for i, bead in all do
			local edge, share = (i - 1) // 9, (i - 1) % 9 / 9
			bead.position = if corners then corners[edge + 1] * (1 - share) + corners[(edge + 1) % 3 + 1] * share else vec(0, -3, 0)
		end
	end
end
local draw, draw_at_rest = beads(vec(0.05, 0.9, 0.1)), beads(vec(0.05, 0.9, 0.1))
local through = {}
for i = 1, 12 do
	through[i] = physics.sphere { position = vec(0, -3, 0), radius = 0.008, collider = false, color = vec(1, 0.45, 0.1) }
end

local moved, first = false, input.pointer()
local function aimed()
	if moved then
		return camera.ray()
	end
	local x, y = 0.272 + 0.025 * math.sin(now() * 0.7), 0.47 + 0.25 * math.sin(now() * 0.5 - 0.4)
	return camera.ray { x = x, y = y }
end

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("14.1  Picking", { position = vec(28, 20, 0), size = 30, shadow = true })
local what = ui.text("", { anchor = "top_right", position = vec(-28, 24, 0), size = 19, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

function update()
	moved = moved or input.pointer() ~= first
	for i, name in CLIPS do
		if input.pressed(tostring(i)) then
			state.clip = i
			hero:play(name, { mode = "loop" })
		end
	end
	for key, view in VIEWS do
		if input.pressed(key) then
			state.view = if state.view == view then nil else view
			debug_view(state.view, { legend = false })
		end
	end
	if input.pressed "a" then
		state.all = not state.all
	end

	local aim = aimed()
	state.hit = hero:raycast(aim.from, aim.to)
	state.corners, state.twin, state.twin_corners = nil, nil, nil
	if state.hit then
		state.hits += 1
		state.corners = corners_of(hero, state.hit)
		-- Bone transforms are from the last tick: a bone requested for the first time is available in the next tick.
		if bone == state.hit.bone and frames[rest] then
			state.twin = find_at_rest(state.hit)
			state.twin_corners = state.twin and corners_of(rest, state.twin)
		end
		bone = state.hit.bone or bone
	end
	draw(state.corners)
	draw_at_rest(state.twin_corners)

	local all = if state.all then physics.raycast_all(aim.from, aim.to, { exact = true, exclude = rest }) else {}
	for i, ball in through do
		ball.position = if all[i] and all[i].character == hero then all[i].position else vec(0, -3, 0)
	end
	local hit = state.hit
	if hit then
		local u, w = string.format("%.2f", hit.barycentric.y), string.format("%.2f", hit.barycentric.z)
		what.text = table.concat({
			`{hit.part}, triangle {hit.triangle}`,
			`bone {hit.bone or "none"}, {string.format("%.3f", hit.distance)} m`,
			`u {u}   v {w}`,
			if state.all then `{#all} on the way` else "",
		}, "\n")
	else
		what.text = "nothing is met"
	end
	keys.text = `Mouse  aim     1 2 3  {CLIPS[state.clip]}     A  all on the way {if state.all then "on" else "off"}     W  wires     K  bodies`
end

return { hero = hero, rest = rest, state = state }
