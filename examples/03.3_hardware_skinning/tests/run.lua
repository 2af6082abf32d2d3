local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

-- Hit points of rays from the front, relative to his position.
local function shape(man)
	local points = {}
	for x = -2, 2, 2 do
		for y = 2, 16, 2 do
			local at = man.position + vec(x * 0.08, y * 0.1, 0)
			local hit = man:raycast(at + vec(0, 0, 3), at - vec(0, 0, 3))
			points[`{x} {y}`] = hit and hit.position - man.position
		end
	end
	return points
end

test("three techniques, one shape; two formulas, two shapes", function(t)
	local app = require "main"
	local function same(a, b)
		local most, count, others = 0, 0, shape(b)
		for key, point in shape(a) do
			local other = others[key]
			if other then
				most = math.max(most, vector.magnitude(point - other))
				count += 1
			end
		end
		t:expect(count > 8, "rays meet him")
		return most
	end
	t:run(1)
	t:expect(same(app.men[1], app.men[2]) < 0.001, "processor and card agree")
	t:expect(same(app.men[2], app.men[3]) < 0.001, "whole and cut palettes agree")
	tap(t, "1")
	t:expect(#app.men == 3, "three men again")
	tap(t, "h")
	tap(t, "space")
	t:run(4)
	t:expect(same(app.men[1], app.men[2]) < 0.001, "also while they run")
	local a, b = app.men[1]:bone_position "left_foot", app.men[3]:bone_position "left_foot"
	t:expect_near(a.z, b.z, 0.0001)
end)
