-- Oriented bounding boxes (OBB): a centre, half extents, and three axes.

local obb = {}

-- Rotates a direction about an axis (Rodrigues).
function obb.turned(p, axis, degrees)
	local a = math.rad(degrees)
	return p * math.cos(a) + vector.cross(axis, p) * math.sin(a) + axis * (vector.dot(axis, p) * (1 - math.cos(a)))
end

function obb.new(at, size, axis, degrees)
	local box = { at = at, half = size / 2 }
	obb.turn(box, axis or vec(0, 1, 0), degrees or 0)
	return box
end

function obb.turn(box, axis, degrees)
	box.axis, box.degrees = vector.normalize(axis), degrees
	box.axes = {}
	for i, one in { vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1) } do
		box.axes[i] = obb.turned(one, box.axis, degrees)
	end
end

local function halves(box)
	return { box.half.x, box.half.y, box.half.z }
end

-- Half the extent of the box along a direction.
function obb.reach(box, way)
	local sum = 0
	for i, half in halves(box) do
		sum += half * math.abs(vector.dot(box.axes[i], way))
	end
	return sum
end

-- Returns true if a point, in the box's local space, is within its half extents.
function obb.contains(box, point)
	for i, half in halves(box) do
		if math.abs(vector.dot(point - box.at, box.axes[i])) > half then
			return false
		end
	end
	return true
end

-- Separating axis test: two boxes are apart if one of six face normals or nine edge cross products separates them.
-- Otherwise the axis of least overlap gives the penetration depth and the direction that pushes the first box out.
function obb.meet(a, b)
	local axes = {}
	for i = 1, 3 do
		table.insert(axes, a.axes[i])
		table.insert(axes, b.axes[i])
		for j = 1, 3 do
			local cross = vector.cross(a.axes[i], b.axes[j])
			-- Parallel edges give no new axis: the face normals already cover it.
			if vector.magnitude(cross) > 1e-4 then
				table.insert(axes, vector.normalize(cross))
			end
		end
	end
	local depth, out = math.huge, nil
	for _, axis in axes do
		local apart = vector.dot(a.at - b.at, axis)
		local overlap = obb.reach(a, axis) + obb.reach(b, axis) - math.abs(apart)
		if overlap <= 0 then
			return nil
		elseif overlap < depth then
			depth, out = overlap, axis * (if apart < 0 then -1 else 1)
		end
	end
	return { depth = depth, out = out }
end

-- The axis-aligned bounding box (AABB) around it, for comparison.
function obb.around(box)
	return vec(obb.reach(box, vec(1, 0, 0)), obb.reach(box, vec(0, 1, 0)), obb.reach(box, vec(0, 0, 1)))
end

function obb.around_meet(a, b)
	local gap, sum = vector.abs(a.at - b.at), obb.around(a) + obb.around(b)
	return gap.x < sum.x and gap.y < sum.y and gap.z < sum.z
end

return obb
