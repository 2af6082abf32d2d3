-- 6.1 Oriented boxes: tests two rotated boxes for overlap. Overlapping boxes are red. A box moves automatically; the
-- result of an axis-aligned test (AABB) is shown for comparison.
--
--   arrows w s   move the box by hand; space returns to automatic movement
--   c            extension: a cabin of boxes; the walls that the box overlaps turn red
--   o            pushes the box out by the penetration depth
--   p            points: those inside the box light up

local obb = require "obb"

light.rig("studio", { position = vec(0, 0.8, 0), size = 2.4 })
light.post_process { tonemap = "agx", contrast = 1.06 }
ground.set { color = vec(0.5, 0.49, 0.47), grid = 1 }
camera.orbit { target = vec(0.1, 0.8, 0), distance = 6, yaw = 22, pitch = 16, fov = 28 }

local FREE, MET, MOVER = vec(0.07, 0.24, 0.42), vec(0.62, 0.05, 0.02), vec(0.7, 0.42, 0.05)

-- The visible box: a prop that rotates about its centre with the box.
local function show(box, color)
	box.body = physics.box { position = box.at, size = box.half * 2, collider = false, color = color }
	box.body:add_modifier("turn", function(pose)
		pose:rotate("box", box.axis, box.degrees, "character")
	end)
	box.color = color
	return box
end

local pair = { show(obb.new(vec(0.35, 0.75, 0), vec(1.1, 0.5, 0.7), vec(0.3, 1, 0.5), 40), FREE) }
local mover = show(obb.new(vec(-1.2, 0.8, 0), vec(0.8, 0.3, 0.45)), MOVER)

local cabin = {}
local function build_cabin()
	for _, one in {
		{ vec(0, 0.05, 0), vec(2.2, 0.1, 1.8) }, { vec(-1.05, 0.75, 0), vec(0.1, 1.3, 1.8) }, { vec(1.05, 0.75, 0), vec(0.1, 1.3, 1.8) },
		{ vec(0, 0.75, -0.85), vec(2, 1.3, 0.1) }, { vec(-0.6, 0.75, 0.85), vec(0.8, 1.3, 0.1) }, { vec(0.72, 0.75, 0.85), vec(0.56, 1.3, 0.1) },
		{ vec(-0.62, 1.68, 0), vec(1.45, 0.08, 2), 32 }, { vec(0.62, 1.68, 0), vec(1.45, 0.08, 2), -32 },
	} do
		table.insert(cabin, show(obb.new(one[1], one[2], vec(0, 0, 1), one[3] or 0), vec(0.3, 0.16, 0.07)))
	end
end

local points = {}
local function build_points()
	for x = -4, 4 do
		for y = 0, 4 do
			for z = -2, 2 do
				table.insert(points, physics.sphere { radius = 0.018, collider = false, position = vec(x * 0.35, 0.15 + y * 0.3, z * 0.3), color = vec(0.3, 0.3, 0.3) })
			end
		end
	end
end

ui.text("6.1  Oriented boxes", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("arrows w s: move    space: by itself    c: cabin    o: push out    p: points", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

local by_itself, in_cabin, push_out, inside, clock = true, false, false, 0, 0

local function visible(list, shown)
	for _, box in list do
		box.body:show_part("box", shown)
	end
end

local function move(dt)
	local function axis(plus, minus)
		return (if input.down(plus) then 1 else 0) - (if input.down(minus) then 1 else 0)
	end
	local way = vec(axis("right", "left"), axis("w", "s"), axis("down", "up"))
	if vector.magnitude(way) > 0 then
		by_itself = false
	elseif input.pressed "space" then
		by_itself = not by_itself
	end
	if by_itself then
		clock += dt
		mover.at = vec(-1.25 * math.cos(clock * 0.9), 0.85 + 0.25 * math.sin(clock * 1.3), 0.35 * math.sin(clock * 0.7))
	else
		mover.at += way * dt
	end
	obb.turn(mover, vec(0.4, 1, 0.2), mover.degrees + 40 * dt)
end

function update(dt)
	move(dt)
	if input.pressed "c" then
		in_cabin = not in_cabin
		if #cabin == 0 then
			build_cabin()
		end
		visible(cabin, in_cabin)
		visible(pair, not in_cabin)
		camera.orbit { target = vec(0.1, if in_cabin then 0.95 else 0.8, 0), distance = if in_cabin then 7.4 else 6 }
	elseif input.pressed "o" then
		push_out = not push_out
	elseif input.pressed "p" then
		if #points == 0 then
			build_points()
		else
			for _, point in points do
				point:remove()
			end
			points = {}
		end
	end
	local deepest, loose = 0, false
	for _, other in if in_cabin then cabin else pair do
		local hit = obb.meet(mover, other)
		other.met = hit ~= nil
		if hit and push_out then
			mover.at += hit.out * hit.depth
		end
		deepest = math.max(deepest, if hit then hit.depth else 0)
		loose = loose or obb.around_meet(mover, other)
		other.body:material("Surface").color = if hit then MET else other.color
	end
	mover.body.position = mover.at
	mover.body:material("Surface").color = if deepest > 0 then vec(0.85, 0.16, 0.02) else MOVER
	inside = 0
	for _, point in points do
		local is_in = obb.contains(mover, point.position)
		inside += if is_in then 1 else 0
		point:material("Surface").color = if is_in then vec(0.95, 0.8, 0.1) else vec(0.3, 0.3, 0.3)
	end
	state.text = string.format("oriented boxes: %s    boxes along the axes: %s%s", if deepest > 0 then string.format("they meet, %.2f m deep", deepest) else "apart", if loose then "they meet" else "apart", if #points > 0 then `    {inside} points within` else "")
end

return { obb = obb, mover = mover, other = pair[1], cabin = cabin, inside = function() return inside end }
