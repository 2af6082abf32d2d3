-- A line in the skin of a face for `groove(line)`. The first value of `line` is its depth. The others are positions along
-- its path over the modelled face in millimetres; they only need to be near the skin. The field is a tube along the path,
-- 2.2 mm thick or `thick` times that, that tapers at both ends.
local v = vector.create
local K = require "./face_field"
local P = require "./head_place"
local heads = require "./locks"
local rest = require "./rest"

return function(list, thick)
	local places = {}
	for i = 2, #list do
		places[i - 1] = v(list[i][1], list[i][2], list[i][3]) * 0.001
	end
	local line = heads.even(places, K.lids)
	local radii = {}
	for i, p in line do
		line[i] = P.painted(rest.moved(p))
		radii[i] = 0.0022 * (thick or 1) * math.min(1, (i - 0.5) / 4, (#line + 0.5 - i) / 4)
	end
	return field.path(line, radii)
end
