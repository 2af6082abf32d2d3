-- Age marks on skin: lines across the forehead, from the corners of the eyes and next to the mouth; spots on cheeks,
-- temples and hands. `wrinkles(add, skin)` adds its layers to those of `skin`.
local v = vector.create
local B = require "./body_field"
local P = require "./head_place"
local groove = require "./groove"

-- Each is its depth, 0 to 1, then a path over the modelled face, millimetres; positions only need to be near the skin.
local LINES = {
	-- Forehead.
	{ 0.60, { -34, 1634, 74 }, { -18, 1637, 80 }, { 0, 1635, 82 }, { 18, 1637, 80 }, { 34, 1634, 74 } },
	{ 0.52, { -38, 1645, 68 }, { -18, 1648, 76 }, { 0, 1646, 78 }, { 18, 1648, 76 }, { 38, 1645, 68 } },
	{ 0.44, { -28, 1657, 66 }, { 0, 1658, 72 }, { 28, 1657, 66 } },
	-- Between the brows.
	{ 0.30, { 6, 1601, 85 }, { 7, 1610, 84 }, { 9, 1619, 82 } },
	-- Crow's feet.
	{ 0.56, { 57, 1584, 58 }, { 62, 1588, 50 }, { 66, 1593, 40 } },
	{ 0.56, { 58, 1579, 58 }, { 64, 1579, 49 }, { 69, 1580, 38 } },
	{ 0.50, { 57, 1574, 58 }, { 62, 1570, 51 }, { 66, 1564, 42 } },
	-- Under the eyes.
	{ 0.56, { 18, 1569, 79 }, { 27, 1563, 79 }, { 38, 1562, 76 }, { 48, 1566, 69 } },
	{ 0.36, { 22, 1560, 80 }, { 32, 1555, 79 }, { 43, 1556, 72 } },
	-- From the nose to the mouth's corners and on to the chin.
	{ 1.00, { 16, 1554, 90 }, { 22, 1543, 87 }, { 28, 1530, 82 }, { 31, 1518, 77 } },
	{ 0.68, { 30, 1515, 78 }, { 31, 1506, 74 }, { 30, 1497, 70 } },
	{ 0.40, { 38, 1541, 76 }, { 42, 1528, 69 }, { 42, 1514, 63 } },
	-- Throat.
	{ 0.60, { -30, 1474, 8 }, { 0, 1470, 20 }, { 30, 1474, 8 } },
}
local DEEP = 0.0011 -- metres

return function(add, skin)
	for _, list in LINES do
		local line = groove(list):mirror()
		add { height = -DEEP * list[1], color = v(0.400, 0.195, 0.150), where = mask.near(line, -0.0016, 0.0014):share(0.38) }
	end
	-- Fine creases everywhere, finest where the skin is thin.
	add { height = -0.00007, where = mask.noise { size = v(0.0065, 0.0022, 0.0040), octaves = 3, seed = 41, from = 0, to = 0.7 }:times(skin) }
	local places = { P.painted(v(0.055, 1.585, 0.045)), P.painted(v(0.046, 1.556, 0.062)), P.painted(v(0.030, 1.640, 0.074)) }
	for _, name in { "index", "middle", "ring", "little" } do
		table.insert(places, B.finger[name].joints[1] - B.PALM * 0.010 - B.ARM * 0.025)
	end
	table.insert(places, B.on_arm(B.wrist - 0.05, -0.02, 0))
	local balls
	for _, p in places do
		local ball = field.ball(p, 0.012)
		balls = if balls then balls:join(ball) else ball
	end
	local old = mask.near(balls:mirror(), -0.006, 0.014)
	for i, spot in { { 0.009, 0.10, 0.26, 0.5 }, { 0.0055, 0.08, 0.24, 0.35 } } do
		local dots = mask.spots { size = spot[1], seed = 50 + i, from = spot[2], to = spot[3] }
		local some = mask.noise { size = 0.012, octaves = 2, seed = 55 + i, from = -0.1, to = 0.3 }
		add { color = v(0.330, 0.180, 0.110), where = dots:times(some):times(old):share(spot[4]) }
	end
end
