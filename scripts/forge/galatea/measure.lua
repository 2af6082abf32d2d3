-- What makes one person another: heights of nine places, metres, how wide and deep the body is there as a factor on the
-- forms of `body_field`, and how far ahead it is bent, from the waist on; then factors on the head, the arms' length and
-- girth, hands, feet, and forms that can be turned up and down. A recipe of somebody else changes it before it asks for
-- the body: `measure.change { bust = 0 }`.
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
