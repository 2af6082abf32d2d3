-- One string of text with markup becomes a performance.
--
--   galatea play scripts/examples/speech.lua
--
-- space: interrupt her, or let her continue.

local hero = character("assets/galatea.glb", { name = "Galatea" })
hero:look_at(camera)
hero:idle_motion()
light.rig("three_point", { character = hero })
camera.orbit { target = vec(0, 1.5, 0.03), distance = 2.1, yaw = 16, pitch = 1, fov = 14 }

expression "sly" { smile = 0.5, brow_down = 0.4 }

local line: Line?
hero:on("cue", function(e)
	print(`{e.cue} at {e.time}`)
end)
hero:on("say_end", function(e)
	if e.reason == "end" then
		line = hero:say {
			text = "Oh, {brow_up}it is [nod]you[/]. {look=away} I was [beat]thinking[/] {pause 0.3}of something else. {look=camera} {sly}Come in, if you [tilt]dare[/].{/sly} {event=invited}",
			delay = 1,
		}
	end
end)
line = hero:say "{smile}Hello!{/smile}"

function update()
	if input.pressed "space" and line then
		line:stop "word"
		line = line:resume() or line
	end
end
