-- A slender hound with a deep chest, as on Greek vases, with a collar of leather and bronze. It can stand, sit, lie
-- down, bark, sniff, walk, trot and gallop.
--
--   galatea forge scripts/forge/hound.lua -o hound.glb

local v = vector.create
local F = require "./hound/form"
local B = require "./hound/body"
local R = require "./hound/rig"
local W = require "./hound/worn"
local M = require "./hound/morphs"
local stand, gaits = require "./hound/stand", require "./hound/gaits"
local sit, lie, voice = require "./hound/sit", require "./hound/lie", require "./hound/voice"

local at = F.in_head
local up = v(0, 1, 0)
-- By height: full below the first value, zero above the second.
local function below(from, to)
	return mask.near(field.plane(up, 0), from, to)
end
local clouds = mask.noise { size = 0.09, octaves = 4 }

local thin = {}
for i in B.lips do
	thin[i] = 0.0005
end
local lips = field.path(B.lips, thin):mirror()

local fur = sheet {
	size = 512,
	detail = { head = 1.7, toes = 1.1 },
	sculpt = F.fine:join(W.toe_field, 0.001),
	-- Slightly inside the surface, so that faces between mesh points are outside of it.
	shade = F.body:grow(-0.002),
	layers = {
		{ color = v(0.400, 0.235, 0.120), roughness = 0.62 },
		{ color = v(0.455, 0.285, 0.155), where = clouds },
		-- A dark back, a pale belly and chest.
		{
			color = v(0.150, 0.072, 0.036),
			where = mask.facing(up, 0.20, 0.95):times(below(0.52, 0.64):inverted()):share(0.85),
		},
		{ color = v(0.640, 0.500, 0.360), where = mask.facing(-up, -0.15, 0.65) },
		{
			color = v(0.660, 0.540, 0.410),
			where = mask.near(
				field.path({ v(0, 0.66, 0.36), v(0, 0.52, 0.36), v(0, 0.40, 0.28) }, { 0.03, 0.04, 0.04 }), -0.03, 0.07
			),
		},
		{
			color = v(0.640, 0.520, 0.390),
			where = below(0.05, 0.15):most(mask.near(field.ball(F.joint.tail[5], 0.02), 0, 0.09)),
		},
		-- The muzzle, the cheeks and the blaze.
		{
			color = v(0.620, 0.490, 0.360),
			where = mask.near(field.cone(at(0, -0.035, 0.21), at(0, -0.055, 0.02), 0.020, 0.030), -0.01, 0.035),
		},
		{
			color = v(0.620, 0.490, 0.360),
			where = mask.near(
				field.path({ at(0, 0.005, 0.19), at(0, 0.020, 0.11), at(0, 0.045, 0.03) }, { 0.006, 0.004, 0.002 }),
				-0.002, 0.014
			):share(0.85),
		},
		{
			color = v(0.130, 0.062, 0.035),
			where = mask.near(field.ellipsoid(F.eye, v(0.019, 0.013, 0.021)):mirror(), 0, 0.010):share(0.75),
		},
		{ color = v(0.060, 0.038, 0.030), where = mask.near(lips, 0.0008, 0.0028):share(0.85) },
		-- Hair in locks along the body; folds are darker.
		{
			color = v(0.80, 0.78, 0.76), multiply = true,
			where = mask.noise {
				size = v(0.006, 0.009, 0.020), seed = 5, octaves = 2, from = 0.1, to = 0.6,
			}:times(mask.paint "coat"):share(0.6),
		},
		{
			height = 0.00016,
			where = mask.noise { size = v(0.005, 0.007, 0.014), seed = 9, octaves = 2 }:times(mask.paint "coat"),
		},
		{ color = v(0.55, 0.45, 0.40), multiply = true, where = mask.open(0.75, 0.35):share(0.6) },
	},
}

local leaf = sheet {
	size = 128,
	layers = {
		{ color = v(0.260, 0.140, 0.070), roughness = 0.65 },
		{ color = v(0.400, 0.235, 0.120), where = mask.near(field.ball(F.ear_root, 0.03):mirror(), 0, 0.045) },
		{ color = v(0.420, 0.250, 0.185), roughness = 0.75, where = mask.paint "ear" },
		{
			color = v(0.6, 0.45, 0.4), multiply = true,
			where = mask.paint("ear"):times(mask.near(field.ball(F.ear_root, 0.01):mirror(), 0, 0.04)),
		},
		{ height = 0.0003, where = mask.noise { size = v(0.004, 0.010, 0.004), seed = 9, octaves = 2 } },
	},
}

-- Keeps the thickness of the legs when they bend far.
local bends = { skinning = "dual_quaternion" }

return model {
	name = "hound",
	bones = bones(R.rows),
	parts = {
		part {
			name = "body", cage = B.cage, field = F.body, levels = 1, weights = R.weights, sheet = "fur",
			morphs = M.body, extras = bends,
		},
		part {
			name = "head", cage = B.head, field = F.body, levels = 1, weights = R.weights, sheet = "fur",
			morphs = M.head, extras = bends,
		},
		part {
			name = "toes", cage = W.toes, field = W.toe_field, levels = 1, weights = R.weights, sheet = "fur",
			extras = bends,
		},
		part { name = "claws", cage = W.claws, levels = 0, shade = 0.8, weights = R.weights },
		part { name = "ears", cage = W.ears, levels = 1, weights = R.ear, morphs = W.ear_morphs, sheet = "leaf" },
		part { name = "eyes", cage = W.eyes, field = W.eye_field, levels = 1, weights = R.side "eye" },
		part { name = "mouth", cage = W.mouth, levels = 0, shade = 0.8, weights = "head", morphs = M.mouth },
		part { name = "collar", cage = W.collar, levels = 0, shade = 0.8, weights = R.weights, extras = bends },
	},
	sheets = { fur = fur, leaf = leaf },
	materials = {
		coat = { sheet = "fur" },
		ear = { sheet = "leaf" },
		ear_back = { sheet = "leaf" },
		-- Hairless skin.
		nose = { color = v(0.018, 0.015, 0.015), roughness = 0.42 },
		lid = { color = v(0.022, 0.016, 0.014), roughness = 0.45 },
		mouth = { color = v(0.220, 0.060, 0.050), roughness = 0.45 },
		tongue = { color = v(0.420, 0.130, 0.120), roughness = 0.38 },
		tooth = { color = v(0.700, 0.640, 0.520), roughness = 0.35 },
		claw = { color = v(0.03, 0.025, 0.022), roughness = 0.4 },
		pupil = { color = v(0.004, 0.003, 0.003), roughness = 0.06 },
		iris = { color = v(0.16, 0.06, 0.018), roughness = 0.06 },
		leather = { color = v(0.085, 0.04, 0.026), roughness = 0.58 },
		gold = { color = v(0.83, 0.55, 0.22), roughness = 0.34, metallic = 0.85 },
		teal = { color = v(0.03, 0.18, 0.2), roughness = 0.7, kind = "cloth" },
	},
	clips = { stand.clips(), gaits.clips(), sit.clips(), lie.clips(), voice.clips() },
}
