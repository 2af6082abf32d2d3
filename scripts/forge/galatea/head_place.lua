-- Where the head goes. It is modelled in the size and at the place of a woman of 1.70 m; here it is brought to the neck of
-- whoever is measured, with all that hangs on it.
local v = vector.create
local K = require "./body_field"

local RING = v(0, K.form.neck_ring, 0)
local scale = K.measure.head
local by = v(0, K.up(RING.y) - RING.y, K.measure.ahead.neck)
local stays = scale == 1 and vector.magnitude(by) < 1e-6

local P = {}

-- Where a place of the modelled head is on this person, and the other way.
function P.at(p)
	return if stays then p else (p - RING) * scale + RING + by
end
function P.from(p)
	return if stays then p else (p - by - RING) / scale + RING
end

function P.field(field)
	return if stays then field else field:place(RING - RING * scale + by, vector.zero, scale)
end

-- Brings what a part is made of: its cage, its field, its morphs.
function P.bring(options)
	if stays then
		return options
	end
	local cage = options.cage
	for i = 1, cage:count() do
		cage:set(i, P.at(cage:get(i)))
	end
	options.field = options.field and P.field(options.field)
	for _, morph in options.morphs or {} do
		morph.offsets = table.clone(morph.offsets)
		for i, by_morph in morph.offsets do
			morph.offsets[i] = by_morph * scale
		end
		morph.outside = morph.outside and P.field(morph.outside)
	end
	return options
end

return P
