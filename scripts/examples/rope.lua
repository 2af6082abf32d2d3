-- A lantern on a rope, and flags on a slack one. The upper end of the rope moves back and forth, and the heavy
-- lantern and its light swing after it. The flags are attached to the bones of the rope.
--
--   galatea play scripts/examples/rope.lua      space: gale

character "assets/galatea.glb" { position = vec(-0.7, 0, -0.5), yaw = 30 }

local HELD = vec(0.35, 2.75, 0)
local line = rope {
	from = HELD,
	length = 0.95,
	radius = 0.012,
	links = 16,
	end_mass = 30,
	drag = 0.15,
	color = vec(0.25, 0.18, 0.1),
	name = "line",
}
local lantern = character "assets/gallery/lantern.glb" { scale = 1.3 }
line:attach(lantern, "end")
light.point {
	character = lantern,
	bone = "lantern",
	position = vec(0, -0.22, 0),
	color = vec(1, 0.62, 0.3),
	intensity = 1.6,
	source_radius = 0.05,
}

local slack = rope {
	from = vec(-2, 2.3, -1.2),
	to = vec(2, 2.5, -1.2),
	length = 4.2,
	radius = 0.01,
	links = 33,
	name = "slack",
}
local RED, GOLD, BLUE = vec(0.6, 0.05, 0.04), vec(0.7, 0.45, 0.05), vec(0.05, 0.2, 0.5)
for i, color in { RED, GOLD, BLUE, GOLD, RED } do
	local link = 1 + i * 5
	local pins = {}
	for n = 0, 3 do
		pins[n + 1] = { u = n / 3, v = 0, character = slack, bone = `link_{link + n}` }
	end
	cloth {
		size = vec(0.38, 0.45, 0),
		hem = 0.1,
		columns = 7,
		rows = 9,
		pins = pins,
		color = color,
		name = `flag {i}`,
	}
end

light.rig "night"
light.exposure(0.6)
camera.orbit { target = vec(0, 1.45, -0.3), distance = 4.6, yaw = 10, pitch = 3 }

function update(_dt)
	wind { direction = vec(0.4, 0, 1), speed = if input.down "space" then 9 else 2, gusts = 0.9 }
	line.position = HELD + vec(0.25 * math.sin(now() * 2.4), 0, 0)
end
