local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

local function hand(one)
	return one:bone_position "right_hand" - one.position
end

test("weights decide how much each track shows", function(t)
	local app = require "main"
	t:run(1)
	local function far(one)
		return vector.magnitude(hand(app.blend) - hand(one))
	end
	t:press "left"
	t:run(1.2)
	t:release "left"
	t:expect(far(app.left) < 0.02, "all weight on track 0: the same pose")
	local between = far(app.right)
	t:press "right"
	t:run(0.85)
	t:release "right"
	local _, _, share = app.tracks()
	t:expect(math.abs(share - 0.5) < 0.05, "half")
	local half = far(app.right)
	t:expect(half < between and half > 0.02, "half way lies between")
	t:press "right"
	t:run(1.2)
	t:release "right"
	t:expect(far(app.right) < 0.02, "all weight on track 1")
	tap(t, "s")
	local a, b = app.tracks()
	t:expect(a.clip == b.clip and a.speed ~= b.speed, "the same clip twice")
	t:run(0.5)
	tap(t, "t")
	t:run(0.8)
	t:expect(hand(app.blend).y > hand(app.left).y + 0.1, "the third track raises his hand")
	tap(t, "p")
	tap(t, "space")
	t:run(0.5)
end)
