-- A small ghost, the shortest complete recipe: a signed distance field gives the shape, a cage gives the edge flow of the
-- mesh, bones move it, and offsets of the cage's points are its morph targets.
--
--   galatea forge scripts/forge/ghost.lua -o ghost.glb && galatea play ghost.glb

local v = vector.create

local HEIGHT = 0.6
local WIDTH = 0.2
local AROUND = 8 -- columns of one half, from the front (+Z) over the left side (+X) to the back
local ROWS = 9

-- The body: a bell with hanging arms, hollow from below.
local body = field
	.loft(vector.zero, v(1, 0, 0), v(0, 1, 0), {
		{ 0.02, 0, 0, WIDTH * 1.05, WIDTH * 1.05 },
		{ 0.2, 0, 0, WIDTH * 0.86, WIDTH * 0.84 },
		{ 0.4, 0, 0, WIDTH * 0.8, WIDTH * 0.78 },
		{ 0.54, 0, 0, WIDTH * 0.56, WIDTH * 0.54 },
		{ HEIGHT, 0, 0, WIDTH * 0.16, WIDTH * 0.15 },
	})
	:join(field.cone(v(0.13, 0.33, 0.03), v(0.22, 0.24, 0.07), 0.045, 0.032):mirror(), 0.05)

local function at(column, y, r)
	local angle = math.pi * column / AROUND
	local p = v(math.sin(angle) * r, y, math.cos(angle) * r)
	-- The first and the last column are on the mirror plane, where both halves join.
	return if column == 0 or column == AROUND then v(0, p.y, p.z) else p
end

local c = cage()
c:paint "sheet"
local rows = {}
for i = 0, ROWS do
	rows[i + 1] = {}
	for column = 0, AROUND do
		rows[i + 1][column + 1] = at(column, 0.03 + (HEIGHT - 0.08) * i / ROWS, WIDTH * (1 - 0.6 * (i / ROWS) ^ 3))
	end
end
local grid = c:grid(rows)
-- The top of the head: quads that share one point.
local top = c:point(v(0, HEIGHT, 0))
local last = grid[#grid]
for k = 1, AROUND, 2 do
	c:quad(top, last[k], last[k + 1], last[k + 2])
end
-- The wavy hem is not part of the field.
for column, point in grid[1] do
	local wave = if column % 2 == 0 then -0.035 else 0.02
	c:set(point, c:get(point) + v(0, wave, 0))
end
c:hold(grid[1], 1)

-- Eyes and mouth are placed on the body.
local face = cage()
face:paint "ink"
local function dot(x, y, width, height, hold)
	local points = {}
	for k = 0, 7 do
		local a = math.pi * 2 * k / 8
		local px, py = x + math.cos(a) * width, y + math.sin(a) * height
		local on = body:cast(v(px, py, 0.5), v(0, 0, -1)) or error("the face is beside the body")
		points[k + 1] = face:point(on + v(0, 0, 0.004), hold)
	end
	local middle = body:cast(v(x, y, 0.5), v(0, 0, -1))
	local centre = face:point(middle + v(0, 0, 0.012), hold)
	for k = 1, 7, 2 do
		face:quad(centre, points[k], points[k + 1], points[(k + 1) % 8 + 1])
	end
	return points, centre
end
local eye, pupil = dot(0.055, 0.44, 0.022, 0.034, 1)
local blink = { [pupil] = v(0, 0, -0.004) }
for _, point in eye do
	local p = face:get(point)
	blink[point] = v(0, 0.44 - p.y, 0) * 0.9
end

local skeleton = bones {
	{ "root", false, vector.zero },
	{ "body", "root", v(0, 0.12, 0) },
	{ "head", "body", v(0, 0.34, 0) },
	{ "left_arm", "body", v(0.15, 0.34, 0.02) },
}

-- Bone weights of a point: a smooth step up the body; for the arms, by the distance from the middle.
local function step(from, to, x)
	local u = math.clamp((x - from) / (to - from), 0, 1)
	return u * u * (3 - 2 * u)
end
local function weights(p)
	local arm = step(0.15, 0.19, math.abs(p.x)) * step(0.36, 0.3, p.y) * step(0.12, 0.18, p.y)
	local head = step(0.28, 0.42, p.y) * (1 - arm)
	local side = if p.x > 0 then "left_arm" else "right_arm"
	return { [side] = arm, head = head, body = (1 - arm) * (1 - head) }
end

return model {
	name = "ghost",
	bones = skeleton,
	parts = {
		part { name = "sheet", cage = c, field = body, levels = 3, weights = weights },
		part {
			name = "face",
			cage = face,
			levels = 1,
			weights = "head",
			morphs = { { name = "eyeBlink", sides = true, offsets = blink } },
		},
	},
	materials = {
		sheet = { color = v(0.82, 0.86, 0.9), roughness = 0.75, kind = "cloth" },
		ink = { color = v(0.02, 0.02, 0.04), roughness = 0.25 },
	},
}
