-- Skin lets light through where it is thin: the sun behind an ear.

local pose = require "./pose"

local hero = character "assets/galatea.glb"
hero.machine = machine { state "rest" {} }
pose(hero, { head = { yaw = 6, pitch = -2 }, left = {}, right = {} })

light.rig("three_point", { character = hero, strength = 0.5 })
light.spot { at = vector.create(0.06, 1.60, -1.6), target = vector.create(0.09, 1.58, 0), color = vector.create(1, 0.90, 0.76), strength = 60, outer = 3.4, inner = 1.6, radius = 0.04 }
light.look { tone = "agx", contrast = 1.1, saturation = 1.15, bloom = 0.06 }
ground.set { visible = false }
camera.orbit { target = vector.create(0.06, 1.566, 0.0), distance = 1.15, yaw = 40, pitch = 2, fov = 6.4 }
