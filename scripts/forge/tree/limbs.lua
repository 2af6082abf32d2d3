-- The branches of an olive tree: chains of positions with radii, from the trunk over boughs to twigs; one bone per
-- segment.
local v = vector.create
local sin, cos, rad = math.sin, math.cos, math.rad

local L = {}

-- Deterministic random value, 0 to 1.
local drawn = 0
function L.chance()
	drawn += 1
	local x = sin(drawn * 12.9898) * 43758.5453
	return x - math.floor(x)
end
local function between(a, b)
	return a + (b - a) * L.chance()
end
L.between = between

-- A chain: its name, its parent chain and the position along that (in segments), its positions and radii.
local chains = {}
L.chains = chains
-- All sizes are for a tree of 3.5 m.
local SIZE = 1.14
L.SIZE = SIZE
local function chain(name, parent, from, places, radii)
	for i, p in places do
		places[i], radii[i] = p * SIZE, radii[i] * SIZE
	end
	local one = { name = name, parent = parent, from = from, places = places, radii = radii }
	table.insert(chains, one)
	return one
end
-- Position along a chain, and the direction there.
function L.along(one, s)
	local i = math.clamp(math.floor(s), 0, #one.places - 2)
	local a, b = one.places[i + 1], one.places[i + 2]
	return a + (b - a) * (s - i), vector.normalize(b - a)
end

L.trunk = chain(
	"trunk", nil, 0, { v(0, 0, 0), v(0.055, 0.400, 0.030), v(-0.045, 0.820, 0.020), v(0.035, 1.230, -0.030) },
	{ 0.190, 0.150, 0.140, 0.120 }
)

-- Boughs: position on the trunk, direction (degrees about +Y from +X), slope, segment length, thickness.
L.boughs, L.twigs = {}, {}
for i, b in {
	{ 2.90, 10, 46, 0.43, 0.072 },
	{ 2.66, 70, 38, 0.40, 0.060 },
	{ 2.95, 130, 50, 0.44, 0.070 },
	{ 2.55, 195, 38, 0.39, 0.058 },
	{ 2.80, 262, 46, 0.42, 0.064 },
	{ 2.97, 320, 66, 0.45, 0.066 },
} do
	local at = L.along(L.trunk, b[1]) / SIZE
	local places, radii = { at }, { b[5] }
	local turn, rise = b[2], b[3]
	for k = 1, 3 do
		local dir = v(cos(rad(turn)) * cos(rad(rise)), sin(rad(rise)), -sin(rad(turn)) * cos(rad(rise)))
		table.insert(places, places[k] + dir * b[4] * (if k == 3 then 0.85 else 1))
		table.insert(radii, b[5] * ({ 0.72, 0.48, 0.26 })[k])
		turn += between(-32, 32)
		rise = math.clamp(rise + between(-4, 22), 28, 84)
	end
	local bough = chain(`bough_{i}`, L.trunk, b[1], places, radii)
	table.insert(L.boughs, bough)
	-- Twigs: two along the bough, one from its end.
	for k, s in { 1.25, 2.1, 2.97 } do
		local from, dir = L.along(bough, s)
		from /= SIZE
		local away = turn + ({ 80, -75, 0 })[k] + between(-25, 25)
		local up = math.clamp(({ 14, 26, 46 })[k] + between(-10, 16), 6, 80)
		local spots, thick = { from }, { 0.017 }
		for n = 1, 2 do
			local way = v(cos(rad(away)) * cos(rad(up)), sin(rad(up)), -sin(rad(away)) * cos(rad(up)))
			way = vector.normalize(way + dir * 0.45)
			table.insert(spots, spots[n] + way * between(0.27, 0.33))
			table.insert(thick, 0.017 - 0.006 * n)
			away += between(-25, 25)
			up += between(-14, 10)
		end
		table.insert(L.twigs, chain(`twig_{i}_{k}`, bough, s, spots, thick))
	end
end

-- The bone of a segment, counted from 0.
local function bone(one, i)
	return `{one.name}_{math.clamp(i, 0, #one.places - 2) + 1}`
end

-- The skeleton: a segment is followed first by the next segment of its own chain.
L.rows = { { "root", false, vector.zero } }
for _, one in chains do
	for i = 0, #one.places - 2 do
		local parent = if i > 0 then bone(one, i - 1) elseif one.parent then bone(
			one.parent, math.floor(one.from)
		) else "root"
		table.insert(L.rows, { bone(one, i), parent, one.places[i + 1] })
	end
end

-- Weights at a position along a chain: each bone has full weight in the middle of its segment, and two bones share the
-- weight in between. The start follows the parent chain.
local function hold(one, s, share, out)
	local i = math.floor(s - 0.5)
	local next_share = math.clamp(s - 0.5 - i, 0, 1)
	for k, part in { [i] = 1 - next_share, [i + 1] = next_share } do
		if part <= 0 then
			continue
		elseif k >= 0 then
			local name = bone(one, k)
			out[name] = (out[name] or 0) + share * part
		elseif one.parent then
			hold(one.parent, one.from, share * part, out)
		else
			out.root = (out.root or 0) + share * part
		end
	end
	return out
end
function L.held(one, s)
	return hold(one, s, 1, {})
end

-- Weights of a position on the wood: those of the nearest chain.
function L.weights(p)
	local best, nearest, at = math.huge, nil, 0
	for _, one in chains do
		for i = 0, #one.places - 2 do
			local a, b = one.places[i + 1], one.places[i + 2]
			local ab = b - a
			local t = math.clamp(vector.dot(p - a, ab) / vector.dot(ab, ab), 0, 1)
			local d = vector.magnitude(p - a - ab * t) - (one.radii[i + 1] * (1 - t) + one.radii[i + 2] * t)
			if d < best then
				best, nearest, at = d, one, i + t
			end
		end
	end
	return hold(nearest, at, 1, {})
end

return L
