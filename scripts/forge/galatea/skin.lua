-- Paint for skin and boots: blood under thin skin, freckles, pores, nails, lines of the lips, worn leather.
-- `skin(look)` makes the sheet. `tone` tints all skin, `flush` is the amount of visible blood, `freckles` their number,
-- `lips` their colour, `boots` tints the leather, `size` is the size in pixels, `more(add, skin)` adds further layers, and
-- `folds` is the depth of expression wrinkles.
local v = vector.create
local B = require "./body_field"
local F = require "./face_field"
local P = require "./head_place"
local folds = require "./folds"
local rest = require "./rest"

local near, noise, spots, paint, open = mask.near, mask.noise, mask.spots, mask.paint, mask.open
local boot, lips = paint "boot", near(P.painted_field(require("./head").lips()), -0.0007, 0.0009)
local skin = boot:most(lips):inverted()

local HERS = {
	tone = v(1, 1, 1),
	flush = 1,
	freckles = 1,
	lips = { v(0.430, 0.135, 0.120), v(0.330, 0.085, 0.080) },
	boots = v(1, 1, 1),
	size = 1024,
}

-- A soft round area on both sides of the body.
local function glow(places, radius, fade)
	local all
	for _, p in places do
		local ball = field.ball(p, radius)
		all = if all then all:join(ball) else ball
	end
	return near(all:mirror(), -radius, fade)
end
local function face_glow(places, radius, fade)
	local all = {}
	for i, p in places do
		all[i] = P.painted(rest.moved(p))
	end
	return glow(all, radius, fade)
end

