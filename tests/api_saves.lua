-- `save`, `load`, `saves`, `delete_save`: tests every function and its results.

local hero = character("assets/mannequin.glb", { name = "hero" })
local game = keep_on_reload("game", { score = 0, list = {} })

-- Expects an error that contains a text.
local function refuse(t, text, run)
	local ok, why = pcall(run)
	t:expect(not ok and string.find(tostring(why), text, 1, true) ~= nil, tostring(why))
end

local function delete_all()
	for _, one in saves() do
		delete_save(one.slot)
	end
end

test("a slot is listed, loaded and deleted", function(t)
	delete_all()
	t:expect(#saves() == 0)
	t:expect(load "one" == false)
	game.score = 3
	hero.position = vec(1, 0, 2)
	save("one", { title = "Bridge", level = 2, at = vec(1, 2, 3) })
	t:run_ticks()
	game.score = 9
	hero.position = vec(5, 0, 5)
	save "two"
	t:run_ticks()
	local list = saves()
	t:expect(#list == 2 and list[1].slot == "two" and list[2].slot == "one", list[1].slot)
	local one = list[2]
	t:expect(one.extra.title == "Bridge" and one.extra.level == 2 and one.extra.at == vec(1, 2, 3))
	t:expect(one.problem == nil and one.play_time > 0 and one.date == "")
	t:expect(load "one")
	t:run_ticks()
	t:expect(keep_on_reload("game").score == 3)
	t:expect(find_character("hero").position == vec(1, 0, 2), find_character("hero").position)
	t:expect(delete_save "one" and not delete_save "one" and #saves() == 1)
end)

test("what cannot be saved is an error that names it", function(t)
	delete_all()
	game.list = { { act = print } }
	refuse(t, "game.list[1].act is a function", function()
		save "one"
	end)
	game.list = nil
	refuse(t, "extra.run is a function", function()
		save("one", { run = print })
	end)
	refuse(t, "cannot be the name of a slot", function()
		save "a/b"
	end)
	refuse(t, "cannot be the name of a slot", function()
		load ""
	end)
	t:run_ticks()
	t:expect(#saves() == 0)
end)

test("a task continues from its checkpoint after a load", function(t)
	local log = keep_on_reload("log", { lines = {} })
	local function begin()
		hero:task(function(a)
			if a.last_checkpoint ~= "greeted" then
				table.insert(log.lines, "greets")
				a:wait(0.1)
				a:checkpoint "greeted"
			end
			table.insert(log.lines, "walks")
			a:wait(10)
		end)
	end
	begin()
	t:run(0.3)
	t:expect(table.concat(log.lines, " ") == "greets walks")
	refuse(t, "only the task's own function", function()
		hero:task(function(a)
			a:wait(1)
		end):checkpoint "x"
	end)
	save "one"
	t:run_ticks()
	load "one"
	t:run_ticks()
	log = keep_on_reload "log"
	begin()
	t:run(0.3)
	t:expect(table.concat(log.lines, " ") == "greets walks walks", table.concat(log.lines, " "))
end)

test("a rewind brings the stage and the kept tables back", function(t)
	time.keep_history(5)
	t:run(1)
	hero.position = vec(3, 0, 0)
	game.score = 1
	t:run(2)
	hero.position = vec(9, 0, 0)
	game.score = 2
	t:run_ticks()
	local back = time.rewind(1)
	t:expect(back == 1, back)
	t:run_ticks()
	t:expect(find_character("hero").position == vec(3, 0, 0), find_character("hero").position)
	t:expect(keep_on_reload("game").score == 1)
	time.keep_history(0)
	t:run_ticks()
	refuse(t, "there is no history", function()
		time.rewind(1)
	end)
	refuse(t, "must be 0 to 120", function()
		time.keep_history(1000)
	end)
end)
