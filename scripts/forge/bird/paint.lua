-- The feather texture. In its regions all feathers have equal width, so each can be painted in its own coordinates of
-- width and length.
local v = vector.create
local F = require "./form"
local step, mix = F.step, F.mix
local floor, clamp, abs = math.floor, math.clamp, math.abs

local INK, BLUE = v(0.040, 0.044, 0.060), v(0.058, 0.075, 0.122)
local GREEN, PURPLE = v(0.056, 0.104, 0.112), v(0.078, 0.070, 0.116)
local PALE, BUFF, GREY = v(0.620, 0.570, 0.490), v(0.560, 0.440, 0.320), v(0.230, 0.235, 0.250)

local function noise(x, y, seed)
	return math.noise(x, y, seed * 7.31)
end

-- Rows of overlapping scales: the amount of a scale's pale edge, and the shadow of the scale before it.
-- `along` increases towards their ends; both count scales.
local function scales(x, along, wide)
	local row = floor(along)
	local best, shadow = 0, 0
	for r = row - 1, row do
		local off = x + 0.5 * (r % 2)
		local across = (off % 1 - 0.5) * 2
		-- Its end is round.
		local from_end = along - (r + 1.35 - 0.45 * across * across)
		best = math.max(best, step(-wide, -wide * 0.3, from_end) * step(0.06, 0, from_end))
		shadow = math.max(shadow, step(0, 0.05, from_end) * step(0.45, 0.05, from_end))
	end
	return best, shadow
end

-- One long feather: x across and w along it, 0 to 1.
local function quill(x, w, dark, edge, length)
	local c = dark * (1.18 - 0.5 * step(0.55, 0.0, x))
	-- The shaft, the pale outer edge, the shadow of the next one.
	c = mix(c, dark * 0.55, step(0.07, 0.02, abs(x - 0.5)))
	c = mix(c, edge, step(0.82, 0.95, x) * 0.45)
	c *= 1 - 0.6 * step(0.10, 0.0, x)
	return mix(c, edge, step(1 - length, 1, w + 0.05 * (0.25 - (x - 0.5) ^ 2)) * 0.75)
end

local function wing(x, y)
	local f = clamp(x, 0, 0.9999) * 14
	local k, across = floor(f), f % 1
	local w = abs(0.5 - y) * 2
	local hand = step(6, 9, f)
	if y < 0.5 then
		local gloss = mix(mix(BLUE, GREEN, step(0.1, 0.4, w)), PURPLE, step(0.45, 0.9, w) * 0.6)
		local c = quill(across, w, mix(mix(INK, gloss, 0.55), INK * 1.3, hand * 0.5), mix(BUFF, PALE, hand) * 0.8, 0.09)
		-- Coverts: one row of long ones, short ones in front of them.
		local long = 0.46 - 0.16 * step(8, 14, f)
		local fine = long * 0.62
		local round = 0.05 * (1 - (2 * across - 1) ^ 2)
		if w < long + round then
			local t = (long + round - w) / long
			c = gloss * (0.75 + 0.5 * step(0.15, 0.6, across)) * (1 - 0.25 * step(0.06, 0, abs(across - 0.5)))
			c = mix(c, BUFF, step(0.09, 0.03, t) * 0.45)
		else
			c *= 1 - 0.55 * step(0.08, 0, w - long - round)
		end
		if w < fine then
			local edge, shadow = scales(f, w / fine * 2.4 + 0.4, 0.22)
			c = gloss * (1.15 - 0.5 * shadow)
			c = mix(c, BUFF, edge * 0.28)
		end
		return c
	end
	-- The underside is paler, the linings most.
	local c = quill(across, w, mix(GREY, INK * 2.2, 0.35 * hand), PALE * 0.75, 0.08)
	local lining = 0.44 - 0.16 * step(8, 14, f)
	local round = 0.05 * (1 - (2 * across - 1) ^ 2)
	if w < lining + round then
		local edge, shadow = scales(f, w / lining * 3.0 + 0.4, 0.22)
		c = mix(BUFF, PALE, 0.35) * (0.82 - 0.3 * shadow)
		c = mix(c, PALE, edge * 0.6)
		c = mix(BLUE, c, step(0.02, 0.10, w))
	end
	return c
end

local function body(x, y)
	-- x from the back to the belly, y from the beak to the tail.
	local wave = 0.03 * noise(x * 9, y * 14, 1)
	local gloss = mix(mix(PURPLE, BLUE, 0.4), BLUE, step(0.05, 0.35, y))
	gloss = mix(gloss, GREEN, step(0.3, 0.6, y) * step(0.95, 0.6, y))
	local edge, shadow = scales(x * 12, y * 26, 0.25)
	local small = 0.3 + 0.7 * step(0.14, 0.30, y)
	local back = gloss * (1.15 - 0.45 * shadow * small)
	back = mix(back, BUFF, edge * 0.22 * small)
	local breast = mix(BUFF, PALE, step(0.30, 0.62, x)) * (1 - 0.22 * shadow * small)
	breast = mix(breast, PALE * 1.1, edge * 0.4)
	-- The throat is warm; a dark band lies across the breast.
	breast = mix(breast, v(0.340, 0.130, 0.065), step(0.265, 0.235, y))
	local band = abs(y - 0.265 + 0.06 * (x - 0.5))
	breast = mix(breast, mix(BLUE, INK, 0.3), step(0.05, 0.02, band) * 0.9)
	breast = mix(breast, GREY, step(0.86, 0.99, y) * 0.8)
	-- The border of the dark colour: low on the head, high at the flanks.
	local border = mix(0.60, 0.50, step(0.1, 0.45, y)) + 0.05 * step(0.6, 1, y)
	local c = mix(back, breast, step(border - 0.05, border + 0.06, x + wave))
	-- The lores before the eye.
	local eye = math.sqrt(((x - 0.44) * 1.2) ^ 2 + ((y - 0.10) * 2.2) ^ 2)
	return mix(c, INK * 0.5, step(0.14, 0.06, eye) * 0.8)
end

local function tail(x, y)
	local top = x < 0.5
	local f = clamp(if top then x else 1 - x, 0, 0.4999) * 10
	local dark = if top then mix(INK, mix(BLUE, GREEN, 0.5), 0.55) else GREY * 0.8
	return quill(f % 1, y, dark, PALE * 0.8, 0.09)
end

local paints = { wing = wing, body = body, tail = tail }

return picture {
	width = 352,
	height = 216,
	wrap = "clamp",
	color = function(u, t)
		local name = if u < 0.701 then "wing" elseif t < 0.61 then "body" else "tail"
		local b = F.blocks[name]
		return paints[name](clamp((u - b[1]) / (b[2] - b[1]), 0, 1), clamp((t - b[3]) / (b[4] - b[3]), 0, 1))
	end,
}
