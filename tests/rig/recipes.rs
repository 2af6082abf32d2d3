//! Recipes: correct and repeatable results, and errors with their positions.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use galatea::asset::Model;
use galatea::forge::glb;
use galatea::recipe::{RECIPE_GROUPS, bake};
use galatea::script::Fault;
use glam::Vec3;

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The model of a recipe that requires files of this repository.
fn made(text: &str) -> Result<Model, Fault> {
    let own = text.to_owned();
    let read = move |path: &str| {
        if path == "recipe.lua" {
            return Ok(own.clone());
        }
        fs::read_to_string(home().join(path)).map_err(|error| error.to_string())
    };
    bake(
        "recipe.lua",
        Rc::new(read),
        Rc::new(|_: &str| {}),
        10_000_000,
        1.0,
    )
    .map(|(model, _)| model)
}

fn ghost() -> Model {
    let text = fs::read_to_string(home().join("scripts/forge/ghost.lua")).unwrap();
    made(&text).unwrap_or_else(|fault| panic!("{fault}"))
}

const SHEET: &str = "local v = vector.create
local c = cage()
c:grid { { v(0, 0, 0), v(1, 0, 0) }, { v(0, 1, 0), v(1, 1, 0) } }
";

fn fault(text: &str) -> String {
    match made(&format!("{SHEET}{text}")) {
        Ok(_) => panic!("nothing is wrong with it"),
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn every_example_of_the_reference_runs() {
    for group in RECIPE_GROUPS {
        for function in group.functions {
            let ends = function
                .example
                .lines()
                .any(|line| line.starts_with("return "));
            let end = if ends { "" } else { "\nreturn model {}" };
            if let Err(fault) = made(&format!("{}{end}", function.example)) {
                panic!("{}.{}: {fault}", group.name, function.name);
            }
        }
    }
}

#[test]
fn the_ghost_is_the_same_bytes_every_time_and_both_its_halves_are_one() {
    let model = ghost();
    assert_eq!(glb::write(&model), glb::write(&ghost()));
    assert!(
        (2000..20_000).contains(&model.n_triangles()),
        "{}",
        model.n_triangles()
    );
    let sheet = &model.meshes[0].primitives[0];
    for p in &sheet.positions {
        let twin = *p * Vec3::new(-1.0, 1.0, 1.0);
        let near = sheet
            .positions
            .iter()
            .map(|q| q.distance(twin))
            .fold(f32::MAX, f32::min);
        assert!(near < 2e-5, "{p} has no twin");
    }
    for weights in sheet.influences.weights.chunks(4) {
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
    let names: Vec<&str> = model
        .skeleton
        .bones()
        .iter()
        .map(|bone| bone.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "root",
            "body",
            "head",
            "left_arm",
            "right_arm",
            "sheet",
            "face"
        ]
    );
}

#[test]
fn an_eye_that_blinks_is_flat_and_only_its_own_side_moves() {
    let model = ghost();
    let face = &model.meshes[1];
    assert_eq!(face.morph_names, ["eyeBlinkLeft", "eyeBlinkRight"]);
    let primitive = &face.primitives[0];
    let height = |target: Option<usize>, side: f32| {
        let own = primitive
            .positions
            .iter()
            .enumerate()
            .filter(|(_, p)| p.x * side > 0.0);
        let y = own.map(|(i, p)| p.y + target.map_or(0.0, |t| primitive.targets[t].positions[i].y));
        let (low, high) = y.fold((f32::MAX, f32::MIN), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        high - low
    };
    assert!(height(None, 1.0) > 0.05);
    assert!(height(Some(0), 1.0) < 0.2 * height(None, 1.0));
    assert!((height(Some(0), -1.0) - height(None, -1.0)).abs() < 1e-6);
    assert!(height(Some(1), -1.0) < 0.2 * height(None, -1.0));
}

#[test]
fn a_subdivided_sheet_keeps_its_border_and_a_field_draws_it_near() {
    let text = format!(
        "{SHEET}return model {{ parts = {{ part {{ cage = c, levels = 3, mirror = false, weights = 'root',
            field = field.plane(v(0, 0, 1), 0.01) }} }}, materials = {{ skin = {{}} }} }}"
    );
    let model = made(&text).unwrap_or_else(|fault| panic!("{fault}"));
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.indices.len(), 64 * 6);
    assert!(
        primitive
            .positions
            .iter()
            .all(|p| (p.z - 0.01).abs() < 1e-5)
    );
    assert!(primitive.normals.iter().all(|n| n.z > 0.999));
}

