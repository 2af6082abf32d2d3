-- Light rigs by name: the rig changes every three seconds, or with the number keys. She carries a torch.
--
--   galatea play scripts/examples/lights.lua

local hero = character "assets/galatea.glb"
hero.machine = machine { state "idle" { "idle" } }
camera.frame(hero, { yaw = 25, pitch = 6 })
light.post_process { vignette = 0.25, bloom = 0.06 }

local RIGS = { "three_point", "studio", "noon", "overcast", "sunset", "night", "spotlight", "neon", "embers" }
local SECONDS = 3

-- A torch flickers a little. Switching rigs removes only the lights of the old rig, so the torch stays.
local torch = light.point {
	character = hero,
	bone = "right_hand",
	position = vec(0, 0.12, 0),
	color = vec(1, 0.55, 0.2),
	range = 4,
	source_radius = 0.03,
}

local chosen, shown

function update()
	for i in RIGS do
		if input.pressed(tostring(i)) then
			chosen = i
		end
	end
	local i = chosen or math.floor(now() / SECONDS) % #RIGS + 1
	if i ~= shown then
		shown = i
		light.rig(RIGS[i], { character = hero })
		print(RIGS[i])
	end
	torch.intensity = 0.4 + 0.08 * math.noise(now() * 9, 0.5)
end
