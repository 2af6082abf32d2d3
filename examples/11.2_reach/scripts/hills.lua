-- Uneven ground, and a character who walks in a circle on it: foot IK adapts height and slope of each foot.

local hills = { at = vec(16, 0, 0), on = true }
local at = hills.at

local function height(x, z)
	local edge = math.clamp(5.5 - math.sqrt(x * x + z * z), 0, 1)
	return -0.04 + edge * (0.35 + 0.22 * math.noise(x * 0.8, z * 0.8, 0.3) + 0.35 * math.noise(x * 0.25, z * 0.25, 4.7))
end

physics.terrain {
	name = "hills", position = at, size = vec(12, 1, 12), columns = 81, rows = 81, heights = height,
	surface = "grass", color = vec(0.12, 0.15, 0.06), roughness = 0.95,
}
for i = 1, 24 do
	local x, z = 4 * math.sin(i * 2.4) * (i / 24), 4 * math.cos(i * 2.4) * (i / 24)
	local size = 0.25 + 0.2 * math.noise(i * 1.7, 5.5)
	physics.box {
		position = at + vec(x, height(x, z) + 0.02, z), size = vec(size, 0.4 * size, 0.8 * size), yaw = i * 50, pitch = 10 * math.sin(i),
		color = vec(0.24, 0.22, 0.2), roughness = 0.9,
	}
end

local who = character("assets/galatea.glb", { name = "who walks", position = at + vec(2.5, height(2.5, 0) + 0.05, 0), materials = { cloth = { color = vec(0.36, 0.1, 0.08) } } })
hills.who = who
who:controller {}
who.machine = machine { state "walk" { "walk" } }

function hills.feet(on)
	hills.on = on
	who:foot_ik(if on then {} else false)
	who:lean(if on then {} else false)
end
hills.feet(true)

function hills.update(_dt)
	local out = (who.position - at) * vec(1, 0, 1)
	local far = vector.magnitude(out)
	-- Walks around, and returns to a circle of 2.5 m.
	local way = vec(-out.z, 0, out.x) / far + out / far * (2.5 - far)
	who:move(vector.normalize(way) * 1.4)
end

return hills