local function painted(look)
	local tone = look.tone
	local layers = {
		{ color = v(0.640, 0.405, 0.305) * tone, roughness = 0.50 },
		-- Uneven skin colour: large patches, then fine ones.
		{ color = v(0.585, 0.345, 0.250) * tone, where = noise { size = 0.06, octaves = 3, seed = 2, from = -0.2, to = 0.6 }:share(0.28) },
		{ color = v(0.690, 0.420, 0.320) * tone, where = noise { size = 0.011, octaves = 3, seed = 3, from = 0, to = 0.7 }:share(0.35) },
		{ color = v(0.520, 0.270, 0.200) * tone, where = noise { size = 0.004, octaves = 2, seed = 4, from = 0.1, to = 0.8 }:share(0.22) },
	}
	local function add(layer)
		table.insert(layers, layer)
	end

	-- Blood: cheeks, nose, chin, ears; knuckles, finger tips, elbows, knees, shoulders.
	local E = F.EYE
	local function flush(places, radius, fade, share)
		local patches = noise { size = 0.008, octaves = 3, seed = 5, from = -0.7, to = 0.5 }
		add { color = v(0.560, 0.165, 0.125) * tone, where = glow(places, radius, fade):times(patches):share(math.min(share * look.flush, 1)) }
	end
	local function face_flush(p, radius, fade, share)
		flush({ P.painted(rest.moved(p)) }, radius, fade, share)
	end
	face_flush(v(E.x + 0.012, E.y - 0.034, E.z + 0.004), 0.012, 0.030, 0.50)
	face_flush(v(0, 1.555, 0.100), 0.004, 0.015, 0.42)
	face_flush(v(0, 1.487, 0.082), 0.004, 0.018, 0.20)
	face_flush(v(0.083, 1.573, -0.014), 0.014, 0.024, 0.36)
	local knuckles, tips = {}, {}
	for _, name in { "index", "middle", "ring", "little", "thumb" } do
		local one = B.finger[name]
		table.insert(knuckles, one.joints[1] - B.PALM * 0.008)
		table.insert(knuckles, one.joints[2] - B.PALM * 0.006)
		table.insert(tips, one.joints[4])
	end
	flush(knuckles, 0.003, 0.010, 0.26)
	flush(tips, 0.004, 0.012, 0.34)
	flush({ B.on_arm(B.elbow, -0.004, -0.034 * B.measure.arm_girth) }, 0.010, 0.026, 0.30)
	flush({ B.knee + v(0, 0.004, 0.046) * B.scale }, 0.014, 0.032, 0.26)
	flush({ B.shoulder + v(0.014, 0.030, 0) * B.scale }, 0.012, 0.045, 0.16)
	-- Around the eyes and in folds skin is darker and cooler.
	add { color = v(0.430, 0.225, 0.185) * tone, where = face_glow({ E + v(0, -0.012, 0.014) }, 0.006, 0.013):share(0.22) }
	add { color = v(0.470, 0.215, 0.170) * tone, where = face_glow({ E + v(0.002, 0.010, 0.014) }, 0.006, 0.012):share(0.26) }
	add { color = v(0.430, 0.180, 0.140) * tone, where = open(0.62, 0.25):times(skin):share(0.32) }

	-- Freckles over nose and cheeks, fewer on shoulders and forearms.
	local face = face_glow({ v(0.018, 1.560, 0.090), v(0.034, 1.556, 0.075) }, 0.010, 0.026)
	for i, freckle in { { 0.0052, 0.30, 0.55 }, { 0.0034, 0.26, 0.45 } } do
		local dots = spots { size = freckle[1], seed = 20 + i, from = 0.06, to = freckle[2] }
		local some = noise { size = 0.010, octaves = 2, seed = 30 + i, from = -0.15, to = 0.25 }
		add { color = v(0.360, 0.165, 0.090) * tone, where = dots:times(some):times(face):share(freckle[3] * look.freckles) }
	end
	local arms = glow({ B.shoulder + v(0.02, 0.03, 0), B.on_arm(0.38 * B.measure.arm_length, -0.03, 0) }, 0.03, 0.09)
	add {
		color = v(0.400, 0.195, 0.115) * tone,
		where = spots { size = 0.011, seed = 25, from = 0.04, to = 0.16 }:times(arms):share(0.4 * look.freckles),
	}

	-- Pores and the fine lines between them; on the face they are smaller.
	add { height = -0.00003, where = spots { size = 0.00115, seed = 7, from = 0.1, to = 0.45 }:times(skin) }
	add { height = 0.00003, where = noise { size = 0.0026, octaves = 3, seed = 8, from = -0.8, to = 0.8 }:times(skin) }
	-- Oil on nose and forehead.
	add { roughness = 0.38, where = face_glow({ v(0, 1.575, 0.095), v(0, 1.622, 0.078), v(0.03, 1.618, 0.072) }, 0.008, 0.022):share(0.8) }

	-- Lips: fine lines up and down.
	add { color = look.lips[1], roughness = 0.34, where = lips }
	add {
		color = look.lips[2],
		height = -0.00010,
		where = noise { size = v(0.0011, 0.02, 0.02), octaves = 2, seed = 9, from = 0, to = 0.6 }:times(lips):share(0.55),
	}

	-- Nails.
	local nails
	for _, name in { "index", "middle", "ring", "little", "thumb" } do
		local one = B.finger[name]
		local along = one.along[3]
		local across = one.across or vector.normalize(vector.cross(along, B.PALM))
		local up = vector.normalize(vector.cross(along, across))
		if vector.dot(up, B.PALM) > 0 then
			up = -up
		end
		local r = one.thick[4]
		local at = one.joints[4] - along * r * 0.75 + up * r * 0.95
		local nail = field.path({ at - along * r * 0.55, at, at + along * r * 0.55 }, { r * 0.52, r * 0.60, r * 0.52 })
		nails = if nails then nails:join(nail) else nail
	end
	local nail = near(nails:mirror(), 0, 0.0006)
	add { color = v(0.690, 0.400, 0.330) * tone, roughness = 0.22, height = 0.00022, where = nail }
	add { color = v(0.780, 0.600, 0.520) * tone, where = near(nails:grow(-0.0024):mirror(), 0, 0.001):share(0.35) }

	-- Boots: grain, darker in creases, worn at toe, heel and edges; a dark sole.
	local low = field.plane(v(0, 1, 0), B.sole + 0.0005)
	add { color = v(0.105, 0.048, 0.026) * look.boots, roughness = 0.52, where = boot }
	add {
		color = v(0.062, 0.028, 0.017) * look.boots,
		where = noise { size = 0.03, octaves = 4, seed = 11, from = -0.2, to = 0.5 }:times(boot):share(0.7),
	}
	add { height = -0.00016, roughness = 0.66, where = spots { size = 0.0021, seed = 12, from = 0.32, to = 0.62 }:times(boot):inverted():times(boot):share(0.8) }
	add { color = v(0.040, 0.018, 0.012), where = open(0.80, 0.40):times(boot):share(0.8) }
	local rubbed = glow({ B.on_foot(0.097, 0.03, 0.185), B.on_foot(0.092, 0.03, -0.06), B.fit(0.094, 0.27, 0.03) }, 0.012, 0.04)
	add {
		color = v(0.250, 0.130, 0.070) * look.boots,
		roughness = 0.44,
		where = rubbed:times(noise { size = 0.012, octaves = 4, seed = 13, from = -0.1, to = 0.3 }):times(boot):share(0.75),
	}
	add { color = v(0.030, 0.022, 0.018), roughness = 0.85, where = near(low):times(boot) }
	-- The cuff's seam.
	local seam = field.torus(v(B.knee.x + 0.002, B.cuff - 0.040 * B.scale, -0.022 * B.scale), v(0, 1, 0), 0.052 * B.scale, 0.010 * B.scale)
	add { height = -0.0004, color = v(0.045, 0.020, 0.012), where = near(seam:mirror(), -0.0095 * B.scale, -0.0080 * B.scale):times(boot):share(0.8) }

	-- Feet and hem carry dust.
	add { color = v(0.300, 0.240, 0.180), where = near(field.plane(v(0, 1, 0), 0.03), -0.03, 0.04):times(noise { size = 0.02, octaves = 3, seed = 14, from = -0.3, to = 0.7 }):times(boot):share(0.28) }

	if look.more then
		look.more(add, skin)
	end

	-- The mesh of the head is as fine as its field.
	local below = B.body:meet(field.plane(v(0, 1, 0), B.measure.levels.neck + 0.07))
	return sheet {
		size = look.size,
		sculpt = below,
		shade = below:join(P.field(F.lids)):join(P.painted_field(F.lids)),
		layers = layers,
		detail = { head = 2.2, ears = 1.6 },
		wrinkles = folds(look),
	}
end

return function(look)
	local own = table.clone(HERS)
	for name, value in look do
		own[name] = value
	end
	return painted(own)
end
