-- Galatea's eyeballs, one per eye bone, and the texture of her iris.
local v = vector.create
local K = require "./face_field"
local E, R = K.EYE, K.R
local sin, cos, rad, pi, clamp = math.sin, math.cos, math.rad, math.pi, math.clamp

local IRIS, PUPIL = 26.5, 11 -- degrees from the line of sight to the edges
local PICTURED = 80 -- degrees from the middle of the texture to its edge
local SIDES = 28
-- Rings in degrees; height of the cornea in the middle in millimetres, and the angle at which it ends.
local RINGS = { 5, 11, 17, 22, 26, 30, 35, 42, 55, 73, 96 }
local BULGE, BULGE_END = 0.6, 38

local function smooth(from, to, x)
	local t = clamp((x - from) / (to - from), 0, 1)
	return t * t * (3 - 2 * t)
end

local function ball(side)
	local c = cage()
	c:paint "eye"
	local middle = v(E.x * side, E.y, E.z)
	local function place(degrees, turn)
		local t = rad(degrees)
		local out = BULGE * (1 - smooth(0, BULGE_END, degrees))
		local at = middle + v(sin(t) * cos(turn), sin(t) * sin(turn), cos(t)) * (R + out * 0.001)
		local i = c:point(at, 1)
		local far = degrees / PICTURED * 0.5
		c:uv(i, 0.5 + cos(turn) * far, 0.5 - sin(turn) * far)
		return i
	end
	local front = place(0, 0)
	local before
	for _, degrees in RINGS do
		local now = {}
		for k = 1, SIDES do
			now[k] = place(degrees, (k - 1) * 2 * pi / SIDES)
		end
		for k = 1, SIDES do
			local n = k % SIDES + 1
			if before then
				c:quad(before[k], before[n], now[n], now[k])
			elseif k % 2 == 1 then
				c:quad(front, now[k], now[n], now[n % SIDES + 1])
			end
		end
		before = now
	end
	return c
end

local function mix(a, b, t)
	return a + (b - a) * t
end

local RING, BLACK = v(0.006, 0.022, 0.028), v(0.003, 0.003, 0.004)
local WHITE, ROSE = v(0.80, 0.785, 0.77), v(0.70, 0.47, 0.43)

-- Pupil, fibres of the iris with a wreath around the pupil, its dark ring, and the white with fine veins far out.
local function color_of(iris_of, x, y)
	local dx, dy = x * 2 - 1, y * 2 - 1
	local degrees = math.sqrt(dx * dx + dy * dy) * PICTURED
	local turn = math.atan2(dy, dx)
	local share = degrees / IRIS
	local function fibres(n, along, seed)
		return math.noise(cos(turn) * n, sin(turn) * n, share * along + seed)
	end
	local strand = fibres(11, 1.2, 0) * 0.9 + fibres(24, 2.0, 7) * 0.7
	local light = clamp(0.5 + strand * 0.75, 0, 1)
	local iris = mix(iris_of.deep, iris_of.light, light) * (0.8 + 0.5 * smooth(0.4, 0.95, share))
	local wreath = 0.53 + 0.09 * fibres(5, 0, 3)
	iris = mix(iris, iris_of.wreath * (0.45 + 0.8 * light), (1 - smooth(wreath - 0.10, wreath + 0.10, share)) * 0.75)
	iris = mix(iris, RING, smooth(0.80, 0.97, share) * 0.92)
	local edge = PUPIL / IRIS + 0.012 * fibres(9, 0, 5)
	iris = mix(BLACK, iris, smooth(edge - 0.03, edge + 0.03, share))
	local vein = smooth(0.1, 0.42, math.noise(cos(turn) * 9, sin(turn) * 9, share * 1.3))
	local white = mix(WHITE, ROSE, smooth(1.3, 2.7, share) * (0.2 + 0.35 * vein))
	return mix(iris, white, smooth(0.96, 1.06, share))
end

return {
	left = ball(1),
	right = ball(-1),
	-- The texture of an iris with three colours: { light, deep, wreath }.
	color = function(iris)
		return function(x, y)
			return color_of(iris, x, y)
		end
	end,
	-- In material units: fractions of the texture's width and of the iris radius. The rim is lit like the white of the eye.
	iris = { radius = 0.5 * IRIS * 0.92 / PICTURED, depth = 0.2 },
}
