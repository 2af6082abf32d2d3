-- Olive leaves: shoots along the twigs, each with pairs of leaves folded along their middle; some fruit.
-- All points of a shoot are attached to one position on its twig.
local v = vector.create
local L = require "./limbs"
local sin, cos = math.sin, math.cos
local between = L.between

local W = {}
local leaves, fruit = cage(), cage()
W.leaves, W.fruit = leaves, fruit

-- Weights of the points by position.
local held = {}
local function key(p)
	return string.format("%.4f %.4f %.4f", p.x, p.y, p.z)
end
function W.weights(p)
	return held[key(p)] or error(`no leaf at {p}`)
end

local now
local function point(c, p)
	held[key(p)] = now
	return c:point(p, 1)
end

local function across(along)
	local a = 2 * math.pi * L.chance()
	local side = vector.normalize(vector.cross(along, if math.abs(along.y) < 0.9 then v(0, 1, 0) else v(1, 0, 0)))
	return side * cos(a) + vector.cross(along, side) * sin(a)
end

-- A leaf: from its base point along its middle to the tip, with its halves bent up.
local function leaf(a, along, up, long, wide)
	local side = vector.normalize(vector.cross(up, along))
	local foot = leaves:get(a)
	local middle = foot + along * long * 0.45
	local b = point(leaves, foot + along * long - up * long * 0.10)
	local left = point(leaves, middle + side * wide + up * wide * 0.35)
	local right = point(leaves, middle - side * wide + up * wide * 0.35)
	leaves:quad(a, left, b)
	leaves:quad(a, b, right)
end

local CROWN = v(0, 2.75, 0)
for _, twig in L.twigs do
	for k = 1, 11 do
		local s = 0.10 + 1.87 * (k - 1) / 10
		local from, along = L.along(twig, s)
		now = L.held(twig, s)
		local out = vector.normalize(from - CROWN)
		local way = vector.normalize(
			along * (if k == 11 then 1.5 else 0.35) + across(along) * 0.95 + out * 0.35 + v(0, 0.10, 0)
		)
		local long = between(0.29, 0.42)
		-- Young shoots at the end are paler.
		local light = s / 2 + between(-0.45, 0.45)
		leaves:paint(if light < 0.3 then "leaf_dark" elseif light < 0.8 then "leaf" else "leaf_silver")
		local pairs_of = 5
		local side = across(way)
		for n = 0, pairs_of do
			local t = (n + 0.5) / (pairs_of + 0.5)
			-- The shoot bends down under its own weight.
			local foot = from + way * long * t - v(0, 0.10 * long * t * t, 0)
			local node = point(leaves, foot)
			if n == pairs_of then
				leaf(node, way, vector.normalize(vector.cross(way, side)), 0.165, 0.026)
				break
			end
			for _, sign in { 1, -1 } do
				local dir = vector.normalize(way * 0.75 + side * sign + v(0, between(-0.15, 0.1), 0))
				local up = vector.normalize(vector.cross(dir, vector.cross(v(0, 1, 0) + out * 0.6, dir)))
				leaf(node, dir, up, between(0.155, 0.205) * (1 - 0.3 * t), between(0.025, 0.031))
			end
			side = vector.normalize(vector.cross(way, side) + side * between(-0.3, 0.3))
		end
		if L.chance() < 0.35 then
			local p = from + way * long * 0.3 - v(0, 0.035, 0)
			fruit:paint(if L.chance() < 0.5 then "olive" else "olive_ripe")
			local ring = {}
			for n, d in { v(1, 0, 0), v(0, 0, 1), v(-1, 0, 0), v(0, 0, -1) } do
				ring[n] = point(fruit, p + d * 0.0105)
			end
			local top, low = point(fruit, p + v(0, 0.016, 0)), point(fruit, p - v(0, 0.016, 0))
			for n = 1, 4 do
				fruit:quad(top, ring[n], ring[n % 4 + 1])
				fruit:quad(low, ring[n], ring[n % 4 + 1])
			end
		end
	end
end

return W
