//! Texture baking: UV unwraps meshes onto one texture set ("sheet") and paints it from layers. Detail finer than the mesh
//! goes into a normal map.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::cage::normals;
use super::field::DistanceField;
use super::layers::{self, PaintLayer, SurfaceSample, slopes};
use super::pieces::{QuadMesh, UvCorner};
use super::sheet::{Seat, seats};
use super::texels::{Texel, UvTriangle, on_sculpture, spread, texels};
use super::unwrap::{Chart, flatten};
use super::wrinkles::{self, Creases};
use galatea_asset::model::{Image, Wrinkles};

/// Description of a texture set.
#[derive(Clone, Debug)]
pub struct SheetPaint {
    /// Prefix for the names of the images.
    pub name: String,
    /// Width and height, pixels.
    pub side: u32,
    /// Detailed shape; normals are computed from it.
    pub sculpt: Option<DistanceField>,
    /// Shape for ambient occlusion.
    pub shade: Option<DistanceField>,
    /// Paint layers, the lowest first.
    pub layers: Vec<PaintLayer>,
    /// Names of the paints of faces, by index.
    pub paints: Vec<String>,
    /// Texel density of pieces by name, as a factor of that of the others.
    pub detail: Vec<(String, f32)>,
    /// Creases that become wrinkle maps.
    pub creases: Option<Creases>,
}

/// Padding around a chart, pixels; decimation moves seams by at most this distance.
const GUTTER: u32 = 12;

/// Baked textures of one set: colour, normal map, and occlusion, roughness and metallic as in glTF.
#[derive(Clone, Debug)]
pub struct BakedTextures {
    /// Base colour, sRGB.
    pub color: Image,
    /// Normal map in tangent space.
    pub normal: Image,
    /// R ambient occlusion, G roughness, B metallic.
    pub surface: Image,
    /// Maximum stretch of the charts; 1 is undistorted.
    pub stretch: f32,
    /// Wrinkle maps, and their images, which they refer to by index.
    pub wrinkles: Option<(Vec<Image>, Wrinkles)>,
}

/// Unwraps pieces onto a texture set, stores the texture coordinates in their faces, and paints it.
pub fn bake(sheet: &SheetPaint, pieces: &mut [&mut QuadMesh]) -> BakedTextures {
    let layout = SheetLayout::new(sheet, pieces);
    let mut all = texels(&layout.triangles, sheet.side);
    spread(&mut all, sheet.side, GUTTER);
    let around = |texel: &Texel| layout.around(texel, &sheet.paints);
    let pixels: Vec<[[u8; 4]; 3]> = all
        .par_iter()
        .map(|texel| match texel {
            Some(texel) => painted(sheet, texel, &around(texel)),
            None => [
                [128, 128, 128, 255],
                [128, 128, 255, 255],
                [255, 128, 0, 255],
            ],
        })
        .collect();
    let creases = sheet.creases.as_ref();
    let folded = creases.and_then(|own| {
        wrinkles::bake(
            &sheet.name,
            sheet.side,
            sheet.sculpt.as_ref(),
            own,
            &layout.triangles,
            around,
        )
    });
    let picture = |what: &str, k: usize| Image {
        name: format!("{}_{what}", sheet.name),
        width: sheet.side,
        height: sheet.side,
        rgba: pixels.iter().flat_map(|pixel| pixel[k]).collect(),
    };
    BakedTextures {
        color: picture("color", 0),
        normal: picture("normal", 1),
        surface: picture("surface", 2),
        stretch: layout.stretch,
        wrinkles: folded,
    }
}

/// Pieces laid out on a texture set.
struct SheetLayout {
    /// Normals of the points of each piece.
    smooth: Vec<Vec<Vec3>>,
    /// Paints of the points of each piece, with weights that sum to 1.
    paints: Vec<Vec<Vec<(u16, f32)>>>,
    triangles: Vec<UvTriangle>,
    /// Piece, and three point indices in it, of each triangle.
    corners_of: Vec<(usize, [u32; 3])>,
    /// Maximum stretch of a chart, at least 1.
    stretch: f32,
}

