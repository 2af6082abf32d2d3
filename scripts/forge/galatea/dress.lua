-- Galatea's dress over the body of `body_field`: a short chiton pinned at both shoulders and bloused over a belt.
-- Its cage has rings around the trunk. The columns follow the folds, so it is not mirrored. Above the arms the rings
-- split into a front and a back whose rows sag from pin to pin, as the neckline does.
-- Returns the cage; `skirt`: the points of every ring from the belt down to the hem, columns from the front over the left;
-- `blouse`: the rings from the belt up; `front` and `back`: rows above the arms; `covered(p)`: true if the dress hides the
-- skin at `p`; and functions that place accessories on it.
local v = vector.create
local K = require "./body_field"
local cut = require "./cut"
local F = field
local up, u = K.up, K.scale
local sin, cos, rad = math.sin, math.cos, math.rad
local min, max, abs, floor, clamp = math.min, math.max, math.abs, math.floor, math.clamp

local CLOTH, GOLD, TEAL = "cloth", "gold", "teal"

-- Proportions in heights and widths of the reference body, in addition to those of `cut`.
local HEM, SKIRT, FOLD_AT = cut.hem, cut.rings, cut.folds
local BELT = 1.056
local UNDER_ARM = 1.245
local OFF = 0.006 -- distance of the cloth from the skin
-- Rings of the blouse from the belt up: height, distance of the drape in front, at the side and behind; fraction of the sag.
local BLOUSE = {
	{ 1.090, 0.006, 0.004, 0.006, 0 },
	{ 1.077, 0.016, 0.011, 0.016, 1 },
	{ 1.091, 0.029, 0.014, 0.029, 1 },
	{ 1.124, 0.020, 0.006, 0.022, 0.6 },
	{ 1.164, 0.008, 0.002, 0.010, 0.2 },
	{ 1.208, 0.002, 0.002, 0.004, 0 },
}
-- Folds, in order from the front's middle over her left: W is wide and of three columns (its round back has two), n
-- narrow and of two. Columns: 12 in front between the arm holes, 12 behind, 5 under each arm.
local FOLDS = "WnnnWnnWnnnnWnn"
local COLUMNS = 34
local SIDE, REAR = 6, 11 -- columns of the left arm hole's front and rear edge, counted from 0
local ARM_HOLE = { 60, 117 } -- degrees of its edges
local SEED = 11

-- Columns ------------------------------------------------------------------------------------------------------------

local seed = SEED
local function random(lo, hi)
	seed = seed * 16807 % 2147483647
	return lo + (hi - lo) * (seed / 2147483647)
end

local function mix(a, b, t)
	return a + (b - a) * t
end

local function smooth(t)
	t = clamp(t, 0, 1)
	return t * t * (3 - 2 * t)
end

-- Interpolates from front over side to back.
local function swing(front, side, back, degrees)
	local x = cos(rad(degrees))
	return if x > 0 then mix(side, front, x * x) else mix(side, back, x * x)
end

-- For each column: its angle in the skirt, the height of the fold (-1 to 1), the depth of the fold, the distance below the
-- belt where it starts, and its strength in the blouse.
local column = {}
do
	local at = 0
	for kind in string.gmatch(FOLDS, ".") do
		local wide = kind == "W"
		local width = if wide then random(1.55, 1.95) else random(0.75, 1.15)
		local depth = if wide then random(0.95, 1.15) else random(0.55, 0.95)
		local late = if wide then 0 else max(0, random(-0.15, 0.35))
		local blouse = random(0.45, 1.1)
		local places = if wide then { 0.20, 0.58, 0.89 } else { 0.30, 0.80 }
		for i, t in places do
			local height = if i == #places then -1 else 0.8
			table.insert(column, {
				angle = at + width * t,
				height = height * (if wide then 1 else 1.15),
				depth = depth,
				late = late,
				blouse = blouse,
				lean = if wide and i == 1 then 0.75 else 1,
			})
		end
		at += width
	end
	assert(#column == COLUMNS, `{#column} columns`)
	local zero = column[1].angle
	for k, one in column do
		one.angle = (one.angle - zero) * 360 / at - 3
		-- Above, columns are spaced evenly between the edges of the arm holes.
		local i, left, right = k - 1, ARM_HOLE[1], ARM_HOLE[2]
		local back = COLUMNS - REAR
		one.above = if i <= SIDE
			then mix(0, left, i / SIDE)
			elseif i <= REAR then mix(left, right, (i - SIDE) / (REAR - SIDE))
			elseif i <= back then mix(right, 360 - right, (i - REAR) / (back - REAR))
			elseif i <= COLUMNS - SIDE then mix(360 - right, 360 - left, (i - back) / (REAR - SIDE))
			else mix(360 - left, 360, (i - COLUMNS + SIDE) / SIDE)
	end
end

-- Main shape ---------------------------------------------------------------------------------------------------------

local drape
do
	local rows = {}
	for i, r in cut.drape do
		local f, b = K.fit(r[2], r[1], r[3]), K.fit(0, r[1], r[4])
		rows[i] = { f.y, 0, -(f.z + b.z) / 2, f.x, (f.z - b.z) / 2, cut.square }
	end
	drape = F.loft(v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), rows)
