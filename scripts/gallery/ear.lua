-- Skin lets light through where it is thin: the sun behind an ear.

local pose = require "./pose"

local hero = character "assets/galatea.glb"
hero.machine = machine { state "rest" {} }
pose(hero, { head = { yaw = 6, pitch = -2 }, left = {}, right = {} })

light.rig("three_point", { character = hero, strength = 0.24 })
light.spot { at = vector.create(0.30, 1.66, -1.6), target = vector.create(0.08, 1.57, 0), color = vector.create(1, 0.90, 0.76), strength = 50, outer = 12, radius = 0.04 }
light.look { tone = "agx", contrast = 1.1, saturation = 1.15, bloom = 0.06 }
ground.set { visible = false }
camera.orbit { target = vector.create(0.055, 1.565, 0.0), distance = 1.15, yaw = 46, pitch = 2, fov = 6.4 }
