local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

-- Distance of a point from the triangle's plane, and whether the point is inside the triangle.
local function within(corners, at, bary)
	local place = corners[1] * bary.x + corners[2] * bary.y + corners[3] * bary.z
	return vector.magnitude(place - at)
end

test("the triangle that is drawn is the one that is met, in any pose", function(t)
	local main = require "main"
	t:replay "tests/body.jsonl"
	local drawn, twins, seen, n = 0, 0, {}, 0
	for _ = 1, 300 do
		t:run_ticks()
		local state = main.state
		t:expect(state.hit, "the body was missed")
		local b = state.hit.barycentric
		t:expect_near(b.x + b.y + b.z, 1, 0.001)
		n += if seen[state.hit.triangle] then 0 else 1
		seen[state.hit.triangle] = true
		if state.corners then
			drawn += 1
			local off = within(state.corners, state.hit.position, b)
			t:expect(off < 0.0005, `the triangle is {off} m beside the hit`)
			for i = 1, 3 do
				t:expect(vector.magnitude(state.corners[i] - state.hit.position) < 0.15, "a corner is far away")
			end
		end
		if state.twin then
			twins += 1
			t:expect(state.twin.triangle == state.hit.triangle and state.twin.part == state.hit.part)
		end
	end
	t:expect(drawn > 250, `drawn in {drawn} ticks`)
	t:expect(twins > 150, `found at rest in {twins} ticks`)
	t:expect(n > 3, "as she walks the ray meets others")
end)

test("beside the body nothing is met, and all hits are found on the way through", function(t)
	local main = require "main"
	t:replay "tests/beside.jsonl"
	t:run(0.2)
	t:expect(main.state.hit == nil and main.state.corners == nil)
	tap(t, "a")
	tap(t, "1")
	t:replay "tests/body.jsonl"
	t:run(0.5)
	t:expect(main.state.hit ~= nil and main.state.all)
	tap(t, "w")
	t:expect(main.state.view == "wireframe")
	tap(t, "w")
	t:expect(main.state.view == nil)
end)

test("it goes on for 300 ticks without a fault", function(t)
	require "main"
	t:run(5)
end)
