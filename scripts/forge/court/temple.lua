-- The terrace: a floor of slabs on three steps, a plinth, and the ruins of the colonnade around it.

local shapes = require "./shapes"
local v = vector.create
local chance = shapes.chance

local temple = {}

local WIDE, BACK, FRONT = 6, -6, 4.2 -- half the width; extent along z
local RISE, RUN = 0.18, 0.34 -- height and depth of the steps
local COLUMN, RADIUS = 4.1, 0.4

-- Slabs of 1.2 m, laid irregularly; one is missing.
function temple.floor()
	local c = cage()
	local size = 1.2
	for i = 0, 9 do
		for k = 0, 7 do
			local x, z = -WIDE + i * size, BACK + 0.3 + k * size * 1.03
			c:paint(if chance(i, k) < 0.3 then "slab_dark" elseif chance(k, i + 7) < 0.4 then "slab_warm" else "slab")
			c:chart(`slab {i} {k}`)
			if not (i == 7 and k == 5) then
				local heights = {}
				for n = 1, 4 do
					heights[n] = (chance(i * 4 + n, k) - 0.5) * 0.012
				end
				local low, high = v(x + 0.012, -0.06, z + 0.012), v(x + size - 0.012, 0, z + size * 1.03 - 0.012)
				shapes.slab(c, low, high, 0.014, heights)
			end
		end
	end
	return c
end

-- Three steps along the whole front, made of blocks.
function temple.steps()
	local c = cage()
	for step = 1, 3 do
		local top = -RISE * (step - 1) - 0.004
		local z = FRONT + RUN * (step - 1)
		local x = -WIDE - 0.35 * (step - 1)
		while x < WIDE do
			local long = 1.5 + chance(step, x) * 0.9
			local to = if x + long > WIDE - 0.6 then WIDE + 0.35 * (step - 1) else x + long
			c:paint(if chance(x, step) < 0.4 then "block_warm" else "block")
			shapes.block(c, v(x, -0.9, z - (if step == 1 then 0.32 else 0.02)), v(to, top, z + RUN), 0.016, 0.03)
			x = to
		end
	end
	-- The other sides of the terrace.
	c:paint "block_dark"
	shapes.block(c, v(-WIDE - 0.5, -0.9, BACK - 0.4), v(-WIDE + 0.01, -0.05, FRONT + 0.02), 0.02)
	shapes.block(c, v(WIDE - 0.01, -0.9, BACK - 0.4), v(WIDE + 0.5, -0.05, FRONT + 0.02), 0.02)
	shapes.block(c, v(-WIDE, -0.9, BACK - 0.5), v(WIDE, -0.05, BACK + 0.31), 0.02)
	-- Filling of the joints, high enough that feet do not sink in.
	c:paint "soil"
	shapes.block(c, v(-WIDE + 0.02, -0.9, BACK + 0.3), v(WIDE - 0.02, -0.008, FRONT - 0.3), 0.01)
	return c
end

-- The plinth: three steps; the third is the top.
function temple.plinth()
	local c = cage()
	c:paint "marble"
	for step, half in { 1.21, 0.87, 0.53 } do
		local low = 0.17 * (step - 1)
		shapes.block(c, v(-half, low - 0.02, -half), v(half, low + 0.17, half), 0.014, 0.01)
	end
	return c
end

-- Columns: { x, z, height, slant }; an unbroken column has a capital.
local ROW = {
	{ -5, -4.8, COLUMN }, { -3, -4.8, COLUMN }, { -1, -4.8, COLUMN }, { 1, -4.8, COLUMN },
	{ 3, -4.8, 2.3, 0.25 }, { 5, -4.8, 1.0, 0.18 },
	{ -5, -2.5, COLUMN }, { -5, -0.1, 2.9, 0.3 }, { -5, 2.4, 1.25, 0.2 },
	{ 5, -2.5, 0.7, 0.16 }, { 5, 2.5, 0.5, 0.12 },
}

function temple.columns()
	local c = cage()
	for i, column in ROW do
		c:paint(if i % 3 == 0 then "marble_warm" else "marble")
		local at = v(column[1], 0, column[2])
		shapes.shaft(c, at, COLUMN, RADIUS, column[3], column[4] or 0)
		if not column[4] then
			shapes.capital(c, at + v(0, COLUMN, 0), RADIUS)
		end
	end
	return c
end

-- The beams on the columns, and their fallen pieces.
function temple.beams()
	local c = cage()
	local y = COLUMN + 0.38
	c:paint "block_white"
	for i, span in { { -5.55, -4 }, { -4, -2 }, { -2, -0.1 }, { -0.1, 1.62 } } do
		local ragged = if i == 4 then -0.25 else 0
		shapes.block(c, v(span[1], y, -5.2), v(span[2] - 0.01, y + 0.42, -4.4), 0.02, 0.03)
		shapes.block(c, v(span[1], y + 0.42, -5.16), v(span[2] - 0.02 + ragged, y + 0.78, -4.44), 0.02, 0.04)
		local first = span[1] - (if i == 1 then 0.15 else 0)
		shapes.block(c, v(first, y + 0.78, -5.34), v(span[2] - 0.04 + ragged * 2.4, y + 0.92, -4.26), 0.02, 0.05)
	end
	shapes.block(c, v(-5.4, y, -4.4), v(-4.6, y + 0.42, -2.1), 0.02, 0.04)
	return c
end

-- A fallen drum and a fallen capital.
function temple.fallen()
	local c = cage()
	local function lying(at, yaw, roll)
		local cy, sy, cr, sr = math.cos(yaw), math.sin(yaw), math.cos(roll), math.sin(roll)
		return function(p)
			local x, y = p.x * cr - p.y * sr, p.x * sr + p.y * cr
			return at + v(x * cy + p.z * sy, y, p.z * cy - x * sy)
		end
	end
	c:paint "drum"
	shapes.shaft(c, v(0.001, 0, 0), COLUMN, RADIUS, 1.15, 0.1, lying(v(3.9, 0.37, -0.3), 0.5, math.rad(90)))
	c:paint "block_white"
	shapes.shaft(c, v(0.002, 0, 0), COLUMN, RADIUS * 0.9, 0.8, 0.12, lying(v(-3.4, 0.33, 2.9), -0.9, math.rad(88)))
	shapes.capital(c, v(0, 0, 0), RADIUS, lying(v(2.9, 0.42, -2.7), 1.2, math.rad(-62)))
	c:paint "block_warm"
	shapes.block(c, v(3.5, 0, 2.2), v(4.3, 0.34, 2.75), 0.03, 0.06)
	shapes.block(c, v(-4.3, 0, -3.1), v(-3.5, 0.3, -2.7), 0.03, 0.06)
	return c
end

-- Amphorae in the shade.
function temple.jars()
	local c = cage()
	c:paint "clay"
	local belly = {
		{ 0, 0.07 }, { 0.03, 0.09 }, { 0.18, 0.17 }, { 0.36, 0.22 }, { 0.5, 0.2 }, { 0.6, 0.11 }, { 0.68, 0.075 },
		{ 0.74, 0.08 }, { 0.77, 0.1 },
	}
	for _, place in {
		{ -4.1, -3.9, 1 }, { -3.7, -4.15, 0.8 }, { -4.45, -3.55, 0.7 }, { 2.1, -4.6, 0.9 }, { -1.75, 3.55, 0.75 },
	} do
		local rows = {}
		for i, row in belly do
			rows[i] = { row[1] * place[3], row[2] * place[3] }
		end
		shapes.lathe(c, v(place[1], 0, place[2]), rows, 16)
	end
	return c
end

return temple
