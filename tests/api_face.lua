-- The face: tests every function and its effect.

local HERO = "assets/mannequin.glb"

local function near(a, b, within)
	return math.abs(a - b) < (within or 0.005)
end

-- Expects that a call fails with this message.
local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

-- A hero without automatic facial animation.
local function still()
	local hero = character(HERO)
	hero.face:configure { blink_rate = 0, asymmetry = 0 }
	return hero
end

test("a mood stays until it is cleared, and shorter expressions override it", function(t)
	local hero = still()
	local face = hero.face
	face:mood("happiness", { intensity = 1, fade = 0.2 })
	t:run(0.1)
	local half = face:get "smile"
	t:expect(half > 0.2 and half < 0.7, half)
	t:run(0.2)
	local all = face:get "smile"
	t:expect(near(all, 0.8), all)
	t:expect(face:contributions("smile").mood > 0.79 and face:contributions("smile").total == all)
	local shown = face:show("anger", { intensity = 0.5, fade_in = 0.1, hold_time = 0.3, fade_out = 0.1 })
	t:run(0.2)
	t:expect(near(shown.weight, 0.5) and shown.intensity == 0.5, shown.weight)
	t:expect(near(face:get "brows_down", 0.45, 0.01), face:get "brows_down")
	t:expect(near(face:get "smile", 0.4, 0.01), face:get "smile")
	t:run(0.5)
	t:expect(shown.weight == 0 and not shown:stop(), "it is over")
	t:expect(near(face:get "smile", all))
	face:mood()
	t:run(1)
	t:expect(face:get "smile" == 0)
end)

test("emotions have names, valence and arousal, and effects", function(t)
	local hero = still()
	local face = hero.face
	face:mood("calm")
	t:run(4)
	t:expect(face.valence > 0.2 and face.arousal < -0.3, face.valence)
	t:expect(face.walk_speed_scale < 1, face.walk_speed_scale)
	face:mood { valence = -0.8, arousal = -0.4 }
	t:run(4)
	t:expect(near(face.valence, -0.8, 0.02) and near(face.arousal, -0.4, 0.02))
	t:expect(face:get "frown" > 0.3, face:get "frown")
	face:mood { smile = 0.5, brow_up = 0.25 }
	t:run(2)
	t:expect(face:get "smile" > 0.25 and face:get "frown" < 0.01)
	fails(t, function() face:mood("happyness") end, "happiness")
	fails(t, function() face:mood { valence = 3 } end, "-1 to 1")
	fails(t, function() face:mood { smile = "much" } end, "names and weights")
end)

test("values set by a script override everything until they are cleared", function(t)
	local hero = still()
	local face = hero.face
	face:mood("happiness", { intensity = 1, fade = 0 })
	face:set("smile", 0.2)
	t:run(1)
	t:expect(near(face:get "smile", 0.2))
	t:expect(face:contributions("smile").script_weight == 1)
	face:set("smile", 0.6, { fade = 0.2 })
	t:run(0.1)
	t:expect(face:get "smile" > 0.25 and face:get "smile" < 0.55)
	t:run(0.2)
	t:expect(near(face:get "smile", 0.6))
	face:set("smile", nil, { fade = 0.1 })
	t:run(0.3)
	t:expect(near(face:get "smile", 0.8))
	face:set("blink_left", 1)
	face:show("surprise", { hold_time = true })
	t:run(1)
	t:expect(face:get "blink_left" == 1)
	face:clear { fade = 0.1 }
	t:run(1)
	t:expect(face:get "blink_left" < 0.1 and near(face:get "smile", 0.8), "the mood stays")
	fails(t, function() face:set("smlie", 1) end, "smile")
	fails(t, function() face:set("smile", 2) end, "-1 to 1")
	fails(t, function() face:get("smlie") end, "smile")
	fails(t, function() face:contributions("smlie") end, "smile")
end)

