test("people walk, keep apart, and come when they are called", function(t)
	local people = require "main"
	local from = people:position(1)
	t:run(3)
	t:expect(vector.magnitude(people:position(1) - from) > 1, "the first one walks")
	for i = 2, people.count do
		t:expect(vector.magnitude(people:position(i) - people:position(1)) > 0.3, i)
	end
	local function mean()
		local sum = 0
		for i = 1, people.count do
			sum += vector.magnitude(people:position(i))
		end
		return sum / people.count
	end
	local before = mean()
	t:press "space"
	t:run(0.1)
	t:release "space"
	t:run(5)
	t:expect(mean() < before - 1, "they come nearer")
end)
