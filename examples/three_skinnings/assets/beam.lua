-- A square beam with two bones, made twice: with rigid weights (nearest bone only), and with smooth weights at the joint.
--
--   galatea forge beam.lua -o beam.glb

local TALL, JOINT, BLEND = 1.6, 0.8, 0.3
local SIDE, HALF = 6, 0.19 -- quads along one side, and half the side length
local ROWS = 40

-- A square with rounded corners gives smooth normals.
local function ring(y)
	local places = {}
	for side = 0, 3 do
		for k = 0, SIDE - 1 do
			local u = 2 * k / SIDE - 1
			local x, z = u, 1
			for _ = 1, side do
				x, z = z, -x
			end
			-- Moves the corners inwards a little.
			local far = math.sqrt(x * x + z * z)
			local pull = if far > 1.25 then 1.25 / far else 1
			table.insert(places, vec(x * pull * HALF, y, z * pull * HALF))
		end
	end
	return places
end

local function beam()
	local c = cage()
	local last = {}
	for i, at in ring(0) do
		last[i] = c:point(at)
	end
	for k = 1, ROWS do
		c:paint(if (k - 1) // 4 % 2 == 0 then "light" else "blue")
		last = c:loop(last, ring(TALL * k / ROWS))
	end
	c:paint "blue"
	local middle, rim = c:point(vec(0, TALL, 0)), {}
	for i, at in ring(TALL) do
		rim[i] = c:point(at)
	end
	for i = 1, #rim do
		c:quad(middle, rim[i], rim[i % #rim + 1])
	end
	return c
end

local function smooth(from, to, x)
	local u = math.clamp((x - from) / (to - from), 0, 1)
	return u * u * (3 - 2 * u)
end

return model {
	name = "beam",
	bones = bones { { "lower", false, vector.zero }, { "upper", "lower", vec(0, JOINT, 0) } },
	parts = {
		part {
			name = "nearest", cage = beam(), levels = 0, mirror = false,
			weights = function(p)
				return { [if p.y > JOINT then "upper" else "lower"] = 1 }
			end,
		},
		part {
			name = "blended", cage = beam(), levels = 0, mirror = false,
			weights = function(p)
				local share = smooth(JOINT - BLEND, JOINT + BLEND, p.y)
				return { lower = 1 - share, upper = share }
			end,
		},
	},
	materials = {
		light = { color = vec(0.72, 0.68, 0.6), roughness = 0.55 },
		blue = { color = vec(0.06, 0.16, 0.30), roughness = 0.5 },
	},
}
