-- Your project starts here. `galatea play` runs this file and reloads it whenever you save it.
local hero = character "assets/galatea.glb"
hero.machine = machine { state "idle" { "idle" } }
camera.follow(hero, { distance = 4, pitch = 8 })

function update(_dt) end
