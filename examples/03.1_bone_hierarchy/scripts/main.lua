-- 3.1 Bone hierarchy: the bones of a man as spheres and lines. His mesh is loaded but hidden.
--
--   n       exercise: finds the neck bone by its name and highlights it
--   t       exercise: traverses the tree, first child, then sibling, and prints the names in that order
--   m       exercise: highlights the bones with an attached mesh: head and right hand
--   space   he moves, and everything attached to a bone moves with it
--   b       the runtime's skeleton view, with names

light.rig("three_point", { position = vec(0, 0.95, 0) })
light.post_process { tonemap = "agx", vignette = 0.2 }
camera.orbit { target = vec(0.35, 0.93, 0), distance = 4.5, yaw = 14, pitch = 4, fov = 28 }

local man = character "assets/man.glb"
man:idle_motion(false)
for _, part in { "body", "hair", "hair_cap", "ears", "dress", "worn", "laces", "beard", "head_mesh", "left_eyeball", "right_eyeball", "lashes", "tears", "brows", "upper_teeth", "lower_teeth", "tongue" } do
	man:show_part(part, false)
end
man:attach(character "assets/helmet.glb", "head", { offset = vec(0, 0.115, 0.022) })
man:attach(character "assets/rifle.glb", "right_hand", { offset = vec(0, -0.08, 0.02), pitch = 88 })
local CARRIES = { head = true, right_hand = true }

-- The major bones: each with its children, as nested lists.
local TREE = {
	"hips",
	{ "spine", { "chest",
		{ "neck", { "head" } },
		{ "left_shoulder", { "left_upper_arm", { "left_lower_arm", { "left_hand" } } } },
		{ "right_shoulder", { "right_upper_arm", { "right_lower_arm", { "right_hand" } } } } } },
	{ "left_upper_leg", { "left_lower_leg", { "left_foot", { "left_toes" } } } },
	{ "right_upper_leg", { "right_lower_leg", { "right_foot", { "right_toes" } } } },
}

local PLAIN, LINE = vec(0.65, 0.6, 0.5), vec(0.08, 0.2, 0.35)
local spheres, order, links = {}, {}, {}

local function build(tree, parent)
	local name = tree[1]
	table.insert(order, name)
	spheres[name] = physics.sphere { radius = if name == "hips" then 0.035 else 0.024, collider = false, color = PLAIN, roughness = 0.35 }
	man:attach(spheres[name], name)
	if parent then
		table.insert(links, { parent, name })
	end
	for i = 2, #tree do
		build(tree[i], name)
	end
end
build(TREE)

-- A line connects each joint to its parent. It is attached to the parent and rotates with it. The joint's position in
-- the parent's space is measured once, in the first pose.
local ways = {}
local measure
measure = man:add_modifier("measure", function(pose)
	for _, link in links do
		local way = pose:position(link[2]) - pose:position(link[1])
		local function along(axis)
			return vector.dot(way, pose:direction(link[1], axis))
		end
		ways[link] = vec(along(vec(1, 0, 0)), along(vec(0, 1, 0)), along(vec(0, 0, 1)))
	end
end)
local function draw_lines()
	for link, way in ways do
		local long = vector.magnitude(way)
		local rod = physics.capsule { radius = 0.011, height = long, collider = false, color = LINE }
		man:attach(rod, link[1], { offset = way / 2, yaw = math.deg(math.atan2(way.x, way.z)), pitch = 90 - math.deg(math.asin(way.y / long)) })
		link.rod = rod
	end
	ways = {}
	measure:remove()
end

ui.text("3.1  Bone hierarchy", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
local list = ui.text("", { position = vec(-28, 24, 0), anchor = "top_right", align = "left", size = 18, outline = 2 })
ui.text("n: neck    t: traverse    m: bones with a mesh    space: move    b: view", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

local lit, mesh, traverse, moves, view = nil, false, nil, nil, false

local function find(name)
	return spheres[name] and name
end

function update(dt)
	if next(ways) then
		draw_lines()
	end
	if input.pressed "n" then
		lit = if lit then nil else find "neck"
	elseif input.pressed "t" then
		traverse = 0
	elseif input.pressed "m" then
		mesh = not mesh
	elseif input.pressed "b" then
		view = not view
		debug_view(if view then "skeleton" else nil, { legend = false })
	elseif input.pressed "space" then
		if moves then
			moves:stop(0.3)
		end
		moves = if moves then nil else man:play("walk", { mode = "loop", fade = 0.3 })
	end
	if traverse then
		traverse = math.min(traverse + 6 * dt, #order)
		list.text = table.concat(order, "\n", 1, math.floor(traverse))
	end
	local now_at = traverse and traverse < #order and order[math.floor(traverse) + 1]
	for name, sphere in spheres do
		local hot = name == lit or name == now_at
		sphere:material("Surface").color = if hot then vec(0.9, 0.12, 0.03) elseif mesh and CARRIES[name] then vec(0.05, 0.6, 0.12) else PLAIN
	end
	state.text = `{#order} bones{if lit then `; found: {lit}, {string.format("%.2f", man:bone_position(lit).y)} m high` else ""}`
end

return { man = man, spheres = spheres, order = order, links = links, lit = function() return lit end, traversed = function() return traverse end }
