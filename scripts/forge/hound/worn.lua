-- Parts of the hound other than its skin: ears, eyes, toes, claws, a collar. Each is a separate cage.
local v = vector.create
local F = require "./form"
local B = require "./body"
local sin, cos, rad = math.sin, math.cos, math.rad

local W = {}
local at = F.in_head

-- Ears: a leaf folded along its middle. Each ring has its front edge, the back, the rear edge, the hollow.
-- --------------
do
	local c = cage()
	c:chart "ear"
	-- Middle of each ring, half width, rotation of the leaf (degrees about its own line), depth of the fold.
	local rows = {
		{ at(0.0315, 0.0250, -0.0170), 0.0200, 0, 0.0125 },
		{ at(0.0370, 0.0450, -0.0240), 0.0245, 2, 0.0150 },
		{ at(0.0430, 0.0660, -0.0310), 0.0215, 4, 0.0125 },
		{ at(0.0490, 0.0870, -0.0380), 0.0150, 6, 0.0085 },
		{ at(0.0545, 0.1060, -0.0450), 0.0075, 8, 0.0040 },
		{ at(0.0575, 0.1170, -0.0500), 0.0022, 8, 0.0015 },
	}
	local rings = {}
	for i, r in rows do
		local before, after = rows[math.max(i - 1, 1)][1], rows[math.min(i + 1, #rows)][1]
		local along = vector.normalize(after - before)
		-- It opens forwards and outwards.
		local open = v(0.62, 0.10, 0.78)
		open = vector.normalize(open - along * vector.dot(open, along))
		local wide = vector.cross(along, open)
		local turn = rad(r[3])
		open, wide = open * cos(turn) + wide * sin(turn), wide * cos(turn) - open * sin(turn)
		local places = { r[1] + wide * r[2], r[1] - open * r[4], r[1] - wide * r[2], r[1] - open * (r[4] - 0.0045) }
		rings[i] = {}
		for k, p in places do
			rings[i][k] = c:point(p, 1)
		end
		if i > 1 then
			for k = 1, 4 do
				local n = k % 4 + 1
				c:paint(if k < 3 then "ear_back" else "ear")
				c:quad(rings[i - 1][k], rings[i - 1][n], rings[i][n], rings[i][k])
			end
		end
	end
	local last = rings[#rings]
	c:paint "ear_back"
	c:quad(last[1], last[2], last[3], last[4])
	local seam = {}
	for i, ring in rings do
		seam[i] = ring[1]
	end
	c:seam(seam)
	local back, age = {}, {}
	for i, ring in rings do
		local t = (i - 1) / (#rings - 1)
		for _, point in ring do
			local p = c:get(point)
			-- The tip ends up on the nape.
			back[point] = v(-0.004, -0.080, -0.062) * t * t + v(0.010, -0.008, -0.030) * t * (1 - t)
			age[point] = v(0.016, -0.014, 0.004) * t * t
		end
	end
	W.ears, W.ear_morphs = c, { { name = "ears_back", offsets = back }, { name = "shape.age", offsets = age } }
end

-- Eyes: the visible parts of two eyeballs that look forwards, pupil and iris. ---------------------------------------
do
	local c = cage()
	local look = vector.normalize(v(0.74, 0.10, 0.66))
	local up = vector.normalize(v(0, 1, 0) - look * look.y)
	local side = vector.cross(up, look)
	local eye, r = F.eye, F.eye_radius * 0.96
	local pole = c:point(eye + look * r)
	local before
	for i, a in { 19, 38, 72 } do
		c:paint(({ "pupil", "pupil", "iris" })[i])
		local ring = {}
		for k = 1, 8 do
			local b = rad(45 * k)
			ring[k] = c:point(eye + (look * cos(rad(a)) + (up * cos(b) + side * sin(b)) * sin(rad(a))) * r)
		end
		if before then
			c:bridge(before, ring)
		else
			for k = 1, 8, 2 do
				c:quad(pole, ring[k], ring[k + 1], ring[(k + 1) % 8 + 1])
			end
		end
		before = ring
	end
	W.eyes, W.eye_field = c, field.ball(eye, r):mirror()
end

-- Toes: four around, from in the paw to the tip; claws. --------------------------------------------------------------
do
	local c, claws = cage(), cage()
	c:paint "coat"
	c:chart "toe"
	claws:paint "claw"
	local all
	for _, paw in { { F.joint.fore[5], 1 }, { F.joint.hind[4], 0.95 } } do
		for _, toe in F.toes do
			local s = paw[2]
			local p = {}
			for i, q in toe do
				p[i] = paw[1] + q * s
			end
			local one = field.path(p, { 0.0088 * s, 0.0104 * s, 0.0076 * s })
			all = if all then all:join(one) else one
			local before
			local seam = {}
			local along = { vector.normalize(p[3] - p[1] + v(0, 0.02, 0)), vector.normalize(p[3] - p[2]) }
			for i, t in { 0.6, 1.45 } do
				local k = math.min(math.floor(t), 1) + 1
				local q = p[k] + (p[k + 1] - p[k]) * (t - (k - 1))
				local side = v(1, 0, 0)
				local up = vector.normalize(vector.cross(along[i], side))
				local r = 0.0104 * s
				local ring = {}
				for n, way in { up, side, -up, -side } do
					ring[n] = c:point(q + way * r)
				end
				seam[i] = ring[3]
				if before then
					c:bridge(before, ring)
				end
				before = ring
			end
			local tip = {}
			for n, way in { v(0, 0.3, 1), v(0.6, -0.3, 0.7), v(0, -1, 0.3), v(-0.6, -0.3, 0.7) } do
				tip[n] = c:point(p[3] + vector.normalize(way) * 0.007 * s)
			end
			c:bridge(before, tip)
			c:quad(tip[1], tip[2], tip[3], tip[4])
			c:seam(seam)
			-- The claw starts above the tip and bends to the ground.
			local root = p[3] + v(0, 0.0035, 0.0055) * s
			local ring = {}
			for n, way in { v(0, 0.0034, 0.0010), v(0.0028, -0.0020, 0), v(-0.0028, -0.0020, 0) } do
				ring[n] = claws:point(root + way * s, 1)
			end
			local middle = {}
			for n, way in { v(0, 0.0016, 0.0075), v(0.0018, -0.0026, 0.0055), v(-0.0018, -0.0026, 0.0055) } do
				middle[n] = claws:point(root + way * s, 1)
			end
			local point = claws:point(root + v(0, -0.0075, 0.0105) * s, 1)
			claws:bridge(ring, middle)
			for n = 1, 3 do
				claws:quad(middle[n], middle[n % 3 + 1], point)
			end
		end
	end
	W.toes, W.toe_field, W.claws = c, all:mirror(), claws
end

-- In the mouth: tongue, canines. `on_jaw` lists the points that follow the jaw. ------------------------------------
do
	local c = cage()
	local jaw = {}
	c:paint "tongue"
	local before
	for i, r in {
		{ 0.112, -0.0390, 0.0085 }, { 0.135, -0.0385, 0.0095 }, { 0.158, -0.0390, 0.0090 }, { 0.180, -0.0400, 0.0055 },
	} do
		local row = {}
		for k, p in { at(0, r[2] - 0.0015, r[1]), at(r[3] * 0.6, r[2], r[1]), at(r[3], r[2] - 0.0025, r[1]) } do
			row[k] = c:point(p, 1)
			table.insert(jaw, row[k])
		end
		if before then
			c:bridge(before, row, false)
		end
		before = row
	end
	c:paint "tooth"
	for _, t in {
		{ at(0.0112, -0.0285, 0.1830), at(0.0116, -0.0400, 0.1845) },
		{ at(0.0085, -0.0400, 0.1860), at(0.0090, -0.0300, 0.1875) },
	} do
		local ring = {}
		for n, way in { v(1, 0, 0), v(-0.5, 0, 0.87), v(-0.5, 0, -0.87) } do
			ring[n] = c:point(t[1] + way * 0.0020, 1)
		end
		local tip = c:point(t[2], 1)
		for n = 1, 3 do
			c:quad(ring[n], ring[n % 3 + 1], tip)
		end
		if t[2].y > t[1].y then
			table.insert(jaw, tip)
			table.move(ring, 1, 3, #jaw + 1, jaw)
		end
	end
	W.mouth, W.on_jaw = c, jaw
end

-- Collar: leather with a band of teal, edged with bronze; a disc hangs at the throat. --------------------------------
do
	local c = cage()
	local from, to = v(0, 0.700, 0.280), v(0, 0.762, 0.311)
	local along = vector.normalize(to - from)
	local ahead = vector.normalize(v(0, -along.z, along.y))
	local middle = (from + to) / 2
	-- Distance along the neck, distance from it, and the paint between this row and the next.
	local rows = {
		{ -0.0185, -0.0010, "gold" }, { -0.0190, 0.0045, "gold" }, { -0.0150, 0.0055, "leather" },
		{ -0.0075, 0.0050, "teal" },
		{ 0.0075, 0.0050, "leather" }, { 0.0150, 0.0055, "gold" }, { 0.0190, 0.0045, "gold" }, { 0.0185, -0.0010 },
	}
	local before, paint
	for _, r in rows do
		local ring = {}
		local centre = middle + along * r[1]
		for k = 0, 9 do
			local a = rad(20 * k)
			local p = F.core:out(centre, ahead * cos(a) + v(sin(a), 0, 0), 0.15)
			p += F.core:normal(p) * r[2]
			ring[k + 1] = c:point(if k == 0 or k == 9 then v(0, p.y, p.z) else p, 1)
		end
		if before then
			c:paint(paint)
			c:bridge(before, ring, false)
		end
		before, paint = ring, r[3]
	end
	-- The disc, on a ring.
	c:paint "gold"
	local throat = F.core:out(middle, ahead, 0.15) + ahead * 0.006 - along * 0.018
	local hang = v(0, -1, 0)
	local disc = throat + hang * 0.019 + v(0, 0, 0.006)
	local face = vector.normalize(v(0, 0.25, 1))
	local up = vector.normalize(v(0, 1, -0.25))
	local function round(centre, r, out)
		local ring = {}
		for k = 0, 6 do
			local a = rad(30 * k)
			ring[k + 1] = c:point(centre + up * cos(a) * r + v(sin(a) * r, 0, 0) + face * out, 1)
		end
		return ring
	end
	local rings = {
		round(disc, 0.0150, -0.0018), round(disc, 0.0155, 0.0008), round(disc, 0.0125, 0.0022),
		round(disc, 0.0110, 0.0008), round(disc, 0.0050, 0.0014),
	}
	for i = 2, #rings do
		c:bridge(rings[i - 1], rings[i], false)
	end
	local boss = c:point(disc + face * 0.0028, 1)
	local last = rings[#rings]
	for k = 1, 5, 2 do
		c:quad(boss, last[k], last[k + 1], last[k + 2])
	end
	W.collar = c
end

return W