impl SheetLayout {
    /// Unwraps the pieces, packs their charts into the texture, and stores texture coordinates in the faces.
    fn new(sheet: &SheetPaint, pieces: &mut [&mut QuadMesh]) -> Self {
        let mut charts = Vec::new();
        let mut owner = Vec::new();
        for (n, piece) in pieces.iter().enumerate() {
            let own = flatten(&piece.positions, &piece.faces, &piece.seams);
            owner.extend(own.iter().map(|_| n));
            charts.extend(own);
        }
        let detail_of = |n: &usize| {
            let mut details = sheet.detail.iter();
            let found = details.find(|(name, _)| *name == pieces[*n].name);
            found.map_or(1.0, |(_, detail)| *detail)
        };
        let details: Vec<f32> = owner.iter().map(detail_of).collect();
        let seats = seats(&charts, sheet.side, GUTTER, &details);
        let smooth = pieces
            .iter()
            .map(|piece| normals(&piece.positions, &piece.faces));
        let mut layout = Self {
            smooth: smooth.collect(),
            paints: pieces.iter().map(|piece| painted_with(piece)).collect(),
            triangles: Vec::new(),
            corners_of: Vec::new(),
            stretch: 1.0,
        };
        for ((chart, seat), n) in charts.iter().zip(&seats).zip(owner) {
            layout.add(n, &mut *pieces[n], chart, seat);
        }
        layout
    }

    /// Adds a chart of the piece with index `n`.
    fn add(&mut self, n: usize, piece: &mut QuadMesh, chart: &Chart, seat: &Seat) {
        self.stretch = self.stretch.max(chart.stretch);
        let smooth = &self.smooth[n];
        piece
            .laid
            .resize(piece.faces.len(), [UvCorner::default(); 4]);
        let uv = chart.uv.iter().map(|uv| seat.of(*uv)).collect();
        let laid = corners(&chart.faces, uv, piece, smooth);
        for (f, numbers) in &chart.faces {
            let face = piece.faces[*f as usize];
            let own = numbers.map(|i| laid[i as usize]);
            piece.laid[*f as usize] = own;
            let n_triangles = face.corners().len() - 2;
            for t in [[0, 1, 2], [0, 2, 3]].into_iter().take(n_triangles) {
                let point = t.map(|k| face.corners[k] as usize);
                self.triangles.push(UvTriangle {
                    at: point.map(|i| piece.positions[i]),
                    normal: point.map(|i| smooth[i]),
                    tangent: t.map(|k| own[k].tangent.truncate()),
                    hand: own[0].tangent.w,
                    uv: t.map(|k| own[k].uv),
                });
                self.corners_of.push((n, point.map(|i| i as u32)));
            }
        }
    }

    /// Names of the paints around a texel, with their weights.
    fn around<'a>(&self, texel: &Texel, names: &'a [String]) -> Vec<(&'a str, f32)> {
        let (n, corners) = self.corners_of[texel.triangle as usize];
        let mut around = Vec::with_capacity(4);
        for (corner, weight) in corners.iter().zip(texel.weights) {
            for (paint, share) in &self.paints[n][*corner as usize] {
                let name = names.get(usize::from(*paint));
                around.push((name.map_or("", |name| name), share * weight));
            }
        }
        around
    }
}

/// Sets the texture coordinates of a piece to those of the points; u wraps after the length `around`, if given. Where the
/// texture is mirrored, corners at a point have separate tangents.
pub fn set_texture_coordinates(piece: &mut QuadMesh, uv: &[Vec2], around: Option<f32>) {
    let smooth = normals(&piece.positions, &piece.faces);
    let mut number: BTreeMap<(u32, bool, bool), u32> = BTreeMap::new();
    let mut places = Vec::new();
    let numbered = piece.faces.iter().enumerate().map(|(f, face)| {
        let mut on = face.corners.map(|i| uv[i as usize]);
        let far = on.iter().map(|uv| uv.x).fold(f32::MIN, f32::max);
        // A corner far below the others is on the other side of the wrap.
        let over = on.map(|uv| around.is_some_and(|length| far - uv.x > length * 0.5));
        for (uv, over) in on.iter_mut().zip(over) {
            uv.x += if over {
                around.unwrap_or_default()
            } else {
                0.0
            };
        }
        let turned = (on[1] - on[0]).perp_dot(on[2] - on[0]) > 0.0;
        let own = [0, 1, 2, 3].map(|k| {
            let key = (face.corners[k], turned, over[k]);
            *number.entry(key).or_insert_with(|| {
                places.push(on[k]);
                places.len() as u32 - 1
            })
        });
        (f as u32, own)
    });
    let faces: Vec<(u32, [u32; 4])> = numbered.collect();
    let laid = corners(&faces, places, piece, &smooth);
    piece.laid = faces
        .iter()
        .map(|(_, own)| own.map(|i| laid[i as usize]))
        .collect();
}

