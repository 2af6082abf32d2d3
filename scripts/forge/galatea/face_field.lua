-- Galatea's head as a field: skull, face and neck without lips and lids. The cage of `head` is projected onto it; hair,
-- ears and accessories are placed on it.
local v = vector.create
local F = field
local K = {}

-- Proportions, metres.
K.EYE = v(0.0330, 1.5820, 0.0600) -- middle of her left eyeball
K.R = 0.0206 -- radius of an eyeball
K.MOUTH = 1.5200 -- height of the line between her lips
local E = K.EYE

-- Cross-sections from the chin to the forehead: { height, z of the centre, half width, half depth }.
local FACE = {
	{ 1.4925, 0.0425, 0.0290, 0.0370 },
	{ 1.4985, 0.0370, 0.0400, 0.0485 },
	{ 1.5185, 0.0250, 0.0515, 0.0625 },
	{ 1.5400, 0.0170, 0.0610, 0.0710 },
	{ 1.5620, 0.0100, 0.0640, 0.0775 },
	{ 1.5850, 0.0050, 0.0640, 0.0805 },
	{ 1.6050, 0.0010, 0.0625, 0.0815 },
	{ 1.6300, -0.0010, 0.0585, 0.0810 },
	{ 1.6520, -0.0070, 0.0480, 0.0680 },
	{ 1.6680, -0.0120, 0.0280, 0.0400 },
}
local NECK = {
	{ 1.36, -0.036, 0.0560, 0.0500 },
	{ 1.41, -0.034, 0.0440, 0.0440 },
	{ 1.45, -0.028, 0.0390, 0.0415 },
	{ 1.50, -0.018, 0.0385, 0.0440 },
	{ 1.56, -0.010, 0.0380, 0.0480 },
}

local function tower(rows)
	local list = {}
	for i, r in rows do
		list[i] = { r[1], 0, -r[2], r[3], r[4] }
	end
	return F.loft(v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), list)
end

local function ball(x, y, z, rx, ry, rz)
	return F.ellipsoid(v(x, y, z), v(rx, ry, rz))
end

local function head()
	local d = tower(FACE)
	-- Skull and forehead; narrow temples.
	d = d:join(ball(0, 1.6120, -0.0150, 0.0735, 0.0880, 0.0930), 0.026)
	d = d:join(ball(0, 1.6340, 0.0240, 0.0560, 0.0500, 0.0565), 0.030)
	d = d:cut(ball(0.0900, 1.6080, 0.0520, 0.0190, 0.0330, 0.0340):mirror(), 0.030)
	d = d:join(tower(NECK), 0.030)
	-- Cheekbone, cheek, the fullness next to the mouth, jaw, chin.
	d = d:join(ball(0.0470, 1.5620, 0.0470, 0.0150, 0.0120, 0.0195):mirror(), 0.026)
	d = d:join(ball(0.0330, 1.5480, 0.0590, 0.0200, 0.0200, 0.0205):mirror(), 0.030)
	d = d:join(ball(0.0330, 1.5240, 0.0470, 0.0180, 0.0210, 0.0260):mirror(), 0.030)
	local jaw = { v(0, 1.4870, 0.0738), v(0.0110, 1.4876, 0.0705), v(0.0235, 1.4955, 0.0535), v(0.0325, 1.5110, 0.0290) }
	d = d:join(F.path(jaw, { 0.0098, 0.0088, 0.0082, 0.0084 }):mirror(), 0.032)
	d = d:join(ball(0, 1.4888, 0.0735, 0.0090, 0.0085, 0.0100), 0.026)
	d = d:join(ball(0, 1.5020, 0.0340, 0.0270, 0.0150, 0.0340), 0.026)
	-- A soft brow in one sweep from side to side.
	local brow = { v(0, 1.6060, 0.0775), v(0.0200, 1.6105, 0.0735), v(0.0380, 1.6115, 0.0660), v(0.0490, 1.6085, 0.0560) }
	d = d:join(F.path(brow, { 0.0058, 0.0060, 0.0058, 0.0056 }):mirror(), 0.026)
	-- Hollow of the eye.
	d = d:cut(F.ellipsoid(E + v(0.0020, 0.0015, 0.0270), v(0.0225, 0.0165, 0.0105)):mirror(), 0.018)
	-- Mound of the mouth, the hollows under it and at its corners.
	d = d:join(ball(0, K.MOUTH + 0.001, 0.0700, 0.0250, 0.0190, 0.0205), 0.022)
	d = d:cut(ball(0, K.MOUTH - 0.0195, 0.0990, 0.0170, 0.0050, 0.0080), 0.020)
	-- Nose: bridge, tip, wings; philtrum.
	d = d:join(F.cone(v(0, 1.5960, 0.0815), v(0, 1.5640, 0.0945), 0.0044, 0.0052), 0.018)
	d = d:join(ball(0, 1.5550, 0.0985, 0.0072, 0.0068, 0.0080), 0.011)
	d = d:join(ball(0.0078, 1.5518, 0.0910, 0.0042, 0.0047, 0.0070):mirror(), 0.007)
	d = d:cut(ball(0, 1.5360, 0.0970, 0.0038, 0.0095, 0.0044), 0.008)
	return d
end
K.head = head()
-- Includes the bulge of the lids.
K.lids = K.head:join(F.ball(E, K.R + 0.0016):mirror(), 0.006)
return K
