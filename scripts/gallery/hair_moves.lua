-- Long hair in motion: the head shakes, a gust comes from the side, the hair falls back.

local v = vector.create

local hero = character("assets/galatea.glb", { yaw = 20 })
hero.machine = machine { state "idle" { "idle" } }
for _, part in { "hair", "hair_cap", "bun" } do
	hero:show_part(part, false)
end
hero:hair { cut = "long", color = v(0.16, 0.055, 0.02) }

-- Two seconds of shaking; the gust lasts from 2.4 s to 3.4 s.
hero:add_modifier("shake", function(pose)
	local t = now()
	local share = math.clamp(t / 0.3, 0, 1) * math.clamp((2 - t) / 0.3, 0, 1)
	pose:rotate("neck", v(0, 1, 0), 18 * share * math.sin(t * 8))
	pose:rotate("head", v(0, 1, 0), 38 * share * math.sin(t * 8))
end)
function update(_dt)
	local t = now()
	wind { direction = v(-1, 0.1, -0.3), speed = if t > 2.4 and t < 3.4 then 4 else 0, gusts = 0.4 }
end

light.rig("three_point", { position = v(0, 1.3, 0) })
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.15 }
ground.set { visible = false }
camera.orbit { target = v(0, 1.42, 0), distance = 4.2, yaw = 0, pitch = 2, fov = 15 }
