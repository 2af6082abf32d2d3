-- Uneven ground with stones on it.
local function height(x, z)
	return 0.12 * math.noise(x * 0.9, z * 0.9, 0.3) + 0.35 * math.noise(x * 0.23, z * 0.23, 4.7)
end
ground.set { height = -1 }
physics.terrain {
	size = v(14, 1, 14), columns = 71, rows = 71, heights = height,
	surface = "grass", surfaces = function(x, z) return if math.noise(x * 0.4, z * 0.4) > 0.1 then "gravel" else "grass" end,
}
for i = 1, 140 do
	local x, z = 5 * math.noise(i * 7.31, 0.5, 2.2) * 2, 5 * math.noise(0.7, i * 3.17, 9.1) * 2
	local size = 0.12 + 0.3 * math.abs(math.noise(i * 1.7, 5.5))
	physics.box {
		at = v(x, height(x, z) + 0.02, z), size = v(size, 0.4 * size, size * 0.8), yaw = i * 50, pitch = 12 * math.sin(i), roll = 10 * math.cos(i * 3),
		color = v(0.3, 0.29, 0.27),
	}
end
ROUND = { v(0, 0, 3.5), v(3, 0, 0), v(-2, 0, -2.5), v(0, 0, -3.5) }