test("a character blinks automatically and on request, but not while a script controls the lids", function(t)
	local hero = character(HERO)
	local face = hero.face
	face:configure { blink_rate = 3 }
	local n, was = 0, 0
	for _ = 1, 60 * 30 do
		t:run_ticks()
		if face.blink_amount > 0.3 and was <= 0.3 then
			n += 1
		end
		was = face.blink_amount
	end
	t:expect(n > 5 and n < 40, n)
	t:run(1)
	face:configure { blink_rate = 0 }
	face:blink()
	t:run(0.07)
	t:expect(face.blink_amount > 0.3 and face:get "blink" > 0.3, face.blink_amount)
	t:expect(face:contributions("blink").reflex > 0.3)
	t:run(0.5)
	face:set("blink", 0)
	face:configure { blink_rate = 20 }
	for _ = 1, 600 do
		t:run_ticks()
		t:expect(face:get "blink" == 0 and face.blink_amount == 0, face.blink_amount)
	end
end)

test("custom expressions mix other expressions, also custom ones", function(t)
	local hero = still()
	expression "sly" { smile = 0.5, brow_down = 0.4 }
	expression "very sly" { sly = 1, blink_left = 0.3 }
	local shown = hero.face:show("very sly", { fade_in = 0, hold_time = true })
	t:run(0.1)
	t:expect(near(hero.face:get "smile", 0.5) and near(hero.face:get "blink_left", 0.3))
	t:expect(shown:set { smile = 0.1 })
	shown.intensity = 0.5
	t:run(0.1)
	t:expect(near(hero.face:get "smile", 0.05) and hero.face:get "blink_left" == 0)
	t:expect(shown:stop(0.1))
	t:run(0.2)
	t:expect(not shown:set("sly") and shown.weight == 0)
	fails(t, function() expression "odd" { odd = 1 } end, "cannot contain itself")
	fails(t, function() expression "odd" { smile = 2 } end, "-1 to 1")
	fails(t, function() hero.face:show("slyy") end, "sly")
	fails(t, function() hero.face:show({ 0.5 }) end, "names and weights")
end)

test("one-sided expressions, micro-expressions and leaks", function(t)
	local hero = still()
	local face = hero.face
	face:show("blink_left", { fade_in = 0, hold_time = 0.2, fade_out = 0, side = "right" })
	t:run(0.1)
	t:expect(face:get "blink_left" == 0, "it has no right side")
	t:run(0.3)
	face:show("anger", { micro = true })
	local most, seconds = 0, 0
	for _ = 1, 60 do
		t:run_ticks()
		most = math.max(most, face:get "brows_down")
		seconds += if face:get "brows_down" > 0 then 1 / 60 else 0
	end
	t:expect(most > 0.3 and most < 0.5, most)
	t:expect(seconds > 0.1 and seconds < 0.25, seconds)
	face:micro_expression("anger", { min_interval = 0.5, max_interval = 1 })
	local n, was = 0, 0
	for _ = 1, 600 do
		t:run_ticks()
		local now_shown = face:get "brows_down"
		n += if now_shown > 0 and was == 0 then 1 else 0
		was = now_shown
	end
	t:expect(n >= 9 and n <= 20, n)
	face:micro_expression()
	t:run(0.5)
	for _ = 1, 120 do
		t:run_ticks()
		t:expect(face:get "brows_down" == 0)
	end
end)

test("the four channels, and the capabilities of a face", function(t)
	local hero = still()
	hero.face:configure { channels = "four", blink_rate = 0 }
	hero.face:mood("sadness", { intensity = 1, fade = 0.2 })
	t:run(0.5)
	hero.face:mood("happiness", { intensity = 1, fade = 0.2 })
	for _ = 1, 60 do
		t:run_ticks()
		t:expect(math.min(hero.face:get "frown", hero.face:get "smile") < 0.03, "one at a time")
	end
	t:expect(hero.face:get "smile" > 0.7)
	hero.face:configure { channels = "unlimited", max_active_targets = 1, mouth_weight = 0.5 }
	t:run(0.1)
	t:expect(hero.face:get "smile" > 0.7)
	local names = hero.face:names()
	t:expect(names.smile == "" and names.anger ~= "" and names.mouthSmileLeft == "smile × 0.5", names.mouthSmileLeft)
	t:expect(not names.tongueOut)
	t:expect(tostring(hero:modifiers()):find("face", 1, true) ~= nil)
	fails(t, function() hero.face:configure { mouth_weight = 2 } end, "0 to 1")
	fails(t, function() hero.face:show("surprise", { hold_time = -1 }) end, "0")
end)
