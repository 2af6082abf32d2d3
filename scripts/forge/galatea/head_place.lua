-- Placement of the head. It is modelled for a woman of 1.70 m; this module moves it and everything attached to it to the
-- neck of the measured person. It is painted separately, high above the body; otherwise the field of the body would show
-- in the skin of the neck. `part` moves it down again.
local v = vector.create
local K = require "./body_field"

local RING = v(0, K.form.neck_ring, 0)
local scale = K.measure.head
local by = v(0, K.up(RING.y) - RING.y, K.measure.ahead.neck)
local APART = v(0, 3, 0)

local P = {}

-- Converts a position on the modelled head to this person, and back.
function P.at(p)
	return (p - RING) * scale + RING + by
end
function P.from(p)
	return (p - by - RING) / scale + RING
end

function P.field(field)
	return field:place(RING - RING * scale + by, vector.zero, scale)
end
-- Converts a position on the modelled head to the position at which it is painted, and back.
function P.painted(p)
	return P.at(p) + APART
end
function P.unpainted(p)
	return P.from(p - APART)
end
function P.painted_field(field)
	return P.field(field):place(APART)
end

-- Moves the inputs of a part: its cage, field and morphs.
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
