local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

-- Heights of the skin, sampled by a grid of rays over the face.
local function relief(one)
	local depths, at = {}, one:bone_position "head"
	for x = -3, 3 do
		for y = -4, 6, 2 do
			local to = at + vec(x * 0.012, y * 0.015 + 0.02, 0)
			local hit = one:raycast(to + vec(0, 0, 1), to)
			table.insert(depths, if hit and hit.part == "head_mesh" then hit.position.z else 0)
		end
	end
	return depths
end
local function far(a, b)
	local sum = 0
	for i = 1, #a do
		if a[i] ~= 0 and b[i] ~= 0 then
			sum += math.abs(a[i] - b[i])
		end
	end
	return sum
end

test("the blend goes from the first face to the second, and beyond both", function(t)
	local app = require "main"
	local big = app.big
	local function hold(key, seconds)
		t:press(key)
		t:run(seconds)
		t:release(key)
		t:run_ticks()
	end
	local function at(amount)
		local key = if amount > app.amount() then "up" else "down"
		hold(key, math.abs(amount - app.amount()) * 2)
		t:expect_near(app.amount(), amount, 0.03)
		return relief(big)
	end
	t:run(0.5)
	local none, all, more, less = at(0), at(1), at(1.45), at(-0.45)
	local span = far(none, all)
	t:expect(span > 0.01, `two faces: {span}`)
	t:expect(far(none, more) > span * 1.1, "beyond 1")
	t:expect(far(all, less) > span * 1.1, "below 0")
	local before = relief(big)
	hold("right", 1.2)
	t:expect(app.third() > 0.5 and far(before, relief(big)) > 0.002, "the third target is blended in")
	hold("left", 2.4)
	tap(t, "t")
	tap(t, "space")
	t:run(1)
	t:expect(app.amount() > 0.4, "by itself")
end)

test("it goes on for 300 ticks without a fault", function(t)
	require "main"
	t:run(5)
end)
