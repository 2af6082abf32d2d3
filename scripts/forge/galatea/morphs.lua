-- Galatea's morph targets: the 52 ARKit shapes, by name and as an ordered list.
local v = vector.create
local K = require "./face_field"
local H = require "./head"
local T = require "./motion"
local L, g = H.loops, H.loops.grid
local brush, lips, rings, lid, lids, fold = T.brush, T.lips, T.rings, T.lid, T.lids, T.fold
local UPPER, LOWER = T.UPPER, T.LOWER
local O = vector.zero

local JAW_OPEN = 19 -- degrees

local order, by_name, lids_of = {}, {}, {}
local function put(name, whole)
	table.insert(order, name)
	by_name[name] = whole
end
-- The part of a shape that moves the lids up to the upper fold, with the lashes; nil if the lids do not move.
local function lids_alone(s)
	local own = T.shape()
	for _, ring in { L.lid, L.rim, L.crease } do
		for _, i in ring do
			own.head[i] = s.head[i]
		end
	end
	for k = 2, 6 do
		own.head[L.fold[k]] = s.head[L.fold[k]]
	end
	if next(own.head) == nil then
		return nil
	end
	T.carry(own)
	own.brows = {}
	return own
end
-- `sides`: one target for each side; `aside`: nameLeft moves both halves to her left.
local function morph(name, how, make)
	local s = T.shape()
	make(s)
	T.carry(s)
	local edges = lids_alone(s)
	if edges then
		lids_of[name .. "Left"], lids_of[name .. "Right"] = T.left(edges), T.right(edges)
	end
	if how == "sides" then
		put(name .. "Left", T.left(s))
		put(name .. "Right", T.right(s))
	elseif how == "aside" then
		put(name .. "Left", T.aside(s, 1))
		put(name .. "Right", T.aside(s, -1))
	else
		put(name, T.both(s))
	end
	return s
end

-- Eyes

morph("eyeBlink", "sides", function(s)
	-- The upper lid closes onto the line of the lower one, which rises a little.
	local to = {
		[1] = { -54, -11 }, [2] = { -55, -9.5 }, [3] = { -31, -17 }, [4] = { 1, -18.5 }, [5] = { 33, -12 },
		[6] = { 60, 3.5 }, [7] = { 60, 2.5 }, [8] = { 34, -11.5 }, [9] = { 1, -18 }, [10] = { -30, -16.5 },
	}
	for k, p in to do
		local upper = k >= 2 and k <= 6
		local i, rim = L.lid[k], L.rim[k]
		local off = if k == 4 then 5.0 elseif k == 3 or k == 5 then 4.4 elseif upper then 3.0 else 2.7
		T.add(s, "head", i, T.on_ball(p[1], p[2], off) - T.at.head[i])
		local up = if upper then 1 else 2
		T.add(s, "head", rim, T.on_ball(p[1] * 0.97, p[2] + up, 0.6) - T.at.head[rim])
	end
	lid(s, L.crease, {
		[2] = { 0, -1, 0.2 }, [3] = { 2, -13, 1.8 }, [4] = { 0, -17, 2.8 }, [5] = { -2, -14, 2.3 }, [6] = { 0, -5, 0.9 },
		[9] = { 0, 2, 0 },
	})
	lid(s, L.fold, { [3] = { 0, -4, -0.2 }, [4] = { 0, -6, -0.4 }, [5] = { 0, -5, -0.2 }, [6] = { 0, -2, 0 } })
end)
-- The eyeballs are turned by their bones; lids follow.
morph("eyeLookDown", "sides", function(s)
	lids(s, -17, -5, 1.2)
	lid(s, L.crease, { [3] = { 0, -3, 0.8 }, [4] = { 0, -4, 1.0 }, [5] = { 0, -3, 0.8 } })
end)
morph("eyeLookIn", "sides", function(s)
	lid(s, L.lid, { [3] = { 0, 1.0, 0.3 }, [9] = { -1, 0, 0 }, [10] = { 0, -0.6, 0.2 } })
end)
morph("eyeLookOut", "sides", function(s)
	lid(s, L.lid, { [5] = { 0, 1.0, 0.3 }, [9] = { 1, 0, 0 }, [8] = { 0, -0.6, 0.2 } })
end)
morph("eyeLookUp", "sides", function(s)
	lids(s, 11, 3, 0)
	brush(s, v(34, 1610, 74), v(26, 12, 30), v(0, 1.2, 0))
end)
morph("eyeSquint", "sides", function(s)
	lids(s, -5, 10, 0.4)
	brush(s, v(36, 1559, 74), v(24, 14, 30), v(0, 2.6, 0.8))
end)
morph("eyeWide", "sides", function(s)
	lids(s, 9.5, -3.5, 0)
	brush(s, v(34, 1611, 74), v(28, 13, 30), v(0, 2, 0))
end)

-- Jaw

