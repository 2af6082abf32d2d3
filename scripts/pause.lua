-- Pauses the demo: P or the select button. During a pause, N simulates one tick. F5 saves the demo, and F9 loads it.

input.bind("pause", { "p", "pad_select" })
input.bind("step", { "n" })
input.bind("save", { "f5" })
input.bind("load", { "f9" })
local menu = ui.text("paused   P: continue   N: one tick", {
	anchor = "center",
	size = 34,
	outline = 2,
	background = vec(0, 0, 0),
	visible = false,
})

local pause = {}

-- One of these keys was pressed.
function pause.pressed()
	return input.pressed "pause" or input.pressed "save" or input.pressed "load"
end

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
	elseif input.pressed "save" then
		save("demo", { title = "The demo" })
	elseif input.pressed "load" then
		load "demo"
	end
end

return pause
