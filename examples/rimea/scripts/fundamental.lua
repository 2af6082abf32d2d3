-- The fundamental diagram: speed and flow of people at eight densities, measured in eight rings, and Weidmann's curves.
-- `galatea shot scripts/fundamental.lua --at 31 -o diagram.png` draws it.
local scenes = require "scenes"
local ring = require "ring"
scenes.body = "assets/man.glb"

local DENSITIES = { 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 3.5 }
local FROM, TO = 10, 30 -- seconds of the measurement
local BLUE, ORANGE, GREY, WHITE = vec(0.05, 0.25, 0.8), vec(0.85, 0.3, 0.02), vec(0.35, 0.35, 0.35), vec(1, 1, 1)

local rings = {}
for k, density in DENSITIES do
	local one = ring.add(vec((k - (#DENSITIES + 1) / 2) * ring.width, 0, 0), density)
	table.insert(rings, { ring = one, sum = 0, n = 0 })
end

-- A diagram with an x axis to 5 people per m² and a y axis to `top`; `to` turns a point into a position on the screen.
local function diagram(left: number, title: string, top: number, unit: string)
	local width, height, bottom = 500, 360, 560
	local function to(x: number, y: number)
		return vec(left + width * x / 5, bottom - height * y / top)
	end
	local function mark(x: number, y: number, size: number, color: vector)
		ui.box { position = to(x, y) - vec(size / 2, size / 2), width = size, height = size, color = color, corner_radius = size / 2, z_index = size }
	end
	ui.box { position = vec(left - 70, 90), width = width + 110, height = 560, color = WHITE, z_index = -2 }
	ui.box { position = vec(left, bottom), width = width, height = 2, color = vector.zero }
	ui.box { position = vec(left - 2, bottom - height), width = 2, height = height, color = vector.zero }
	ui.text(title, { position = vec(left, 110), size = 26, color = vector.zero })
	ui.text("people per m²", { position = vec(left + width - 150, bottom + 36), size = 20, color = vector.zero })
	ui.text(unit, { position = vec(left - 60, bottom - height - 34), size = 20, color = vector.zero })
	for x = 0, 5 do
		ui.text(tostring(x), { position = to(x, 0) + vec(-6, 8), size = 18, color = vector.zero })
	end
	for k = 1, 3 do
		local y = top * k / 3
		ui.text(string.format("%.1f", y), { position = to(0, y) + vec(-44, -12), size = 18, color = vector.zero })
		ui.box { position = to(0, y), width = width, height = 1, color = vec(0.8, 0.8, 0.8), z_index = -1 }
	end
	return mark
end

local speeds, flows

local function draw()
	ui.box { width = 1280, height = 720, color = vec(0.6, 0.6, 0.6), z_index = -3 }
	speeds = diagram(90, "Speed: measured, and Weidmann 1993 (grey)", 1.5, "m/s")
	flows = diagram(720, "Flow: measured, and Weidmann 1993 (grey)", 1.8, "per m and s")
	for k = 4, 100 do
		local density = k * 0.05
		speeds(density, ring.weidmann(density), 5, GREY)
		flows(density, ring.weidmann(density) * density, 5, GREY)
	end
	for _, one in rings do
		local density, speed = one.ring.density, one.sum / one.n
		speeds(density, speed, 12, BLUE)
		flows(density, speed * density, 12, ORANGE)
		print(string.format("| %.2f | %.2f | %.2f | %.2f | %.2f |", density, speed, ring.weidmann(density), speed * density, ring.weidmann(density) * density))
	end
end

function update()
	for _, one in rings do
		local speed = ring.step(one.ring)
		if now() > FROM and now() <= TO then
			one.sum += speed
			one.n += 1
		end
	end
	if now() > TO and not speeds then
		draw()
	end
end

camera.orbit { target = vec(0, 0, 0), distance = 90, yaw = 0, pitch = 50 }
light.rig "noon"
