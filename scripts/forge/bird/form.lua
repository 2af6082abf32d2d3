-- The bird's joints, the cage of the whole bird, and its bone weights.
local v = vector.create

local F = { cage = cage() }

F.joint = {
	head = v(0, 0.003, 0.046), tail = v(0, 0.002, -0.062),
	shoulder = v(0.017, 0.007, 0.030), elbow = v(0.054, 0.009, 0.014), wrist = v(0.097, 0.010, 0.042),
}
F.rows = {
	{ "root", false, vector.zero },
	{ "body", "root", vector.zero },
	{ "head", "body", F.joint.head },
	{ "tail", "body", F.joint.tail },
	{ "left_shoulder", "body", F.joint.shoulder },
	{ "left_elbow", "left_shoulder", F.joint.elbow },
	{ "left_wrist", "left_elbow", F.joint.wrist },
}

-- Regions of the texture: left, right, top, bottom.
F.blocks = {
	wing = { 0.008, 0.690, 0.02, 0.98 },
	body = { 0.712, 0.992, 0.02, 0.58 },
	tail = { 0.712, 0.992, 0.64, 0.98 },
}

function F.step(from, to, x)
	local t = math.clamp((x - from) / (to - from), 0, 1)
	return t * t * (3 - 2 * t)
end
function F.mix(a, b, t)
	return a + (b - a) * t
end

local held = {}
local function key(p)
	return string.format("%.5f %.5f %.5f", math.abs(p.x), p.y, p.z)
end

-- A point of the left half, its bone weights, and its position in a region of the texture.
function F.point(p, weights, block, x, y)
	held[key(p)] = weights
	local i = F.cage:point(p, 1)
	if block then
		local b = F.blocks[block]
		F.cage:uv(i, F.mix(b[1], b[2], x), F.mix(b[3], b[4], y))
	end
	return i
end

function F.weights(p)
	local own = held[key(p)] or error(`no point at {p}`)
	if p.x >= 0 then
		return own
	end
	local out = {}
	for name, weight in own do
		out[(string.gsub(name, "^left_", "right_"))] = weight
	end
	return out
end

return F