end
local hang = K.trunk:grow(OFF):join(drape, 0.012 * u)
-- Includes the roots of the arms, for cloth over the shoulders.
local over = K.body:grow(OFF):join(drape:meet(F.plane(v(0, -1, 0), -up(1.15)), 0.01), 0.016 * u)

local function onto(f, p)
	for _ = 1, 8 do
		p -= f:normal(p) * clamp(f:at(p), -0.03, 0.03)
	end
	return p
end

-- Minimum distance from the skin.
local function clear(p, off)
	for _ = 1, 4 do
		local d = K.trunk:at(p)
		if d < off then
			p += K.trunk:normal(p) * (off - d)
		end
	end
	return p
end

local function away(degrees)
	return vector.normalize(v(0.13 * sin(rad(degrees)), 0, 0.105 * cos(rad(degrees))))
end

-- Position of the drape at an angle and a height, and the outward direction there.
local function hung(degrees, y)
	local dir = away(degrees)
	return hang:out(v(0, y, -0.014 * u), dir, 0.3) or error(`no drape at {degrees} {y}`), dir
end

-- Distance by which a column's fold stands out at a height of the skirt.
local function fold(one, y)
	local s = clamp((BELT - y) / (BELT - HEM), 0, 1)
	local begin = clamp((s - one.late) / (1 - one.late), 0, 1)
	local grow = mix(FOLD_AT.belt * (1 + smooth((1.036 - y) / 0.05)), FOLD_AT.hem, begin ^ 1.05)
	-- Valleys are shallower than ridges are high: legs move behind them.
	local height = if one.height < 0 then one.height * FOLD_AT.valley else one.height
	return height * one.depth * one.lean * grow * u
end

-- A column's angle: folds sway a little as they fall.
local function angle_at(one, y)
	local s = clamp((BELT - y) / (BELT - HEM), 0, 1)
	local a = rad(one.angle)
	return one.angle + s ^ 1.4 * (3.0 * sin(2 * a + 0.7) + 2.0 * sin(5 * a + 2.1))
end

-- Dress --------------------------------------------------------------------------------------------------------------

local dress = cage()
local R = { skirt = {}, blouse = {}, front = {}, back = {} }

local function points(c, places)
	local all = {}
	for i, p in places do
		all[i] = c:point(p, 1)
	end
	return all
