-- What the RiMEA tests measure and how they report it.
local measure = {}

-- Prints a row of the table and fails the test when the value is outside its range.
function measure.report(t, name: string, measured: number, low: number, high: number, unit: string, source: string)
	print(string.format("| %s | %.2f %s | %.2f to %.2f | %s |", name, measured, unit, low, high, source))
	t:expect(measured >= low and measured <= high, `{name}: {measured} {unit}, expected {low} to {high}`)
end

-- Steps until `done` returns true; seconds, or nil after `limit` seconds.
function measure.time_until(t, limit: number, done)
	for tick = 1, limit * 60 do
		t:run_ticks()
		if done(tick / 60) then
			return tick / 60
		end
	end
	return nil
end

-- The number of agents for whose position `test` returns true.
function measure.count(people, test)
	local n = 0
	for i = 1, people.count do
		n += test(people:position(i)) and 1 or 0
	end
	return n
end

return measure
