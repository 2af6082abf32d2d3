-- A short full beard: a copy of the head's skin over jaw, chin and lip, thickened by tufts of hair, so that it follows all
-- facial expressions. `beard(head)` returns the options of its part, made from those of the head.
local v = vector.create
local H = require "./head"
local K = require "./face_field"
local T = require "./motion"
local rest = require "./rest"
local smooth = T.smooth
local lips_field = rest.modelled_lips

local THICK = { cheek = 4.5, chin = 9, lip = 4.2 } -- millimetres
local PICTURE = v(0.016, 0.06, 0) -- size of the strand texture in metres, across and along
-- Upper limit of the beard: degrees around from the middle of the face; start and full height in metres.
local TOP = {
	{ 0, 1.5420, 1.5370 }, { 14, 1.5405, 1.5345 }, { 24, 1.5330, 1.5270 }, { 40, 1.5310, 1.5210 }, { 58, 1.5450, 1.5330 },
	{ 74, 1.5900, 1.5800 }, { 84, 1.5980, 1.5890 }, { 96, 1.5700, 1.5600 },
}

local function top(around)
	for i = 1, #TOP - 1 do
		local p, q = TOP[i], TOP[i + 1]
		if around <= q[1] then
			local t = math.clamp((around - p[1]) / (q[1] - p[1]), 0, 1)
			return p[2] + (q[2] - p[2]) * t, p[3] + (q[3] - p[3]) * t
		end
	end
	return 0, -0.01
end

-- Thickness at a position on the modelled face, metres; negative where there is no beard.
local function thick(p)
	local around = math.deg(math.atan2(math.abs(p.x), p.z + 0.005))
	local begins, whole = top(around)
	local ragged = 0.0022 * math.noise(p.x * 260, p.y * 90, 3.3)
	local high = smooth(begins, whole, p.y + ragged)
	-- On the throat it ends along a line from the chin to the ear.
	local throat = 1.476 + 0.30 * math.max(0, 0.052 - p.z)
	local low = smooth(throat - 0.006, throat + 0.006, p.y + ragged + math.max(0, p.z - 0.06))
	local lips = smooth(0.0008, 0.0050, lips_field:at(p))
	local share = high * low * lips * (1 - smooth(78, 92, around))
	local chin = smooth(1.515, 1.488, p.y) * smooth(0.030, 0.070, p.z)
	local full = THICK.cheek + (THICK.chin - THICK.cheek) * chin
	full += (THICK.lip - full) * smooth(K.MOUTH - 0.002, K.MOUTH + 0.004, p.y) * smooth(0.062, 0.080, p.z)
	local tuft = 1 + 0.45 * math.noise(p.x * 95, p.y * 34, p.z * 60) + 0.2 * math.noise(p.x * 210, p.y * 60, 7.7)
	return (share ^ 0.8 * full * tuft - 0.6) * 0.001
end

local function normals_of(mesh)
	local sums = {}
	for _, face in mesh.faces do
		local at = {}
		for k, i in face.corners do
			at[k] = mesh.points[i]
		end
		local across = vector.cross(at[3] - at[1], at[4] - at[2])
		for _, i in face.corners do
			-- Faces of the two halves have opposite winding.
			local out = if vector.dot(across, H.field:normal(mesh.modelled[i])) < 0 then -across else across
			sums[i] = (sums[i] or vector.zero) + out
		end
	end
	return sums
end

return function(head)
	local mesh = rest.head.mesh
	local normals = normals_of(mesh)
	local depth, number = {}, {}
	for i, p in mesh.modelled do
		depth[i] = if p.y < 1.62 and p.z > -0.03 then thick(p) else -1
	end
	local c = cage()
	c:paint "hair"
	local function own(i)
		if not number[i] then
			local by = vector.normalize(normals[i]) * math.max(depth[i], -0.0006)
			local at, p = mesh.points[i] + by, mesh.modelled[i]
			number[i] = c:point(at, 1)
			c:uv(number[i], math.atan2(p.x, p.z + 0.02) * 0.075 / PICTURE.x, (1.6 - p.y + 0.5 * math.max(0, 0.06 - p.z)) / PICTURE.y)
		end
		return number[i]
	end
	for _, face in mesh.faces do
		local most = -1
		for _, i in face.corners do
			most = math.max(most, depth[i])
		end
		if most > 0 and face.paint == "skin" and face.chart ~= "mouth" then
			local a, b, d, e = table.unpack(face.corners)
			c:quad(own(a), own(b), own(d), own(e))
		end
	end
	local morphs = {}
	for _, morph in head.morphs do
		local offsets = {}
		for i, k in number do
			offsets[k] = morph.offsets[i]
		end
		if next(offsets) ~= nil then
			table.insert(morphs, { name = morph.name, offsets = offsets })
		end
	end
	return { name = "beard", cage = c, levels = 0, mirror = false, weights = head.weights, morphs = morphs, shade = 0.8, keep = 0.75 }
end
