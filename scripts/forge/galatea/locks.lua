-- Shared by all hairstyles: curves over the head, and tapering locks along them. Rows of points follow the hair, so a
-- strand texture fits across the columns and along the rows.
local max, min, floor = math.max, math.min, math.floor

local M = {}

function M.smooth(t)
	t = max(0, min(1, t))
	return t * t * (3 - 2 * t)
end

-- Spaces the values of `list` evenly over 0..1 and returns the value at t.
function M.along(list, t)
	local x = max(0, min(1, t)) * (#list - 1)
	local i = min(floor(x), #list - 2)
	return list[i + 1] + (list[i + 2] - list[i + 1]) * M.smooth(x - i)
end

function M.spline(a, b, c, d, t)
	return (b * 2 + (c - a) * t + (a * 2 - b * 5 + c * 4 - d) * (t * t) + (b * 3 - a - c * 3 + d) * (t * t * t)) * 0.5
end

function M.curve(list, t)
	local n = #list
	local x = t * (n - 1)
	local i = max(0, min(floor(x), n - 2))
	local b, c = list[i + 1], list[i + 2]
	return M.spline(if i > 0 then list[i] else b * 2 - c, b, c, if i + 3 <= n then list[i + 3] else c * 2 - b, x - i)
end

function M.drawn(to, p)
	for _ = 1, 5 do
		p -= to:normal(p) * to:at(p)
	end
	return p
end

-- The same number of positions along a curve, evenly spaced; also its length.
local SAMPLES = 16
function M.even(list, to)
	local fine, length = {}, { 0 }
	for i = 0, 40 do
		local p = M.curve(list, i / 40)
		fine[i + 1] = if to then M.drawn(to, p) else p
		if i > 0 then length[i + 1] = length[i] + vector.magnitude(fine[i + 1] - fine[i]) end
	end
	local out, k = {}, 1
	for i = 0, SAMPLES do
		local want = length[41] * i / SAMPLES
		while k < 40 and length[k + 1] < want do
			k += 1
		end
		local step = length[k + 1] - length[k]
		out[i + 1] = fine[k] + (fine[k + 1] - fine[k]) * (if step > 0 then (want - length[k]) / step else 0)
	end
	return out, length[41]
end

-- Cross-sections as { across, up }, from one sharp edge to the other. Locks on the head or on the bun have no underside
-- (`open`); locks that can be seen from behind are closed.
M.RIDGE = { { -1, -0.35 }, { -0.62, 0.7 }, { 0.0, 1 }, { 0.62, 0.65 }, { 1, -0.35 }, open = true }
M.TWIN = { { -1, -0.35 }, { -0.55, 0.95 }, { 0.12, 0.5 }, { 0.6, 0.85 }, { 1, -0.35 }, open = true }
M.LENS = { { -1, 0 }, { 0, 1 }, { 1, 0 } }
M.TILE = { { -1, -0.1 }, { 0, 1 }, { 1, -0.1 }, open = true }

-- A hairstyle: its own random generator, so that every run gives the same hair, and the list of its locks.
function M.head(seed)
	local H = { locks = {} }
	function H.random(lo, hi)
		seed = seed * 16807 % 2147483647
		return lo + (hi - lo) * (seed / 2147483647)
	end

	-- A lock of a cage: place(t, across) returns a position and its normal, thick(t) metres; lean tilts it like a roof tile;
	-- early > 1 puts more rows at its start.
	function H.lock(name, into, rows, section, place, thick, lean, early)
		local grid = {}
		early = early or 1
		local n = #section
		for i = 0, rows do
			local t = (i / rows) ^ early
			local row = {}
			for j, s in ipairs(section) do
				local p, up = place(t, s[1])
				row[j] = into:point(p + up * (thick(t) * (s[2] + (lean or 0) * s[1])), 1)
			end
			grid[i + 1] = row
		end
		for i = 1, rows do
			local a, b = grid[i], grid[i + 1]
			for j = 1, if section.open then n - 1 else n do
				local k = j % n + 1
				into:quad(a[j], a[k], b[k], b[j])
			end
		end
		if not section.open then
			for _, r in { grid[1], grid[rows + 1] } do
				into:quad(r[1], r[2], r[3], r[4])
			end
			for _, j in { 1, 3 } do
				local edge = {}
				for i, row in grid do
					edge[i] = row[j]
				end
				into:sharpen(edge, 1)
			end
		end
		table.insert(H.locks, { name = name, cage = into, rows = grid })
	end

	-- Maps the strand texture along all locks; the sizes are its width and length, metres.
	local PICTURE = vector.create(0.016, 0.06, 0)
	function H.comb()
		for _, one in H.locks do
			local rows, n = one.rows, #one.rows[1]
			local into = one.cage
			local width, first, down = 0, H.random(0, 1), H.random(0, 1)
			for j = 2, n do
				local middle = rows[math.ceil(#rows / 2)]
				width += vector.magnitude(into:get(middle[j]) - into:get(middle[j - 1]))
			end
			local across = max(1, width / PICTURE.x) / (n - 1)
			for i, row in rows do
				local k = math.ceil(n / 2)
				if i > 1 then
					down += vector.magnitude(into:get(row[k]) - into:get(rows[i - 1][k])) / PICTURE.y
				end
				for j, point in row do
					into:uv(point, first + (j - 1) * across, down)
				end
			end
		end
	end
	return H
end

return M
