-- 3. Speak. Shows: lip sync to a recording, marks in the text, captions; and steps without an animation for them.
-- To change: the text; then run scripts/voice.sh to record all lines of scripts/show again. Marks are not spoken:
-- {smile} and similar marks take effect at the next word, [nod]word[/] on that word. docs/speech.md lists all marks.

local v = vector.create

local function said(a, hero, name, text)
	hero:say { name, text = text }
	a:wait "say_end"
end

return {
	-- She steps down from the plinth.
	{
		film = {
			2.9,
			eye = { v(1.7, 0.22, 3.4), v(1.5, 0.6, 4.3) },
			at = { v(0, -0.2, 0), v(0, 0.15, 0) },
			on = "hips",
			fov = 36,
		},
		run = function(a, hero)
			hero:look_at(v(0.2, 0.2, 1.8), { head_weight = 0.8 })
			a:wait(0.2)
			a:walk_to(v(0, 0, 2.1), { speed = 1.0 })
			hero:look_at(camera)
		end,
	},
	{
		film = {
			4,
			eye = { v(2.5, 1.35, 5.7), v(2.25, 1.38, 5.3) },
			at = { v(-0.25, 1.0, 1.2), v(-0.22, 1.08, 1.2) },
			fov = 29,
		},
		run = function(a, hero)
			said(a, hero, "speak_1.wav", "[talk_beat_4]I[/] was marble. {brow_up}For a very, [beat]very[/] long time. \z
				{smile}Excellent posture.")
		end,
	},
	{
		film = {
			5,
			eye = { v(-0.9, 1.5, 3.5), v(-0.62, 1.53, 3.3) },
			at = { v(-0.13, 1.44, 2.1), v(-0.1, 1.46, 2.1) },
			fov = 27,
		},
		run = function(a, hero)
			said(a, hero, "speak_2.wav", "Then somebody wrote a page of Lua. And now I [talk_beat_2]breathe[/]. \z
				I {blink}blink. {smirk}I have [shrug]opinions[/].")
		end,
	},
	{
		film = {
			4.4,
			eye = { v(0.95, 1.18, 3.25), v(0.8, 1.22, 3.2) },
			at = { v(0.1, 1.5, 2.1), v(0.08, 1.52, 2.1) },
			fov = 34,
		},
		run = function(a, hero)
			said(a, hero, "speak_3.wav", "Change a line while I talk, and I just [talk_beat_6]go[/] on. \z
				{smile}Try {brow_up}[nod]that[/] with marble.")
		end,
	},
}
