-- `time`, timers, and the time of a character: tests every function and its results.

local function post(options)
	return character("assets/mannequin.glb", options)
end

-- Expects an error that contains a text.
local function refuse(t, text, run)
	local ok, why = pcall(run)
	t:expect(not ok and string.find(tostring(why), text, 1, true) ~= nil, tostring(why))
end

test("a pause stops the game, and what is unscaled continues", function(t)
	local ticks, unscaled = 0, 0
	function update()
		ticks += 1
	end
	function update_unscaled(dt)
		unscaled += 1
		t:expect(math.abs(dt - 1 / 60) < 1e-9)
		if input.pressed "p" then
			if time.is_paused() then
				time.resume()
			else
				time.pause()
			end
		end
	end
	local rung = {}
	after(0.5, function()
		table.insert(rung, "game")
	end)
	after(0.5, function()
		table.insert(rung, "unscaled")
	end, { unscaled = true })
	t:run(0.25)
	t:press "p"
	t:run_ticks()
	t:expect(time.is_paused() and ticks == 16, ticks)
	local paused_at, unscaled_at = now(), time.unscaled()
	t:release "p"
	t:press "space"
	t:run(1)
	t:expect(ticks == 16 and unscaled == 76)
	t:expect(now() == paused_at and math.abs(time.unscaled() - unscaled_at - 1) < 1e-9)
	t:expect(table.concat(rung, " ") == "unscaled", table.concat(rung, " "))
	time.step(2)
	t:run_ticks(3)
	t:expect(ticks == 18)
	t:press "p"
	t:run_ticks()
	local jumped = false
	function update()
		jumped = jumped or input.pressed "jump" or input.pressed "p"
	end
	t:run(0.5)
	t:expect(not jumped, "keys of the menu are not keys of the game")
	t:expect(table.concat(rung, " ") == "unscaled game")
end)

test("in slow motion fewer ticks run, and in fast motion more", function(t)
	local ticks = 0
	function update()
		ticks += 1
	end
	t:expect(time.scale() == 1 and time.scale(0.25) == 0.25)
	t:run(2)
	t:expect(ticks == 30, ticks)
	time.scale(2)
	t:run(1)
	t:expect(ticks == 150, ticks)
	time.scale(0)
	t:run(1)
	t:expect(ticks == 150, ticks)
	time.scale(1)
	refuse(t, "factor must be 0 to 4, got 5", function()
		time.scale(5)
	end)
	refuse(t, "not paused", function()
		time.step()
	end)
	refuse(t, "seconds must be 0 to 60", function()
		time.freeze(-1)
	end)
end)

test("a key that is pressed in slow motion or in a freeze is seen by the next tick, once", function(t)
	local seen, unscaled = 0, 0
	function update()
		seen += if input.pressed "jump" then 1 else 0
	end
	function update_unscaled()
		unscaled += if input.pressed "jump" then 1 else 0
	end
	time.scale(0.1)
	t:run_ticks(3)
	t:press "space"
	t:release "space"
	t:run_ticks(20)
	t:expect(seen == 1 and unscaled == 1)
	time.scale(1)
	time.freeze(0.1)
	t:press "space"
	t:run_ticks(5)
	t:expect(seen == 1, "the game stands still")
	t:run_ticks(5)
	t:expect(seen == 2 and unscaled == 2)
end)

test("timers repeat until they are stopped or return false", function(t)
	local hero = post()
	local times, n = {}, 0
	local timer = every(0.25, function()
		table.insert(times, now())
	end)
	every(0.1, function()
		n += 1
		return n < 3
	end)
	t:run(1.1)
	t:expect(#times == 4 and math.abs(times[4] - 1) < 1e-9)
	t:expect(n == 3)
	timer:stop()
	t:run(1)
	t:expect(#times == 4 and timer:end_reason() == "stopped")
	local woke
	task(function(own)
		own:all { 0.2, function(child) child:wait(0.5) end }
		woke = time.unscaled()
	end, { unscaled = true })
	hero:task(function(own)
		own:wait_until(function()
			return time.is_paused()
		end)
		own:play "walk"
		n = 10
	end, { unscaled = true })
	local at = time.unscaled()
	time.pause()
	t:run(0.6)
	t:expect(math.abs(woke - at - 0.5) < 0.02, woke)
	t:expect(n == 3, "the clip of a character stands still")
	time.resume()
	t:run(3)
	t:expect(n == 10)
end)

test("a character can have its own speed, or ignore slow motion and pauses", function(t)
	local one, half, still, free = post(), post(), post(), post()
	half.time_scale, still.time_scale = 0.5, 0
	free.unscaled = true
	t:expect(free.unscaled and not one.unscaled and half.time_scale == 0.5)
	local plays = {}
	for i, who in { one, half, still, free } do
		plays[i] = who:play("walk", { mode = "loop", fade = 0 })
	end
	local steps = {}
	for i, who in { one, half, still, free } do
		steps[i] = {}
		who:add_marker("walk", 0.1, "beat")
		who:on("beat", function(e)
			table.insert(steps[i], e.time)
		end)
	end
	t:run(0.3)
	t:expect(math.abs(plays[1].time - 0.3) < 0.02)
	t:expect(math.abs(plays[2].time - 0.15) < 0.02)
	t:expect(plays[3].time < 0.02)
	t:expect(math.abs(steps[1][1] - 0.1) < 1e-3 and math.abs(steps[2][1] - 0.2) < 1e-3)
	time.pause()
	t:run(0.5)
	t:expect(math.abs(plays[1].time - 0.3) < 0.02, "it stands still")
	t:expect(plays[4].loop_count ~= plays[1].loop_count or math.abs(plays[4].time - plays[1].time) > 0.1)
	time.resume()
	time.scale(0.25)
	local before = plays[4].time
	t:run(0.1)
	t:expect(math.abs((plays[4].time - before) % 1 - 0.1) < 0.02)
	refuse(t, "time_scale must be 0 to 4", function()
		one.time_scale = 9
	end)
end)

test("sounds follow the game, and unscaled ones do not", function(t)
	time.slow_sound "same_pitch"
	time.slow_sound "lower_pitch"
	time.scale(0.5)
	local game, music = sound.play "wind", sound.play("wind", { unscaled = true })
	t:run(0.25)
	t:expect_near(game.time, 0.125, 0.02)
	t:expect_near(music.time, 0.25, 0.02)
	game:stop()
	music:stop()
	game, music = sound.play "thud", sound.play("thud", { unscaled = true })
	local from, ends = time.unscaled(), {}
	for i, one in { game, music } do
		task(function(own)
			own:wait(one)
			ends[i] = time.unscaled() - from
		end, { unscaled = true })
	end
	t:wait_for(function()
		return ends[1] ~= nil
	end, 10)
	t:expect_near(ends[1] / ends[2], 2, 0.1)
end)
