-- Galatea's expressions: visemes, emotions and older names, mixed from the shapes of `morphs`.
local v = vector.create
local M = require "./morphs"
local T = require "./motion"
local O = vector.zero

local order, by_name, made_of = {}, {}, {}

-- A name without a side means both sides.
local function add(whole, name, share)
	if M.by_name[name] then
		T.mix(whole, M.by_name[name], share)
	else
		local left = M.by_name[name .. "Left"] or error(`no shape {name}`)
		T.mix(whole, left, share)
		T.mix(whole, M.by_name[name .. "Right"], share)
	end
end
local function say(name, parts, more)
	local whole = {}
	for part, share in parts do
		add(whole, part, share)
	end
	made_of[name] = parts
	if more then
		local s = T.shape()
		more(s)
		T.carry(s)
		T.mix(whole, T.both(s), 1)
	end
	table.insert(order, name)
	by_name[name] = whole
end

-- The fifteen visemes of Oculus.
say("viseme_sil", {})
say("viseme_PP", { mouthPress = 0.75, mouthRollLower = 0.3, mouthRollUpper = 0.3, mouthPucker = 0.12 })
say("viseme_FF", { jawOpen = 0.06, mouthUpperUp = 0.45, mouthRollLower = 0.55 }, function(s)
	T.lips(s, O, v(0, 2.4, -2.2), v(0.6, 0, -0.4))
end)
say("viseme_TH", { jawOpen = 0.2, mouthUpperUp = 0.3, mouthLowerDown = 0.3 }, function(s)
	T.tongue(s, v(0, 9.2, 14.5), v(0, 2.5, 6))
end)
say("viseme_DD", { jawOpen = 0.15, mouthUpperUp = 0.3, mouthLowerDown = 0.42, mouthStretch = 0.12 }, function(s)
	T.tongue(s, v(0, 8.5, 2), v(0, 1.5, 1))
end)
say("viseme_kk", { jawOpen = 0.24, mouthStretch = 0.25, mouthUpperUp = 0.2, mouthLowerDown = 0.25 }, function(s)
	T.tongue(s, v(0, -1, -4), v(0, 4, -2))
end)
say("viseme_CH", { jawOpen = 0.08, mouthFunnel = 0.78, mouthPucker = 0.15 })
say("viseme_SS", { jawOpen = 0.03, mouthStretch = 0.45, mouthSmile = 0.15, mouthUpperUp = 0.42, mouthLowerDown = 0.5 })
say("viseme_nn", { jawOpen = 0.12, mouthUpperUp = 0.2, mouthLowerDown = 0.4, mouthSmile = 0.12 }, function(s)
	T.tongue(s, v(0, 8.2, 2), v(0, 1.5, 1))
end)
say("viseme_RR", { jawOpen = 0.14, mouthFunnel = 0.5, mouthPucker = 0.25 }, function(s)
	T.tongue(s, v(0, 3, -5), v(0, 2, -2))
end)
say("viseme_aa", { jawOpen = 0.68, mouthUpperUp = 0.25, mouthLowerDown = 0.15, mouthStretch = 0.08 })
say("viseme_E", {
	jawOpen = 0.3, mouthStretch = 0.4, mouthSmile = 0.25, mouthUpperUp = 0.3, mouthLowerDown = 0.35,
}, function(s)
	T.tongue(s, v(0, 1.5, 0), v(0, 2.5, 1))
end)
say("viseme_I", {
	jawOpen = 0.14, mouthSmile = 0.42, mouthStretch = 0.3, mouthUpperUp = 0.35, mouthLowerDown = 0.42,
}, function(s)
	T.tongue(s, v(0, 1.5, 0), v(0, 2.5, 1))
end)
say("viseme_O", { jawOpen = 0.46, mouthFunnel = 0.6, mouthPucker = 0.42 })
say("viseme_U", { jawOpen = 0.16, mouthPucker = 0.78, mouthFunnel = 0.32 })

-- Emotions, by the action units of EMFACS.
say("emotion.anger", {
	browDown = 1.15, eyeSquint = 0.45, eyeWide = 0.3, noseSneer = 0.55, mouthPress = 0.8,
	mouthFrown = 0.6, mouthStretch = 0.15, mouthShrugLower = 0.3, jawForward = 0.35,
}, function(s)
	T.lips(s, v(0, -1.2, 0), v(0, 0.8, 0), O)
end)
say("emotion.concentration", { browDown = 0.55, eyeSquint = 0.45, mouthPress = 0.35, mouthRollLower = 0.25 })
say("emotion.confusion", {
	browDownLeft = 0.75, browOuterUpRight = 0.9, browInnerUp = 0.25, eyeSquintLeft = 0.45,
	mouthFrown = 0.3, mouthLeft = 0.35, mouthPucker = 0.12,
})
say("emotion.contempt", {
	mouthDimpleRight = 0.8, mouthSmileRight = 0.6, mouthPressRight = 0.4, cheekSquintRight = 0.35,
	browOuterUpRight = 0.4, browDownLeft = 0.2, eyeSquint = 0.25, eyeBlink = 0.16,
})
say("emotion.desire", {
	eyeBlink = 0.24, eyeSquint = 0.25, mouthSmile = 0.3, jawOpen = 0.1, mouthFunnel = 0.12,
	browInnerUp = 0.3, cheekSquint = 0.2,
})
say("emotion.disgust", {
	noseSneer = 1, mouthUpperUp = 0.55, mouthFrown = 0.5, browDown = 0.6, cheekSquint = 0.5,
	eyeSquint = 0.4, mouthShrugLower = 0.3,
})
say("emotion.excitement", {
	mouthSmile = 0.95, jawOpen = 0.3, mouthUpperUp = 0.3, cheekSquint = 0.5, browOuterUp = 0.6,
	browInnerUp = 0.45, eyeWide = 0.45,
})
say("emotion.fear", {
	browInnerUp = 1.15, browOuterUp = 0.4, browDown = 0.25, eyeWide = 0.9, mouthStretch = 0.75,
	jawOpen = 0.24, mouthLowerDown = 0.4, mouthUpperUp = 0.12,
})
say("emotion.happiness", {
	mouthSmile = 1.05, cheekSquint = 0.85, eyeSquint = 0.1, mouthDimple = 0.2, mouthUpperUp = 0.32,
	mouthLowerDown = 0.2, jawOpen = 0.09, browOuterUp = 0.2, browInnerUp = 0.15,
})
say("emotion.sadness", {
	browInnerUp = 1.1, browDown = 0.15, mouthFrown = 0.85, mouthShrugLower = 0.45, eyeSquint = 0.12,
	eyeBlink = 0.2, eyeLookDown = 0.2,
})
say("emotion.surprise", { browInnerUp = 1.1, browOuterUp = 1.0, eyeWide = 0.85, jawOpen = 0.5, mouthFunnel = 0.2 })

-- Names used by older scripts.
say("blink", { eyeBlink = 1 })
say("smile", { mouthSmile = 0.8, cheekSquint = 0.3 })
say("blink_left", { eyeBlinkLeft = 1 })
say("blink_right", { eyeBlinkRight = 1 })
say("brows_up", { browInnerUp = 0.7, browOuterUp = 0.8 })
say("brows_down", { browDown = 0.9 })
say("brows_sad", { browInnerUp = 0.9 })
say("frown", { mouthFrown = 0.7, mouthShrugLower = 0.15 })
say("pucker", { mouthPucker = 0.9 })

return { order = order, by_name = by_name, made_of = made_of }
