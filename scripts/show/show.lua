-- Runs the beats one after another. A beat is a list of shots. A shot is a camera move (film.lua) and her actions; it ends
-- when both have ended. `ready` is called before the first frame. After a hot reload the current shot continues with its
-- new text.

local film = require "./film"
local galatea = require "./galatea"
local court = require "./court"
local crowd = require "./crowd"

local BEATS = {
	require "./wake",
	require "./gaze",
	require "./speak",
	require "./face",
	require "./walk",
	require "./handle",
	require "./fall",
	crowd.beat,
}

local show = {}
local state = keep_on_reload("show", { playing = true, beat = 1, shot = 1 })
local running
local frame = {} -- overlay during the show: black bars and a hint

function show.playing()
	return state.playing
end

local function roll(a, shot, hero)
	film.roll(shot.film)
	a:all {
		shot.film[1],
		function(b)
			if shot.run then
				shot.run(b, hero)
			end
		end,
	}
end

-- Continues with the current shot.
function show.go_on(hero)
	for _, edge in { "top", "bottom" } do
		table.insert(frame, ui.box { anchor = edge, width = 4000, height = 46, color = vector.zero, z_index = -1 })
	end
	table.insert(frame, ui.text("any key: play", {
		anchor = "bottom_right",
		position = vector.create(-24, -14, 0),
		size = 15,
		opacity = 0.4,
	}))
	local first = BEATS[state.beat]
	if state.shot == 1 and first.ready then
		first.ready(hero)
		film.roll(first[1].film)
		film.update(0)
	end
	running = hero:task(function(a)
		while BEATS[state.beat] do
			local beat = BEATS[state.beat]
			while beat[state.shot] do
				roll(a, beat[state.shot], hero)
				state.shot += 1
			end
			state.beat, state.shot = state.beat + 1, 1
		end
		show.leave(hero)
	end)
end

function show.start(hero)
	state.playing, state.beat, state.shot = true, 1, 1
	hero:move(vector.zero)
	show.go_on(hero)
end

-- Ends the show in any state: resets her material and face, stops her movement and removes the crowd.
function show.leave(hero)
	state.playing = false
	for _, thing in frame do
		thing:remove()
	end
	frame = {}
	crowd.clear()
	court.sun(1)
	galatea.marble(hero, 0)
	galatea.still(false)
	hero.face:clear { fade = 0.3 }
	hero:move(vector.zero)
end

function show.stop(hero)
	hero:stop_speaking "now"
	running:stop()
	show.leave(hero)
end

return show
