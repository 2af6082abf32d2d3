-- Face shapes: the offset of any position on the head at weight 1 of a shape. Face, ears, hair and accessories query their
-- offsets here, so they stay together. The ring of the neck does not move.
local v = vector.create
local K = require "./face_field"
local E, M = K.EYE, K.MOUTH
local max, min, exp = math.max, math.min, math.exp
local O = vector.zero

local function smooth(from, to, x)
	local t = max(0, min(1, (x - from) / (to - from)))
	return t * t * (3 - 2 * t)
end
-- 1 at a position, less around it; radii along the axes in millimetres.
local function spot(q, x, y, z, rx, ry, rz)
	local d = (q * 1000 - v(x, y, z)) / v(rx, ry, rz)
	return exp(-vector.dot(d, d))
end
-- An eye and its lids move as one.
local function around_eye(q)
	local d = (q - E) / v(1, 1, 1.3)
	return smooth(0.046, 0.025, vector.magnitude(d))
end
local function front(q)
	return smooth(-0.030, 0.035, q.z)
end
-- Sideways movement fades to zero at the middle.
local function side(q, x)
	return min(q.x / x, 1)
end

-- The opening of the lids grows over the eyeball: no position comes closer to its centre.
local function open_eye(q, by)
	local r = q - E
	if r.z < 0 then
		return O
	end
	local far = vector.magnitude(v(r.x, r.y, 0)) / 0.022
	local share = exp(-far * far) * smooth(0, 0.008, r.z) * by
	local grown = r + v(r.x, r.y, 0) * share
	return vector.normalize(grown) * vector.magnitude(r) - r
end

