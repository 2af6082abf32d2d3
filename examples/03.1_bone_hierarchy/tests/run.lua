local function tap(t, key)
	t:press(key)
	t:run_ticks()
	t:release(key)
	t:run_ticks()
end

test("joints lie on their bones, and lines go with their parents", function(t)
	local app = require "main"
	t:run(1)
	local function off()
		local most = 0
		for name, sphere in app.spheres do
			most = math.max(most, vector.magnitude(sphere.position - app.man:bone_position(name)))
		end
		return most
	end
	t:expect(off() < 0.001, "spheres are at the joints")
	local foot = app.man:bone_position "left_foot"
	tap(t, "space")
	local way = 0
	for _ = 1, 60 do
		t:run_ticks()
		way = math.max(way, vector.magnitude(app.man:bone_position "left_foot" - foot))
	end
	t:expect(way > 0.1, "the foot walks")
	t:expect(off() < 0.06, "spheres go along")
	for _, link in app.links do
		local middle = (app.man:bone_position(link[1]) + app.man:bone_position(link[2])) / 2
		t:expect(vector.magnitude(link.rod.position - middle) < 0.06, `the line from {link[1]} to {link[2]} lies between them`)
	end
	tap(t, "n")
	t:expect(app.lit() == "neck", "the neck is found")
	tap(t, "m")
	tap(t, "t")
	t:run(4)
	t:expect(app.traversed() == #app.order, "the whole tree was traversed")
	t:expect(app.order[1] == "hips" and app.order[2] == "spine" and app.order[3] == "chest" and app.order[4] == "neck", "children first")
end)