/// Texture corners of faces, by index, with tangents averaged over the surrounding triangles by area.
fn corners(
    faces: &[(u32, [u32; 4])],
    uv: Vec<Vec2>,
    piece: &QuadMesh,
    smooth: &[Vec3],
) -> Vec<UvCorner> {
    let mut sums = vec![(Vec3::ZERO, 0.0, Vec3::Y); uv.len()];
    for (f, numbers) in faces {
        let face = &piece.faces[*f as usize];
        for t in [[0, 1, 2], [0, 2, 3]]
            .into_iter()
            .take(face.corners().len() - 2)
        {
            let at = t.map(|k| piece.positions[face.corners[k] as usize]);
            let on = t.map(|k| uv[numbers[k] as usize]);
            let (e1, e2) = (at[1] - at[0], at[2] - at[0]);
            let (d1, d2) = (on[1] - on[0], on[2] - on[0]);
            let area = d1.perp_dot(d2);
            let weight = e1.cross(e2).length();
            let tangent = (e1 * d2.y - e2 * d1.y) * area.signum();
            for k in t {
                let sum = &mut sums[numbers[k] as usize];
                sum.0 += tangent.normalize_or_zero() * weight;
                sum.1 += area;
                sum.2 = smooth[face.corners[k] as usize];
            }
        }
    }
    let one = |(uv, (tangent, area, normal)): (Vec2, (Vec3, f32, Vec3))| {
        let tangent =
            (tangent - normal * normal.dot(tangent)).normalize_or(normal.any_orthonormal_vector());
        // v grows downwards, so an unmirrored triangle has a negative area, and its bitangent is the cross product of normal
        // and tangent.
        let hand = if area > 0.0 { -1.0 } else { 1.0 };
        UvCorner {
            uv,
            tangent: tangent.extend(hand),
        }
    };
    uv.into_iter().zip(sums).map(one).collect()
}

/// Paints of the faces around each point, with weights that sum to 1.
fn painted_with(piece: &QuadMesh) -> Vec<Vec<(u16, f32)>> {
    let mut all: Vec<Vec<(u16, f32)>> = vec![Vec::new(); piece.positions.len()];
    for face in &piece.faces {
        for i in face.corners() {
            let own = &mut all[*i as usize];
            match own.iter_mut().find(|(paint, _)| *paint == face.paint) {
                Some((_, count)) => *count += 1.0,
                None => own.push((face.paint, 1.0)),
            }
        }
    }
    for own in &mut all {
        let sum: f32 = own.iter().map(|(_, count)| count).sum();
        own.iter_mut().for_each(|(_, count)| *count /= sum);
    }
    all
}

/// Colour, normal and surface parameters of a pixel.
fn painted(sheet: &SheetPaint, texel: &Texel, paints: &[(&str, f32)]) -> [[u8; 4]; 3] {
    let (at, mut normal) = on_sculpture(sheet.sculpt.as_ref(), texel);
    let open = sheet
        .shade
        .as_ref()
        .map_or(1.0, |field| openness(field, at, texel.normal));
    let place = SurfaceSample {
        at,
        normal,
        open,
        paints,
    };
    let look = layers::shade(&sheet.layers, &place);
    let bitangent = normal.cross(texel.tangent).normalize_or(Vec3::X);
    let tangent = bitangent.cross(normal);
    if sheet.layers.iter().any(|layer| layer.height != 0.0) {
        let slope = slopes(&sheet.layers, &place, tangent, bitangent);
        normal = (normal - tangent * slope.x - bitangent * slope.y).normalize_or(normal);
    }
    // Transform into the tangent space of the mesh.
    let across = texel.normal.cross(texel.tangent) * texel.hand;
    let local = Vec3::new(
        normal.dot(texel.tangent),
        normal.dot(across),
        normal.dot(texel.normal).max(0.05),
    );
    let local = local.normalize_or(Vec3::Z);
    let signed = |x: f32| ((x * 0.5 + 0.5) * 255.0).round().clamp(0.0, 255.0) as u8;
    let share = |x: f32| (x * 255.0).round().clamp(0.0, 255.0) as u8;
    let [r, g, b] = look.color.to_array().map(galatea_math::srgb::to_byte);
    [
        [r, g, b, 255],
        [signed(local.x), signed(local.y), signed(local.z), 255],
        [
            share(open),
            share(look.roughness),
            share(look.metallic),
            255,
        ],
    ]
}

/// Ambient occlusion from the field: compares its values along the normal with those of open space (Evans 2006). 1 is open.
fn openness(field: &DistanceField, at: Vec3, normal: Vec3) -> f32 {
    const REACH: [f32; 5] = [0.003, 0.008, 0.018, 0.036, 0.07];
    let (mut hidden, mut all) = (0.0, 0.0);
    for (i, reach) in REACH.into_iter().enumerate() {
        let weight = 0.75_f32.powi(i as i32);
        let free = field.at(at + normal * reach).max(0.0);
        hidden += weight * ((reach - free) / reach).clamp(0.0, 1.0);
        all += weight;
    }
    (1.0 - hidden / all * 1.1).clamp(0.0, 1.0)
}
