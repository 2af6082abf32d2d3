local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("the boxes fall, stay joined, come to rest, and can be other ones", function(t)
	local app = require "main"
	t:run(0.1)
	local bodies = app.doll():ragdoll_bodies()
	t:expect(#bodies == 15, `fifteen bodies: {#bodies}`)
	for _, body in bodies do
		t:expect(body.shape == "box", `{body.bone} is a {body.shape}`)
	end
	local high = app.doll():bone_position("hips").y
	t:run(3)
	local doll = app.doll()
	t:expect(doll.is_down and doll:bone_position("hips").y < 0.6 and doll:bone_position("hips").y < high - 1, "it lies")
	t:expect_near(vector.magnitude(doll:bone_position "left_upper_leg" - doll:bone_position "left_lower_leg"), 0.42, 0.03)
	t:expect_near(vector.magnitude(doll:bone_position "right_upper_arm" - doll:bone_position "right_lower_arm"), 0.3, 0.03)
	t:wait_for(function() return app.rests() end, 6)
	for _, key in { "c", "j", "e", "d" } do
		tap(t, key)
		t:run(1)
	end
	tap(t, "b")
	t:run(2)
	t:expect(#app.doll():ragdoll_bodies() == 16, `sixteen bodies of the beast: {#app.doll():ragdoll_bodies()}`)
	t:expect(app.doll():bone_position("body_1").y < 0.9, "the beast is down")
	tap(t, "v")
	tap(t, "g")
	tap(t, "mouse_left")
	t:run(0.5)
end)
