-- Tools for morph targets: they add offsets to the points of the face's cages. A shape is { head = { [point] =
-- offset }, lower = …, … } for the left half; `both`, `left`, `right` and `aside` turn it into whole shapes.
local v = vector.create
local K = require "./face_field"
local H = require "./head"
local hairs, mouth = require "./lashes", require "./mouth"
local E, R = K.EYE, K.R
local L, g = H.loops, H.loops.grid
local sin, cos, rad, deg, max, min = math.sin, math.cos, math.rad, math.deg, math.max, math.min
local T = {}

local HINGE = v(0, 1.5550, 0.0050) -- of the jaw

T.parts = {
	head = H, lashes = hairs.lashes, tears = hairs.tears, brows = hairs.brows,
	upper = mouth.upper, lower = mouth.lower, tongue = mouth.tongue,
}
local at = {} -- positions of all points of the halves
for name, part in T.parts do
	at[name] = part.half.points
end
T.at = at

local function smooth(from, to, x)
	local t = max(0, min(1, (x - from) / (to - from)))
	return t * t * (3 - 2 * t)
end
T.smooth = smooth

-- Points that belong to the lids, and to the lips and the inside of the mouth.
local lid_point, lip_point = {}, {}
for _, ring in { L.lid, L.rim, L.crease, L.fold } do
	for _, i in ring do
		lid_point[i] = true
	end
end
local LIPS = {
	border = L.border, crest = L.crest, line = L.line, inside = L.inside, pocket = L.pocket, throat = L.throat,
}
for _, ring in LIPS do
	for _, i in ring do
		lip_point[i] = true
	end
end
T.lip_rings = LIPS

function T.shape()
	local s = {}
	for name in T.parts do
		s[name] = {}
	end
	return s
end
local function add(s, part, i, o)
	s[part][i] = (s[part][i] or vector.zero) + o
end
T.add = add

-- Moves the skin around a position; fades out at `radius`, millimetres. Lids and lips stay unless `everything`.
function T.brush(s, place, radius, by, everything)
	local r = if type(radius) == "number" then v(radius, radius, radius) else radius
	for i, p in at.head do
		if everything or not (lid_point[i] or lip_point[i]) then
			local d = (p * 1000 - place) / r
			local far = vector.dot(d, d)
			if far < 1 then
				add(s, "head", i, by * (0.001 * (1 - far) ^ 2))
			end
		end
	end
end

-- Weight with which each point follows the jaw.
local JAW_LIPS = { 0, 0, 0.08, 0.44, 0.82, 1, 1 }
local jaw = {}
for i, p in at.head do
	local angle = deg(math.atan2(p.y - HINGE.y, p.z - HINGE.z))
	local w = smooth(-8, -42, angle) * (1 - smooth(-62, -100, angle)) * smooth(1.448, 1.477, p.y)
	jaw[i] = if angle > 0 or lid_point[i] then 0 else w
end
for j = 1, 3 do
	jaw[g[8][j]], jaw[g[9][j]] = 0.02, 0
	jaw[g[4][j]], jaw[g[5][j]], jaw[g[6][j]] = 1, 1, 1
end
jaw[g[7][3]] = 0.5
for name, ring in LIPS do
	for k, i in ring do
		jaw[i] = if name == "throat" then 0.35 else JAW_LIPS[k]
	end
end
for _, i in L.nose do
	jaw[i] = 0
end
for _, i in L.nostril do
	jaw[i] = 0
end
local function tongue_jaw(p)
	return 0.35 + 0.65 * smooth(0.036, 0.062, p.z)
end
-- Applies `turn` to every point, weighted by how much it follows the jaw.
function T.with_jaw(s, turn)
	for i, p in at.head do
		if jaw[i] > 0 then
			add(s, "head", i, turn(p, jaw[i]))
		end
	end
	for i, p in at.lower do
		add(s, "lower", i, turn(p, 1))
	end
	for i, p in at.tongue do
		add(s, "tongue", i, turn(p, tongue_jaw(p)))
	end
