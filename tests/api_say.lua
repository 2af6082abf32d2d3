-- Speech: lines, marks, events, the queue, interruptions and resuming.

local HERO = "assets/mannequin.glb"

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

test("a text is spoken word by word, and the mouth moves", function(t)
	local hero = character(HERO)
	local words, phones, began, ended = {}, 0, nil, nil
	hero:on("say", function(e) began = e end)
	hero:on("word", function(e) table.insert(words, e.word) end)
	hero:on("phoneme", function(e) phones += 1 end)
	hero:on("say_end", function(e) ended = e end)
	local line = hero:say "Come in, {smile}you are late."
	t:expect(line and line.duration > 0.8 and line.duration < 3, line and line.duration)
	t:expect(line.text == "Come in, you are late." and not line.end_reason and line.time == 0)
	local listed = line:words()
	t:expect(#listed == 5 and listed[1].word == "Come" and listed[2].start >= listed[1].finish)
	t:run_ticks(2)
	t:expect(hero.is_speaking and began.text == line.text and began.duration == line.duration)
	local seconds = line.duration
	t:run(seconds + 0.3)
	t:expect(table.concat(words, " ") == "Come in you are late", table.concat(words, " "))
	t:expect(phones > 12, phones)
	t:expect(not hero.is_speaking and line.end_reason == "end" and ended.reason == "end", line.end_reason)
	t:expect(math.abs(line.time - seconds) < 0.02 and not line.duration and not line:words())
end)

test("marks fire at their words", function(t)
	local hero = character(HERO)
	character(HERO, { name = "friend", position = vector.create(1, 0, 2) })
	hero.face:configure { asymmetry = 0, blink_rate = 0 }
	local cue, seen = nil, {}
	hero:on("cue", function(e) cue = e end)
	hero:on("word", function(e) seen[e.word] = e.time end)
	expression "sly" { smile = 0.5 }
	hero:say "Well, {sly x1 0.6s}hello {event=bow deep=2 how=low}there. {look=friend} [nod]Goodbye[/] {mood=sadness x1 0.1s} now {blink} {look=away} and {look=camera} then."
	t:run(0.2)
	t:expect(hero.face:get "smile" == 0, "not yet")
	t:wait_for(function() return seen.hello ~= nil end, 2)
	t:run(0.3)
	t:expect(hero.face:get "smile" > 0.3, hero.face:get "smile")
	t:wait_for(function() return cue ~= nil end, 2)
	t:expect(cue.cue == "bow" and cue.deep == 2 and cue.how == "low" and math.abs(cue.time - seen.there) < 0.02)
	t:wait_for(function() return not hero.is_speaking end, 6)
	t:run(0.5)
	t:expect(hero.face:get "frown" > 0.3, hero.face:get "frown")
	t:expect(hero:modifier "look_at" ~= nil, "it looked")
end)

test("lines can queue, overlap, be dropped or interrupt", function(t)
	local hero = character(HERO)
	local first = hero:say "One, two, three."
	local second = hero:say("Four.", { delay = 0.2 })
	t:expect(not hero:say("Never.", { if_speaking = "drop", caption = false }) or not hero.is_speaking)
	t:run_ticks(3)
	t:expect(hero.is_speaking and second.time == 0)
	t:expect(not hero:say("Never.", { if_speaking = "drop" }))
	local with = hero:say({ text = "Mm.", if_speaking = "overlap" })
	t:run_ticks(3)
	t:expect(with.time > 0 and first.time > 0 and second.time == 0)
	local now_this = hero:say("Stop!", { if_speaking = "interrupt", rate = 1.5, mouth_intensity = 0.5 })
	t:run(4)
	t:expect(first.end_reason == "interrupted" and second.end_reason == "interrupted", first.end_reason)
	t:expect(now_this.end_reason == "end", now_this.end_reason)
end)

test("a line can be stopped at a word or a phrase and resumed from there", function(t)
	local hero = character(HERO)
	local cut = nil
	hero:on("say_end", function(e) cut = e end)
	local line = hero:say "I was walking home, and then the lights went out."
	local text, words = line.text, line:words()
	local _, home = nil, words[4]
	t:expect(home.word == "home")
	t:run(words[2].start + 0.05)
	t:expect(line:stop "phrase")
	t:run(2)
	t:expect(line.end_reason == "interrupted" and math.abs(cut.spoken_time - home.finish) < 0.02, cut.spoken_time)
	t:expect(line.text == text, "it is kept")
	local rest = line:resume()
	t:expect(rest and not line:resume(), "once")
	t:run_ticks(3)
	t:expect(rest.time >= 0 and rest.time < home.finish, rest.time)
	t:expect(rest:stop "now" and not line:stop())
	t:run_ticks(2)
	t:expect(rest.end_reason == "interrupted" and rest.time < home.finish)
	local again = rest:resume "word"
	t:run_ticks(2)
	t:expect(math.abs(again.time - rest.time) < 0.1, again.time)
	t:expect(hero:stop_speaking "word" and hero.is_speaking)
	t:run(1)
	t:expect(not hero.is_speaking and not hero:stop_speaking(), "nothing is left")
end)

test("invalid lines are errors", function(t)
	local hero = character(HERO)
	fails(t, function() hero:say "Oh {smle}you" end, "smile")
	fails(t, function() hero:say "Oh {smile" end, "character 4")
	fails(t, function() hero:say "[wav]hello[/]" end, "wave")
	fails(t, function() hero:say "{look=nobody}hello" end, "there is no character \"nobody\" on the stage")
	fails(t, function() hero:say { "stpe_stone.wav" } end, "step_stone")
	fails(t, function() hero:say { txt = "hello" } end, "text")
	fails(t, function() hero:say {} end, "a text or a sound")
	fails(t, function() hero:say "" end, "the text is empty")
	fails(t, function() hero:say("hello", { rate = 99 }) end, "0.3 to 3")
end)

test("a line without pronounceable text is shown for its reading time", function(t)
	local hero = character(HERO)
	local cues = 0
	hero:on("cue", function() cues += 1 end)
	for _, text in { "…{event=bow}", "🙂{event=bow}", "{event=bow}", "Привет{event=bow}" } do
		local line = hero:say(text)
		t:expect(line and line.duration > 0.5 and line.duration < 1.5, text)
		t:run(1.5)
		t:expect(line.end_reason == "end", text)
	end
	t:expect(cues == 4, cues)
	local other = character(HERO, { position = vector.create(1, 0, 0) })
	local talk = conversation {
		cast = { anna = hero, ben = other },
		{ "anna", "So?" },
		{ "ben", "…" },
		{ "anna", "I see." },
	}
	t:run(6)
	t:expect(talk.end_reason == "end", talk.end_reason)
end)

test("a recorded line is as long as its sound, whatever its text", function(t)
	local hero = character(HERO)
	local line = hero:say { "assets/sounds/step_stone_1.wav", text = "Tap.", lipsync = "amplitude", volume = 0.5, normalize = false, caption = "Stone" }
	t:expect(line.duration > 0.05 and line.duration < 2, line.duration)
	t:run(2.2)
	t:expect(line.end_reason == "end")
end)

test("a task waits for the end of a line", function(t)
	local hero = character("assets/galatea.glb", { name = "Galatea" })
	local log = {}
	hero:task(function(task_of_hero)
		local line = hero:say "Hello."
		table.insert(log, task_of_hero:wait(line))
		t:expect(task_of_hero:wait(line) == "end", "a line that is over does not wait")
		local long = hero:say "This line is long, and nobody hears the end of it."
		task_of_hero:start(function(other)
			other:wait(0.3)
			long:stop "now"
		end)
		table.insert(log, task_of_hero:wait(long))
		table.insert(log, task_of_hero:wait(hero:say "Gone.", { timeout = 0.05 }) or "timeout")
	end)
	-- A task of nobody goes on when the speaker is removed.
	local other = character("assets/galatea.glb", { position = vec(1, 0, 0) })
	local over
	task(function(alone)
		over = alone:wait(other:say "A line that its speaker does not finish.")
	end)
	t:run(0.5)
	other:remove()
	t:run(4)
	t:expect(over ~= nil, "the wait ended with the speaker")
	t:expect(log[1] == "end" and log[2] ~= nil and log[3] == "timeout", table.concat(log, ", "))
end)
