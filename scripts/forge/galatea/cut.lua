-- Cut and drape of a chiton in the heights and widths of the reference body (`K.fit` adapts them to another body), and the
-- joints of its moving parts. A recipe of another character changes these values before it requests the dress.
local cut = {
	hem = 0.660,
	-- Drape of the cloth without folds: height, half width, front, back. It keeps a distance to the body automatically.
	drape = {
		{ 0.600, 0.218, 0.186, -0.200 },
		{ 0.660, 0.213, 0.176, -0.193 },
		{ 0.740, 0.205, 0.158, -0.180 },
		{ 0.820, 0.193, 0.136, -0.163 },
		{ 0.880, 0.181, 0.117, -0.147 },
		{ 0.940, 0.161, 0.102, -0.127 },
		{ 1.000, 0.136, 0.092, -0.098 },
		{ 1.056, 0.115, 0.081, -0.072 },
		{ 1.110, 0.112, 0.081, -0.074 },
		{ 1.170, 0.117, 0.094, -0.086 },
		{ 1.225, 0.127, 0.114, -0.100 },
		{ 1.270, 0.134, 0.117, -0.112 },
		{ 1.320, 0.128, 0.090, -0.117 },
		{ 1.370, 0.104, 0.040, -0.110 },
	},
	-- 2 is an ellipse; higher values approach a box, whose corners leave room for the thighs.
	square = 2.1,
	-- Rings of the skirt from the belt down, without belt and hem.
	rings = { 1.078, 1.036, 0.992, 0.945, 0.890, 0.830, 0.765 },
	-- Height of the folds at the belt and at the hem, and the depth of the valleys relative to it.
	folds = { belt = 0.005, hem = 0.062, valley = 0.62 },
	-- Lowest points of the neckline, and its roundness.
	neckline = { front = { 1.346, 2.2 }, back = { 1.392, 2.2 } },
	-- Skin between these heights is removed.
	covers = { 0.715, 1.225 },
	-- Heights of the skirt's joints, their distance from the body at the side and in front, and the width of their falloff.
	joints = { 1.020, 0.905, 0.785 },
	joints_out = { { 0.118, 0.088 }, { 0.168, 0.122 }, { 0.194, 0.150 } },
	joints_soft = 0.045,
	-- True if the skirt covers the knees; the last joints are then at knee height.
	long = false,
}

function cut.change(other)
	for name, value in other do
		cut[name] = value
	end
end

return cut