end
function T.opened(degrees)
	return function(p, w)
		local a, d = rad(degrees * w), p - HINGE
		local y, z = d.y * cos(a) - d.z * sin(a), d.y * sin(a) + d.z * cos(a)
		return v(0, y - d.y, z - d.z)
	end
end

-- Lips: weights of their middles and corners at each position, from the upper middle to the lower.
T.UPPER = { 1, 0.92, 0.55, 0, 0, 0, 0 }
T.LOWER = { 0, 0, 0, 0, 0.55, 0.92, 1 }
T.CORNER = { 0, 0.16, 0.52, 1, 0.52, 0.16, 0 }
local RING = { border = 0.9, crest = 1, line = 1, inside = 0.95, pocket = 0.45, throat = 0 }
-- The skin around the lips: rings of positions and their weights.
local AROUND = {
	{ share = 0.55, ring = { g[8][1], g[8][2], g[8][3], g[7][3], g[6][3], g[6][2], g[6][1] } },
	{ share = 0.2, ring = { g[9][1], g[9][2], g[9][3], g[7][4], g[5][3], g[5][2], g[5][1] } },
}
-- Pulls the middle of the upper lip, of the lower lip, and the corner, millimetres.
function T.lips(s, upper, lower, corner)
	local function pulled(ring, share)
		for k, i in ring do
			local o = upper * T.UPPER[k] + lower * T.LOWER[k] + corner * T.CORNER[k]
			add(s, "head", i, o * (share * 0.001))
		end
	end
	for name, ring in LIPS do
		pulled(ring, RING[name])
	end
	for _, around in AROUND do
		pulled(around.ring, around.share)
	end
	add(s, "head", g[8][4], corner * 0.0003)
	add(s, "head", g[6][4], corner * 0.0003)
	add(s, "head", g[7][5], corner * 0.00008)
end
-- Moves single rings of one lip, full at its middle: { border = vector, crest = vector, … }, millimetres.
function T.rings(s, which, by, corners)
	for name, o in by do
		for k, i in LIPS[name] do
			local w = which[k] + (corners or 0) * T.CORNER[k]
			if w ~= 0 then
				add(s, "head", i, o * (min(1, w) * 0.001))
			end
		end
	end
end

-- Lids: positions on the eyeball by degrees around and up, and distance from it in millimetres.
local function polar(p)
	local d = p - E
	local r = vector.magnitude(d)
	return deg(math.atan2(d.x, d.z)), deg(math.asin(d.y / r)), (r - R) * 1000
end
function T.on_ball(azimuth, elevation, off)
	local a, e = rad(azimuth), rad(elevation)
	return E + v(sin(a) * cos(e), sin(e), cos(a) * cos(e)) * (R + off * 0.001)
end
-- Moves each position of a lid's ring by { degrees around, degrees up, millimetres off the ball }.
function T.lid(s, ring, moves)
	for k, m in moves do
		local i = ring[k]
		local a, e, off = polar(at.head[i])
		add(s, "head", i, T.on_ball(a + m[1], e + m[2], off + m[3]) - at.head[i])
	end
end
-- The same for the upper lid (positions 2 to 6) and the lower (7 to 10 and 1), by degrees up at their middles.
local UP = { [2] = 0.12, [3] = 0.8, [4] = 1, [5] = 0.92, [6] = 0.3 }
local DOWN = { [1] = 0.15, [7] = 0.3, [8] = 0.9, [9] = 1, [10] = 0.85 }
local SHARES = { { L.lid, 1 }, { L.rim, 1 }, { L.crease, 0.5 }, { L.fold, 0.12 } }
function T.lids(s, upper, lower, off)
	off = off or 0
	for _, pair in SHARES do
		local share = pair[2]
		local moves = {}
		for k, w in UP do
			moves[k] = { 0, upper * w * share, off * w }
		end
		for k, w in DOWN do
			moves[k] = { 0, lower * w * share, 0 }
		end
		T.lid(s, pair[1], moves)
	end