local jaw_open = morph("jawOpen", nil, function(s)
	T.with_jaw(s, T.opened(JAW_OPEN))
	lips(s, v(0, 1.4, 0), O, v(-0.8, 0, 0))
end)
morph("jawForward", nil, function(s)
	T.with_jaw(s, function(_, w)
		return v(0, -0.0008, 0.0060) * w
	end)
end)
morph("jaw", "aside", function(s)
	T.with_jaw(s, function(p, w)
		local a = math.rad(4.2) * w
		return v((p.z + 0.02) * math.sin(a), 0, -p.x * math.sin(a) * 0.5)
	end)
end)
-- Closes the lips while the jaw is open.
morph("mouthClose", nil, function(s)
	local SHARE = { border = 0.85, crest = 1, line = 1, inside = 1, pocket = 0.5, throat = 0 }
	for name, ring in T.lip_rings do
		for k = 1, 7 do
			local low = jaw_open.head[ring[if k < 4 then 8 - k else k]] or O
			local own = jaw_open.head[ring[k]] or O
			local o = if k == 4 then low * -0.12 else low * 0.36 - own
			T.add(s, "head", ring[k], o * SHARE[name])
		end
	end
	local function with(i, of_point, share)
		T.add(s, "head", i, (jaw_open.head[of_point] or O) * share)
	end
	for j = 1, 3 do
		with(g[6][j], g[6][j], -0.32)
		with(g[8][j], g[6][j], 0.2)
	end
end)

-- Mouth

morph("mouthFunnel", nil, function(s)
	lips(s, v(0, 3.4, 3.5), v(0, -4.2, 3.5), v(-7.5, 0, 3.5))
	rings(s, UPPER, { border = v(0, 1.2, 2), crest = v(0, 1.8, 2.5), line = v(0, 1.5, 1) }, 0.3)
	rings(s, LOWER, { border = v(0, -1, 2), crest = v(0, -1.6, 2.5), line = v(0, -1.5, 1) }, 0.3)
end)
morph("mouthPucker", nil, function(s)
	lips(s, v(0, -0.3, 6.0), v(0, 0.6, 6.0), v(-11.0, -0.8, 4.5))
	rings(s, UPPER, { crest = v(0, 0.6, 1.8), border = v(0, -0.6, 0.8) }, 0.2)
	rings(s, LOWER, { crest = v(0, -0.4, 1.8), border = v(0, 0.8, 0.8) }, 0.2)
	brush(s, v(38, 1530, 66), 24, v(-1.5, 0, 0.5))
end)
morph("mouth", "aside", function(s)
	lips(s, v(7, 0, 0), v(7, 0, 0), v(6.5, 0.6, -1.4))
	brush(s, v(40, 1520, 60), 24, v(1.5, 0, 0))
end)
morph("mouthSmile", "sides", function(s)
	lips(s, v(0.6, 0.4, -0.8), v(0.6, 0.8, -0.6), v(8.0, 6.6, -4.4))
	brush(s, v(41, 1547, 66), v(27, 22, 30), v(2.2, 5.4, 2.8))
	brush(s, v(30, 1545, 77), v(14, 16, 20), v(1.2, 1.8, 2.8))
	lids(s, 0, 3.0, 0)
end)
morph("mouthFrown", "sides", function(s)
	lips(s, v(0, 0.6, 0), v(0, 1.0, 0.4), v(0.8, -8.0, -1.2))
	brush(s, v(31, 1508, 70), 20, v(0.5, -2.6, 0.4))
	brush(s, v(0, 1486, 84), 16, v(0, 1.0, 0.4))
end)
morph("mouthDimple", "sides", function(s)
	lips(s, O, O, v(3.6, 0.6, -4.2))
	brush(s, v(36, 1523, 70), 13, v(0.6, 0, -2.4))
	brush(s, v(45, 1531, 62), 20, v(1.2, 0.4, 0.6))
end)
morph("mouthStretch", "sides", function(s)
	lips(s, O, v(0.6, -0.4, -0.4), v(6.8, -2.4, -3.8))
	brush(s, v(43, 1520, 58), 24, v(2.4, -1.0, 0))
end)
morph("mouthRollLower", nil, function(s)
	lips(s, O, v(0, 0.6, -2.0), O)
	rings(s, LOWER, {
		border = v(0, 3.4, -1.6), crest = v(0, 3.2, -3.2), line = v(0, 0.4, -3.4), inside = v(0, -0.4, -3.0),
	}, 0.15)
end)
morph("mouthRollUpper", nil, function(s)
	lips(s, v(0, -0.5, -1.6), O, O)
	rings(s, UPPER, {
		border = v(0, -3.0, -1.2), crest = v(0, -2.4, -3.2), line = v(0, -0.4, -3.2), inside = v(0, 0.4, -2.8),
	}, 0.15)
end)
morph("mouthShrugLower", nil, function(s)
	lips(s, v(0, 0.8, 0.4), v(0, 2.6, 1.6), v(0, -0.6, 0))
	rings(s, LOWER, { crest = v(0, 0.4, 1.6), border = v(0, 0.8, 1.0) })
	brush(s, v(0, 1488, 84), v(22, 16, 22), v(0, 3.4, 1.0))
end)
morph("mouthShrugUpper", nil, function(s)
	lips(s, v(0, 2.6, 1.8), v(0, 1.8, 0.8), v(0, -0.2, 0))
	rings(s, UPPER, { crest = v(0, 0.3, 1.2) })
end)
morph("mouthPress", "sides", function(s)
	lips(s, v(0, -0.5, -0.5), v(0, 0.8, -0.5), v(1.2, 0.8, -1.4))
	rings(s, UPPER, { border = v(0, -1.6, 0), crest = v(0, -1.0, -1.4) }, 0.1)
	rings(s, LOWER, { border = v(0, 1.8, 0), crest = v(0, 1.4, -1.4) }, 0.1)
	brush(s, v(35, 1520, 73), 12, v(0.4, 0.4, 0.9))
end)
morph("mouthLowerDown", "sides", function(s)
	lips(s, O, v(0.8, -6.4, -0.6), v(0.6, -0.8, -0.4))
	brush(s, v(14, 1492, 84), v(22, 14, 22), v(0, -1.4, 0))
end)
morph("mouthUpperUp", "sides", function(s)
	lips(s, v(0.5, 5.2, -0.2), O, v(0.4, 1.0, -0.2))
	brush(s, v(22, 1546, 80), v(18, 16, 20), v(0.4, 2.4, 0.8))
end)

