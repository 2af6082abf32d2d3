-- Tiling textures: strands of hair, linen, the meander of the hem.
local v = vector.create
local sin, cos, pi, floor = math.sin, math.cos, math.pi, math.floor
local clamp, noise = math.clamp, math.noise

local T = {}

local function smooth(from, to, x)
	local t = clamp((x - from) / (to - from), 0, 1)
	return t * t * (3 - 2 * t)
end

local function mix(a, b, t)
	return a + (b - a) * t
end

-- Noise that repeats after 1 in u: sampled on a circle, with the given number of hills.
local function around(u, along, hills, seed)
	local r = hills / (2 * pi)
	return noise(cos(u * 2 * pi) * r + seed * 17.3, sin(u * 2 * pi) * r + seed * 5.7, along)
end

-- Slightly wavy strands along v; the texture is mirrored in that direction.
local function strand(x, y)
	x += 0.012 * sin(y * pi)
	return 0.5
		+ 0.42 * around(x, y * 1.1, 9, 1)
		+ 0.34 * around(x, y * 1.6, 25, 2)
		+ 0.26 * around(x, y * 2.2, 56, 3)
end

T.hair = picture {
	width = 128,
	height = 256,
	wrap = { "repeat", "mirror" },
	color = function(x, y)
		local h = clamp(strand(x, y), 0, 1)
		-- Ridges are lighter and warmer than the gaps between them.
		return mix(v(0.30, 0.24, 0.20), v(1.0, 0.94, 0.86), smooth(0.15, 0.95, h))
	end,
	relief = function(x, y)
		return 0.035 * strand(x, y)
	end,
	surface = function(x, y)
		return mix(0.62, 0.42, smooth(0.2, 0.9, strand(x, y)))
	end,
}

-- Linen: threads over and under, not all of them even.
local THREADS = 24
local function weave(x, y)
	local a, b = x * THREADS, y * THREADS
	local over = (floor(a) + floor(b)) % 2 == 0
	local across, down = sin(a % 1 * pi), sin(b % 1 * pi)
	local slub = 0.25 * around(x, floor(y * THREADS) * 3.1, 5, 4) + 0.25 * around(y, floor(x * THREADS) * 2.3, 5, 5)
	return (if over then across * (0.6 + 0.4 * down) else down * (0.6 + 0.4 * across)) * (0.85 + slub), slub
end

local function woven(low, high)
	return picture {
		width = 192,
		color = function(x, y)
			local h, slub = weave(x, y)
			return mix(low, high, smooth(0, 0.9, h)) * (1 + 0.35 * slub)
		end,
		relief = function(x, y)
			return 0.0016 * weave(x, y)
		end,
	}
end
T.linen = woven(v(0.90, 0.89, 0.865), v(1, 1, 1))

-- The hem's band: a meander of thread on cloth of another colour, one turn per texture. Sixteen cells a side, read as text.
local MEANDER = {
	"................",
	"################",
	"................",
	"................",
	".##############.",
	".#............#.",
	".#............#.",
	".#..########..#.",
	".#..#......#..#.",
	".#..#......#..#.",
	".#..#..#####..#.",
	".#..#.........#.",
	"##..###########.",
	"................",
	"################",
	"................",
}
local function on_meander(x, y)
	-- Depth of a position inside the thread: neighbouring cells are blended.
	local a, b = x * 16 - 0.5, y * 16 - 0.5
	local i, j = floor(a), floor(b)
	local function cell(p, q)
		local row = MEANDER[clamp(q, 0, 15) + 1]
		return if string.sub(row, p % 16 + 1, p % 16 + 1) == "#" then 1 else 0
	end
	local s, t = a - i, b - j
	local mixed = mix(mix(cell(i, j), cell(i + 1, j), s), mix(cell(i, j + 1), cell(i + 1, j + 1), s), t)
	return smooth(0.35, 0.65, mixed)
end
function T.border(ground, gold)
	return picture {
		width = 256,
		color = function(x, y)
			local h, slub = weave(x, y)
			local cloth = ground * (0.70 + 0.4 * h + 0.5 * slub)
			local thread = gold * (0.75 + 0.35 * sin((x + y) * 2 * pi * 32) ^ 2)
			return mix(cloth, thread, on_meander(x, y))
		end,
		relief = function(x, y)
			local g = on_meander(x, y)
			return 0.004 * weave(x, y) * (1 - g) + 0.016 * g + 0.003 * g * sin((x + y) * 2 * pi * 32)
		end,
		surface = function(x, y)
			local g = on_meander(x, y)
			return mix(0.85, 0.42, g), 0.55 * g
		end,
	}
end

return T