#[test]
fn a_sculpture_with_edges_becomes_quads_that_keep_them_when_subdivided() {
    let recipe = |cell: f32, levels: u32| {
        format!(
            "local c = cage()
            local block = field.slab(vector.zero, vector.create(0.3, 0.2, 0.1)):cut(field.ball(vector.create(0, 0, 0.1), 0.08))
            local points = c:contour(block, {cell})
            assert(#points == c:count())
            return model {{ bones = bones {{ {{ \"root\", false, vector.zero }} }}, parts = {{ part {{ cage = c, levels = {levels}, mirror = false, weights = \"root\" }} }}, materials = {{ skin = {{}} }} }}"
        )
    };
    let dish = made(&recipe(0.03, 1)).unwrap_or_else(|fault| panic!("{fault}"));
    let places = &dish.meshes[0].primitives[0].positions;
    let half = Vec3::new(0.3, 0.2, 0.1);
    let corners = places.iter().filter(|p| (p.abs() - half).length() < 0.002);
    assert_eq!(corners.count(), 8);
    let rim = places.iter().filter(|p| {
        let far = p.truncate().length();
        (p.z - 0.1).abs() < 0.002 && (far - 0.08).abs() < 0.003
    });
    assert!(rim.count() > 12, "the dish has a rim");
    let deep = places.iter().filter(|p| p.truncate().length() < 0.05);
    assert!(deep.into_iter().any(|p| (p.z - 0.02).abs() < 0.003));
    let fault = made(&recipe(0.0001, 0)).unwrap_err().to_string();
    assert!(fault.contains("contour: cells of 0.0001 m"), "{fault}");
    let endless = "cage():contour(field.plane(vector.create(0, 1, 0), 0), 0.1)\nreturn model {}";
    let fault = made(endless).unwrap_err().to_string();
    assert!(fault.contains("contour: the field is infinite"), "{fault}");
}

#[test]
fn errors_are_reported_with_their_positions() {
    let cases = [
        ("return 1", "return model"),
        (
            "print(feild)",
            "recipe.lua:4: there is no global \"feild\"; did you mean \"field\"?",
        ),
        (
            "field.bal(v(0, 0, 0), 1)",
            "field has no \"bal\"; did you mean \"ball\"?",
        ),
        (
            "field.ball(v(0, 0, 0), -1)",
            "recipe.lua:4: radius must be above 0",
        ),
        (
            "field.loft(v(0, 0, 0), v(1, 0, 0), v(1, 0, 0), {})",
            "across must not be parallel to along",
        ),
        (
            "field.loft(v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), { { 0, 0, 0, 1, 1 }, { 0, 0, 0, 1, 1 } })",
            "t must increase",
        ),
        ("c:quad(1, 2, 99)", "expected a point number from 1 to 4"),
        ("c:quad(1, 2, 2)", "three or four different points"),
        (
            "c:loop({ 1, 2 }, { v(0, 0, 0) })",
            "1 positions for 2 points",
        ),
        ("c:drop(1, 2, 3)", "no face with these corners"),
        (
            "part { cage = cage(), weights = 'root' }",
            "the cage has no faces",
        ),
        (
            "c:quad(1, 2, c:point(v(0, 0, 1)))\nc:quad(1, 2, c:point(v(0, 0, 2)))\npart { cage = c }",
            "more than two faces share the edge",
        ),
        ("part { cage = c, levels = 9 }", "levels"),
        (
            "bones { { 'a', 'b', v(0, 0, 0) } }",
            "there is no bone \"b\"",
        ),
        (
            "bones { { 'hips', false, v(0, 1, 0) }, { 'leg', 'hip', v(0, 0, 0) } }",
            "did you mean \"hips\"?",
        ),
        (
            "return model { parts = { part { cage = c, weights = 'rot' } }, materials = { skin = {} } }",
            "did you mean \"root\"?",
        ),
        (
            "return model { parts = { part { cage = c, weights = 'root' } }, materials = { skim = {} } }",
            "no material \"skin\"; did you mean \"skim\"?",
        ),
        (
            "return model { materials = { skin = { colour = v(1, 1, 1) } } }",
            "material \"skin\": unknown field \"colour\"; did you mean \"color\"?",
        ),
        (
            "return model { materials = { skin = { kind = 'skni' } } }",
            "did you mean \"skin\"?",
        ),
        (
            "part { cage = c, morphs = { { name = 'm', offsets = { [9] = v(0, 0, 0) } } } }",
            "expected point numbers from 1 to 4",
        ),
        (
            "sheet { layers = { { colour = v(1, 1, 1) } } }",
            "layer 1: unknown field \"colour\"; did you mean \"color\"?",
        ),
        (
            "sheet { wrinkles = { { name = 'brow', where = mask.noise { size = 1 }, shape = {} } } }",
            "wrinkles: \"brow\": unknown field \"shape\"; did you mean \"shapes\"?",
        ),
        (
            "sheet { wrinkles = { { name = 'brow' } } }",
            "wrinkles: \"brow\": where must be a Mask",
        ),
        (
            "sheet { wrinkles = { { name = 'brow', where = mask.noise { size = 1 }, layers = { { hight = 1 } } } } }",
            "wrinkles: \"brow\": layer 1: unknown field \"hight\"; did you mean \"height\"?",
        ),
        (
            "sheet { wrinkles = { { name = 'a', where = mask.noise { size = 1 }, map = 9 } } }",
            "\"a\": map must be from 1 to 8",
        ),
        (
            "mask.near(field.ball(v(0, 0, 0), 1), 1, 1)",
            "from and to must differ",
        ),
        (
            "return model { parts = { part { cage = c, sheet = 'skin' } } }",
            "unknown sheet \"skin\"",
        ),
        ("require '../../secret'", "is outside the recipe folder"),
        ("require './nothing'", "nothing.lua"),
    ];
    for (text, wanted) in cases {
        let told = fault(text);
        assert!(told.contains(wanted), "{text}: {told}");
    }
}

#[test]
fn a_recipe_that_never_ends_is_stopped_and_files_are_out_of_its_reach() {
    for endless in [
        "while true do end",
        "local t = {} while true do t[#t + 1] = string.rep('x', 1e6) end",
    ] {
        assert!(fault(endless).contains("exceeded its budget"), "{endless}");
    }
    for name in ["io", "os", "load", "dofile"] {
        assert!(
            fault(&format!("print({name}.x)")).contains("there is no global"),
            "{name}"
        );
    }
}

/// A ball with a cube as cage, with a seam around it, colours by position, and a dent in its normal map.
#[test]
fn a_texture_covers_every_point_once_with_the_sculpted_normals() {
    let text = "
        local v = vector.create
        local c = cage()
        local points = {}
        for _, z in { -1, 1 } do
            for _, y in { -1, 1 } do
                for _, x in { -1, 1 } do
                    table.insert(points, c:point(v(x, y, z) * 0.1))
                end
            end
        end
        for i, face in { { 1, 3, 4, 2 }, { 5, 6, 8, 7 }, { 1, 5, 6, 2 }, { 3, 7, 8, 4 }, { 1, 5, 7, 3 }, { 2, 4, 8, 6 } } do
            c:chart(if i <= 2 then `cap {i}` else 'side')
            c:quad(face[1], face[2], face[3], face[4])
        end
        c:seam { 1, 5 }
        local ball = field.ball(v(0, 0, 0), 0.12)
        local dent = ball:cut(field.ball(v(0, 0, 0.135), 0.03), 0.005)
        return model {
            parts = { part { name = 'ball', cage = c, field = ball, levels = 3, mirror = false, weights = 'root', sheet = 'all' } },
            sheets = { all = sheet {
                wrinkles = { size = 64, { name = 'dent', where = mask.near(field.plane(v(0, 0, -1), -0.1), 0, 0.01), sculpt = dent, shapes = { jawOpen = 1 } } },
                size = 256, sculpt = dent, shade = dent,
                layers = {
                    { color = v(1, 1, 1), roughness = 0.25 },
                    { color = v(1, 0, 0), where = mask.near(field.plane(v(1, 0, 0), 0), 0, 0.001) },
                    { roughness = 0.75, metallic = 1, where = mask.facing(v(0, 1, 0), 0.5, 0.6) },
                },
            } },
            materials = { skin = { sheet = 'all' } },
        }";
    let model = made(text).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(glb::write(&model), glb::write(&made(text).unwrap()));
    let (read, warnings) = {
        let read = galatea::asset::gltf::load_slice("ball", &glb::write(&model), &mut |_| {
            Err("alone".into())
        })
        .unwrap();
        (read.materials[0].wrinkles.clone(), read.warnings)
    };
    // Image indices change when the file is read; the rest is equal.
    let mut own = model.materials[0].wrinkles.clone().unwrap();
    let mut read = read.unwrap();
    assert_eq!(
        (own.masks.as_slice(), own.maps[0].normal),
        ([3].as_slice(), Some(4))
    );
    own.each_picture(|image| *image = 0);
    read.each_picture(|image| *image = 0);
    assert_eq!((own, warnings), (read, Vec::new()));
    let primitive = &model.meshes[0].primitives[0];
    assert!(
        primitive.positions.len() > 386,
        "corners at seams stand twice"
    );
    let pixel = |image: usize, uv: glam::Vec2| {
        let at = (uv * 256.0).as_uvec2().min(glam::UVec2::splat(255));
        let i = 4 * (at.y * 256 + at.x) as usize;
        let rgba = &model.images[image].rgba[i..i + 3];
        Vec3::new(f32::from(rgba[0]), f32::from(rgba[1]), f32::from(rgba[2])) / 255.0
    };
    let (mut seen, mut dented) = (0, 0);
    for t in primitive.indices.chunks(3) {
        let mean =
            |of: &dyn Fn(usize) -> Vec3| t.iter().map(|i| of(*i as usize)).sum::<Vec3>() / 3.0;
        let at = mean(&|i| primitive.positions[i]);
        let uv = mean(&|i| primitive.uv0[i].extend(0.0)).truncate();
        assert!(uv.min_element() >= 0.0 && uv.max_element() <= 1.0);
        let color = pixel(0, uv);
        if at.x.abs() > 0.01 {
            let red = at.x < 0.0;
            assert_eq!(color.y < 0.1, red, "{at} {color}");
            seen += 1;
        }
        let surface = pixel(2, uv);
        if at.y.abs() < 0.04 && at.z < 0.09 {
            assert!((surface.y - 0.25).abs() < 0.02 && surface.z < 0.02);
        } else if at.y > 0.09 {
            assert!((surface.y - 0.75).abs() < 0.02 && surface.z > 0.98);
        }
        // The map's normal in model space.
        let local = pixel(1, uv) * 2.0 - 1.0;
        let normal = mean(&|i| primitive.normals[i]).normalize();
        let tangent = mean(&|i| primitive.tangents[i].truncate()).normalize();
        let hand = primitive.tangents[t[0] as usize].w;
        let bent = tangent * local.x + normal.cross(tangent) * hand * local.y + normal * local.z;
        let wanted = if at.z > 0.1 && at.truncate().length() < 0.02 {
            dented += 1;
            // Inside of the dent it points towards the centre of the removed part.
            (Vec3::new(0.0, 0.0, 0.135) - at).normalize()
        } else if at.z < 0.09 {
            at.normalize()
        } else {
            continue;
        };
        assert!(
            bent.normalize().dot(wanted) > 0.97,
            "{at}: {bent} for {wanted}"
        );
    }
    assert!(seen > 500 && dented >= 2, "{seen} {dented}");
}
