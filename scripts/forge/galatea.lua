-- Galatea: a statue of marble that came to life.
--
--   galatea forge scripts/forge/galatea.lua -o assets/galatea.glb

local v = vector.create
local body = require "./galatea/body"
local rig = require "./galatea/rig"
local head = require "./galatea/head"
local eyes = require "./galatea/eyes"
local lashes = require "./galatea/lashes"
local mouth = require "./galatea/mouth"
local hair = require "./galatea/hair"
local ear = require "./galatea/ear"
local dress = require "./galatea/dress"
local worn = require "./galatea/worn"
local textures = require "./galatea/textures"
local skin = require "./galatea/skin"
local materials = require "./galatea/materials"

local function on_head(name, cage, levels, more)
	local options = { name = name, cage = cage, levels = levels, mirror = false, weights = "head" }
	for key, value in more or {} do
		options[key] = value
	end
	return part(options)
end

return model {
	name = "galatea",
	bones = bones(rig.rows),
	parts = {
		part {
			name = "body",
			cage = body.cage,
			field = body.field,
			levels = 1,
			weights = rig.weights,
			without = dress.covered,
			sheet = "skin",
			shade = 0.35,
		},
		on_head("head", head.cage, 2, { field = head.field, weights = rig.neck, sheet = "skin", shade = 0.35 }),
		on_head("left_eyeball", eyes.left, 0, { weights = "left_eye" }),
		on_head("right_eyeball", eyes.right, 0, { weights = "right_eye" }),
		on_head("hair", hair.locks_cage, 1, { shade = 0.85 }),
		on_head("hair_cap", hair.cap, 1, { field = hair.inside, shade = 0.6 }),
		on_head("bun", hair.bun, 1, { shade = 0.85 }),
		on_head("ears", ear.cage, 1, { mirror = true, sheet = "skin", shade = 0.7 }),
		on_head("earrings", ear.drop, 1, { mirror = true }),
		part {
			name = "dress",
			cage = dress.cage,
			field = body.field,
			levels = 1,
			mirror = false,
			weights = rig.dress,
			shade = 0.75,
		},
		part { name = "worn", cage = worn.things, levels = 0, mirror = false, weights = rig.worn, shade = 0.7 },
		part { name = "laces", cage = worn.laces, levels = 0, weights = rig.weights, shade = 0.6 },
	},
	sheets = { skin = skin },
	materials = materials,
}
