-- A tower with four bones, made twice: as four rigid pieces, and as one skin.
--
--   galatea forge tower.lua -o tower.glb

local BONES, EACH, AROUND = 4, 0.5, 24
local TALL = BONES * EACH
local BLEND = 0.17 -- metres above and below a joint where both bones have weight

local function radius(y)
	return 0.30 - 0.07 * y / TALL
end

local function ring(y, r)
	local places = {}
	for i = 1, AROUND do
		local turn = i / AROUND * 2 * math.pi
		places[i] = vec(math.sin(turn) * r, y, math.cos(turn) * r)
	end
	return places
end

-- A tube between two heights, closed at both ends; rows of stone alternate between two colours.
local function tube(from, to)
	local c = cage()
	local rows, step = {}, 0.0625
	local count = math.floor((to - from) / step + 0.5)
	local last
	for k = 0, count do
		local y = from + k * step
		if k == 0 then
			last = {}
			for i, at in ring(y, radius(y)) do
				last[i] = c:point(at)
			end
			rows[1] = last
		else
			c:paint(if math.floor((y - step / 2) / 0.125) % 2 == 0 then "light" else "dark")
			last = c:loop(last, ring(y, radius(y)))
			rows[k + 1] = last
		end
	end
	c:paint "dark"
	for _, row in { rows[1], last } do
		local y = c:get(row[1]).y
		local middle = c:point(vec(0, y, 0))
		-- Separate vertices make the rim sharp.
		local rim = {}
		for i, at in ring(y, radius(y)) do
			rim[i] = c:point(at)
		end
		for i = 1, AROUND do
			c:quad(middle, rim[i], rim[i % AROUND + 1])
		end
	end
	return c
end

-- The top: a wider rim with battlements, rigidly weighted to the last bone.
local function crown()
	local top, r = TALL, radius(TALL)
	local shape = field.cone(vec(0, top - 0.3, 0), vec(0, top + 0.3, 0), r + 0.05):meet(field.plane(vec(0, 1, 0), top + 0.12)):meet(field.plane(vec(0, -1, 0), -(top - 0.06)))
	shape = shape:cut(field.cone(vec(0, top + 0.03, 0), vec(0, top + 0.6, 0), r - 0.03):meet(field.plane(vec(0, -1, 0), -(top + 0.03))))
	for i = 1, 4 do
		local gap = field.slab(vec(0, top + 0.12, 0), vec(0.05, 0.065, 0.5)):place(vec(0, 0, 0), vec(0, i * 45, 0))
		shape = shape:cut(gap)
	end
	local c = cage()
	c:paint "light"
	c:contour(shape, 0.022)
	return c
end

local rows = { { "bone_1", false, vector.zero } }
for i = 2, BONES do
	rows[i] = { `bone_{i}`, `bone_{i - 1}`, vec(0, (i - 1) * EACH, 0) }
end

local function smooth(from, to, x)
	local u = math.clamp((x - from) / (to - from), 0, 1)
	return u * u * (3 - 2 * u)
end
local function blended(p)
	local weights, above = {}, 1
	for i = 1, BONES do
		local next_share = if i < BONES then smooth(i * EACH - BLEND, i * EACH + BLEND, p.y) else 0
		weights[`bone_{i}`] = above - next_share
		above = next_share
	end
	return weights
end
local parts = {
	part { name = "skin", cage = tube(0, TALL), levels = 0, mirror = false, weights = blended },
	part { name = "crown", cage = crown(), levels = 0, mirror = false, weights = `bone_{BONES}`, keep = 0.35 },
}
for i = 1, BONES do
	table.insert(parts, part { name = `piece_{i}`, cage = tube((i - 1) * EACH, i * EACH), levels = 0, mirror = false, weights = `bone_{i}` })
end

return model {
	name = "tower",
	bones = bones(rows),
	parts = parts,
	materials = {
		light = { color = vec(0.62, 0.55, 0.44), roughness = 0.85 },
		dark = { color = vec(0.42, 0.34, 0.25), roughness = 0.9 },
	},
}
