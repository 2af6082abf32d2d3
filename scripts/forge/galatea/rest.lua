-- The face at rest: permanent weights of the shapes of `shapes`, applied to the points of all cages before other modules
-- use them. Call `rest(shares)` before `face`. Then `rest.head` is the head's mesh, if it has its own, with its points as
-- `modelled` and the neck of the body; `rest.shift` moves a cage of hair or ears along.
local v = vector.create
local H = require "./head"
local S = require "./shapes"
local K = require "./face_field"
local T = require "./motion"
local B = require "./builds"
local BODY = require "./body_field"
local P = require "./head_place"
local fine = require "./fine"
local L = H.loops

local LEVELS = 2
-- The skin of the lids keeps a distance to the eyeballs.
local EYES = field.ball(K.EYE, K.R + 0.0002):mirror()

-- Height of a position on the head above the neck ring, which is tilted like the neck.
local function over_ring(p)
	return p.y - BODY.form.neck_ring + 0.18 * (p.z + 0.028)
end
-- Blends the skin of the neck into the body's. The blend fades upwards and under the jaw, which is far from the body. Below
-- the ring the skin covers the body's edge and dips into it.
local function onto_body(p)
	local over = over_ring(p)
	local at = P.at(p)
	local d = BODY.trunk:at(at)
	local near = 0.010 + 0.020 * (1 - T.smooth(0.004, 0.022, over))
	local share = (1 - T.smooth(0.012, 0.065, over)) * (1 - T.smooth(near, near + 0.012, math.abs(d)))
	if share == 0 then
		return p
	end
	-- Keeps the original height, so that it still reaches below the ring.
	local middle = v(0, at.y, BODY.neck_rows[3][3])
	local on = BODY.trunk:out(middle, vector.normalize(at - middle), 0.15) or at
	local deep = 0.0030 * T.smooth(-0.004, -0.011, over_ring(P.from(on))) - 0.0002
	return P.from(at + (on - BODY.trunk:normal(on) * deep - at) * share)
end

-- The roots of lashes and tear lines follow the lid.
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

-- Converts a position on the modelled head to the face at rest.
function rest.moved(p)
	local by = vector.zero
	for _, pair in rest.shares do
		by += S.move(p, pair[1]) * pair[2]
	end
	return p + by
end

-- Scales the length of the lashes.
local function trim(share)
	local lashes = T.parts.lashes
	for i = 1, lashes.cage:count() do
		local own = if lashes.half.points[i] then i else lashes.twin[i]
		local root = lashes.ride[own].root
		if own ~= i then
			root *= vector.create(-1, 1, 1)
		end
		lashes.cage:set(i, root + (lashes.cage:get(i) - root) * share)
		if own == i then
			lashes.half.points[i] = lashes.cage:get(i)
		end
	end
end

local function apply(_, shares)
	rest.shares = {}
	local whole = T.shape()
	for _, name in S.names do
		local share = shares[string.sub(name, 7)]
		if share then
			table.insert(rest.shares, { name, share })
			T.mix(whole, B.by_name[name], share)
		end
	end
	if shares.corners then
		local s = T.shape()
		T.lips(s, vector.zero, vector.zero, vector.create(0.3, 1, -0.2) * shares.corners)
		T.carry(s)
		T.mix(whole, T.both(s), 1)
	end
	rest.modelled_lips = H.lips()
	local mesh, carry = fine(H.half, H.twin, H.field, LEVELS)
	mesh.modelled = table.clone(mesh.points)
	for i, by in carry(whole.head) do
		local p = mesh.points[i] + by
		local least = math.min(EYES:at(mesh.points[i]), 0.0008)
		for _ = 1, 4 do
			p += EYES:normal(p) * math.max(0, least - EYES:at(p))
		end
		mesh.points[i] = p
	end
	for i, p in mesh.points do
		mesh.points[i] = onto_body(p)
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
	trim(shares.lashes or 1)
	rest.head = { mesh = mesh, carry = carry }
end

-- A cage that follows the head: hair or ears.
function rest.shift(cage)
	for i = 1, cage:count() do
		cage:set(i, rest.moved(cage:get(i)))
	end
	return cage
end

-- The cage and the morphs of the head's part at the finest level.
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