end
-- The fold under the brow, degrees up at its inner and outer end.
function T.fold(s, inner, outer)
	T.lid(s, L.fold, {
		[2] = { 0, inner * 0.3, 0 }, [3] = { 0, inner, 0 }, [4] = { 0, (inner + outer) * 0.5, 0 },
		[5] = { 0, outer, 0 }, [6] = { 0, outer * 0.4, 0 },
	})
end

-- Moves the tip of the tongue and, less, its middle, millimetres.
function T.tongue(s, tip, middle)
	for i, p in at.tongue do
		local t, m = smooth(0.050, 0.075, p.z), smooth(0.036, 0.054, p.z) * (1 - smooth(0.060, 0.076, p.z))
		add(s, "tongue", i, (tip * t + middle * m) * 0.001)
	end
end

-- Attachments of a brow's points: points of the head with weights.
local BROW_REACH = 0.0125
local on_brow = {}
for i, p in at.brows do
	local list, all = {}, 0
	for k, q in at.head do
		local far = vector.magnitude(q - p) / BROW_REACH
		if far < 2.2 and not (lid_point[k] or lip_point[k]) then
			local w = math.exp(-far * far * 1.6)
			table.insert(list, { k, w })
			all += w
		end
	end
	for _, pair in list do
		pair[2] /= all
	end
	on_brow[i] = list
end

-- Moves lashes, tear lines and brows along with the points of the head.
function T.carry(s)
	local function moved(i)
		return s.head[i] or vector.zero
	end
	local function now(i)
		return at.head[i] + moved(i)
	end
	local function up(p)
		local d = p - E
		return math.atan2(d.y, d.z)
	end
	for _, name in { "lashes", "tears" } do
		for i, ride in T.parts[name].ride do
			local o = L.curve(ride.from, ride.u, moved) * (1 - ride.share) + L.curve(ride.to, ride.u, moved) * ride.share
			local a = up(L.curve(L.lid, ride.u, now)) - up(L.curve(L.lid, ride.u))
			local d = at[name][i] - ride.root
			o += v(0, d.y * cos(a) + d.z * sin(a) - d.y, d.z * cos(a) - d.y * sin(a) - d.z)
			if vector.magnitude(o) > 1e-6 then
				add(s, name, i, o)
			end
		end
	end
	for i, list in on_brow do
		local sum = vector.zero
		for _, pair in list do
			sum += moved(pair[1]) * pair[2]
		end
		if vector.magnitude(sum) > 1e-6 then
			add(s, "brows", i, sum)
		end
	end
end

-- Whole shapes. The halves are mirrored, each with its weight; in the middle both count half.
local function sides(s, left, right)
	local whole = {}
	for name, points in s do
		local twin, list = T.parts[name].twin, {}
		for i, o in points do
			local k = twin[i]
			if k == i then
				list[i] = v(0, o.y, o.z) * ((left + right) * 0.5)
			else
				if left ~= 0 then
					list[i] = o * left
				end
				if right ~= 0 then
					list[k] = v(-o.x, o.y, o.z) * right
				end
			end
		end
		whole[name] = list
	end
	return whole
end
function T.both(s)
	return sides(s, 1, 1)
end
function T.left(s)
	return sides(s, 1, 0)
end
function T.right(s)
	return sides(s, 0, 1)
end
-- Both halves move sideways in the same direction; `way` is 1 to her left.
function T.aside(s, way)
	local whole = {}
	for name, points in s do
		local twin, list = T.parts[name].twin, {}
		for i, o in points do
			local k = twin[i]
			if k == i then
				list[i] = v(o.x, 0, 0) * way
			elseif way > 0 then
				list[i], list[k] = o, v(o.x, -o.y, -o.z)
			else
				list[i], list[k] = v(-o.x, -o.y, -o.z), v(-o.x, o.y, o.z)
			end
		end
		whole[name] = list
	end
	return whole
end
-- Adds a fraction of one whole shape to another.
function T.mix(sum, other, share)
	for name, list in other do
		local own = sum[name] or {}
		sum[name] = own
		for i, o in list do
			own[i] = (own[i] or vector.zero) + o * share
		end
	end
end

return T
