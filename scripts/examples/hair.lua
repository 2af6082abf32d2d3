-- Hair: hairstyles that grow on the head, swing, fall and move in the wind. She shakes her head by herself.
--
--   galatea play scripts/examples/hair.lua      1 to 6: hairstyle; W: wind; R: rain

local hero = character("assets/galatea.glb")
hero:play("idle", { mode = "loop" })
for _, part in { "hair", "hair_cap", "bun" } do
	hero:show_part(part, false)
end
local head = hero:bone_position("head") + vec(0, 0.04, 0.015)
light.rig("three_point", { character = hero })
camera.orbit { target = head, distance = 1.15, yaw = 30, pitch = 4, fov = 30 }

-- Three kinds: a hairstyle by name, a modified one, and one whose guide curves are edited in code.
local function swept()
	local options = hair.grow { character = hero, cut = { style = "short", length = 0.09, sides = 0.05 } }
	for _, guide in options.guides do
		for i, at in guide do
			local share = (i - 1) / (#guide - 1)
			guide[i] = at + vec(0.03, 0.035, 0) * share * share
		end
	end
	return options
end

local AUBURN, BLACK, FAIR = vec(0.16, 0.055, 0.02), vec(0.022, 0.017, 0.015), vec(0.42, 0.27, 0.12)
local CUTS = {
	{ name = "long", color = AUBURN, options = { cut = "long" } },
	{ name = "bob", color = BLACK, options = { cut = { style = "bob", fringe = 0.085 } } },
	{ name = "short", color = FAIR, options = { cut = "short" } },
	{ name = "curly", color = AUBURN, options = { cut = "curly" } },
	{ name = "mohawk", color = vec(0.5, 0.02, 0.06), options = { cut = "mohawk" } },
	{ name = "swept", color = FAIR, options = swept() },
}

local worn
local function wear(cut, wet)
	if worn then
		worn:remove()
	end
	local options = table.clone(cut.options)
	options.color, options.wet = cut.color, wet
	worn = hero:hair(options)
end

local cut, wet, windy = CUTS[1], 0, false
wear(cut, wet)

-- She shakes her head every few seconds.
hero:add_modifier("shake", function(pose)
	local share = math.max(0, math.sin(now() * 0.9) - 0.2)
	pose:rotate("head", vec(0, 1, 0), 50 * share * math.sin(now() * 5))
end)

local label = ui.text("", { anchor = "bottom", position = vec(0, -24, 0), size = 22, shadow = true })
function update(_dt)
	for i, other in CUTS do
		if input.pressed(tostring(i)) then
			cut = other
			wear(cut, wet)
		end
	end
	if input.pressed "r" then
		wet = 1 - wet
		wear(cut, wet)
	end
	if input.pressed "w" then
		windy = not windy
		wind { direction = vec(1, 0, -0.2), speed = if windy then 4 else 0, gusts = 0.5 }
	end
	label.text = `{cut.name}{if wet > 0 then ", wet" else ""}{if windy then ", in the wind" else ""}`
end
