-- Poses of the hound: tables of channels, each a number or a vector; what is not said is 0. Poses are sums, so a breath
-- can be added to whatever it does.
--
--   hips                     way of the hips from where they rest, metres
--   pelvis, chest, neck, head    degrees in the model: pitch forwards, yaw to the left, roll that raises the left side
--   tail_1 … tail_4          degrees, each against the one before
--   left_ear, right_ear      degrees in the head
--   left_fore, right_fore, left_hind, right_hind    way of a paw from where it rests; y is its height over the ground
--   …_pitch                  heel of the paw lifted over the toes, degrees
--   …_fold                   of a forepaw: its wrist bent back; of a hind one: its hock stretched more than the stifle
--   …_lie                    of a hind one: 1 has it sit on its hock
--   mouth, blink, ears_back  weights of shapes
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

-- Rows of { seconds, pose, ease }, in any order: each channel goes its own smooth way through the rows that say it.
-- `late` has channels come so many seconds later.
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

-- Adds rows of a paw that steps: it leaves the ground heel first.
function P.step(rows, paw, from, to, begins, ends, height)
	local pitch = `{paw}_pitch`
	local long = ends - begins
	table.insert(rows, { begins, { [paw] = from, [pitch] = 0 } })
	table.insert(rows, { begins + 0.35 * long, { [pitch] = 34 } })
	table.insert(rows, { begins + 0.5 * long, { [paw] = (from + to) / 2 + v(0, height, 0) } })
	table.insert(rows, { ends, { [paw] = to, [pitch] = 0 } })
end

-- A pose without where its paws are.
function P.trunk(pose)
	local out = table.clone(pose)
	for _, paw in P.PAWS do
		out[paw] = nil
	end
	return out
end

-- A tail whose root does what `root` says at a time, its tip the same, `late` seconds after it.
function P.tail(root, t, late)
	local pose = {}
	for i = 1, 4 do
		pose[`tail_{i}`] = root(t - late * (i - 1) / 3)
	end
	return pose
end

-- Both ears: the right one is the mirrored left one.
function P.ears(turn)
	return { left_ear = turn, right_ear = v(turn.x, -turn.y, -turn.z) }
end

return P
