-- Offsets of the face shapes: those of `shapes`, and the matching movement of lids, lips, brows and teeth.
local v = vector.create
local K = require "./face_field"
local S = require "./shapes"
local T = require "./motion"
local hairs = require "./lashes"
local O = vector.zero

-- Thinner or fuller lips, millimetres at the middles of their borders.
local function thin(s, upper, lower)
	T.rings(s, T.UPPER, { border = v(0, -upper, -0.3 * upper), crest = v(0, -0.4 * upper, -0.6 * upper) })
	T.rings(s, T.LOWER, { border = v(0, lower, -0.3 * lower), crest = v(0, 0.4 * lower, -0.6 * lower) })
end
-- Makes the brows taller; `more` is the added height as a fraction.
local function bushy(s, more)
	for _, row in hairs.brows.rows do
		local middle = hairs.brows.half:get(row[2])
		for _, i in { row[1], row[3] } do
			T.add(s, "brows", i, (hairs.brows.half:get(i) - middle) * more)
		end
		T.add(s, "brows", row[2], v(0, 0, 0.0005) * more)
	end
end

-- Steps before and after lashes and brows follow the skin.
local BEFORE = {
	["shape.age"] = function(s)
		T.lids(s, -5.5, -2.5, 0.4)
		T.fold(s, -4, -11)
		thin(s, 2.0, 2.2)
		T.lips(s, O, O, v(0.4, -3.0, -0.8))
	end,
	["shape.male"] = function(s)
		T.lids(s, -3, 2, 0.2)
		T.fold(s, -6, -5)
		thin(s, 1.6, 1.8)
	end,
	["shape.child"] = function(s)
		thin(s, -0.4, -0.4)
	end,
}
local AFTER = {
	["shape.age"] = function(s)
		bushy(s, -0.2)
	end,
	["shape.male"] = function(s)
		bushy(s, 0.55)
	end,
	["shape.child"] = function(s)
		bushy(s, -0.25)
	end,
}

local by_name = {}
for _, name in S.names do
	local s = T.shape()
	for i, p in T.at.head do
		local o = S.move(p, name)
		if vector.magnitude(o) > 2e-6 then
			T.add(s, "head", i, o)
		end
	end
	-- Parts behind the lips move as one.
	local mouth = S.move(v(0, K.MOUTH, 0.08), name)
	if vector.magnitude(mouth) > 2e-6 then
		for _, part in { "upper", "lower", "tongue" } do
			for i in T.at[part] do
				T.add(s, part, i, v(0, mouth.y, mouth.z))
			end
		end
	end
	if BEFORE[name] then
		BEFORE[name](s)
	end
	T.carry(s)
	if AFTER[name] then
		AFTER[name](s)
	end
	by_name[name] = T.both(s)
end

return { order = S.names, by_name = by_name }
