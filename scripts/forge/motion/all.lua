-- All clips of a figure: `clips = require "./motion/all" (figure(bones))`.
local list = {
	require("./stand").clips,
	require("./walk").clips,
	require("./steps").clips,
	require "./jump",
	require "./low",
	require "./greet",
	require "./hurt",
	require "./rise",
	require "./talk",
	require "./work",
	require "./statue",
}

return function(figure)
	local clips = {}
	for i, make in list do
		clips[i] = make(figure)
	end
	return clips
end
