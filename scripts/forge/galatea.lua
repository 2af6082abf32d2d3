-- Galatea: a statue of marble that came to life.
--
--   galatea forge scripts/forge/galatea.lua -o assets/galatea.glb

local body = require "./galatea/body"
local rig = require "./galatea/rig"
local face = require "./galatea/face"
local shapes = require "./galatea/shapes"
local hair = require "./galatea/hair"
local ear = require "./galatea/ear"
local dress = require "./galatea/dress"
local worn = require "./galatea/worn"
local skin = require "./galatea/skin"
local materials = require "./galatea/materials"
local clips = require "./motion/all"

-- Hair and ears go with what the face may be like.
local function following(cage)
	local morphs = {}
	for _, name in shapes.names do
		local offsets = {}
		for i = 1, cage:count() do
			local by = shapes.move(cage:get(i), name)
			if vector.magnitude(by) > 1e-4 then
				offsets[i] = by
			end
		end
		if next(offsets) ~= nil then
			table.insert(morphs, { name = name, offsets = offsets })
		end
	end
	return morphs
end

-- A part that hangs on the head.
local function on_head(name, cage, levels, more)
	local options = { name = name, cage = cage, levels = levels, mirror = false, weights = "head", morphs = following(cage) }
	for key, value in more or {} do
		options[key] = value
	end
	return part(options)
end

local parts = {
	part {
		name = "body",
		cage = body.cage,
		field = body.field,
		levels = 2,
		weights = rig.weights,
		without = dress.covered,
		sheet = "skin",
		shade = 0.35,
		keep = 0.18,
		extras = { skinning = "dual_quaternion" },
	},
	on_head("hair", hair.locks_cage, 1, { shade = 0.85, keep = 0.62 }),
	on_head("hair_cap", hair.cap, 1, { field = hair.inside, shade = 0.6 }),
	on_head("bun", hair.bun, 1, { shade = 0.85, keep = 0.6 }),
	on_head("ears", ear.cage, 1, { mirror = true, sheet = "skin", shade = 0.7, keep = 0.6 }),
	on_head("earrings", ear.drop, 0, { mirror = true }),
	part {
		name = "dress",
		cage = dress.cage,
		field = body.field,
		levels = 2,
		mirror = false,
		weights = rig.dress,
		shade = 0.75,
		keep = 0.14,
	},
	part { name = "worn", cage = worn.things, levels = 0, mirror = false, weights = rig.worn, shade = 0.7, keep = 0.8, extras = { skinning = "dual_quaternion" } },
	part { name = "laces", cage = worn.laces, levels = 0, weights = rig.weights, shade = 0.6, extras = { skinning = "dual_quaternion" } },
}
for _, options in face.parts(rig.neck, "skin") do
	if options.name == "head" then
		options.without, options.shade, options.keep = hair.covers, 0.35, 0.56
	elseif string.find(options.name, "teeth", 1, true) then
		options.keep = 0.35
	elseif options.name ~= "brows" then
		options.keep = 0.7
	end
	table.insert(parts, part(options))
end

local skeleton = bones(rig.rows)
return model {
	name = "galatea",
	bones = skeleton,
	parts = parts,
	clips = clips(figure(skeleton)),
	sheets = { skin = skin },
	materials = materials,
}
