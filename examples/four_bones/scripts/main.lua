-- Four bones: a tower of four rigid pieces next to a skinned tower with the same four bones. When bent, the pieces
-- separate at their seams; skin vertices weighted to two bones close the gap.
--
--   Left, Right  bend to the sides
--   Up, Down     bend forwards and back
--   Q, E         twist
--   Space        automatic or manual
--   1            material view
--   2            weights: the influence of each bone
--   3            triangles
--   B            shows the bones (this key works in every window)
--   F            camera close to a seam

local towers = {}
for i, name in { "four rigid pieces", "one skin" } do
	local tower = character("assets/tower.glb", { name = name, position = vec((i - 1.5) * 1.5, 0, 0) })
	tower:show_part("skin", i == 2)
	for k = 1, 4 do
		tower:show_part(`piece_{k}`, i == 1)
	end
	ui.text(name, { character = tower, offset = vec(0, -0.02, 0.6), size = 22, outline = 2 })
	towers[i] = tower
end

light.rig("noon", { position = vec(0, 1, 0) })
light.sun { yaw = 48, pitch = 38 }
light.post_process { tonemap = "agx", contrast = 1.08 }
ground.set { color = vec(0.24, 0.28, 0.14), grid = 0, surface = "grass", color_variation = 0.6 }
for _, tower in towers do
	physics.cylinder { position = tower.position - vec(0, 0.02, 0), radius = 0.46, height = 0.06, collider = false, color = vec(0.35, 0.32, 0.28) }
end

-- Rotation of each bone relative to the one below it, degrees. The first bone is fixed.
local state = { side = 0, ahead = 0, twist = 0, alone = true, view = 1, near = false, towers = towers }
local VIEWS = { nil, "weights", "wireframe" }
for _, tower in towers do
	tower:add_modifier("bend", function(pose)
		for i = 2, 4 do
			pose:rotate(`bone_{i}`, vec(0, 0, 1), -state.side)
			pose:rotate(`bone_{i}`, vec(1, 0, 0), state.ahead)
			pose:rotate(`bone_{i}`, vec(0, 1, 0), state.twist)
		end
	end)
end

local function frame()
	if state.near then
		camera.orbit { target = vec(0.05, 0.72, 0), distance = 4, yaw = 0, pitch = 6, fov = 28 }
	else
		camera.orbit { target = vec(0, 0.9, 0), distance = 6.2, yaw = 0, pitch = 7, fov = 25 }
	end
end
frame()

ui.box { anchor = "bottom", width = 4000, height = 48, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("Four bones", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -13, 0), size = 20 })

local function way(less, more)
	return (if input.down(more) then 1 else 0) - (if input.down(less) then 1 else 0)
end

function update(dt)
	if input.pressed "space" then
		state.alone = not state.alone
	end
	for i = 1, 3 do
		if input.pressed(tostring(i)) then
			state.view = i
			debug_view(VIEWS[i], { legend = false })
		end
	end
	if input.pressed "f" then
		state.near = not state.near
		frame()
	end
	local side, ahead, twist = way("left", "right"), way("down", "up"), way("q", "e")
	if side ~= 0 or ahead ~= 0 or twist ~= 0 then
		state.alone = false
	end
	if state.alone then
		state.side = 30 * math.sin(now() * 1.1)
		state.ahead = 8 * math.sin(now() * 0.7)
		state.twist = 0
	else
		state.side = math.clamp(state.side + side * 30 * dt, -40, 40)
		state.ahead = math.clamp(state.ahead + ahead * 30 * dt, -40, 40)
		state.twist = math.clamp(state.twist + twist * 40 * dt, -60, 60)
	end
	keys.text = table.concat({
		"arrows  bend",
		"Q E  twist",
		`Space  {if state.alone then "by itself" else "by hand"}`,
		`1 2 3  {VIEWS[state.view] or "looks"}`,
		"B  bones",
		`F  {if state.near then "whole" else "closer"}`,
		`{string.format("%.0f", state.side)} degrees a bone`,
	}, "     ")
end

return { state = state }
