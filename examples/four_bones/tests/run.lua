
local function tap(t, key)
	t:press(key)
	t:run_ticks(2)
	t:release(key)
	t:run_ticks(2)
end

-- Counts holes at the joint of a bent tower: rays from the outer side of the bend should hit the near wall, not the inside.
local function holes(tower, side)
	local n, joint = 0, tower:bone_position "bone_2"
	for k = -12, 12 do
		local y = joint.y + k * 0.01
		local hit = tower:raycast(vec(joint.x - side * 2, y, 0), vec(joint.x + side * 2, y, 0))
		-- The wall is about 0.25 m from the centre; a hit closer to the centre is a hole.
		if hit and math.abs(hit.position.x - joint.x) < 0.17 then
			n += 1
		end
	end
	return n
end

test("for five seconds it sways, and its tip goes to both sides", function(t)
	local state = (require "main").state
	local least, most = 0, 0
	for _ = 1, 300 do
		t:run_ticks()
		local x = state.towers[2]:bone_position("bone_4").x - state.towers[2].position.x
		least, most = math.min(least, x), math.max(most, x)
	end
	t:expect(least < -0.4 and most > 0.4, `{least} to {most}`)
end)

test("the pieces part where they are bent, the skin does not", function(t)
	local state = (require "main").state
	t:press "right"
	t:run(2)
	t:release "right"
	t:run(0.1)
	t:expect_near(state.side, 40)
	t:expect(holes(state.towers[1], 1) > 0, "no gap between the pieces")
	t:expect(holes(state.towers[2], 1) == 0, `{holes(state.towers[2], 1)} holes in the skin`)
end)

test("at rest both are the same tower", function(t)
	local state = (require "main").state
	tap(t, "space")
	state.side, state.ahead = 0, 0
	t:run(0.1)
	for y = 0.1, 1.9, 0.2 do
		local a = state.towers[1]:raycast(state.towers[1].position + vec(0, y, 2), state.towers[1].position + vec(0, y, -2))
		local b = state.towers[2]:raycast(state.towers[2].position + vec(0, y, 2), state.towers[2].position + vec(0, y, -2))
		t:expect_near(a.position.z, b.position.z, 0.001)
	end
	tap(t, "2")
	tap(t, "f")
	t:expect(state.view == 2 and state.near)
end)

test("it goes on for 300 ticks without a fault", function(t)
	require "main"
	t:run(5)
end)
