-- Pauses the demo: P or the select button. During a pause, N simulates one tick.

input.bind("pause", { "p", "pad_select" })
input.bind("step", { "n" })
local menu = ui.text("paused   P: continue   N: one tick", {
	anchor = "center",
	size = 34,
	outline = 2,
	background = vec(0, 0, 0),
	visible = false,
})

local pause = {}

-- Call it in `update_unscaled`, which also runs during a pause.
function pause.update()
	if input.pressed "pause" then
		if time.is_paused() then
			time.resume()
		else
			time.pause()
		end
		menu.visible = time.is_paused()
	elseif input.pressed "step" and time.is_paused() then
		time.step()
	end
end

return pause
