-- Conversations: turns, gaps, interruptions, resuming, and the events they emit.

local HERO = "assets/mannequin.glb"
local v = vector.create

local function cast()
	return {
		anna = character(HERO, { name = "Anna", position = v(-0.6, 0, 0), yaw = 90 }),
		ben = character(HERO, { name = "Ben", position = v(0.6, 0, 0), yaw = -90 }),
		eve = character(HERO, { name = "Eve", position = v(0, 0, 0.8), yaw = 180 }),
	}
end

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

test("turns follow one after the other", function(t)
	local all = cast()
	local turns, ends, over = {}, {}, nil
	local talk = conversation {
		cast = all,
		{ "anna", "Oh, it is you. {look=ben}", to = "ben" },
		{ "ben", { text = "Good evening.", rate = 1.2 }, gap = 0.3 },
		{ "eve", "Hello!", to = "all" },
	}
	talk:on("turn", function(e) table.insert(turns, `{e.turn} {e.speaker} {e.to or "all"} {e.text}`) end)
	local ears = talk:on("turn_end", function(e) table.insert(ends, e.reason) end)
	talk:on("end", function(e) over = e end)
	t:expect(not talk.turn and not talk.speaker and not talk.end_reason)
	t:run_ticks(3)
	t:expect(talk.turn == 1 and talk.speaker == "anna" and all.anna.is_speaking and not all.ben.is_speaking)
	t:wait_for(function() return talk.turn == 2 end, 5)
	ears:off()
	t:wait_for(function() return talk.end_reason ~= nil end, 8)
	local told = table.concat(turns, "; ")
	t:expect(told == "1 anna ben Oh, it is you.; 2 ben anna Good evening.; 3 eve all Hello!", told)
	t:expect(#ends == 1 and ends[1] == "end" and over.reason == "end" and talk.end_reason == "end", talk.end_reason)
	t:expect(not talk.turn and not talk:stop() and not talk:skip())
end)

test("one speaker interrupts, and the other resumes", function(t)
	local all = cast()
	local said, ends = {}, {}
	local talk = conversation {
		cast = all,
		{ "ben", "I was walking home, and then the lights went out." },
		{ "eve", "Wait!", interrupt = "word", after = "then" },
		{ "ben", "As I was saying,", resume = true },
	}
	talk:on("*", function(e)
		if e.name == "turn_end" then
			table.insert(ends, `{e.speaker} {e.reason}`)
		end
	end)
	all.ben:on("word", function(e) table.insert(said, e.word) end)
	t:wait_for(function() return talk.speaker == "eve" end, 5)
	t:expect(said[#said] == "then", said[#said])
	t:wait_for(function() return talk.end_reason ~= nil end, 12)
	t:expect(table.concat(ends, ", ") == "ben interrupted, eve end, ben end", table.concat(ends, ", "))
	local rest = table.concat(said, " ")
	t:expect(rest == "I was walking home and then As I was saying and then the lights went out", rest)
end)

test("a turn can be inserted, and a conversation can be stopped", function(t)
	local all = cast()
	local talk = conversation { cast = all, gap = 0.1, nod_chance = 0, gaze = false, { "anna", "One, two, three, four, five, six." }, { "ben", "Seven." }, { "eve", "Eight." } }
	t:run(0.6)
	t:expect(talk:interrupt { "eve", "Stop!", interrupt = "now" })
	t:run_ticks(2)
	t:expect(talk.speaker == "eve" and not all.anna:modifier "look_at")
	t:wait_for(function() return talk.speaker == "anna" end, 3)
	t:expect(talk:skip())
	t:wait_for(function() return talk.speaker == "ben" end, 1)
	t:expect(talk:interrupt({ "eve", "And now?", interrupt = false }, { resume = false }))
	t:wait_for(function() return talk.speaker == "eve" end, 3)
	t:expect(talk:stop "word" and not talk:stop())
	t:wait_for(function() return talk.end_reason ~= nil end, 2)
	t:expect(talk.end_reason == "stopped" and not talk:interrupt { "eve", "Too late." })
end)

test("pauses, calls and choices", function(t)
	local all = cast()
	local called, chosen, waited = nil, {}, nil
	local talk = conversation {
		cast = all,
		{ call = function(talk)
			called = now()
			return all.anna:task(function(a)
				a:wait(0.5)
			end)
		end },
		{ choose = { { weight = 1, { "anna", "Yes." }, { "ben", "Yes." } }, { weight = 0, { "anna", "No." } } } },
		{ pause = 0.5 },
		{ choose = { { "eve", "Never." } }, chance = 0 },
		{ "eve", "Good." },
	}
	talk:on("turn", function(e) table.insert(chosen, `{e.speaker} {math.round(10 * (e.time - called))}`) end)
	all.eve:task(function(a) waited = a:wait(talk) end)
	t:wait_for(function() return talk.end_reason ~= nil end, 8)
	t:run_ticks(2)
	t:expect(#chosen == 3 and chosen[1] == "anna 5" and waited == "end", table.concat(chosen, ", "))
end)

test("a removed speaker takes no turn, and a second conversation interrupts the first", function(t)
	local all = cast()
	local ends = {}
	local talk = conversation { cast = all, { "anna", "One, two, three, four." }, { "ben", "Five." }, { "eve", "Six." }, { "anna", "Seven, eight, nine." } }
	talk:on("turn_end", function(e) table.insert(ends, `{e.turn} {e.reason}`) end)
	t:run(0.5)
	all.ben:remove()
	t:wait_for(function() return talk.turn == 3 end, 5)
	t:wait_for(function() return talk.turn == 4 end, 5)
	table.sort(ends)
	t:expect(ends[1] == "1 end" and ends[2] == "2 unavailable", table.concat(ends, ", "))
	local other = conversation { cast = { me = all.eve, you = character(HERO) }, { "me", "Hello." } }
	t:wait_for(function() return talk.end_reason ~= nil end, 3)
	t:expect(talk.end_reason == "interrupted", talk.end_reason)
	all.eve:remove()
	t:run_ticks(2)
	t:expect(other.end_reason == "unavailable", other.end_reason)
end)

test("a line of the script has priority over a turn", function(t)
	local all = cast()
	local talk = conversation { cast = all, { "anna", "One, two, three, four, five." }, { "ben", "Six." } }
	t:run(0.5)
	local own = all.anna:say("Something else.", { if_speaking = "interrupt" })
	t:wait_for(function() return talk.speaker == "ben" end, 4)
	t:wait_for(function() return talk.end_reason ~= nil end, 4)
	t:expect(talk.end_reason == "end" and own.end_reason ~= "interrupted", talk.end_reason)
end)

test("invalid turns are errors before the conversation starts", function(t)
	local all = cast()
	local function wrong(what, ...)
		local turns = { cast = all, { "anna", "Hello." }, ... }
		fails(t, function() conversation(turns) end, what)
	end
	wrong("turn 2 (bn): the cast has no \"bn\"; did you mean \"ben\"?", { "bn", "Hello." })
	wrong("turn 2 (ben)", { "ben", "Oh {smle}you" })
	wrong("\"smile\"", { "ben", "Oh {smle}you" })
	wrong("there is no character \"ana\" on the stage; did you mean", { "ben", "Oh {look=ana}you" })
	wrong("wave", { "ben", "[wav]hello[/]" })
	wrong("step_stone", { "ben", { "stpe_stone.wav" } })
	wrong("unknown field \"gop\"", { "ben", "Hello.", gop = 1 })
	wrong("the second entry must be the line", { "ben" })
	wrong("got the string \"Hello.\"", "Hello.")
	wrong("give either gap or overlap", { "ben", "Hello.", gap = 1, overlap = 1 })
	wrong("unknown value \"wrd\"", { "ben", "Hello.", interrupt = "wrd" })
	wrong("no word \"helo\"", { "ben", "Hello.", interrupt = "word", after = "helo" })
	wrong("after: needs the option interrupt", { "ben", "Hello.", after = 1 })
	wrong("the speaker cannot be the addressee", { "ben", "Hello.", to = "ben" })
	wrong("if_speaking: not allowed in a turn", { "ben", { text = "Hello.", if_speaking = "drop" } })
	wrong("turn 2: alternative 2: entry 1: the cast has no", { choose = { { "ben", "Yes." }, { { "bob", "No." } } } })
	wrong('"pause": must be 0 to 3600', { pause = -1 })
	fails(t, function() conversation { { "anna", "Hello." } } end, 'field "cast" is missing')
	fails(t, function() conversation { cast = { anna = all.anna }, { "anna", "Hello." } } end, "2 to 32")
	fails(t, function() conversation { cast = { a = all.anna, b = all.anna }, { "a", "Hello." } } end, "same character")
	fails(t, function() conversation { cast = { a = all.anna, b = 3 }, { "a", "Hello." } } end, "expected a Character")
	fails(t, function() conversation { cast = all } end, "expected turns")
	fails(t, function() conversation { cast = all, nod_chance = 2, { "anna", "Hello." } } end, '"nod_chance": must be 0 to 1')
	t:run_ticks(2)
	t:expect(not all.anna.is_speaking, "nothing was said")
end)
