-- Four frames, one per second: raised brows and a smile, each with and without wrinkle maps.

local hero = character "assets/galatea.glb"
hero.machine = machine { state "rest" {} }

local BROWS = { browInnerUp = 1, browOuterUpLeft = 1, browOuterUpRight = 1, eyeWideLeft = 0.3, eyeWideRight = 0.3 }
local SMILE = { mouthSmileLeft = 1, mouthSmileRight = 1, cheekSquintLeft = 0.7, cheekSquintRight = 0.7, eyeSquintLeft = 0.3, eyeSquintRight = 0.3 }
local MOMENTS = {
	{ name = "brows raised", shapes = BROWS, folds = true },
	{ name = "without folds", shapes = BROWS },
	{ name = "a smile", shapes = SMILE, folds = true },
	{ name = "without folds", shapes = SMILE },
}

light.sun { yaw = -66, pitch = 32, intensity = 3.2 }
light.sky { zenith = vector.create(0.10, 0.13, 0.18), horizon = vector.create(0.16, 0.18, 0.21), ground = vector.create(0.07, 0.065, 0.06), seamless = true }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.05, vignette = 0.2 }
camera.orbit { target = vector.create(0, 1.575, 0.03), distance = 2.2, yaw = 14, pitch = 2, fov = 7.2 }

local label = ui.text("", { anchor = "bottom", position = vector.create(0, -24, 0), size = 54, shadow = true })
local shown: number? = nil
function update()
	local i = math.min(math.floor(now() + 0.01), #MOMENTS - 1) + 1
	if i == shown then
		return
	end
	shown = i
	local moment = MOMENTS[i]
	hero.face:clear()
	for name, weight in moment.shapes do
		hero.face:set(name, weight)
	end
	for region in hero.face:wrinkles() do
		hero.face:wrinkle(region, if moment.folds then nil else 0)
	end
	label.text = moment.name
end