-- Each takes a position on the left half and returns millimetres.
local MOVE = {
	face_width = function(q)
		return v(0.075 * q.x * 1000, 0, 0) * (front(q) * smooth(1.452, 1.490, q.y) * smooth(1.690, 1.635, q.y))
	end,
	face_length = function(q)
		return v(0, -9.5, 0) * (smooth(1.560, 1.484, q.y) * smooth(1.440, 1.474, q.y) * front(q))
	end,
	jaw_width = function(q)
		return v(8.5, -1.4, 0) * (spot(q, 46, 1508, 28, 21, 26, 44) * side(q, 0.02))
	end,
	chin = function(q)
		return v(0, -3.0, 6.4) * spot(q, 0, 1485, 80, 20, 15, 28)
	end,
	cheekbones = function(q)
		return v(5.2, 1.0, 4.2) * (spot(q, 48, 1559, 52, 19, 15, 30) * side(q, 0.02))
	end,
	nose_width = function(q)
		return v(5.2, 0, -0.6) * (spot(q, 10, 1550, 94, 10, 11, 17) * side(q, 0.008))
	end,
	nose_length = function(q)
		return v(0, -5.6, 4.2) * spot(q, 0, 1552, 103, 13, 13, 17)
	end,
	nose_bridge = function(q)
		return v(0, 0, 5.6) * spot(q, 0, 1577, 95, 9, 19, 18)
	end,
	mouth_width = function(q)
		return v(6.4, 0, -2.0) * (spot(q, 23, M * 1000, 84, 17, 13, 30) * side(q, 0.018))
	end,
	lips = function(q)
		-- Points where they touch stay together.
		local high = (q.y - M) * 1000
		local apart = smooth(2.2, 5.5, math.abs(high)) * math.sign(high)
		return v(0, 2.8 * apart, 2.6 * math.abs(apart) + 0.4) * (spot(q, 0, M * 1000, 92, 20, 9.5, 14))
	end,
	eye_size = function(q)
		return open_eye(q, 0.30) * 1000 * v(side(q, 0.01), 1, 1)
	end,
	eye_spacing = function(q)
		return v(4.2, 0, -0.8) * (around_eye(q) * side(q, 0.012))
	end,
	brow_height = function(q)
		return v(0, 6.2, 0.4) * spot(q, 33, 1614, 76, 30, 14, 34)
	end,
	ears = function(q)
		local r = q - v(0.0660, 1.5700, -0.0100)
		local far = r / v(0.030, 0.046, 0.036)
		local share = smooth(0.001, 0.011, r.x) * exp(-vector.dot(far, far))
		return v(0.30 * r.x, 0.24 * r.y, 0.16 * r.z) * (share * 1000)
	end,
	-- An old face: hollow temples and cheeks, jowls, a longer nose, a sunken mouth.
	age = function(q)
		local o = v(-5.4, 0, -5.0) * (spot(q, 44, 1538, 60, 14, 15, 30) * side(q, 0.02))
		o += v(-3.6, 0, -1.2) * (spot(q, 62, 1606, 40, 14, 20, 26) * side(q, 0.02))
		o += v(3.6, -6.4, 2.2) * (spot(q, 37, 1502, 60, 14, 13, 26) * side(q, 0.02))
		o += v(1.0, -4.0, 2.6) * (spot(q, 26, 1532, 78, 9, 15, 18) * side(q, 0.01))
		o += v(0, -1.8, 2.6) * spot(q, 33, 1560, 78, 18, 6, 18)
		o += v(0, 0, -2.0) * spot(q, 20, 1568, 80, 8, 8, 12)
		o += v(0, -4.0, 1.6) * spot(q, 0, 1551, 103, 12, 12, 16)
		o += v(0, -0.8, -3.4) * spot(q, 0, M * 1000, 94, 26, 14, 18)
		o += v(0, -1.0, 2.4) * spot(q, 0, 1484, 82, 16, 12, 24)
		return o + v(0, -4.2, 0.8) * spot(q, 40, 1613, 74, 24, 12, 30)
	end,
	male = function(q)
		local o = v(7.0, -3.0, 1.0) * (spot(q, 44, 1503, 40, 22, 22, 42) * side(q, 0.02))
		o += v(3.6, 0, 0) * (spot(q, 18, 1484, 76, 14, 14, 26) * side(q, 0.014))
		o += v(0, -5.4, 3.2) * spot(q, 0, 1483, 78, 24, 16, 30)
		o += v(0, -2.0, 4.6) * spot(q, 22, 1611, 82, 34, 10, 26)
		o += v(2.6, -1.4, 0.8) * (spot(q, 10, 1550, 94, 11, 12, 18) * side(q, 0.008))
		o += v(0, -2.0, 3.0) * spot(q, 0, 1554, 103, 12, 14, 17)
		o += v(0.6, 0, 4.2) * spot(q, 2, 1580, 95, 10, 20, 18)
		o += v(-1.4, 0, -2.2) * (spot(q, 36, 1545, 68, 18, 18, 26) * side(q, 0.02))
		return o + v(1.6, 0, -0.6) * (spot(q, 23, M * 1000, 84, 16, 12, 30) * side(q, 0.018))
	end,
	child = function(q)
		local o = v(0, 9.0, -2.0) * (smooth(1.545, 1.484, q.y) * smooth(1.440, 1.470, q.y) * front(q))
		o += v(-3.0, 0, 0) * (spot(q, 34, 1490, 60, 20, 16, 40) * side(q, 0.02))
		o += v(4.6, -0.8, 4.4) * (spot(q, 40, 1534, 62, 20, 20, 32) * side(q, 0.02))
		o += v(-2.6, 0, 0) * (spot(q, 10, 1551, 94, 11, 12, 18) * side(q, 0.008))
		o += v(0, 3.4, -5.4) * spot(q, 0, 1553, 103, 13, 13, 18)
		o += v(0, 0, -3.6) * spot(q, 0, 1578, 95, 9, 20, 18)
		o += v(0, 0.6, 3.4) * (spot(q, 0, 1648, 74, 44, 26, 30))
		o += v(0, 0, -1.8) * spot(q, 26, 1611, 82, 30, 9, 24)
		o += v(-2.8, 0, 0.6) * (spot(q, 23, M * 1000, 84, 17, 13, 30) * side(q, 0.018))
		return o + open_eye(q, 0.16) * 1000 * v(side(q, 0.01), 1, 1)
	end,
}

local S = {
	names = {
		"shape.face_width", "shape.face_length", "shape.jaw_width", "shape.chin", "shape.cheekbones", "shape.nose_width",
		"shape.nose_length", "shape.nose_bridge", "shape.mouth_width", "shape.lips", "shape.eye_size", "shape.eye_spacing",
		"shape.brow_height", "shape.ears", "shape.age", "shape.male", "shape.child",
	},
}

-- Offset of a position on either side of the head at weight 1 of a shape, with or without "shape." before its name.
function S.move(p, name)
	local move = MOVE[string.gsub(name, "^shape%.", "")] or error(`no shape {name}`)
	local q = v(math.abs(p.x), p.y, p.z)
	local o = move(q) * 0.001
	return if p.x < 0 then v(-o.x, o.y, o.z) elseif p.x == 0 then v(0, o.y, o.z) else o
end

return S
