local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

test("twisted far, linear blending draws the beam together, dual quaternions do not", function(t)
	local state = (require "main").state
	t:run_ticks(2)
	tap(t, "r")
	t:run(0.2)
	for i = 1, 3 do
		t:expect_near(state.shares[i], 1, 0.02)
	end
	t:press "right"
	t:run(2.1)
	t:release "right"
	t:run(0.1)
	t:expect(state.twist > 140)
	local linear, dual = state.shares[2], state.shares[3]
	t:expect(linear < 0.75, `linear keeps {linear}`)
	t:expect(dual > linear + 0.15, `dual quaternions keep {dual}, linear {linear}`)
end)

test("for five seconds all three move alike", function(t)
	local state = (require "main").state
	local twisted, bent = 0, 0
	for _ = 1, 300 do
		t:run_ticks()
		twisted, bent = math.max(twisted, state.twist), math.max(bent, state.bend)
	end
	t:expect(twisted > 140 and bent > 85)
end)

test("views and rest", function(t)
	local state = (require "main").state
	t:run(1)
	tap(t, "2")
	t:expect(state.view == 2)
	tap(t, "1")
	tap(t, "r")
	t:expect(state.view == 1 and state.twist == 0 and state.bend == 0 and not state.alone)
	t:press "up"
	t:run(1)
	t:release "up"
	t:expect(state.bend > 40)
end)

test("it goes on for 300 ticks without a fault", function(t)
	require "main"
	t:run(5)
end)
