-- Metals above, dielectrics below, roughness increasing to the right: the core material model of glTF.

light.environment("assets/gallery/studio.hdr", { yaw = 10, intensity = 1.0, background = false })
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.15 }
ground.set { visible = false }
character("assets/gallery/backdrop.glb", { position = vector.create(0, 0, -0.3) }):material("paper").color = vector.create(0.085, 0.085, 0.09)

local ROWS = {
	{ metallic = 1, color = vector.create(0.95, 0.64, 0.30) },
	{ metallic = 1, color = vector.create(0.60, 0.61, 0.63) },
	{ metallic = 0, color = vector.create(0.008, 0.085, 0.11) },
}
for row, look in ROWS do
	for i = 0, 5 do
		local knob = character("assets/gallery/knob.glb", { position = vector.create((i - 2.5) * 0.26, 0, (row - 2) * 0.30), yaw = 20 })
		local paint = knob:material "paint"
		paint.color = look.color
		paint.metallic = look.metallic
		paint.roughness = 0.05 + 0.17 * i
	end
end
camera.orbit { target = vector.create(0, 0.10, 0), distance = 4.2, yaw = 0, pitch = 24, fov = 13.5 }
