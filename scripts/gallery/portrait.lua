-- A portrait with three-point lighting: a warm key light from the left, a cool fill light, and a rim light from behind.
--
--   galatea play scripts/gallery/portrait.lua

local pose = require "./pose"

local hero = character "assets/galatea.glb"
hero.machine = machine { state "idle" { "idle" } }
pose(hero, { head = { yaw = 21, pitch = 2, roll = -5 }, chest = { yaw = -14 }, eyes = { yaw = 15, pitch = -1 } })
hero:morph("smile", 0.45)
hero:morph("brows_up", 0.15)

light.rig("three_point", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.08, saturation = 1.1, vignette = 0.3 }
camera.orbit { target = vector.create(0.03, 1.53, 0.03), distance = 2.1, yaw = 24, pitch = 1, fov = 12 }
