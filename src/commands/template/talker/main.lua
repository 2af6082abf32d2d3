-- Space: she says the next line. Words, glances, nods and smiles are in one string. Change one, save, and listen.
local hero = character("assets/galatea.glb", { name = "Galatea" })
hero:idle_motion()
hero:look_at(camera)
hero.face:mood("happiness", { intensity = 0.2 })

light.rig("three_point", { character = hero })
camera.orbit { target = vec(0, 1.48, 0.03), distance = 2.1, yaw = 16, pitch = 2, fov = 16 }
ui.text("space: the next line", { anchor = "bottom_right", position = vec(-20, -16, 0), size = 14 })

local LINES = {
	"{smile}Hello.{/smile} It is [nod]good[/] to see you.",
	"I was {look=away} [beat]thinking[/] of something else. {look=camera} {brow_up}Where were we?{/brow_up}",
	"Change a word, [tilt]save the file[/], and I shall say {event=other}that.",
}

local n, line = 0, nil :: Line?

local function speak()
	n = n % #LINES + 1
	line = hero:say(LINES[n])
end

hero:on("cue", function(e)
	print(`{e.cue} in line {n}`)
end)

speak()

function update()
	if input.pressed "space" then
		if line and hero.is_speaking then
			line:stop "word"
		end
		speak()
	end
end
