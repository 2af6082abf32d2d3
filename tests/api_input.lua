-- `input`: tests every function and its results.

local function list(names: { string }): string
	return table.concat(names, " ")
end

test("keys and axes report down, pressed and released in the right tick", function(t)
	t:press "space"
	t:expect(input.down "jump" and input.pressed "jump" and not input.released "jump")
	t:run_ticks()
	t:expect(input.down "space" and not input.pressed "space")
	t:release "space"
	t:expect(input.released "jump" and not input.down "jump")
	t:press "d"
	t:expect(input.axis "move_x" == 1 and input.axis "move_y" == 0)
	local p = input.pointer()
	t:expect(p.x == 0.5 and p.y == 0.5, "in the middle until it moves")
end)

test("scripts bind actions and axes, and players rebind and reset them", function(t)
	input.bind("duck", { "c", "pad_east" })
	input.bind_axis("lean", { negative = "z", positive = "x", stick = "pad_right_x" })
	t:expect(list(input.actions()) == "duck jump run use wave", list(input.actions()))
	t:expect(list(input.axes()) == "lean move_x move_y", list(input.axes()))
	t:expect(list(input.bound "duck") == "c pad_east")
	t:expect(list(input.bound_axis("lean").stick) == "pad_right_x")
	t:press "pad2_east"
	t:expect(input.down "duck" and input.next_pressed() == "pad_east")
	input.rebind("duck", "v")
	input.rebind_axis("lean", { positive = "v" })
	t:expect(not input.down "duck" and list(input.bound "duck") == "v")
	t:press "v"
	t:expect(input.down "duck" and input.axis "lean" == 1)
	input.save_bindings()
	t:run_ticks()
	input.reset_bindings "duck"
	t:expect(list(input.bound "duck") == "c pad_east" and list(input.bound_axis("lean").positive) == "v")
	input.reset_bindings()
	t:expect(list(input.bound_axis("lean").positive) == "x")
end)
