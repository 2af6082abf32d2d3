-- Where the head goes. It is modelled in the size and at the place of a woman of 1.70 m; here it is brought to the neck of
-- whoever is measured, with all that hangs on it. It is painted apart, high above the body, whose sculpture would else be
-- seen in the skin of the neck; `part` brings it down.
local v = vector.create
local K = require "./body_field"

local RING = v(0, K.form.neck_ring, 0)
local scale = K.measure.head
local by = v(0, K.up(RING.y) - RING.y, K.measure.ahead.neck)
local APART = v(0, 3, 0)

local P = {}

-- Where a place of the modelled head is on this person, and the other way.
function P.at(p)
	return (p - RING) * scale + RING + by
end
function P.from(p)
	return (p - by - RING) / scale + RING
end

function P.field(field)
	return field:place(RING - RING * scale + by, vector.zero, scale)
end
-- Where a place of the modelled head is while it is painted, and the other way.
function P.painted(p)
	return P.at(p) + APART
end
function P.unpainted(p)
	return P.from(p - APART)
end
function P.painted_field(field)
	return P.field(field):place(APART)
end

-- Brings what a part is made of: its cage, its field, its morphs.
function P.bring(options)
	local cage = options.cage
	for i = 1, cage:count() do
		cage:set(i, P.painted(cage:get(i)))
	end
	options.place = { by = -APART }
	options.field = options.field and P.painted_field(options.field)
	for _, morph in options.morphs or {} do
		morph.offsets = table.clone(morph.offsets)
		for i, by_morph in morph.offsets do
			morph.offsets[i] = by_morph * scale
		end
		morph.outside = morph.outside and P.painted_field(morph.outside)
	end
	return options
end

return P
