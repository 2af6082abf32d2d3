-- 3.2 Software skinning: the CPU deforms the mesh by its bones. The result is an ordinary mesh in memory: it
-- casts a shadow and can be hit by raycasts, triangle by triangle.
--
--   1 2       exercise: one class for both methods: CPU or GPU skinning
--   h         exercise: a small rotation is added to the neck; the head turns
--   s         exercise: the same with a scale: a large head
--   space     he walks
--   mouse     click to shoot at the skinned mesh; the mark follows the bone that was hit

light.rig("noon", { position = vec(0, 0.95, 0) })
light.sun { yaw = -40, pitch = 38, intensity = 3 }
light.post_process { tonemap = "agx", contrast = 1.08 }
ground.set { color = vec(0.36, 0.34, 0.3), grid = 1 }
camera.orbit { target = vec(-0.1, 1.0, 0), distance = 4.8, yaw = 16, pitch = 7, fov = 28 }

local WAYS = { { "cpu", "by the processor" }, { "indexed", "by the graphics card" } }
local way = 1
local man, walk, scaled
local turn, large, walks = false, false, false

-- The walk first, then the head scale.
local function act_out()
	for _, play in { walk, scaled } do
		play:stop(0.2)
	end
	walk = if walks then man:play("walk", { mode = "loop", fade = 0.2 }) else nil
	scaled = if large then man:play("large", { mode = "loop", mask = "head", additive = "rest", fade = 0.2 }) else nil
end

-- The skinning method is chosen at creation: each method needs its own instance of the model.
local function make()
	if man then
		man:remove()
	end
	man = character("assets/man.glb", { skinning_mode = WAYS[way][1], name = "skinned " .. WAYS[way][1] })
	man:idle_motion(false)
	man:play("idle", { speed = 0, fade = 0 })
	man:add_modifier("turn the head", function(pose)
		if turn then
			pose:rotate("neck", vec(0, 1, 0), 40 * math.sin(now() * 1.6))
		end
	end)
	man:add_clip(clip "large" { bones = { head = { scale = { { 0, 1.35 }, { 1, 1.35 } } } } })
	walk, scaled = nil, nil
	act_out()
end
make()

local function shoot()
	local aim = camera.ray()
	local hit = man:raycast(aim.from, aim.to)
	if hit then
		man:decal("blood", hit, { size = 0.09 })
		return hit
	end
	return nil
end

ui.text("3.2  Software skinning", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("1 2: processor, graphics card    h: head turns    s: large head    space: walk    click: shoot", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

local last = ""
function update(_dt)
	for i = 1, #WAYS do
		if input.pressed(tostring(i)) and i ~= way then
			way = i
			make()
		end
	end
	if input.pressed "h" then
		turn = not turn
	elseif input.pressed "s" then
		large = not large
		act_out()
	elseif input.pressed "space" then
		walks = not walks
		act_out()
	elseif input.pressed "mouse_left" then
		local hit = shoot()
		last = if hit then `; triangle {hit.triangle} of {hit.part} was hit, bone {hit.bone}` else "; missed"
	end
	state.text = `skinned {WAYS[way][2]} ("{WAYS[way][1]}"){last}`
end

return { man = function() return man end, shoot = shoot }
