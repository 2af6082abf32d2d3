-- Building blocks of the automaton: shells around a line, balls, curved plates, rivets. All points stay where they are
-- drawn, and each stores the bone of its piece.

local v = vector.create
local sin, cos, rad = math.sin, math.cos, math.rad

local S = {}

-- Bones by the positions of their points; "left_…" also covers the mirrored ones.
local held = {}
local function key(p)
	return string.format("%.4f %.4f %.4f", math.abs(p.x), p.y, p.z)
end
function S.weights(p)
	local bone = held[key(p)] or error(`no piece at {p}`)
	return { [if p.x < 0 then (string.gsub(bone, "^left_", "right_")) else bone] = 1 }
end

local bone
function S.on(name)
	bone = name
end
local function point(c, p)
	held[key(p)] = bone
	return c:point(p, 1)
end
S.point = point

local function power(x, p)
	return math.sign(x) * math.abs(x) ^ (2 / p)
end

local function cap(c, ring, middle)
	local top = point(c, middle)
	for k = 1, #ring, 2 do
		c:quad(top, ring[k], ring[k + 1], ring[(k + 1) % #ring + 1])
	end
end

-- A shell along a line: rows of { metres along it, half width, half depth, paint of the following strip, width and
-- depth of the centre's offset }; depth points to `ahead`. Returns its shading.
function S.shell(c, from, way, rows, options)
	options = options or {}
	local along = vector.normalize(way)
	local ahead = options.ahead or if math.abs(along.z) > 0.9 then v(0, 1, 0) else v(0, 0, 1)
	ahead = vector.normalize(ahead - along * vector.dot(ahead, along))
	local side = vector.cross(along, ahead)
	local around, form = options.around or 16, options.power or 2
	-- True if the ends are open, for example where a ball hides them.
	local open = options.open or { false, false }
	local before
	local seam, sections = {}, {}
	for i, r in rows do
		local middle = from + along * r[1] + side * (r[5] or 0) + ahead * (r[6] or 0)
		local ring = {}
		for k = 1, around do
			local a = 2 * math.pi * (k - 1) / around
			ring[k] = point(c, middle - ahead * power(cos(a), form) * r[3] + side * power(sin(a), form) * r[2])
		end
		if before then
			c:chart "shell"
			c:paint(rows[i - 1][4])
			c:bridge(before, ring)
		elseif not open[1] then
			c:chart "cap"
			c:paint(r[4])
			cap(c, ring, middle)
		end
		before, seam[i] = ring, ring[1]
		if i == 1 or r[1] > rows[i - 1][1] + 1e-4 then
			table.insert(sections, { r[1], r[5] or 0, -(r[6] or 0), r[2], r[3], form })
		end
	end
	c:seam(seam)
	local last = rows[#rows]
	if not open[2] then
		c:chart "cap"
		c:paint(last[4] or rows[#rows - 1][4])
		cap(c, before, from + along * last[1] + side * (last[5] or 0) + ahead * (last[6] or 0))
	end
	if #sections > 1 then
		return field.loft(from, side, along, sections)
	end
	return nil
end

-- A ball, or a part of it between two angles from its pole.
function S.ball(c, middle, r, paint, options)
	options = options or {}
	local pole = vector.normalize(options.pole or v(0, 1, 0))
	local side = vector.normalize(vector.cross(pole, if math.abs(pole.z) < 0.9 then v(0, 0, 1) else v(1, 0, 0)))
	local other = vector.cross(pole, side)
	local to, rings, around = options.to or 180, options.rings or 4, options.around or 10
	c:paint(paint)
	c:chart "ball"
	local before
	for i = 1, rings do
		local a = rad(to * i / (if to == 180 then rings + 1 else rings))
		local ring = {}
		for k = 1, around do
			local b = 2 * math.pi * k / around
			ring[k] = point(c, middle + (pole * cos(a) + (side * cos(b) + other * sin(b)) * sin(a)) * r)
		end
		if before then
			c:bridge(before, ring)
		else
			cap(c, ring, middle + pole * r)
		end
		before = ring
	end
	if to == 180 then
		cap(c, before, middle - pole * r)
	end
	return before
end

-- A plate over a grid: `at(u, w)` returns its outer positions for 0 to 1 in both directions, `inward` its thickness.
function S.plate(c, at, inward, across, down, paint, edge)
	local rows, low = {}, {}
	-- The border is narrow.
	local function share(i, n)
		return if i == 0 then 0 elseif i == n then 1 else 0.035 + 0.93 * (i - 1) / (n - 2)
	end
	c:chart "plate"
	for j = 0, down do
		rows[j], low[j] = {}, {}
		for i = 0, across do
			local p = at(share(i, across), share(j, down))
			rows[j][i] = point(c, p)
			if i == 0 or i == across or j == 0 or j == down then
				low[j][i] = point(c, p + (if type(inward) == "function" then inward(p) else inward))
			end
		end
	end
	for j = 1, down do
		for i = 1, across do
			local border = i == 1 or i == across or j == 1 or j == down
			c:paint(if border then edge else paint)
			c:quad(rows[j - 1][i - 1], rows[j - 1][i], rows[j][i], rows[j][i - 1])
		end
	end
	c:paint(edge)
	c:chart "rim"
	local rim, inner = {}, {}
	local function go(i, j)
		table.insert(rim, rows[j][i])
		table.insert(inner, low[j][i])
	end
	for i = 0, across - 1 do
		go(i, 0)
	end
	for j = 0, down - 1 do
		go(across, j)
	end
	for i = across, 1, -1 do
		go(i, down)
	end
	for j = down, 1, -1 do
		go(0, j)
	end
	c:bridge(rim, inner)
	c:seam { rim[1], inner[1] }
end

function S.rivet(c, at, out, r)
	out = vector.normalize(out)
	local side = vector.normalize(vector.cross(out, if math.abs(out.y) < 0.9 then v(0, 1, 0) else v(1, 0, 0)))
	local other = vector.cross(out, side)
	local ring = {}
	for k = 1, 6 do
		local a = math.pi * k / 3
		ring[k] = point(c, at + (side * cos(a) + other * sin(a)) * r - out * r * 0.2)
	end
	cap(c, ring, at + out * r * 0.75)
end

-- A meander around a vertical axis: the strokes as solids, used as a mask for paint. Half widths of the band's oval and its
-- exponent, height of its middle, its height, number of turns of the pattern.
function S.meander(middle, wide, deep, form, high, turns)
	local function at(a)
		return v(power(sin(a), form) * wide, 0, power(cos(a), form) * deep)
	end
	-- The length of the band, for even spacing.
	local STEPS = 720
	local far = { [0] = 0 }
	for i = 1, STEPS do
		far[i] = far[i - 1] + vector.magnitude(at(2 * math.pi * i / STEPS) - at(2 * math.pi * (i - 1) / STEPS))
	end
	local function along(share)
		local wanted = share % 1 * far[STEPS]
		local i = 1
		while far[i] < wanted do
			i += 1
		end
		local a, b = at(2 * math.pi * (i - 1) / STEPS), at(2 * math.pi * i / STEPS)
		return a, b - a
	end
	local long = far[STEPS] / turns
	local thick = high * 0.075
	local all
	for n = 0, turns - 1 do
		-- Strokes of one turn: from and to along the band (0 to 1) and up (-1 to 1).
		for _, s in {
			{ 0, 0, -1, 1 }, { 0, 0.8, 1, 1 }, { 0.8, 0.8, -0.35, 1 }, { 0.35, 0.8, -0.35, -0.35 },
			{ 0.35, 0.35, -0.35, 0.35 }, { 0, 1, -1, -1 },
		} do
			local place, way = along((n + (s[1] + s[2]) / 2) / turns)
			local half = v((s[2] - s[1]) / 2 * long + thick, math.abs(s[4] - s[3]) / 2 * high * 0.42 + thick, 0.016)
			local stroke = field.slab(vector.zero, half, 0):place(
				middle + place + v(0, (s[3] + s[4]) / 2 * high * 0.42, 0), v(0, math.deg(math.atan2(-way.z, way.x)), 0)
			)
			all = if all then all:join(stroke) else stroke
		end
	end
	return all
end

return S
