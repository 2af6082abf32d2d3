-- Poses of the hound: tables of channels, each a number or a vector; missing channels are 0. Poses can be added, so a
-- breath can be combined with any other pose.
--
--   hips                     offset of the hips from rest, metres
--   pelvis, chest, neck, head    degrees in model space: pitch forwards, yaw to the left, roll that raises the left side
--   tail_1 … tail_4          degrees, each relative to the previous one
--   left_ear, right_ear      degrees relative to the head
--   left_fore, right_fore, left_hind, right_hind    offset of a paw from rest; y is its height above the ground
--   …_pitch                  heel of the paw lifted over the toes, degrees
--   …_fold                   forepaw: the wrist bends back; hind paw: the hock stretches more than the stifle
--   …_lie                    hind leg: 1 makes it sit on its hock
--   mouth, blink, ears_back  weights of morph targets
local v = vector.create

local P = {}

P.PAWS = { "left_fore", "right_fore", "left_hind", "right_hind" }

function P.sum(...)
	local out = {}
	for _, pose in { ... } do
		for channel, value in pose do
			out[channel] = if out[channel] then out[channel] + value else value
		end
	end
	return out
end

function P.scaled(pose, by)
	local out = {}
	for channel, value in pose do
		out[channel] = value * by
	end
	return out
end

-- Rows of { seconds, pose, ease }, in any order: each channel is interpolated smoothly through the rows that contain it.
-- `late` delays channels by seconds.
function P.keys(rows, options)
	options = options or {}
	rows = table.clone(rows)
	table.sort(rows, function(a, b)
		return a[1] < b[1]
	end)
	local points = {}
	for _, row in rows do
		for channel, value in row[2] do
			points[channel] = points[channel] or {}
			table.insert(points[channel], { row[1], value, ease = row.ease })
		end
	end
	local curves = {}
	for channel, own in points do
		curves[channel] = curve(own)
	end
	local late = options.late or {}
	return function(t)
		local pose = {}
		for channel, own in curves do
			pose[channel] = own(t - (late[channel] or 0))
		end
		return pose
	end
end

-- Adds rows for a step of a paw: the heel leaves the ground first.
function P.step(rows, paw, from, to, begins, ends, height)
	local pitch = `{paw}_pitch`
	local long = ends - begins
	table.insert(rows, { begins, { [paw] = from, [pitch] = 0 } })
	table.insert(rows, { begins + 0.35 * long, { [pitch] = 34 } })
	table.insert(rows, { begins + 0.5 * long, { [paw] = (from + to) / 2 + v(0, height, 0) } })
	table.insert(rows, { ends, { [paw] = to, [pitch] = 0 } })
end

-- A pose without the paw channels.
function P.trunk(pose)
	local out = table.clone(pose)
	for _, paw in P.PAWS do
		out[paw] = nil
	end
	return out
end

-- A tail: `root` gives the angle of the root at a time; the tip follows `late` seconds later.
function P.tail(root, t, late)
	local pose = {}
	for i = 1, 4 do
		pose[`tail_{i}`] = root(t - late * (i - 1) / 3)
	end
	return pose
end

-- Both ears: the right one mirrors the left one.
function P.ears(turn)
	return { left_ear = turn, right_ear = v(turn.x, -turn.y, -turn.z) }
end

return P
