-- Subdivides a cage as its part would: Catmull-Clark with sharp edges, projected onto the field after every level.
-- `part` does the same; here the fine points can be edited before they are passed to `part`.
local KEY = 65536
local FAR = 0.03 -- points farther from the field than this are not projected

local function key(a, b)
	return if a < b then a * KEY + b else b * KEY + a
end
local function row_keys(rows, into)
	for _, row in rows do
		for i = 1, #row.points - 1 do
			into[key(row.points[i], row.points[i + 1])] = row.levels
		end
	end
	return into
end

local function mix(stencil, i, weight)
	stencil[i] = (stencil[i] or 0) + weight
end
local function of_face(stencil, corners, weight)
	for _, i in corners do
		mix(stencil, i, weight / #corners)
	end
end

-- All edges in the order in which faces use them, with their faces; borders always stay sharp.
local function edges_of(mesh)
	local edges, by_key = {}, {}
	for f, face in mesh.faces do
		for k, a in face.corners do
			local b = face.corners[k % #face.corners + 1]
			local at = key(a, b)
			local edge = by_key[at]
			if not edge then
				edge = { a = a, b = b, faces = {}, sharp = mesh.sharp[at] or 0, seam = mesh.seams[at] }
				by_key[at] = edge
				table.insert(edges, edge)
				edge.point = #mesh.points + #edges
			end
			table.insert(edge.faces, f)
		end
	end
	for _, edge in edges do
		if #edge.faces ~= 2 then
			edge.sharp = math.huge
		end
	end
	return edges, by_key
end

-- Sources of the points of the next level: old points first, then edges, then faces.
local function stencils_of(mesh, edges)
	local n = #mesh.points
	local around, faces_around, all = {}, {}, {}
	for i = 1, n do
		around[i], faces_around[i] = {}, {}
	end
	for f, face in mesh.faces do
		for _, i in face.corners do
			table.insert(faces_around[i], f)
		end
	end
	for _, edge in edges do
		table.insert(around[edge.a], edge)
		table.insert(around[edge.b], edge)
		local share, stencil = math.min(edge.sharp, 1), {}
		mix(stencil, edge.a, 0.25 + 0.25 * share)
		mix(stencil, edge.b, 0.25 + 0.25 * share)
		if share < 1 then
			for _, f in edge.faces do
				of_face(stencil, mesh.faces[f].corners, 0.25 * (1 - share))
			end
		end
		all[edge.point] = stencil
	end
	for f, face in mesh.faces do
		local stencil = {}
		of_face(stencil, face.corners, 1)
		all[n + #edges + f] = stencil
	end
	for i = 1, n do
		local sharp, stencil = {}, {}
		for _, edge in around[i] do
			if edge.sharp > 0 then
				table.insert(sharp, edge)
			end
		end
		local share = if #sharp < 2 then 0 elseif #sharp == 2 then math.min(sharp[1].sharp, sharp[2].sharp, 1) else 1
		if #sharp == 2 then
			mix(stencil, i, 0.75 * share)
			for _, edge in sharp do
				mix(stencil, if edge.a == i then edge.b else edge.a, 0.125 * share)
			end
		elseif #sharp > 2 then
			mix(stencil, i, 1)
		end
		if share < 1 and #around[i] < 3 then
			mix(stencil, i, 1 - share)
		elseif share < 1 then
			local m, rest = #faces_around[i], 1 - share
			mix(stencil, i, rest * (m - 3) / m)
			for _, f in faces_around[i] do
				of_face(stencil, mesh.faces[f].corners, rest / (m * m))
			end
			for _, edge in around[i] do
				mix(stencil, edge.a, rest / (m * #around[i]))
				mix(stencil, edge.b, rest / (m * #around[i]))
			end
		end
		all[i] = stencil
	end
	return all
end

local function summed(stencil, values, zero)
	local sum = zero
	for i, weight in stencil do
		local value = values[i]
		if value then
			sum += value * weight
		end
	end
	return sum
end

local function draw(mesh, field)
	for i, p in mesh.points do
		local hold = mesh.holds[i]
		if hold < 0.999 then
			local q = p
			for _ = 1, 6 do
				q -= field:normal(q) * math.clamp(field:at(q), -FAR, FAR)
			end
			mesh.points[i] = q + (p - q) * hold
		end
	end
end

local function next_level(mesh)
	local edges, by_key = edges_of(mesh)
	local stencils = stencils_of(mesh, edges)
	local finer = { points = {}, holds = {}, faces = {}, sharp = {}, seams = {}, cuts = {} }
	for i, stencil in stencils do
		finer.points[i] = summed(stencil, mesh.points, vector.zero)
		finer.holds[i] = summed(stencil, mesh.holds, 0)
	end
	for f, face in mesh.faces do
		local corners = face.corners
		for k, own in corners do
			local before, after = corners[(k - 2) % #corners + 1], corners[k % #corners + 1]
			table.insert(finer.faces, {
				corners = { own, by_key[key(own, after)].point, #mesh.points + #edges + f, by_key[key(before, own)].point },
				paint = face.paint,
				chart = face.chart,
			})
		end
	end
	for _, edge in edges do
		for _, own in { edge.a, edge.b } do
			local half = key(own, edge.point)
			if edge.seam then
				finer.seams[half] = true
				table.insert(finer.cuts, { own, edge.point })
			end
			if edge.sharp > 1 and edge.sharp < math.huge then
				finer.sharp[half] = edge.sharp - 1
			end
		end
	end
	return finer, stencils
end

-- Subdivides a whole cage of `halves` by that many levels. Returns its mesh with the seam edges, and a function that maps
-- offsets of the cage's points to the mesh.
local function fine(half, twin, field, levels)
	local mesh = { points = {}, holds = {}, faces = {}, sharp = {}, seams = {} }
	for i, k in twin do
		local own = half.points[i]
		local p = own or half.points[k] * vector.create(-1, 1, 1)
		mesh.points[i], mesh.holds[i] = p, half.holds[if own then i else k]
	end
	local function other(row)
		local list = {}
		for k, i in row do
			list[k] = twin[i]
		end
		return list
	end
	for _, face in half.faces do
		for _, corners in { face.corners, other(face.corners) } do
			table.insert(mesh.faces, { corners = corners, paint = face.paint, chart = face.chart })
		end
	end
	local sharp, seams = {}, {}
	for _, one in half.sharp do
		table.insert(sharp, { points = one.row, levels = one.levels })
		table.insert(sharp, { points = other(one.row), levels = one.levels })
	end
	for _, row in half.seams do
		table.insert(seams, { points = row, levels = true })
		table.insert(seams, { points = other(row), levels = true })
	end
	row_keys(sharp, mesh.sharp)
	row_keys(seams, mesh.seams)

	draw(mesh, field)
	local steps = {}
	for level = 1, levels do
		mesh, steps[level] = next_level(mesh)
		draw(mesh, field)
	end
	return mesh, function(offsets)
		for _, stencils in steps do
			local carried = {}
			for i, stencil in stencils do
				local sum = summed(stencil, offsets, vector.zero)
				if vector.magnitude(sum) > 1e-7 then
					carried[i] = sum
				end
			end
			offsets = carried
		end
		return offsets
	end
end

return fine
