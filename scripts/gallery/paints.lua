-- Clear coat, sheen and glass: the layers over a material's base.

light.environment("assets/gallery/studio.hdr", { yaw = -10, intensity = 1.0, background = false })
light.spot { position = vector.create(-1.2, 1.9, 1.4), target = vector.create(0, 0.1, 0), color = vector.create(1, 0.94, 0.86), intensity = 7, source_radius = 0.15, outer_angle = 26 }
light.post_process { tonemap = "agx", contrast = 1.12, saturation = 1.15 }
ground.set { visible = false }
character("assets/gallery/backdrop.glb", { position = vector.create(0, 0, -0.6) }):material("paper").color = vector.create(0.10, 0.088, 0.078)

local LOOKS = {
	{ color = vector.create(0.33, 0.01, 0.02), metallic = 0.5, roughness = 0.45, clearcoat = 1, clearcoat_roughness = 0.03 },
	{ color = vector.create(0.006, 0.03, 0.11), metallic = 0.4, roughness = 0.5, clearcoat = 1, clearcoat_roughness = 0.25 },
	{ color = vector.create(0.05, 0.012, 0.06), metallic = 0, roughness = 0.95, sheen = vector.create(0.75, 0.35, 0.85), sheen_roughness = 0.3 },
	{ color = vector.create(0.86, 0.96, 0.92), metallic = 0, roughness = 0.02, transmission = 1 },
	{ color = vector.create(0.95, 0.88, 0.74), metallic = 0, roughness = 0.35, transmission = 0.9 },
}
for i, look in LOOKS do
	local knob = character("assets/gallery/knob.glb", { position = vector.create((i - 3) * 0.245 - 0.15, 0, 0.10), yaw = 15 })
	local paint = knob:material "paint"
	for name, value in look do
		paint[name] = value
	end
end
character("assets/gallery/vase.glb", { position = vector.create(0.56, 0, -0.14), yaw = 20 })
camera.orbit { target = vector.create(-0.02, 0.19, 0), distance = 3.4, yaw = 2, pitch = 9, fov = 14.6 }
