-- Galatea's teeth with gums, and her tongue, behind the closed lips.
local v = vector.create
local K = require "./face_field"
local half = require "./halves"
local M = K.MOUTH
local sin, cos, rad = math.sin, math.cos, math.rad

-- The arc of the teeth, metres: half width, depth, front; degrees along it where the teeth are separated.
local ARC = { wide = 0.0218, deep = 0.0300, front = 0.0806 }
local TEETH = { 0, 12, 21.5, 31, 42, 55, 68 }
local TIP = { 0, 0.7, 0.3, 0.9, 1.5, 2.0 } -- how much shorter than the first each tooth is, millimetres

-- One arc: `way` is 1 for the upper teeth, whose tips point down, -1 for the lower.
local function arc(way, back, tip, gum, top)
	local c = half()
	-- Down one face of a tooth, millimetres; in a gap between two teeth the face is deeper and the gum reaches farther.
	local function column(angle, gap, short)
		local a = rad(angle)
		local function at(y, off)
			local wide, deep = ARC.wide + (off - back) * 0.001, ARC.deep + (off - back) * 0.001
			return v(wide * sin(a), M + y * 0.001, ARC.front - ARC.deep + deep * cos(a))
		end
		local edge = tip + way * short
		local list = {
			at(top, 0.4),
			at(gum + way * 0.4, 1.1),
			at(gum - way * (if gap then 1.3 else -0.3), if gap then 0.4 else 0.65),
			at(gum + (edge - gum) * 0.5, if gap then -0.05 else 0.65),
			at(edge + (if gap then way * 0.35 else 0), if gap then -0.3 else 0.2),
			at(edge + (if gap then way * 0.35 else 0), -1.8),
			at(gum, -5.5),
		}
		for k, p in list do
			list[k] = c:point(if angle == 0 then v(0, p.y, p.z) else p, 1)
		end
		return list
	end
	local before = column(0, true, 0)
	local function go(now)
		for k = 1, #now - 1 do
			c:paint(if k <= 2 then "gums" else "teeth")
			c:quad(before[k], now[k], now[k + 1], before[k + 1])
		end
		before = now
	end
	for i = 1, #TEETH - 1 do
		local from, to = TEETH[i], TEETH[i + 1]
		local wide = to - from
		go(column(from + wide * 0.26, false, TIP[i]))
		go(column(to - wide * 0.26, false, TIP[i]))
		go(column(to, i < #TEETH - 1, TIP[i]))
	end
	local whole, twin = c:whole()
	return { cage = whole, half = c, twin = twin }
end
local upper = arc(1, 0, -2.6, 6.4, 12.0)
local lower = arc(-1, 3.4, -1.5, -8.4, -13.0)

-- Tongue: cross-sections from the throat to the tip, millimetres: { z, y of its upper side, half width, thickness }.
local TONGUE = {
	{ 36.0, -9.0, 12.0, 9.0 },
	{ 45.0, -6.0, 14.5, 9.0 },
	{ 55.0, -5.6, 14.8, 7.4 },
	{ 64.0, -6.8, 12.4, 5.6 },
	{ 70.5, -8.0, 8.2, 3.8 },
}
local t = half()
t:paint "tongue"
local sections = {}
for k, s in TONGUE do
	local z, y, w, thick = s[1], s[2], s[3], s[4]
	local list = {}
	-- With a furrow along its middle.
	for j, p in { { 0, -0.16 }, { 0.5, 0.03 }, { 1, -0.5 }, { 0.6, -1 }, { 0, -1.1 } } do
		local at = v(p[1] * w, p[2] * thick + y, z - (if k == #TONGUE then p[1] * 3 else 0))
		list[j] = t:point(at * 0.001 + v(0, M, 0), 1)
	end
	sections[k] = list
	if k > 1 then
		for j = 1, 4 do
			t:quad(sections[k - 1][j], list[j], list[j + 1], sections[k - 1][j + 1])
		end
	end
end
do
	local e = sections[#sections]
	local tip = t:point(v(0, M - 0.0102, 0.0736), 1)
	t:quad(e[1], e[2], e[3], tip)
	t:quad(tip, e[3], e[4], e[5])
end
local tongue, tongue_twin = t:whole()
return { upper = upper, lower = lower, tongue = { cage = tongue, half = t, twin = tongue_twin } }
