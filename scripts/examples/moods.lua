-- Moods and expressions: a lasting mood, a short expression, and micro-expressions of a hidden feeling.
--
--   galatea play scripts/examples/moods.lua
--
-- 1 to 5: change her mood; space: surprise her; M: micro-expressions of a hidden feeling.

local hero = character "assets/galatea.glb"
hero:look_at(camera)
hero:idle_motion()

expression "sly" { smile = 0.5, brow_down = 0.4 }

local MOODS = { "calm", "happiness", "sadness", "anger", "sly" }
local mood = 1
local label = ui.text("", { anchor = "bottom", position = vec(0, -24, 0), size = 40, shadow = true })

local function feel(i)
	mood = i
	hero.face:mood(MOODS[i], { intensity = 0.8 })
	label.text = MOODS[i]
end

feel(1)
light.rig("three_point", { character = hero })
camera.orbit { target = vec(0, 1.53, 0.03), distance = 2.1, yaw = 16, pitch = 1, fov = 12 }

local changed = 0
function update()
	for i in MOODS do
		if input.pressed(tostring(i)) then
			feel(i)
			changed = now() + 10
		end
	end
	if input.pressed "space" then
		hero.face:show("surprise", { fade_in = 0.15, hold_time = 0.5 })
	end
	if input.pressed "m" then
		hero.face:show("contempt", { micro = true })
	end
	-- Without input she shows all of them in turn.
	if now() > changed + 2.5 then
		changed = now()
		feel(mood % #MOODS + 1)
	end
end
