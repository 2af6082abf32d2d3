-- A wing: two sheets that join in front and along the ends of the feathers. Columns run from the front edge out along the
-- feathers: odd ones between two feathers, even ones on a shaft, which ends farther out.
local v = vector.create
local F = require "./form"
local c, step, mix = F.cage, F.step, F.mix

-- Ends of feathers from the body outwards, and the depth of the gap before each. The seventh is the first of the hand.
local ENDS = {
	{ 0.019, -0.029, 0 }, { 0.034, -0.0355, 0.0018 }, { 0.048, -0.0378, 0.0018 }, { 0.062, -0.0376, 0.0018 },
	{ 0.075, -0.0360, 0.0018 }, { 0.088, -0.0338, 0.0020 }, { 0.102, -0.0365, 0.0080 }, { 0.117, -0.0403, 0.0022 },
	{ 0.133, -0.0435, 0.0024 }, { 0.149, -0.0460, 0.0030 }, { 0.165, -0.0480, 0.0050 }, { 0.181, -0.0495, 0.0085 },
	{ 0.197, -0.0502, 0.0130 }, { 0.211, -0.0495, 0.0180 },
}
local N = #ENDS
-- The front edge from the body over the wrist to the end of the hand: distance along it, then x and z.
local front = curve {
	{ 0, v(0.006, 0, 0.034) }, { 1.5, v(0.024, 0, 0.0415) }, { 3.5, v(0.050, 0, 0.0450) }, { 6, v(0.082, 0, 0.0510) },
	{ 7.5, v(0.099, 0, 0.0505) }, { 10, v(0.122, 0, 0.0375) }, { 14, v(0.152, 0, 0.0110) },
}
local ROWS = { 0, 0.09, 0.30, 0.62, 1 }

local function ending(k)
	local e = ENDS[k]
	return v(e[1], 0, e[2])
end

-- The end of a column: `f` is 0 at the body, k - 0.5 on the k-th shaft.
local function outline(f, root)
	local k = math.floor(f)
	if f ~= k then
		return ending(k + 1)
	elseif k == 0 then
		return v(0.008, 0, -0.028)
	elseif k == N then
		return v(0.2095, 0, -0.0430)
	end
	local middle = mix(ending(k), ending(k + 1), 0.5)
	return middle + vector.normalize(root - middle) * ENDS[k + 1][3]
end

-- Height of the front edge, and the thickness behind it, by x.
local high = curve { { 0, 0.0050 }, { 0.03, 0.0080 }, { 0.098, 0.0105 }, { 0.150, 0.0095 }, { 0.21, 0.0070 } }
local thick = curve { { 0, 0.0075 }, { 0.03, 0.0062 }, { 0.098, 0.0040 }, { 0.146, 0.0018 }, { 0.21, 0.0004 } }
local upper = curve { { 0, 0 }, { 0.09, 0.62 }, { 0.30, 0.80 }, { 0.62, 0.45 }, { 1, 0 } }
local lower = curve { { 0, 0 }, { 0.09, -0.38 }, { 0.30, -0.10 }, { 0.62, 0.12 }, { 1, 0 } }

-- Bones move the front edge by position. Feathers of the hand close like a fan, each a little less than the next.
local function weights(f, w, x)
	local on_body = 1 - mix(step(0.012, 0.030, x), step(0.010, 0.020, x), step(0, 0.5, w))
	local past_elbow = mix(step(0.040, 0.070, x), step(1.5, 4.5, f), step(0, 0.5, w))
	local past_wrist = mix(step(0.086, 0.108, x), math.clamp((f - 5) / (N - 5.5), 0, 1), step(0, 0.35, w))
	local elbow = (1 - on_body) * past_elbow
	local wrist = elbow * past_wrist
	return {
		body = on_body, left_shoulder = 1 - on_body - elbow, left_elbow = elbow - wrist, left_wrist = wrist,
	}
end

c:paint "feathers"
local above, below = {}, {}
for i = 1, #ROWS do
	above[i], below[i] = {}, {}
end
for j = 0, 2 * N do
	local f = j / 2
	local from = front(f)
	local to = outline(f, from)
	local way = to - from
	-- Outer feathers curve forwards.
	local bow = vector.normalize(v(-way.z, 0, way.x)) * 0.0070 * step(6, N, f)
	for i, w in ROWS do
		local p = from + way * w + bow * (4 * w * (1 - w))
		local t = thick(p.x)
		-- The sheet hangs down behind; shafts stand out a little.
		local y = high(p.x) - 0.0035 * w * w + (if j % 2 == 1 then 0.0005 else 0) * step(0, 0.4, w) * step(0, 2, f)
		local bones = weights(f, w, p.x)
		local gap = 0.0002 * w * (1 - w)
		above[i][j + 1] = F.point(p + v(0, y + t * upper(w) + gap, 0), bones, "wing", f / N, 0.5 - 0.5 * w)
		below[i][j + 1] = if i == 1
			then above[1][j + 1]
			else F.point(p + v(0, y + t * lower(w) - gap, 0), bones, "wing", f / N, 0.5 + 0.5 * w)
	end
end
for i = 2, #ROWS do
	c:bridge(above[i - 1], above[i], false)
	c:bridge(below[i - 1], below[i], false)
end
