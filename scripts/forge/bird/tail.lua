-- The tail: a forked fan, made of two sheets that join at its outer edge.
local v = vector.create
local F = require "./form"
local c, step, mix = F.cage, F.step, F.mix

-- Ends of the left half's feathers from the middle outwards, and the gap before each.
local ENDS = {
	{ 0.0045, -0.1230, 0.002 }, { 0.0130, -0.1255, 0.0035 }, { 0.0215, -0.1300, 0.0045 }, { 0.0300, -0.1355, 0.0055 },
	{ 0.0380, -0.1400, 0.0065 },
}
local N = #ENDS
local ROWS = { 0, 0.35, 0.7, 1 }

local function ending(k)
	return v(ENDS[k][1], 0, ENDS[k][2])
end
local function outline(f, root)
	local k = math.floor(f)
	if f ~= k then
		return ending(k + 1)
	elseif k == N then
		return v(0.0405, 0, -0.1335)
	end
	local middle = if k == 0 then v(0, 0, ENDS[1][2]) else mix(ending(k), ending(k + 1), 0.5)
	return middle + vector.normalize(root - middle) * ENDS[k + 1][3]
end

c:paint "feathers"
local above, below = {}, {}
for i = 1, #ROWS do
	above[i], below[i] = {}, {}
end
for j = 0, 2 * N do
	local f = j / 2
	local from = v(0.0085 * f / N, 0, -0.064)
	local to = outline(f, from)
	for i, w in ROWS do
		local p = mix(from, to, w)
		-- The cross-section of a flat roof.
		local y = 0.0028 - 0.08 * p.x + (if j % 2 == 1 then 0.0004 else 0) * w
		local half = 0.0012 * (1 - w) * step(N, N - 1, f)
		local tail = { tail = 1 }
		local u = 0.5 * f / N
		above[i][j + 1] = F.point(p + v(0, y + half, 0), tail, "tail", u, w)
		below[i][j + 1] = if j == 2 * N
			then above[i][j + 1]
			else F.point(p + v(0, y - half, 0), tail, "tail", 1 - u, w)
	end
end
for i = 2, #ROWS do
	c:bridge(above[i - 1], above[i], false)
	c:bridge(below[i - 1], below[i], false)
end
