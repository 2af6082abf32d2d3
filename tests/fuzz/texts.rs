//! Settings files, input recordings, conditions, shaders, checked scripts, hair, trained networks.

use galatea::app::PlayerProfile;
use galatea::app::recording::InputRecording;
use galatea::asset::Project;
use galatea::hair::StrandFormat;
use galatea::lint::{input_names, lint};
use galatea::machine::condition::{Builtins, Condition, ParamType};
use galatea::render::ShaderSource;
use galatea::script::GROUPS;

use crate::folder::Folder;
use crate::mutate::InputFormat;
use crate::target::Target;

pub const TARGETS: &[Target] = &[
    Target::new("settings", InputFormat::Text, 200)
        .seeds(|| text_seeds(&[include_str!("../../galatea.toml"), SETTINGS]))
        .run(open_project),
    Target::new("bindings", InputFormat::Text, 200)
        .seeds(|| text_seeds(&["# keys\n\n[actions]\njump = [\"space\", \"pad_south\"]\n\n[axes.move]\nnegative = [\"a\"]\npositive = [\"d\"]\nstick = [\"pad_left_x\"]\n"]))
        .run(|bytes| {
            let folder = Folder::new("fuzz-bindings");
            folder.write("bindings.toml", bytes);
            folder.write("scripts/main.lua", "");
            PlayerProfile::here(&Project::open(&folder.0).unwrap());
        }),
    Target::new("inputs", InputFormat::Text, 300)
        .seeds(|| text_seeds(&[INPUTS]))
        .run(|bytes| {
            if let Ok(read) = InputRecording::parse(&String::from_utf8_lossy(bytes)) {
                assert!(read.events.iter().all(|event| event.t >= 0.0));
            }
        }),
    Target::new("condition", InputFormat::Text, 500)
        .seeds(|| text_seeds(&["speed > 1 and not jumping or (a - b) * 2 >= phase", "clip_left < 0.2 and loops == 3"]))
        .run(check_condition),
    Target::new("shader", InputFormat::Text, 40)
        .seeds(|| text_seeds(&[
            include_str!("../../shaders/tonemap.wgsl"),
            include_str!("../../shaders/smooth.wgsl"),
            "#include \"inc/color.wgsl\"\n@fragment fn fs() -> @location(0) vec4f { return vec4f(1.0); }\n",
        ]))
        .run(check_shader),
    Target::new("lint", InputFormat::Text, 40)
        .seeds(|| text_seeds(&[
            include_str!("../api_machine.lua"),
            include_str!("../../scripts/play.lua"),
        ]))
        .run(|bytes| {
            let scripts = [("main.lua".to_owned(), String::from_utf8_lossy(bytes).into_owned())];
            lint(&scripts, GROUPS);
            input_names(&scripts);
        }),
    Target::new("hair", InputFormat::Bytes, 300)
        .seeds(hair_files)
        .run(read_hair),
    Target::new("hair-text", InputFormat::Text, 200)
        .seeds(|| text_seeds(&["version 2.0\nnumStrands 2\nis sorted 1\nstrand 0 numVerts 3 texcoord 0 0\n0 0 0\n0 1 0\n0 2 0\nstrand 1 numVerts 2\n1 0 0\n1 1 -1.#INF\n"]))
        .run(read_hair),
];

/// Texts as seeds.
pub fn text_seeds(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

const SETTINGS: &str = "name = \"demo\"\n[window]\nwidth = 800\nheight = 600\ntitle = \"x\"\n[script]\nmain = \"scripts/main.lua\"\nseed = 4\nbudget = 100000\nmemory_mb = 64\n[render]\nmsaa = 4\n[audio]\nvolume = 0.5\n[assets]\nshare = [\"../common\"]\n";

const INPUTS: &str = "{\"recording\":{\"version\":1,\"seed\":1}}\n{\"t\":0.5,\"down\":\"w\"}\n# remark\n{\"t\":1,\"up\":\"w\"}\n{\"t\":1.5,\"axis\":[\"pad_left_x\",0.5]}\n\
    {\"t\":2,\"pointer\":[0.5,0.5]}\n{\"t\":2,\"turn\":[1,2]}\n{\"t\":2.5,\"pan\":[0.1,0.1]}\n{\"t\":3,\"zoom\":0.1}\n\
    {\"t\":4,\"stopped\":1}\n{\"t\":4,\"checksum\":{\"camera\":1,\"characters\":2,\"crowds\":3,\"random\":4,\"ui\":5}}\n";

fn open_project(bytes: &[u8]) {
    let folder = Folder::new("fuzz-settings");
    folder.write("galatea.toml", bytes);
    folder.write("scripts/main.lua", "");
    if let Ok(project) = Project::open(&folder.0) {
        project.name();
        // Refused or read: both are fine.
        let _ = project.icon();
        project.scripts();
    }
}

fn check_condition(bytes: &[u8]) {
    let params = [
        ("speed", ParamType::Number),
        ("jumping", ParamType::Bool),
        ("a", ParamType::Number),
        ("b", ParamType::Number),
    ];
    let text = String::from_utf8_lossy(bytes);
    if let Ok(condition) = Condition::compile(&text, &params) {
        let builtins = Builtins {
            state_time: f32::NAN,
            clip_time: f32::INFINITY,
            clip_left: -1.0,
            phase: 0.5,
            loops: 1e30,
        };
        condition.holds(&[1.0, 1.0, f32::NAN, 0.0], &builtins);
        condition.holds(&[], &builtins);
    }
}

fn check_shader(bytes: &[u8]) {
    let mut source = ShaderSource::embedded();
    source.replace("tonemap.wgsl", String::from_utf8_lossy(bytes));
    if let Ok(assembled) = source.assemble("tonemap.wgsl") {
        // Refused or valid: both are fine.
        let _ = assembled.check();
    }
}

fn read_hair(bytes: &[u8]) {
    for extension in ["tfx", "hair"] {
        let Some(format) = StrandFormat::of(extension, bytes) else {
            continue;
        };
        if let Ok(groom) = format.read(bytes) {
            let mut points = groom.strands.iter().flatten();
            assert!(points.all(|point| point.is_finite()));
        }
    }
}

/// Hair files of three formats, each with two strands: Character Animation with Direct3D (Granberg 2009), TressFX 4,
/// and Yuksel's HAIR.
fn hair_files() -> Vec<Vec<u8>> {
    let points = [[0.0f32, 0.0, 0.0], [0.0, 1.0, 0.0], [0.1, 2.0, 0.0]];
    let mut book = Vec::new();
    for word in [1u32, 2] {
        book.extend(word.to_le_bytes());
    }
    for _ in 0..2 {
        book.extend(3u32.to_le_bytes());
        book.extend(points.iter().flatten().flat_map(|x| x.to_le_bytes()));
    }
    let mut tfx = 4.0f32.to_le_bytes().to_vec();
    tfx.extend([2u32, 3, 160].iter().flat_map(|n| n.to_le_bytes()));
    tfx.resize(160, 0);
    for point in [points, points].iter().flatten() {
        tfx.extend(point.iter().chain(&[1.0]).flat_map(|x| x.to_le_bytes()));
    }
    let mut yuksel = b"HAIR".to_vec();
    yuksel.extend([2u32, 6, 3, 2].iter().flat_map(|n| n.to_le_bytes()));
    yuksel.resize(128, 0);
    yuksel.extend([2u16, 2].iter().flat_map(|n| n.to_le_bytes()));
    for point in [points, points].iter().flatten() {
        yuksel.extend(point.iter().flat_map(|x| x.to_le_bytes()));
    }
    vec![book, tfx, yuksel]
}
