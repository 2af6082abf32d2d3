-- An overcast morning: figures and columns fade into fog.

light.rig("overcast")
light.fog { density = 0.028, height = 3.5, color = vector.create(0.50, 0.55, 0.60) }
light.post_process { tonemap = "agx", contrast = 1.3, saturation = 1.1 }
ground.set { grid = 0, color = vector.create(0.23, 0.24, 0.23) }

local hero = character("assets/mannequin.glb", { position = vector.create(0.55, 0, 0.3), yaw = 195 })
local cape = character("assets/gallery/cape.glb", { clips = "assets/mannequin.glb", position = vector.create(0.55, 0, 0.3), yaw = 195 })
for _, c in { hero, cape } do
	c.machine = machine { state "idle" { "idle" } }
end
for i = 1, 5 do
	for _, x in { -1.9, 1.9 } do
		character("assets/gallery/pedestal.glb", { position = vector.create(x, 0, 1.2 - i * 2.4), scale = 2.4 })
	end
end
for i, place in { { -0.45, -4.2, 160 }, { -0.05, -8.2, 20 } } do
	local other = character("assets/mannequin.glb", { position = vector.create(place[1], 0, place[2]), yaw = place[3] })
	other:play(if i == 1 then "walk" else "idle", { mode = "loop", fade = 0, start_time = 0.3 })
end
camera.orbit { target = vector.create(0.1, 1.0, -1.5), distance = 7.6, yaw = 7, pitch = 2, fov = 22 }
