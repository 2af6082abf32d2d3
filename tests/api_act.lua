-- Tasks: tests every method and its results.

test("a task waits for time, a play, events and conditions, in this order", function(t)
	local hero = character "assets/mannequin.glb"
	local log = {}
	local function say(text: string) table.insert(log, text) end
	local open = false
	local it = hero:task(function(a)
		a:wait(0.5)
		say("slept " .. string.format("%.1f", now()))
		say(a:play("flinch", { fade = 0 }))
		local p = hero:play("walk", { mode = "loop" })
		local e = a:wait("step", { timeout = 2 })
		say(e.name)
		say(tostring(a:wait("land", { timeout = 0.1 })))
		p:stop(0)
		say(a:wait(p))
		say(tostring(a:wait_until(function() return open end, { timeout = 5 })))
	end)
	t:expect(it:end_reason() == nil)
	t:run(3)
	t:expect(it:end_reason() == nil)
	open = true
	t:run_ticks(2)
	t:expect(it:end_reason() == "end")
	local got = table.concat(log, ", ")
	t:expect(got == "slept 0.5, end, step, nil, stopped, true", got)
end)

test("a task can start child tasks and wait for all or the first of several", function(t)
	local log = {}
	local function say(text: string) table.insert(log, text) end
	task(function(a)
		a:start(function(b)
			b:on_end(function(reason) say("beside " .. reason) end)
			b:wait(10)
		end)
		local all = a:all { 0.5, function() return "done" end }
		say(`{#all} {string.format("%.1f", now())}`)
		local first = a:race { 2, 0.25 }
		say(`{first} {string.format("%.2f", now())}`)
	end)
	t:run(1)
	local got = table.concat(log, ", ")
	t:expect(got == "2 0.5, 2 0.75, beside end" or got == "2 0.5, 2 0.75, beside stopped", got)
end)

test("a stopped task runs on_end and does not continue", function(t)
	local log = {}
	local it = task(function(a)
		a:on_end(function(reason) table.insert(log, reason) end)
		a:wait(1)
		table.insert(log, "no")
	end)
	t:run(0.5)
	t:expect(it.character == nil, "nobody's")
	local hero = character "assets/mannequin.glb"
	t:expect(hero:task(function(a) a:wait(1) end).character == hero)
	it:stop()
	t:run(1)
	t:expect(it:end_reason() == "stopped" and table.concat(log, " ") == "stopped")
end)