end
-- Faces of the dress whose inside must stay away from the skin.
local faces = {}
local function bridge(c, a, b, open, free)
	local n = #a
	assert(#b == n, "rows of different lengths")
	for i = 1, if open then n - 1 else n do
		local k = i % n + 1
		c:quad(a[i], a[k], b[k], b[i])
		if c == dress and not free then
			table.insert(faces, { a[i], a[k], b[k], b[i] })
		end
	end
	return b
end
local function closed(ring)
	local row = table.clone(ring)
	table.insert(row, ring[1])
	return row
end

-- The hem is not level: it is higher at her left and where folds stand out.
local function hem_drop(one)
	local a = rad(one.angle)
	return (0.006 * sin(a * 3 + 0.4) + 0.004 * sin(a * 7 + 1) + 0.009 * sin(a - 0.5) + one.height * 0.003) * u
end
-- A ring of the skirt; `inside` metres within it.
local function skirt_ring(y, inside)
	local places = {}
	for k, one in column do
		local h = up(y) + hem_drop(one) * smooth((0.80 - y) / 0.1)
		local p, dir = hung(angle_at(one, y), h)
		places[k] = clear(p + dir * (fold(one, y) - (inside or 0)), OFF + 0.001)
	end
	return places
end

dress:paint(CLOTH)
local ring
for _, y in SKIRT do
	local row = points(dress, skirt_ring(y))
	ring = if ring then bridge(dress, ring, row) else row
	table.insert(R.skirt, row)
end
-- The border: cloth down to a gold line, teal to the hem, a teal band turned inside.
for _, b in { { HEM + 0.044, CLOTH }, { HEM + 0.036, GOLD }, { HEM, TEAL } } do
	dress:paint(b[2])
	local row = points(dress, skirt_ring(b[1]))
	ring = bridge(dress, ring, row)
	table.insert(R.skirt, row)
end
dress:sharpen(closed(ring), 1)
local hem_inside = points(dress, skirt_ring(HEM + 0.027, 0.006 * u))
bridge(dress, ring, hem_inside, false, true)
-- Rings of points that were turned inside, with the edges they hang on.
local turned_in = { { edge = ring, points = hem_inside } }
dress:paint(CLOTH)

-- The blouse falls over the belt, lower here and higher there.
local function sag(degrees)
	local a = rad(degrees)
	return (0.006 * sin(2 * a + 2.6) + 0.006 * sin(3 * a + 3.4) + 0.004 * sin(5 * a + 1)) * u
end
ring = R.skirt[1]
table.insert(R.blouse, ring)
for _, b in BLOUSE do
	local places = {}
	local t = smooth((b[1] - 1.10) / (UNDER_ARM - 1.10))
	for k, one in column do
		local a = mix(angle_at(one, BELT), one.above, t)
		local p, dir = hung(a, up(b[1]) - sag(a) * b[5])
		local off = swing(b[2], b[3], b[4], a) * u
		local ripple = one.height * one.blouse * mix(0.016, 0.007, t) * (if k == 1 then 0.5 else 1) * u
		-- Backs of folds are heavier: the lip hangs lower there.
		local heavy = v(0, -one.height * one.blouse * 0.006 * b[5] * u, 0)
		places[k] = clear(p + dir * (off + ripple), OFF + 0.001) + heavy
	end
	ring = bridge(dress, ring, points(dress, places))
	table.insert(R.blouse, ring)
end
-- Under the arms: higher at the sides, where the arm holes are.
local under = {}
for k, one in column do
	-- The arm hole is round: its edges rise.
	local i = min(k - 1, COLUMNS + 1 - k)
	local edge = min(abs(i - SIDE), abs(i - REAR))
	local lift = swing(0, 0.004, 0.004, one.above) + (if edge == 0 then 0.016 elseif edge == 1 then 0.004 else 0)
	local p, dir = hung(one.above, up(UNDER_ARM) + lift * u)
	under[k] = clear(p + dir * one.height * one.blouse * 0.005 * u, OFF + 0.001)
end
ring = bridge(dress, ring, points(dress, under))
table.insert(R.blouse, ring)

-- Front and back: from the ring under the arms up to neckline and shoulders. Three columns at each side go to the
-- shoulder, the others end at the neckline.
local SEAM = { { 0.070, -0.036 }, { 0.091, -0.036 }, { 0.113, -0.036 } }
local function on_shoulder(i, side)
	local s = SEAM[i]
	local p = K.fit(s[1], 1.40, s[2])
	return over:cast(v(p.x * side, 2, p.z), v(0, -1, 0), 2)
end
local seam_left, seam_right = {}, {}
for i = 1, 3 do
	for side, seam in { [1] = seam_left, [-1] = seam_right } do
		local p = onto(K.body:grow(OFF), on_shoulder(i, side))
		seam[i] = dress:point(p + v(0, if i == 2 then 0.004 else 0, 0) * u, 1)
	end
end

-- Cowl: distance of the rows from the body in the middle; each is slightly off centre.
local COWL = {
	front = { rows = { 0.20, 0.38, 0.53, 0.67, 0.79, 0.90, 1 }, off = { 0.001, 0.000, 0.019, 0.000, 0.030, 0.002, 0.024 } },
	back = { rows = { 0.20, 0.40, 0.58, 0.74, 0.88, 1 }, off = { 0.001, 0.004, 0.000, 0.016, 0.001, 0.014 } },
}
-- `base` has the points at its lower edge from left to right; `dir` is 1 in front, -1 behind.
local function panel(base, dir, line, cowl)
	local n = #base
	local half = (n - 1) / 2
	local neck = half - 2
	local last = {}
	for i = 1, n do
		local q = (half + 1 - i) / neck
		if abs(q) >= 1 then
			local s = if q > 0 then seam_left else seam_right
			last[i] = s[floor((abs(q) - 1) * neck + 1.5)]
		else
			local inner = dress:get(seam_left[1])
			local x, y = inner.x * q, mix(up(line[1]), inner.y, abs(q) ^ line[2])
			last[i] = over:cast(v(x, y, 0.5 * dir), v(0, 0, -dir)) or error(`no neckline at {x}`)
		end
	end
	local rows = { base }
	for r, t in cowl.rows do
		local row = {}
		for i = 1, n do
			local q = (half + 1 - i) / half
			local one = column[(if dir > 0 then SIDE + 1 - i else REAR + i - 1) % COLUMNS + 1]
			local top = if type(last[i]) == "number" then dress:get(last[i]) else last[i]
			if t == 1 and type(last[i]) == "number" then
				row[i] = last[i]
			else
				local p = mix(dress:get(base[i]), top, t)
				p += v(0, 0, dir * 0.040 * u * 4 * t * (1 - t) * abs(q))
				p = onto(over, p)
				local shift = 0.10 * sin(r * 2.3)
				local hang_off = cowl.off[r] * max(0, 1 - ((q - shift) / 0.60) ^ 2)
				local ripple = one.height * one.blouse * 0.005 * smooth(abs(q) * 1.6) * (1 - t)
				-- Folds that run together in the pin.
				local pin = 0
				if (half + 1 - i) % 2 ~= half % 2 then
					local to_pin = smooth((abs(q) - 0.2) / 0.4)
					pin = 0.016 * to_pin * smooth((t - 0.05) / 0.6) * (1 - (if abs(q) * half < neck then 1 else 0.5) * smooth((t - 0.65) / 0.35))
				end
				p += over:normal(p) * (hang_off + ripple + pin) * u - v(0, hang_off * 0.5 * u, 0)
				row[i] = dress:point(clear(p, OFF), 1)
			end
		end
		bridge(dress, rows[#rows], row, true)
		table.insert(rows, row)
	end
	return rows
end
local function some(row, from, to)
	local all = {}
	local step = if to < from then -1 else 1
	for k = from, to, step do
		table.insert(all, row[k % COLUMNS + 1])
	end
	return all
end
R.front = panel(some(ring, SIDE, -SIDE), 1, cut.neckline.front, COWL.front)
R.back = panel(some(ring, REAR, COLUMNS - REAR), -1, cut.neckline.back, COWL.back)

-- The cloth turned inside along an opening: `edge` is a ring, `within` the points next to it in the cloth.
local function turn_in(edge, within, by)
	local places = {}
	for i, e in edge do
		local p = dress:get(e)
		local to = vector.normalize(dress:get(within[i]) - p)
		places[i] = onto(K.body:grow(0.002), p + to * by * u)
	end
	local inner = points(dress, places)
	bridge(dress, edge, inner, false, true)
	table.insert(turned_in, { edge = edge, points = inner })
	dress:sharpen(closed(edge), 1)
end
do
	local f, b = R.front, R.back
	local top_f, top_b, next_f, next_b = f[#f], b[#b], f[#f - 1], b[#b - 1]
	-- Neckline, from the left pin over the front to the right pin and behind back again.
	local edge, within = {}, {}
	for i = 3, #top_f - 2 do
		table.insert(edge, top_f[i])
		table.insert(within, if i == 3 then seam_left[2] elseif i == #top_f - 2 then seam_right[2] else next_f[i])
	end
	for i = #top_b - 3, 4, -1 do
		table.insert(edge, top_b[i])
		table.insert(within, next_b[i])
	end
	turn_in(edge, within, 0.020)
	-- Arm holes.
	for _, left in { true, false } do
		edge, within = {}, {}
		local n = if left then 1 else #top_f
		local m = if left then 1 else #top_b
		local inner = if left then 1 else -1
		for r = 1, #f do
			table.insert(edge, f[r][n])
			table.insert(within, if r == 1 then R.blouse[#R.blouse - 1][(if left then SIDE else COLUMNS - SIDE) + 1] elseif r == #f then (if left then seam_left else seam_right)[2] else f[r][n + inner])
		end
		for r = #b - 1, 1, -1 do
			table.insert(edge, b[r][m])
			table.insert(within, if r == 1 then R.blouse[#R.blouse - 1][(if left then REAR else COLUMNS - REAR) + 1] else b[r][m + inner])
		end
		local from, to = REAR - 1, SIDE + 1
		if not left then
			from, to = COLUMNS - from, COLUMNS - to
		end
		for k = from, to, if to < from then -1 else 1 do
			table.insert(edge, ring[k + 1])
			table.insert(within, R.blouse[#R.blouse - 1][k + 1])
		end
		turn_in(edge, within, 0.018)
	end
end

-- Moves the corners of a face outwards where it is too close to the skin.
for _ = 1, 5 do
	for _, f in faces do
		local at = {}
		for i, p in f do
			at[i] = dress:get(p)
		end
		for _, w in { { 0.25, 0.25, 0.25, 0.25 }, { 0.5, 0.5, 0, 0 }, { 0.5, 0, 0, 0.5 } } do
			local middle = at[1] * w[1] + at[2] * w[2] + at[3] * w[3] + at[4] * w[4]
			local d = K.body:at(middle)
			if d < OFF - 0.0005 then
				local n = K.body:normal(middle)
				for i, p in f do
					if w[i] > 0 then
						dress:set(p, dress:get(p) + n * (OFF - d))
					end
				end
			end
		end
	end
end


-- Returns true if the dress hides the skin at a position: the trunk from below the arm holes to the upper thigh.
function R.covered(p)
	if p.y < up(cut.covers[1]) or p.y > up(cut.covers[2]) then
		return false
	end
	return K.trunk:at(p) < 0.004 * u and K.trunk:at(p) < K.arm:at(v(abs(p.x), p.y, p.z))
end
-- The weave follows the columns: u is the distance around the belt and out to the hem, in textures of `R.PICTURE` metres,
-- rounded to a whole number of repeats; v is the distance down from the hem, whose border is one texture high.
R.PICTURE = 0.036 * u
do
	local hem = R.skirt[#R.skirt]
	local length, way = 0, {}
	for k, point in hem do
		way[k] = length
		length += vector.magnitude(dress:get(hem[k % #hem + 1]) - dress:get(point))
	end
	R.around = floor(length / R.PICTURE + 0.5)
	dress:around(R.around)
	-- Positions of the points, for parts that are joined to them.
	local laid = {}
	local function lay(point, across, down)
		dress:uv(point, across, down)
		laid[point] = v(across, down, 0)
	end
	-- Distance along the hem, for all rings of skirt and blouse.
	local function around(k)
		return way[k] / length * R.around
	end
	local function lay_ring(ring, up_by)
		for k, point in ring do
			lay(point, around(k), up_by[k])
		end
	end
	local height = {}
	for k in hem do
		height[k] = 1
	end
	for i = #R.skirt, 1, -1 do
		local row = R.skirt[i]
		if i < #R.skirt then
			for k, point in row do
				height[k] -= if i == #R.skirt - 1
					then 1
					else vector.magnitude(dress:get(R.skirt[i + 1][k]) - dress:get(point)) / R.PICTURE
			end
		end
		lay_ring(row, height)
	end
	for i = 2, #R.blouse do
		for k, point in R.blouse[i] do
			height[k] -= vector.magnitude(dress:get(R.blouse[i - 1][k]) - dress:get(point)) / R.PICTURE
		end
		lay_ring(R.blouse[i], height)
	end
	-- Panels continue above the ends of their columns.
	for _, panel_rows in { R.front, R.back } do
		for r = 2, #panel_rows do
			for i, point in panel_rows[r] do
				local below = panel_rows[r - 1][i]
				local step = vector.magnitude(dress:get(point) - dress:get(below)) / R.PICTURE
				lay(point, laid[below].x, laid[below].y - step)
			end
		end
	end
	for _, one in turned_in do
		for i, point in one.points do
			lay(point, laid[one.edge[i]].x, laid[one.edge[i]].y + 0.5)
		end
	end
end
R.cage = dress
R.BELT, R.column, R.hung, R.fold, R.angle_at = BELT, column, hung, fold, angle_at
R.seam_left, R.seam_right = seam_left, seam_right
return R
