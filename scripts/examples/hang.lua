-- Ropes and cloth: a crate that swings, a heavy chest under a light one, and a bucket in a hand. A sheet falls onto a
-- ball.
--
--   galatea play scripts/examples/hang.lua      space: push the crate

light.rig "noon"
ground.set { surface = "wood" }

local crate = physics.box { position = vec(-1.3, 1.7, 0.9), size = vec(0.35, 0.35, 0.35), mass = 8, name = "crate" }
rope {
	from = vec(-1.3, 3, 0),
	to = { character = crate, offset = vec(0, 0.175, 0) },
	length = 1.5,
	links = 24,
	name = "swing",
}

-- A rope joins two bodies and pulls both of them.
local upper = physics.box { position = vec(0, 2, -0.8), size = vec(0.25, 0.25, 0.25), mass = 4, name = "upper" }
local lower = physics.box { position = vec(0, 1.1, -0.8), size = vec(0.4, 0.4, 0.4), mass = 40, name = "lower" }
rope { from = vec(0, 3, -0.8), to = { character = upper }, length = 1, links = 16, name = "first" }
rope { from = { character = upper }, to = { character = lower }, length = 0.9, links = 16, name = "second" }

local hero = character "assets/mannequin.glb" { position = vec(1.4, 0, 0), yaw = -30 }
hero:play("walk", { mode = "loop" })
local bucket = physics.cylinder { position = hero:bone_position "right_hand" - vec(0, 0.35, 0), radius = 0.1, height = 0.2, mass = 3, name = "bucket" }
rope {
	from = { character = hero, bone = "right_hand" },
	to = { character = bucket, offset = vec(0, 0.1, 0) },
	length = 0.35,
	links = 10,
	radius = 0.01,
	name = "handle",
}

-- A cloth without pins falls, drapes over `colliders` and comes to rest. `pitch` starts it horizontal.
physics.sphere { position = vec(0, 0.4, 1), radius = 0.4 }
cloth {
	position = vec(0, 1.5, 1.6),
	pitch = 90,
	size = vec(1.2, 1.2, 0),
	columns = 18,
	rows = 18,
	pins = "none",
	colliders = { { position = vec(0, 0.4, 1), radius = 0.4 } },
	name = "sheet",
}

camera.orbit { target = vec(0, 1.2, 0.2), distance = 6, yaw = 20, pitch = 10 }

function update(_dt)
	if input.pressed "space" then
		crate:apply_impulse(vec(12, 0, 0))
	end
end
