-- The heroine from eight sides, one per second.

local hero = character "assets/galatea.glb"
hero:play("idle", { mode = "loop", fade = 0 })

light.rig("three_point", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.08, saturation = 1.1, vignette = 0.15 }

function update()
	local side = math.floor(now() + 0.01)
	hero.yaw = -45 * side
end
camera.orbit { target = vector.create(0, 0.86, 0), distance = 7, yaw = 0, pitch = 3, fov = 16 }
