test("the soldier turns, stops, and others join the list", function(t)
	local app = require "main"
	local soldier = app.soldier
	t:run(1)
	t:expect_near(soldier.yaw, 30, 1)
	t:press "space"
	t:run_ticks()
	t:release "space"
	local yaw = soldier.yaw
	t:run(1)
	t:expect_near(soldier.yaw, yaw, 0.001)
	for _, key in { "g", "h", "2" } do
		t:press(key)
		t:run_ticks()
		t:release(key)
		t:run_ticks()
	end
	t:expect(#app.things == 3 and app.things[2].name == "goblin" and app.things[3].name == "ghost", "a goblin and a ghost joined")
	t:expect(app.effect() == "classic", "the other effect")
	local low = app.things[2].body.position.y
	t:run(3)
	t:expect(app.things[3].body.position.y > 1, "the ghost floats")
	t:expect(math.abs(app.things[2].body.position.y - low) < 0.5, "the goblin hops")
	-- The soldier is static: the hand stays at the same position in the model.
	local hand = soldier:bone_position "right_hand"
	t:run(0.5)
	t:expect_near(vector.magnitude(soldier:bone_position "right_hand" - hand), 0, 0.002)
end)
