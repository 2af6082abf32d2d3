-- Three skinning methods on the same beam with two bones: rigid (one bone per vertex), linear blend skinning,
-- and dual quaternion skinning.
--
--   Left, Right  twist
--   Up, Down     bend
--   Space        automatic or manual
--   1            material view
--   2            weights
--   3            triangles
--   R            rest pose
-- Below each upright beam: its smallest width, relative to the width in the rest pose.

local KINDS = {
	{ name = "one bone per vertex", part = "nearest", skinning = "linear" },
	{ name = "linear blend", part = "blended", skinning = "linear" },
	{ name = "dual quaternions", part = "blended", skinning = "dual_quaternion" },
}
local beams, labels = {}, {}
for i, kind in KINDS do
	local beam = character("assets/beam.glb", { name = kind.name, position = vec((i - 2) * 1.15, 0, 0), skinning = kind.skinning })
	for _, part in { "nearest", "blended" } do
		beam:show_part(part, part == kind.part)
	end
	beams[i] = beam
	labels[i] = ui.text("", { character = beam, offset = vec(0, -0.07, 0.4), size = 22, align = "center", outline = 2 })
end
light.rig("three_point", { position = vec(0, 0.9, 0) })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.2 }

local state = { twist = 0, bend = 0, alone = true, view = 1, shares = { 1, 1, 1 }, beams = beams }
local VIEWS = { nil, "weights", "wireframe" }
for _, beam in beams do
	beam:add_modifier("bend", function(pose)
		pose:rotate("upper", vec(0, 0, 1), -state.bend)
		pose:rotate("upper", vec(0, 1, 0), state.twist)
	end)
end
camera.orbit { target = vec(0, 0.76, 0), distance = 5.4, yaw = 0, pitch = 11, fov = 23 }

-- Casts rays from four sides at heights around the joint and uses the narrowest width.
local REST = {}
local function narrowest(beam)
	local least = math.huge
	for k = -3, 3 do
		local at = beam:bone_position "upper" + vec(0, k * 0.04, 0)
		for turn = 0, 3 do
			local way = vec(math.sin(turn * math.pi / 4), 0, math.cos(turn * math.pi / 4)) * 0.6
			local a, b = beam:raycast(at + way, at - way), beam:raycast(at - way, at + way)
			if a and b then
				least = math.min(least, vector.magnitude(a.position - b.position))
			end
		end
	end
	return least
end

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("Three skinnings", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

local function way(less, more)
	return (if input.down(more) then 1 else 0) - (if input.down(less) then 1 else 0)
end

function update(dt)
	if input.pressed "space" then
		state.alone = not state.alone
	end
	if input.pressed "r" then
		state.alone, state.twist, state.bend = false, 0, 0
	end
	for i = 1, 3 do
		if input.pressed(tostring(i)) then
			state.view = i
			debug_view(VIEWS[i], { legend = false })
		end
	end
	local twist, bend = way("left", "right"), way("down", "up")
	if twist ~= 0 or bend ~= 0 then
		state.alone = false
	end
	if state.alone then
		-- Twist first, then bend, then both.
		state.twist = 150 * math.max(0, math.sin(now() * 0.9))
		state.bend = 95 * math.max(0, math.sin(now() * 0.9 - 1.6))
	else
		state.twist = math.clamp(state.twist + twist * 70 * dt, -170, 170)
		state.bend = math.clamp(state.bend + bend * 50 * dt, -120, 120)
	end
	for i, beam in beams do
		local wide = narrowest(beam)
		-- The first measurement is the beam in the rest pose.
		REST[i] = REST[i] or wide
		state.shares[i] = wide / REST[i]
		-- Horizontal rays cannot measure a bent beam.
		local told = if math.abs(state.bend) < 20 then string.format("%.0f %%", math.min(state.shares[i], 1) * 100) else ""
		labels[i].text = `{KINDS[i].name}\n{told}`
	end
	keys.text = table.concat({
		`Left Right  twist {string.format("%.0f", state.twist)}`,
		`Up Down  bend {string.format("%.0f", state.bend)}`,
		`Space  {if state.alone then "by itself" else "by hand"}`,
		`1 2 3  {VIEWS[state.view] or "looks"}`,
		"R  rest",
	}, "     ")
end

return { state = state }
