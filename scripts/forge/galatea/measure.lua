-- Measurements of a person: heights of nine levels, metres; the factor on width and depth of the reference body
-- (`body_field`) at each level; and the forward bend from the waist up. Then factors on the head, the length and
-- thickness of the arms, hands and feet, and adjustable features. A recipe of another character changes them before it
-- requests the body: `measure.change { bust = 0 }`.
local measure = {
	levels = {
		sole = 0,
		ankle = 0.082,
		knee = 0.487,
		crotch = 0.800,
		hip = 0.895,
		waist = 1.075,
		chest = 1.265,
		shoulder = 1.385,
		neck = 1.452,
	},
	girth = { sole = 1, ankle = 1, knee = 1, crotch = 1, hip = 1, waist = 1, chest = 1, shoulder = 1, neck = 1 },
	ahead = { sole = 0, ankle = 0, knee = 0, crotch = 0, hip = 0, waist = 0, chest = 0, shoulder = 0, neck = 0 },
	head = 1,
	arm_drop = 45,
	arm_length = 1,
	arm_girth = 1,
	hand = 1,
	foot = 1,
	bust = 1,
	seat = 1,
	muscle = 1,
	bones = 1,
}

function measure.change(other)
	for name, value in other do
		if type(value) == "table" then
			for place, number in value do
				measure[name][place] = number
			end
		else
			measure[name] = value
		end
	end
end

return measure
