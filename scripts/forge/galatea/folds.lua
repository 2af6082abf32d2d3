-- Wrinkle maps of the face: lines across the forehead, between the brows, next to the eyes and on the nose, from the nose
-- to the corners of the mouth, around pursed lips, in the chin; and changes of blood flow. `folds(look)` returns the
-- wrinkles of a sheet; `look.folds` is their depth, 1 for Galatea.
local v = vector.create
local F = require "./face_field"
local P = require "./head_place"
local groove = require "./groove"
local rest = require "./rest"

local DEEP = 0.00085 -- metres

-- Positions on the modelled face, millimetres. A line is its depth, 0 to 1, then its path. One-sided lines are on the left.
local FOREHEAD = {
	{ 1.00, { -36, 1630, 74 }, { -20, 1634, 79 }, { 0, 1633, 82 }, { 20, 1634, 79 }, { 36, 1630, 74 } },
	{ 0.86, { -38, 1641, 69 }, { -20, 1645, 76 }, { 0, 1643, 79 }, { 20, 1645, 76 }, { 38, 1641, 69 } },
	{ 0.62, { -30, 1652, 67 }, { -12, 1655, 71 }, { 0, 1653, 73 }, { 12, 1655, 71 }, { 30, 1652, 67 } },
}
local FROWN = {
	{ 0.85, { 6, 1596, 86 }, { 5.5, 1603, 85 }, { 6.5, 1611, 84 }, { 9.5, 1619, 82 }, { 12, 1625, 80 } },
	{ 0.45, { 12, 1604, 82 }, { 13.5, 1611, 81 }, { 17, 1618, 80 } },
	{ 0.45, { -11, 1597, 84 }, { -5, 1596, 86 }, { 0, 1595.5, 87 }, { 5, 1596, 86 }, { 11, 1597, 84 } },
}
local CROW = {
	{ 0.70, { 57, 1585, 58 }, { 61, 1589, 51 }, { 65, 1594, 42 } },
	{ 0.85, { 58, 1580, 58 }, { 63, 1580, 50 }, { 68, 1582, 40 } },
	{ 0.70, { 57, 1575, 58 }, { 61, 1571, 52 }, { 65, 1566, 44 } },
	{ 0.55, { 20, 1568, 79 }, { 30, 1563, 79 }, { 42, 1564, 74 }, { 50, 1569, 67 } },
}
local NOSE = {
	{ 0.80, { 3, 1592, 88 }, { 7, 1586, 86 }, { 11, 1580, 83 } },
	{ 0.75, { 2, 1583, 91 }, { 6, 1577, 89 }, { 11, 1572, 85 } },
}
local SMILE = {
	{ 1.00, { 17, 1553, 89 }, { 23, 1543, 87 }, { 29, 1531, 82 }, { 33, 1520, 76 } },
	{ 0.50, { 35, 1530, 77 }, { 39, 1521, 72 }, { 40, 1512, 67 } },
	{ 0.55, { 30, 1524, 79 }, { 33, 1518, 77 }, { 33, 1511, 75 } },
}
local PURSED = {
	{ 0.80, { 4, 1532, 96 }, { 5, 1528, 96 } },
	{ 0.90, { 9, 1533, 94 }, { 10.5, 1528, 94 } },
	{ 0.85, { 14, 1532, 91 }, { 16, 1527, 90 } },
	{ 0.75, { 19, 1529, 87 }, { 21, 1525, 86 } },
	{ 0.80, { 6, 1507, 90 }, { 5.5, 1503, 88 } },
	{ 0.75, { 12, 1508, 88 }, { 12, 1503, 86 } },
}

local function at(x, y, z)
	return P.painted(rest.moved(v(x, y, z) * 0.001))
end
-- Soft round areas.
local function spot(places, radius, fade)
	local all
	for _, p in places do
		local ball = field.ball(at(p[1], p[2], p[3]), radius)
		all = if all then all:join(ball) else ball
	end
	return mask.near(all, 0, fade)
end
-- Mirrored to both sides.
local function spots(places, radius, fade)
	local across = {}
	for i, p in places do
		across[i] = { -p[1], p[2], p[3] }
	end
	return spot(places, radius, fade):most(spot(across, radius, fade))
end
-- 1 on the left (or right) side, half of each in the middle.
local function side(sign, soft)
	return mask.near(field.plane(v(-sign, 0, 0), 0), -soft, soft)
end

