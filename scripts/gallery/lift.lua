-- A platform that rises aslant and takes her along: each foot stays where it stands, the one on the crate too.

local v = vector.create
local OAK, PALE, IRON, STONE = v(0.22, 0.11, 0.05), v(0.36, 0.22, 0.11), v(0.10, 0.10, 0.11), v(0.46, 0.40, 0.31)
local FROM, WAY = v(-1.1, 0.5, 0), v(1.9, 1.2, 0)

-- What goes along, each with its place on the platform.
local parts = {}
local function part(at, thing)
	table.insert(parts, { at = at, thing = thing })
end
for i = 0, 5 do
	local shade = 1 + 0.25 * math.noise(i * 1.7, 0.4)
	part(v(-0.475 + 0.19 * i, 0, 0), physics.box { at = FROM, size = v(0.188, 0.06, 1.1), motion = "moved", surface = "wood", color = PALE * shade, roughness = 0.8 })
end
for _, z in { -0.42, 0.42 } do
	part(v(0, -0.08, z), physics.box { at = FROM, size = v(1.14, 0.1, 0.1), motion = "moved", solid = false, color = OAK })
	for _, x in { -0.4, 0.4 } do
		part(v(x, -0.2 + 0.08 * x, z), physics.cylinder { at = FROM, radius = 0.1, height = 0.06, pitch = 90, motion = "moved", solid = false, color = IRON, metallic = 1, roughness = 0.5 })
	end
end
part(v(0.22, 0.12, 0.12), physics.box { at = FROM, size = v(0.34, 0.18, 0.34), motion = "moved", surface = "wood", color = v(0.42, 0.27, 0.13), roughness = 0.8 })

-- Rails, on posts, up to a landing.
local lean = math.deg(math.atan2(WAY.y, WAY.x))
local middle = FROM + WAY * 0.5 + v(0.06, -0.36, 0)
for _, z in { -0.42, 0.42 } do
	physics.box { at = middle + v(0, 0, z), size = v(vector.magnitude(WAY) + 1.1, 0.08, 0.08), roll = lean, solid = false, color = IRON, metallic = 1, roughness = 0.5 }
	for k = -1, 1, 0.5 do
		local top = middle + WAY * (0.5 * k) + v(0, 0, z)
		physics.box { at = v(top.x, top.y / 2, z), size = v(0.09, top.y, 0.09), solid = false, color = OAK }
	end
end
physics.box { at = v(2.5, 0.865, 0), size = v(2.2, 1.73, 1.4), color = STONE, surface = "stone", name = "landing" }

local hero = character("assets/galatea.glb", { at = FROM + v(0.05, 0.03, 0), yaw = 50 })
hero:attach(character "assets/gallery/ponytail.glb", "head")
hero:controller {}
hero.machine = machine { state "idle" { "idle" } }
hero:feet()
hero:alive()
hero:look(v(3.2, 3, 1.5))

local clock = 0
function update(dt)
	clock += dt
	local share = math.clamp((clock - 0.6) / 3, 0, 1)
	local now = FROM + WAY * (share * share * (3 - 2 * share))
	for _, it in parts do
		it.thing.position = now + it.at
	end
end

light.rig("noon", { character = hero })
light.sun { yaw = -30, pitch = 44 }
ground.set { grid = 0, color = v(0.36, 0.28, 0.18) }
camera.orbit { target = v(0.2, 1.62, 0), distance = 9, yaw = 14, pitch = 6, fov = 23.5 }
