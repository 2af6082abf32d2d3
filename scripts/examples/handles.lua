-- Four kinds of handle: a lever that swings with her hand, a cup that she picks up from the floor, a stool to sit on, and
-- a bell above her head.
--
--   galatea play scripts/examples/handles.lua

local v = vector.create

ground.set { height = 0, solid = true, surface = "wood", grid = 1, color = v(0.3, 0.24, 0.18) }
light.sun { yaw = 150, pitch = 40 }

local hero = character "assets/galatea.glb" { at = v(0, 0, -1) }
hero:controller {}
hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" { blend1d { by = "speed", sync = "feet", match_speed = true, { 0.3, "idle" }, "walk" } },
	to "move" { from = "idle", when = "speed > 0.15", fade = 0.2 },
	to "idle" { from = "move", when = "speed < 0.1", fade = inertial(0.3) },
}
hero:feet()
hero:alive()

local STEEL, CLAY, OAK, BRASS = v(0.35, 0.36, 0.4), v(0.5, 0.2, 0.12), v(0.3, 0.17, 0.08), v(0.6, 0.45, 0.15)

-- The lever rotates about its lower end, and back the next time it is used.
local lever = physics.box { at = v(-0.2, 0.95, 1.6), size = v(0.04, 0.6, 0.04), motion = "moved", color = STEEL }
lever:handle("grip", {
	kind = "lever",
	at = v(0, 0.22, 0),
	bar = v(0, 1, 0),
	radius = 0.02,
	grip = 0.8,
	pivot = v(0, -0.3, 0),
	axis = v(1, 0, 0),
	swing = 30,
	stand = v(0.2, -0.95, -0.48),
	face = 0,
	hold = 0.7,
})

local cup = physics.cylinder { at = v(1.3, 0.06, 0.6), radius = 0.04, height = 0.12, motion = "moved", color = CLAY }
cup:handle("cup", { kind = "take", at = v(0, 0.02, 0), bar = v(0, 1, 0), radius = 0.04, stand = v(0.15, 0, -0.45), face = 0, reach = 0.8 })

-- The character stands in front of the stool, with her back to it.
local stool = physics.box { at = v(-1.6, 0.225, 0), size = v(0.42, 0.45, 0.42), motion = "moved", color = OAK }
stool:handle("seat", { kind = "seat", at = v(0, 0.225, 0), stand = v(0, 0, 0.42), reach = 0.9, hold = 2, release = 0.9 })

local bell = physics.sphere { at = v(-0.9, 1.95, 1.6), radius = 0.05, motion = "moved", color = BRASS }
bell:handle("bell", { hand = "left_hand", radius = 0.05, grip = 0.45, stand = v(-0.15, 0, -0.15), face = 0, reach = 0.6 })

hero:act(function(a)
	while true do
		for _, thing in { lever, cup, lever, stool, bell } do
			hero:look(thing, { turn = true })
			if a:use(thing) ~= "done" then
				print "she does not get there"
			end
			hero:look()
			if thing == bell then
				-- Puts the cup back to its old position.
				cup:detach()
				cup.position = v(1.3, 0.06, 0.6)
			end
		end
	end
end)

function update()
	hero.machine.params.speed = hero.speed
end

camera.orbit { target = v(-0.1, 0.9, 0.3), distance = 5.2, yaw = 200, pitch = 16 }
