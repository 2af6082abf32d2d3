local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("turned boxes meet where they touch, and only there", function(t)
	local app = require "main"
	local obb = app.obb
	local v = vector.create
	-- A square rotated by 45 degrees reaches 0.707 m to the side.
	local a = obb.new(v(0, 0, 0), v(1, 1, 1), v(0, 0, 1), 45)
	t:expect(obb.meet(a, obb.new(v(1.2, 0, 0), v(1, 1, 1))) ~= nil, "the tip is within")
	t:expect(obb.meet(a, obb.new(v(1.22, 0, 0), v(1, 1, 1))) == nil, "beside the tip")
	t:expect_near(obb.meet(a, obb.new(v(1.2, 0, 0), v(1, 1, 1))).depth, 0.5 + math.sqrt(0.5) - 1.2, 0.0001)
	t:expect(obb.contains(a, v(0.7, 0, 0)) and not obb.contains(a, v(0.6, 0.6, 0)), "points")
	-- The AABB test reports an overlap too early.
	t:expect(obb.around_meet(a, obb.new(v(0.9, 0.9, 0), v(0.5, 0.5, 0.5))) and not obb.meet(a, obb.new(v(0.9, 0.9, 0), v(0.5, 0.5, 0.5))), "too much")
	local met, apart = 0, 0
	for _ = 1, 300 do
		t:run_ticks()
		if app.other.met then
			met += 1
		else
			apart += 1
		end
	end
	t:expect(met > 20 and apart > 20, "they meet and part")
	tap(t, "p")
	t:run_ticks()
	t:expect(app.inside() > 0, "some points lie within")
	tap(t, "p")
	tap(t, "c")
	tap(t, "o")
	t:run(2)
	for i, wall in app.cabin do
		local hit = obb.meet(app.mover, wall)
		t:expect(not hit or hit.depth < 0.2, `wall {i} pushed it out`)
	end
	local at = app.mover.at
	t:press "left"
	t:run(0.5)
	t:release "left"
	t:expect(app.mover.at ~= at, "moved by hand")
end)

test("it goes on for 300 ticks without a fault", function(t)
	require "main"
	t:run(5)
end)
