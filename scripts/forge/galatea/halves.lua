-- Completes cages of which only the half with x >= 0 is drawn, so that morphs can move each side separately.
-- Points of the half keep their indices.
local Half = {}
Half.__index = Half

local function half()
	local self = { points = {}, holds = {}, faces = {}, sharp = {}, seams = {}, uvs = {}, now = { "skin", "" } }
	return setmetatable(self, Half)
end

function Half.point(self, at, hold)
	table.insert(self.points, at)
	table.insert(self.holds, hold or 0)
	return #self.points
end

function Half.get(self, i)
	return self.points[i]
end

function Half.count(self)
	return #self.points
end

function Half.quad(self, ...)
	table.insert(self.faces, { corners = { ... }, paint = self.now[1], chart = self.now[2] })
end

-- New points next to a row of points, joined to it by quads; `hold` is one value or a row of values.
function Half.loop(self, before, places, closed, hold)
	local now = {}
	for k, p in places do
		now[k] = self:point(p, if type(hold) == "table" then hold[k] else hold)
	end
	local n = #before
	for k = 1, if closed then n else n - 1 do
		local m = k % n + 1
		self:quad(before[k], before[m], now[m], now[k])
	end
	return now
end

function Half.paint(self, material)
	self.now[1] = material
end

function Half.chart(self, name)
	self.now[2] = name
end

function Half.sharpen(self, row, levels)
	table.insert(self.sharp, { row = row, levels = levels })
end

function Half.seam(self, row)
	table.insert(self.seams, row)
end

function Half.uv(self, point, u, v)
	self.uvs[point] = { u, v }
end

-- The whole cage, and the mirror point of each point: the point itself in the middle.
function Half.whole(self)
	local c = cage()
	local n = #self.points
	local twin = {}
	for i, p in self.points do
		c:point(p, self.holds[i])
	end
	for i, p in self.points do
		if p.x == 0 then
			twin[i] = i
		else
			local k = c:point(vector.create(-p.x, p.y, p.z), self.holds[i])
			twin[i], twin[k] = k, i
		end
	end
	local function other(row)
		local list, differs = {}, false
		for k, i in row do
			list[k] = twin[i]
			differs = differs or twin[i] ~= i
		end
		return list, differs
	end
	for _, face in self.faces do
		c:paint(face.paint)
		if face.chart ~= "" then
			c:chart(face.chart)
		end
		c:quad(table.unpack(face.corners))
		c:quad(table.unpack((other(face.corners))))
	end
	for _, sharp in self.sharp do
		c:sharpen(sharp.row, sharp.levels)
		local row, differs = other(sharp.row)
		if differs then
			c:sharpen(row, sharp.levels)
		end
	end
	for _, seam in self.seams do
		c:seam(seam)
		local row, differs = other(seam)
		if differs then
			c:seam(row)
		end
	end
	for i, uv in self.uvs do
		c:uv(i, uv[1], uv[2])
		c:uv(twin[i], uv[1], uv[2])
	end
	return c, twin, n
end

return half
