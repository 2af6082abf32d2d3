-- What a face is like at rest: shares of the shapes of `shapes` that are somebody's for good, put into the points of all
-- its cages before anything else is made of them. `rest(shares, neck)` comes before `face`; `neck` is how much thicker than
-- hers the neck is where it meets the body. Afterwards `rest.head` is the head's mesh, where it has one of its own, and
-- `rest.shift` takes a cage of hair or ears along.
local v = vector.create
local H = require "./head"
local S = require "./shapes"
local K = require "./face_field"
local T = require "./motion"
local B = require "./builds"
local fine = require "./fine"
local L = H.loops

local LEVELS = 2
-- The lids' skin keeps off the eyeballs.
local EYES = field.ball(K.EYE, K.R + 0.0002):mirror()

local function thicker(p, neck)
	local share = (neck - 1) * (1 - T.smooth(1.452, 1.505, p.y))
	return v(p.x, 0, p.z + 0.028) * share * v(1, 0, 1)
end

-- The roots of lashes and tears go with the lid.
local function move_roots(whole)
	local function moved(i)
		return whole.head[i] or vector.zero
	end
	for _, name in { "lashes", "tears" } do
		for _, ride in T.parts[name].ride do
			local from, to = L.curve(ride.from, ride.u, moved), L.curve(ride.to, ride.u, moved)
			ride.root += from * (1 - ride.share) + to * ride.share
		end
	end
end

local rest = { shares = {} }

local function apply(_, shares, neck)
	rest.shares = {}
	local whole = T.shape()
	for _, name in S.names do
		local share = shares[string.sub(name, 7)]
		if share then
			table.insert(rest.shares, { name, share })
			T.mix(whole, B.by_name[name], share)
		end
	end
	local mesh, carry = fine(H.half, H.twin, H.field, LEVELS)
	local count = H.cage:count()
	for i = 1, count do
		local by = thicker(H.cage:get(i), neck)
		if vector.magnitude(by) > 1e-6 then
			whole.head[i] = (whole.head[i] or vector.zero) + by
		end
	end
	for i, by in carry(whole.head) do
		local p = mesh.points[i] + by
		local least = math.min(EYES:at(mesh.points[i]), 0.0008)
		for _ = 1, 4 do
			p += EYES:normal(p) * math.max(0, least - EYES:at(p))
		end
		mesh.points[i] = p
	end
	move_roots(whole)
	for name, part in T.parts do
		for i, by in whole[name] do
			part.cage:set(i, part.cage:get(i) + by)
			if part.half.points[i] then
				part.half.points[i] += by
			end
		end
	end
	rest.head = { mesh = mesh, carry = carry }
end

-- A cage of what goes with the head, hair or ears.
function rest.shift(cage)
	for i = 1, cage:count() do
		local p = cage:get(i)
		local by = vector.zero
		for _, pair in rest.shares do
			by += S.move(p, pair[1]) * pair[2]
		end
		cage:set(i, p + by)
	end
	return cage
end

-- The cage and the morphs of the head's part at its finest.
function rest.fine_head(morphs)
	local mesh, carry = rest.head.mesh, rest.head.carry
	local c = cage()
	for _, p in mesh.points do
		c:point(p, 1)
	end
	for _, face in mesh.faces do
		c:paint(face.paint)
		c:chart(face.chart)
		c:quad(table.unpack(face.corners))
	end
	for _, cut in mesh.cuts do
		c:seam(cut)
	end
	for _, morph in morphs do
		morph.offsets = carry(morph.offsets)
	end
	return c
end

return setmetatable(rest, { __call = apply })
