-- Speech beyond marks: event tracks, voices, live lip-sync, music ducking, the lip lag metric.

local HERO = "assets/mannequin.glb"

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

test("the event track of a line can be a table, and can be read and reused", function(t)
	local hero = character(HERO)
	hero.face:configure { asymmetry = 0, blink_rate = 0 }
	local cue, seen = nil, {}
	hero:on("cue", function(e) cue = e end)
	hero:on("word", function(e) seen[e.word] = e.time end)
	local line = hero:say {
		text = "Well, hello there, old friend.",
		voice = false,
		track = {
			{ "smile", at = "hello", duration = 1, intensity = 1 },
			{ event = "bow", at = "there", fields = { deep = 2 }, delay = 0.05 },
			{ gesture = "nod", at = "friend" },
			{ look = "away", at = 0.2, duration = 0.3 },
			{ at = 0.4, allow_interrupt = true },
			{ mood = "sadness", at = 1.2, duration = 0.1, intensity = 1 },
			{ blink = true, at = 0.1, chance = 1 },
		},
	}
	local rows = line:track()
	t:expect(#rows == 6 and rows[1].blink and rows[2].look == "away" and rows[2].duration, #rows)
	t:run(0.1)
	t:expect(hero.face:get "smile" == 0)
	t:wait_for(function() return seen.hello ~= nil end, 3)
	t:run(0.4)
	t:expect(hero.face:get "smile" > 0.5, hero.face:get "smile")
	t:wait_for(function() return cue ~= nil end, 3)
	t:expect(cue.cue == "bow" and cue.deep == 2 and math.abs(cue.time - seen.there - 0.05) < 0.02)
	t:wait_for(function() return not hero.is_speaking end, 5)
	t:run(0.5)
	t:expect(hero.face:get "frown" > 0.3, hero.face:get "frown")
	-- The same track on another line keeps its times.
	local again = hero:say { text = "Once more, then.", voice = false, track = rows }
	t:expect(again:track()[3].expression == "smile" and math.abs(again:track()[3].at - rows[3].at) < 1e-3)
	t:run_ticks(2)
	-- A track row can allow an interruption at a point where the text does not.
	local other = hero:say { text = "No punctuation anywhere in this long line", voice = false, if_speaking = "interrupt", track = { { at = 0.5, allow_interrupt = true } } }
	t:wait_for(function() return other.time > 0.1 end, 5)
	other:stop "phrase"
	t:wait_for(function() return other.end_reason ~= nil end, 3)
	t:expect(math.abs(other.time - 0.5) < 0.03, other.time)
end)

test("invalid rows are errors with their number", function(t)
	local hero = character(HERO)
	local function say(row) return function() hero:say { text = "Hello there.", voice = false, track = { { blink = true }, row } } end end
	fails(t, say { "smle" }, "smile")
	fails(t, say { at = "hallo", "smile" }, 'entry 2: the text has no word "hallo"; did you mean "Hello"')
	fails(t, say { expresion = "smile" }, 'unknown field "expresion"; did you mean "expression"')
	fails(t, say { at = 1 }, "entry 2: expected at least one of")
	fails(t, say { "smile", intensity = 3 }, "entry 2")
	fails(t, say { event = "x", fields = { a = {} } }, "fields")
	fails(t, say "smile", "expected a table")
end)

test("the timing of a line comes from its text, or from its voice", function(t)
	local hero = character(HERO)
	local line = hero:say { text = "Hello there.", voice = false }
	t:expect(line.duration > 0.4 and line.duration < 2.5, line.duration)
	-- If a speech synthesiser is installed, it speaks; otherwise the line is silent.
	local spoken = hero:say { text = "Hello there.", voice = "en-us", if_speaking = "overlap" }
	t:expect(spoken.duration > 0.4 and spoken.duration < 3, spoken.duration)
	t:run(3)
	t:expect(spoken.end_reason == "end")
end)

test("a mouth can follow live audio, and lines duck the music", function(t)
	local hero = character(HERO)
	local music = sound.play("cloth", { loop = true, duck = 0.3 })
	local line = hero:say { "step_wood_1.wav", text = "Tap.", lipsync = "live", caption = false }
	t:expect(line.duration > 0.05)
	t:run(2)
	t:expect(line.end_reason == "end", line.end_reason)
	t:expect(music.volume == 1, music.volume)
	fails(t, function() hero:say { "step_wood_1.wav", text = "Tap.", lipsync = "lve" } end, "live")
	t:expect(hero:metric "lip_lag" == 0, "nothing was spoken that tells")
	t:expect(hero:metrics().lip_lag == 0)
	t:expect(hero.face.use_microphone == false)
	hero.face.use_microphone = true
	t:run(0.2)
	t:expect(hero.face.use_microphone, "without a microphone its mouth is shut")
	hero.face.use_microphone = false
end)
