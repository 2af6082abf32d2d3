-- Her mouth follows the microphone; the keys set her mood.
--
--   galatea play scripts/examples/puppet.lua
--   galatea play scripts/examples/puppet.lua --microphone line.wav      uses a recording as the microphone
--
-- 1 to 4: change her mood; space: she says a line. A spoken line has priority over the microphone.

local hero = character("assets/galatea.glb", { name = "Galatea" })
hero:look_at(camera)
hero:idle_motion()
hero.face.use_microphone = true
light.rig("three_point", { character = hero })
camera.orbit { target = vec(0, 1.53, 0.03), distance = 2.1, yaw = 16, pitch = 1, fov = 12 }

local MOODS = { "calm", "happiness", "sadness", "surprise" }

function update()
	for i, mood in MOODS do
		if input.pressed(tostring(i)) then
			hero.face:mood(mood, { intensity = 0.6 })
		end
	end
	if input.pressed "space" and not hero.is_speaking then
		hero:say "{smile}Excuse me.{/smile} [nod]Go on[/]."
	end
end
