-- Events of a spoken line as a table: in addition to the marks in the text, events at words and at times in seconds.
--
--   galatea play scripts/examples/timeline.lua
--
-- space: say it again with other gestures.

local hero = character("assets/galatea.glb", { name = "Galatea" })
hero:look_at(camera)
hero:idle_motion()
light.rig("three_point", { character = hero })
camera.orbit { target = vec(0, 1.45, 0.03), distance = 2.6, yaw = 16, pitch = 1, fov = 18 }

local TEXT = "Once there was a statue, and nobody thought she would ever speak."

local rows = {
	{ "brow_up", at = "once", duration = 0.5 },
	{ gesture = "beat", at = "statue" },
	{ look = "away", at = "nobody", duration = 1 },
	{ gesture = "shake", at = "nobody" },
	{ "smile", at = "speak", duration = 1.4, intensity = 0.7 },
	{ gesture = "nod", at = "speak" },
	{ event = "told", at = "speak", delay = 0.6 },
	{ at = "and", allow_interrupt = true },
}

hero:on("cue", function(e)
	print(e.cue, e.time)
end)

local line = hero:say { text = TEXT, track = rows, delay = 0.5 }

function update()
	if input.pressed "space" then
		-- The same track, including the marks of the text, with every gesture replaced.
		local own = line and line:track() or rows
		for _, row in own do
			if row.gesture then
				row.gesture = if row.gesture == "nod" then "tilt" else "nod"
			end
		end
		line = hero:say { text = TEXT, track = own, if_speaking = "interrupt" }
	end
end