-- Brows

morph("browDown", "sides", function(s)
	brush(s, v(15, 1613, 82), v(22, 22, 26), v(-4.2, -10.5, 2.4))
	brush(s, v(40, 1617, 70), v(26, 20, 32), v(-1.2, -4.6, 1.0))
	brush(s, v(4, 1606, 86), v(10, 13, 14), v(0, -1.8, 0.9))
	fold(s, -9, -4)
	lid(s, L.fold, { [2] = { 0, -2, 0.6 }, [3] = { 0, 0, 1.8 }, [4] = { 0, 0, 0.8 } })
	lids(s, -1.5, 0, 0)
end)
morph("browInnerUp", nil, function(s)
	brush(s, v(13, 1615, 82), v(23, 24, 28), v(-1.6, 12.0, -0.4))
	brush(s, v(0, 1616, 84), v(13, 20, 20), v(0, 2.6, 0))
	brush(s, v(52, 1613, 58), v(18, 18, 26), v(0, -2.6, 0.4))
	fold(s, 7, -1)
end)
morph("browOuterUp", "sides", function(s)
	brush(s, v(44, 1619, 68), v(29, 26, 38), v(0.3, 12.5, -0.8))
	fold(s, 0.5, 6)
end)

-- Cheeks, nose, tongue

morph("cheekPuff", nil, function(s)
	brush(s, v(42, 1533, 64), v(31, 30, 38), v(10.0, 0, 7.0))
	brush(s, v(0, 1538, 90), v(16, 10, 14), v(0, 0, 1.4))
	lips(s, v(0, -0.3, 0.4), v(0, 0.4, 0.4), v(-1.6, 0, 1.4))
end)
morph("cheekSquint", "sides", function(s)
	brush(s, v(38, 1556, 70), v(26, 19, 30), v(1.0, 6.0, 3.0))
	lids(s, 0, 6.5, 0)
	lid(s, L.fold, { [8] = { 0, 4, 0.8 }, [9] = { 0, 4, 0.8 }, [10] = { 0, 3, 0.5 } })
end)
morph("noseSneer", "sides", function(s)
	brush(s, v(13, 1553, 93), v(12, 14, 16), v(1.4, 5.0, 0.6))
	brush(s, v(10, 1584, 84), v(12, 16, 14), v(-0.5, 2.4, 1.8))
	brush(s, v(24, 1553, 78), v(15, 17, 19), v(0.6, 4.6, 2.4))
	brush(s, v(14, 1611, 82), v(17, 16, 22), v(-1.6, -3.6, 0.8))
	lips(s, v(0.4, 3.2, 0), O, v(0, 0.8, 0))
	lids(s, -1, 4, 0)
end)
morph("tongueOut", nil, function(s)
	for i, p in T.at.tongue do
		local t = T.smooth(0.040, 0.078, p.z)
		local up = 10.5 * t - 8.5 * T.smooth(0.068, 0.077, p.z)
		T.add(s, "tongue", i, v(-p.x * 0.2 * t, up * 0.001, 0.040 * t))
	end
end)

return { order = order, by_name = by_name, lids_of = lids_of, outside = field.ball(K.EYE, K.R + 0.0002):mirror() }
