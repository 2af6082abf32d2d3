-- Text over a scene: a name above her head, a health bar, and captions for the speakers.

local pose = require "./pose"

local hero = character("assets/galatea.glb", { position = vector.create(-0.42, 0, 0), yaw = 34 })
local other = character("assets/galatea.glb", {
	position = vector.create(0.42, 0, 0.05),
	yaw = -42,
	materials = { cloth = { color = vector.create(0.26, 0.03, 0.05) }, hair = { color = vector.create(0.02, 0.015, 0.013) }, skin = { color = vector.create(0.58, 0.45, 0.38) } },
})
for _, c in { hero, other } do
	c.machine = machine { state "idle" { "idle" } }
end
pose(hero, {
	head = { yaw = 12, pitch = 2, roll = -3 },
	right = { swing = 34, out = 16, twist = -34, elbow = 84, wrist = -18, curl = 8 },
	left = { swing = 4, out = 10, elbow = 20 },
})
hero:morph("smile", 0.7)
pose(other, { head = { yaw = -8, pitch = 3, roll = 5 }, left = { swing = -16, out = 46, twist = -70, elbow = 96, wrist = 30, curl = 30 } })
other:morph("brows_up", 0.6)
other:morph("smile", 0.3)

light.rig("sunset", { character = hero })
light.sun { yaw = -35, pitch = 20 }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.0 }
light.exposure(0.3)
ground.set { grid = 0, color = vector.create(0.26, 0.22, 0.19) }

local GOLD = vector.create(0.95, 0.70, 0.28)
local ROSE = vector.create(0.90, 0.22, 0.25)
for who, look in { [hero] = { "Galatea", GOLD, 0.8 }, [other] = { "Ianthe", ROSE, 0.45 } } do
	local place = { character = who, bone = "head", offset = vector.create(0, 0.285, 0) }
	ui.text(look[1], { character = who, bone = "head", offset = vector.create(0, 0.31, 0), size = 26, color = look[2], outline = 1.5 })
	ui.bar(look[3], { character = who, bone = "head", offset = place.offset, width = 110, height = 7, color = look[2] })
end
ui.box { anchor = "top_left", position = vector.create(28, 26, 0), width = 292, height = 78, corner_radius = 10, color = vector.create(0.02, 0.015, 0.02), opacity = 0.7, border = GOLD }
ui.text("The sculptor's garden", { position = vector.create(46, 36, 0), size = 26, color = vector.create(1, 0.95, 0.86) })
ui.text("Speak with the statue", { position = vector.create(46, 70, 0), size = 18, color = vector.create(0.75, 0.68, 0.60) })
ui.caption("Galatea", "And then, one morning, I opened my eyes.", { duration = 600, color = GOLD })
ui.caption("Ianthe", "Were you not afraid?", { duration = 600, color = ROSE })
camera.orbit { target = vector.create(0, 1.32, 0), distance = 5, yaw = -4, pitch = 1, fov = 14.5 }