return function(look)
	local deep = DEEP * (look.folds or 1)
	local function lines(list, both)
		local layers = {}
		for _, line in list do
			local way = groove(line, 0.85)
			if both then
				way = way:mirror()
			end
			table.insert(layers, {
				height = -deep * line[1],
				color = v(0.95, 0.87, 0.85),
				where = mask.near(way, -0.0017, 0.0024),
			})
			-- Compressed skin bulges on both sides of the line.
			table.insert(layers, { height = deep * line[1] * 0.40, where = mask.near(way, 0.0012, 0.0062) })
		end
		return layers
	end
	local regions = {}
	local function put(name, where, options)
		options.name, options.where = name, where
		table.insert(regions, options)
	end

	local forehead = spot({ { -34, 1640, 66 }, { -16, 1643, 70 }, { 0, 1644, 72 }, { 16, 1643, 70 }, { 34, 1640, 66 } }, 0.014, 0.016)
	local inner = mask.near(field.plane(v(1, 0, 0), 0.014):meet(field.plane(v(-1, 0, 0), 0.014)), -0.006, 0.010)
	local brows = lines(FOREHEAD)
	put("brow_inner", forehead:times(inner), {
		layers = brows,
		shapes = { browInnerUp = 1, ["emotion.sadness"] = 0.7, ["emotion.fear"] = 0.9, ["emotion.surprise"] = 0.9 },
	})
	for _, own in { { 1, "left", "Left" }, { -1, "right", "Right" } } do
		local sign, name, Name = table.unpack(own)
		local beside = side(sign, 0.004)
		put(`brow_{name}`, forehead:times(inner:inverted()):times(beside), {
			layers = brows,
			shapes = { [`browOuterUp{Name}`] = 1, ["emotion.surprise"] = 0.9, ["emotion.fear"] = 0.5 },
		})
		put(`eye_{name}`, spots({ { 62, 1580, 50 }, { 64, 1590, 44 }, { 64, 1570, 46 }, { 45, 1565, 68 }, { 28, 1563, 76 } }, 0.008, 0.010):times(beside), {
			layers = lines(CROW, true),
			shapes = {
				[`eyeSquint{Name}`] = 0.7, [`cheekSquint{Name}`] = 0.8, [`mouthSmile{Name}`] = 0.25,
				["emotion.happiness"] = 0.8, ["emotion.anger"] = 0.4, ["emotion.disgust"] = 0.6,
			},
		})
		put(`nose_{name}`, spots({ { 6, 1583, 86 }, { 8, 1575, 86 } }, 0.008, 0.007):times(beside), {
			layers = lines(NOSE, true),
			shapes = { [`noseSneer{Name}`] = 1, ["emotion.disgust"] = 0.9, ["emotion.anger"] = 0.5 },
		})
		put(`smile_{name}`, spots({ { 22, 1545, 84 }, { 30, 1530, 78 }, { 36, 1518, 70 } }, 0.011, 0.009):times(beside), {
			layers = lines(SMILE, true),
			shapes = {
				[`mouthSmile{Name}`] = 0.9, [`mouthUpperUp{Name}`] = 0.5, [`mouthDimple{Name}`] = 0.6, [`noseSneer{Name}`] = 0.4,
				["emotion.happiness"] = 0.9, ["emotion.disgust"] = 0.8, ["emotion.contempt"] = 0.3,
			},
		})
	end
	put("frown", spot({ { 0, 1600, 84 }, { 8, 1612, 82 }, { -8, 1612, 82 } }, 0.012, 0.013), {
		map = 2,
		layers = lines(FROWN, true),
		shapes = {
			browDownLeft = 0.5, browDownRight = 0.5, ["emotion.anger"] = 1, ["emotion.concentration"] = 0.6,
			["emotion.confusion"] = 0.5, ["emotion.disgust"] = 0.6, ["emotion.sadness"] = 0.4,
		},
	})
	put("pursed", spot({ { 0, 1529, 92 }, { 14, 1529, 88 }, { -14, 1529, 88 }, { 0, 1506, 86 }, { 10, 1506, 84 }, { -10, 1506, 84 } }, 0.009, 0.007), {
		map = 2,
		layers = lines(PURSED, true),
		shapes = { mouthPucker = 1, mouthFunnel = 0.3, viseme_U = 0.8, viseme_O = 0.35, viseme_CH = 0.3 },
	})
	put("chin", spot({ { 0, 1492, 80 }, { 7, 1493, 78 }, { -7, 1493, 78 } }, 0.008, 0.008), {
		map = 2,
		layers = { { height = -deep * 0.55, where = mask.spots { size = 0.0042, seed = 61, from = 0.10, to = 0.55 } } },
		shapes = { mouthShrugLower = 1, ["emotion.sadness"] = 0.5, ["emotion.disgust"] = 0.4, mouthFrownLeft = 0.3, mouthFrownRight = 0.3 },
	})
	-- Blood flow: cheeks and ears redden with joy and anger; a frightened face turns pale.
	local E = F.EYE * 1000
	put("flush", spot({ { E.x + 12, E.y - 34, 64 }, { -E.x - 12, E.y - 34, 64 }, { 83, 1573, -14 }, { -83, 1573, -14 } }, 0.010, 0.026), {
		tint = v(1.04, 0.76, 0.75),
		shapes = { ["emotion.happiness"] = 0.55, ["emotion.anger"] = 0.8, ["emotion.desire"] = 0.8, ["emotion.excitement"] = 0.7 },
	})
	put("pale", spot({ { 0, 1560, 70 }, { 40, 1560, 50 }, { -40, 1560, 50 }, { 0, 1640, 60 }, { 0, 1500, 60 } }, 0.050, 0.030), {
		tint = v(0.93, 1.04, 1.08),
		shapes = { ["emotion.fear"] = 0.9, ["emotion.disgust"] = 0.35 },
	})
	regions.size = 768
	return regions
end
