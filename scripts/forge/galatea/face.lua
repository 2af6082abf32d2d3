-- Galatea's face as parts of the model: material, bone and morphs of each part.
local K = require "./face_field"
local H = require "./head"
local eyes, hairs, mouth = require "./eyes", require "./lashes", require "./mouth"
local M, X, B = require "./morphs", require "./expressions", require "./builds"
local C, S = require "./corrections", require "./shapes"
local T = require "./motion"
local rest = require "./rest"

-- Shapes in which the skin of the lids has to keep its distance from the eyeballs.
local OUTSIDE = {
	"eyeBlink", "emotion", "blink", "shape.age", "shape.male", "shape.child", "shape.eye_size",
}
local function near_eyes(name)
	if string.find(name, "__", 1, true) then
		return false
	end
	for _, start in OUTSIDE do
		if string.sub(name, 1, #start) == start then
			return true
		end
	end
	return false
end

local function morphs(part)
	local list = {}
	local function put(name, offsets)
		if offsets and next(offsets) ~= nil then
			local outside = if part == "head" and near_eyes(name) then M.outside else nil
			table.insert(list, { name = name, offsets = offsets, outside = outside })
		elseif part == "head" then
			table.insert(list, { name = name, offsets = {} })
		end
	end
	for _, from in { M, X, B, C } do
		for _, name in from.order do
			put(name, from.by_name[name][part])
		end
	end
	return list
end

-- Eyeballs follow the shapes that move them as a whole.
local function eyeball_morphs(cage, middle)
	local list = {}
	for _, name in S.names do
		local by = S.move(middle, name)
		if vector.magnitude(by) > 2e-5 then
			local offsets = {}
			for i = 1, cage:count() do
				offsets[i] = by
			end
			table.insert(list, { name = name, offsets = offsets })
		end
	end
	return list
end
local function eyeball(side, sign)
	return {
		name = side .. "_eyeball", cage = eyes[side], levels = 0, mirror = false, weights = side .. "_eye",
		morphs = eyeball_morphs(eyes[side], K.EYE * vector.create(sign, 1, 1)),
	}
end

local F = { eye = K.EYE, eye_color = eyes.color, iris = eyes.iris, brow_color = hairs.hairs }

-- Options of all parts; none is mirrored. `weights` are those of the head's skin, `sheet` is its texture sheet.
function F.parts(weights, sheet)
	local function own(name, from, levels, on)
		local part = T.parts[from]
		return {
			name = name, cage = part.cage, field = part.field, levels = levels, mirror = false,
			weights = on or "head", morphs = morphs(from),
		}
	end
	local head = own("head", "head", 2, weights)
	head.sheet = sheet
	if rest.head then
		head.cage, head.levels = rest.fine_head(head.morphs), 0
	end
	return {
		head,
		eyeball("left", 1),
		eyeball("right", -1),
		own("lashes", "lashes", 0),
		own("tears", "tears", 1),
		own("brows", "brows", 1),
		own("upper_teeth", "upper", 1),
		own("lower_teeth", "lower", 1),
		own("tongue", "tongue", 1),
	}
end

return F
