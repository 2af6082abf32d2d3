-- A project of your own begins here: `galatea play` shows what this file says, each time that it is saved.
local hero = character "assets/galatea.glb"
hero.machine = machine { state "idle" { "idle" } }
camera.follow(hero, { distance = 4, pitch = 8 })

function update(_dt) end
