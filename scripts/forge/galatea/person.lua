-- A person made of body, face, hair, dress and accessories: `person { … }` returns the model.
--
--   name      name of the model
--   measure   changes to `measure`; `dress`: changes to `cut`
--   face      weights of the shapes of `shapes` at rest, the length of the lashes, and how much higher the corners of
--             the mouth are, millimetres: { male = 1, lashes = 0.6, corners = 1 }
--   hair      function that returns { parts, covers(p) }: options of parts on the head, and where they hide the skin
--   wears     accessories of `worn`, including "earrings"
--   keep      fraction of the triangles of a part that is kept: { dress = 0.2 }
--   skin, colors   changes to `skin` and `materials`
--   over      function that returns the options of a part over the dress, such as a shawl
--   on_face   function that returns the options of a part made from those of the head, such as a beard
--
-- Modules measure once, when they are first required, so `person` requires all of them.
local function person(who)
	require("./measure").change(who.measure or {})
	require("./cut").change(who.dress or {})
	local rest = require "./rest"
	if who.face then
		rest(who.face)
	end
	local place = require "./head_place"
	local body = require "./body"
	local rig = require "./rig"
	local face = require "./face"
	local shapes = require "./shapes"
	local ear = require "./ear"
	local dress = require "./dress"
	local worn = require "./worn"(who.wears)
	local skin = require "./skin"
	local materials = require "./materials"
	local clips = require "../motion/all"
	local hair = who.hair()

	-- Hair and ears follow the shapes of the face.
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

	local parts = {}
	local keep = who.keep or {}
	local function put(options)
		options.keep = keep[options.name] or options.keep
		table.insert(parts, part(options))
	end
	-- A part attached to the head.
	local function on_head(options)
		rest.shift(options.cage)
		options.mirror = options.mirror or false
		options.weights, options.morphs = "head", options.morphs or following(options.cage)
		put(place.bring(options))
	end

	put {
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
	}
	for _, options in hair.parts do
		on_head(options)
	end
	on_head { name = "ears", cage = ear.cage, levels = 1, mirror = true, sheet = "skin", shade = 0.7, keep = 0.6 }
	if table.find(who.wears, "earrings") then
		on_head { name = "earrings", cage = ear.drop, levels = 0, mirror = true }
	end
	put {
		name = "dress",
		cage = dress.cage,
		field = body.field,
		levels = 2,
		mirror = false,
		weights = rig.dress,
		shade = 0.75,
		keep = 0.14,
	}
	if who.over then
		put(who.over())
	end
	put { name = "worn", cage = worn.things, levels = 0, mirror = false, weights = rig.worn, shade = 0.7, keep = 0.8, extras = { skinning = "dual_quaternion" } }
	put { name = "laces", cage = worn.laces, levels = 0, weights = rig.weights, shade = 0.6, extras = { skinning = "dual_quaternion" } }
	for _, options in face.parts(rig.neck, "skin") do
		if options.name == "head" then
			options.shade, options.keep = 0.35, 0.56
			options.without = function(p)
				return hair.covers(place.unpainted(p))
			end
			if who.on_face then
				put(place.bring(who.on_face(options)))
			end
		elseif string.find(options.name, "teeth", 1, true) then
			options.keep = 0.35
		elseif options.name ~= "brows" then
			options.keep = 0.7
		end
		put(place.bring(options))
	end

	local skeleton = bones(rig.rows)
	return model {
		name = who.name,
		bones = skeleton,
		parts = parts,
		clips = clips(figure(skeleton)),
		sheets = { skin = skin(who.skin or {}) },
		materials = materials(who.colors or {}),
	}
end

return person
