-- Four hairstyles on one head, made of strands instead of a mesh.

local v = vector.create
local BALD = { "hair", "hair_cap", "bun", "brows" }

local function stand(file, x, yaw, cuts)
	local who = character(file, { position = v(x, 0, 0), yaw = yaw })
	who.machine = machine { state "idle" { "idle" } }
	for _, part in BALD do
		pcall(who.show_part, who, part, false)
	end
	for _, cut in cuts do
		who:hair(cut)
	end
	return who
end

local AUBURN, BLACK, FAIR = v(0.16, 0.055, 0.02), v(0.022, 0.017, 0.015), v(0.42, 0.27, 0.12)
stand("assets/galatea.glb", -0.66, 14, { { cut = "long", color = AUBURN }, { cut = "brows", color = AUBURN } })
stand("assets/galatea.glb", -0.22, 5, { { cut = { style = "bob", fringe = 0.085 }, color = BLACK }, { cut = "brows", color = BLACK } })
stand("assets/galatea.glb", 0.22, -5, { { cut = "curly", color = AUBURN }, { cut = "brows", color = AUBURN } })
stand("assets/galatea.glb", 0.66, -14, { { cut = "short", color = FAIR }, { cut = "brows", color = FAIR } })

light.rig("three_point", { position = v(0, 1.3, 0), intensity = 0.9 })
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.15, vignette = 0.2 }
ground.set { visible = false }
camera.orbit { target = v(0, 1.44, 0), distance = 4.6, yaw = 0, pitch = 2, fov = 10.5 }
