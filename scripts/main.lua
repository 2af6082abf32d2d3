-- The demo: a statue comes to life, speaks, walks, opens a gate, falls and meets the crowd. It takes 100 seconds, in eight
-- beats. Each beat is a short script in scripts/show that you can edit while it plays. Afterwards you control her with
-- WASD or a gamepad. P pauses it, F5 saves it and F9 loads it. Any other key skips the show; R restarts it.

local galatea = require "show/galatea"
local court = require "show/court"
local film = require "show/film"
local show = require "show/show"
local play = require "play"
local pause = require "pause"

local hero = galatea.hero

court.morning()
input.bind("restart", { "r", "pad_start" })

if show.playing() then
	show.go_on(hero)
else
	play.begin(hero)
end

function update(dt)
	court.update(dt)
	galatea.update()
	if show.playing() then
		local key = input.next_pressed()
		if key and not key:find "^mouse" and not key:find "^wheel" and not pause.pressed() then
			show.stop(hero)
		end
		film.update(dt)
	elseif input.pressed "restart" then
		play.finish()
		show.start(hero)
	else
		play.begin(hero)
		play.update(hero)
	end
end

function update_unscaled()
	pause.update()
end
