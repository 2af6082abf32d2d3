//! Projects in executables for other systems: formats, icons, and the content of an `.app`.

use std::fs;

use crate::bundle::{galatea, make, project, text, told};
use crate::contents;

/// The marker in every player.
const MARK: &[u8] = b"galatea-player can hold a project";

/// A minimal Windows program: headers and one section (PE format, 64 bits).
fn windows() -> Vec<u8> {
    let mut pe = vec![0; 0x400];
    let mut put = |at: usize, bytes: &[u8]| pe[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"MZ");
    put(0x3c, &0x80_u32.to_le_bytes());
    put(0x80, b"PE\0\0");
    put(0x84, &0x8664_u16.to_le_bytes());
    put(0x86, &1_u16.to_le_bytes());
    put(0x94, &0xf0_u16.to_le_bytes());
    put(0x96, &0x22_u16.to_le_bytes());
    let optional = 0x98;
    put(optional, &0x20b_u16.to_le_bytes());
    put(optional + 4, &0x200_u32.to_le_bytes());
    put(optional + 16, &0x1000_u32.to_le_bytes());
    put(optional + 20, &0x1000_u32.to_le_bytes());
    put(optional + 24, &0x1_4000_0000_u64.to_le_bytes());
    put(optional + 32, &0x1000_u32.to_le_bytes());
    put(optional + 36, &0x200_u32.to_le_bytes());
    put(optional + 40, &6_u16.to_le_bytes());
    put(optional + 48, &6_u16.to_le_bytes());
    put(optional + 56, &0x2000_u32.to_le_bytes());
    put(optional + 60, &0x200_u32.to_le_bytes());
    put(optional + 68, &3_u16.to_le_bytes());
    put(optional + 108, &16_u32.to_le_bytes());
    let section = optional + 0xf0;
    put(section, b".text");
    put(section + 8, &0x10_u32.to_le_bytes());
    put(section + 12, &0x1000_u32.to_le_bytes());
    put(section + 16, &0x200_u32.to_le_bytes());
    put(section + 20, &0x200_u32.to_le_bytes());
    put(section + 36, &0x6000_0020_u32.to_le_bytes());
    put(0x200, &[0xc3]);
    put(0x210, MARK);
    pe
}

#[test]
fn a_windows_program_gets_the_icon_and_invalid_icons_are_reported() {
    let project = project("icon");
    project.write("assets/icon.png", include_bytes!("../logo.png"));
    let settings = |icon: &str| format!("[window]\nicon = '{icon}'\n");
    project.write("galatea.toml", settings("assets/icon.png"));
    project.write("empty.exe", windows());
    let (runtime, program) = (project.0.join("empty.exe"), project.0.join("walk.exe"));
    make(&project, &program, &["--runtime", text(&runtime)]);
    let bytes = fs::read(&program).unwrap();
    // A GUI program, which opens no terminal.
    assert_eq!(bytes[0x98 + 68..][..2], [2, 0]);
    for side in [256_u32, 128, 48, 32, 24, 16] {
        let head = [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &side.to_be_bytes()[..]].concat();
        let n = bytes.windows(head.len()).filter(|at| *at == head).count();
        assert_eq!(n, 1, "{side}");
    }
    let back = project.0.join("back");
    let by_tool = galatea(&["bundle", "--unpack", text(&program), "-o", text(&back)]);
    assert!(by_tool.status.success(), "{}", told(&by_tool));
    assert!(contents(&back).contains_key("scripts/word.lua"));

    for (icon, why) in [
        (
            "assets/none.png",
            "[window] icon: assets/none.png: there is no such file",
        ),
        ("../icon.png", "leads out of the project"),
        ("scripts/main.lua", "is not a PNG, JPEG or WebP image"),
        (
            "assets/wide.png",
            "has 32 × 16 pixels; an icon must be a square",
        ),
    ] {
        project.write("assets/wide.png", wide());
        project.write("galatea.toml", settings(icon));
        let checked = galatea(&["check", text(&project.0)]);
        assert!(told(&checked).contains(why), "{}", told(&checked));
        assert_eq!(checked.status.code(), Some(1));
    }
}

/// A minimal macOS program: a header, and the segment before which a project is inserted (Mach-O, x86-64).
fn mac() -> Vec<u8> {
    let mut program = Vec::new();
    let mut put = |words: &[u32]| program.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    put(&[0xfeed_facf, 0x0100_0007, 3, 2, 1, 72, 0, 0]);
    put(&[0x19, 72]);
    program.extend_from_slice(b"__LINKEDIT\0\0\0\0\0\0");
    let mut put = |words: &[u64]| program.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    put(&[
        0x4000,
        0x1000,
        104,
        8 + MARK.len() as u64,
        0x1_0000_0001,
        0,
        0,
    ]);
    program.extend(MARK);
    program
}

#[test]
fn an_app_of_macos_has_a_name_a_version_and_an_icon() {
    let project = project("app");
    project.write("assets/icon.png", include_bytes!("../logo.png"));
    let settings = "name = 'Walk & talk'\n[window]\nicon = 'assets/icon.png'\n
        [bundle]\nversion = '1.2'\nidentifier = 'com.example.walk'\n";
    project.write("galatea.toml", settings);
    project.write("galatea-mac", mac());
    let (runtime, app) = (project.0.join("galatea-mac"), project.0.join("walk.app"));
    make(&project, &app, &["--runtime", text(&runtime)]);
    let about = fs::read_to_string(app.join("Contents/Info.plist")).unwrap();
    for (key, value) in [
        ("CFBundleExecutable", "walk"),
        ("CFBundleName", "Walk &amp; talk"),
        ("CFBundleIdentifier", "com.example.walk"),
        ("CFBundleShortVersionString", "1.2"),
        ("CFBundleIconFile", "icon"),
    ] {
        let row = format!("<key>{key}</key>\n\t<string>{value}</string>");
        assert!(about.contains(&row), "{row} in {about}");
    }

    let icon = fs::read(app.join("Contents/Resources/icon.icns")).unwrap();
    let length = |at: usize| u32::from_be_bytes(icon[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&icon[..4], length(4)), (&b"icns"[..], icon.len()));
    let mut sides = Vec::new();
    let mut at = 8;
    while at < icon.len() {
        let picture = &icon[at + 8..at + length(at + 4)];
        let shown = image::load_from_memory(picture).unwrap();
        assert_eq!(shown.width(), shown.height());
        let kind = String::from_utf8_lossy(&icon[at..at + 4]);
        sides.push(format!("{kind} {}", shown.width()));
        at += length(at + 4);
    }
    assert_eq!(sides, ["ic11 32", "ic12 64", "ic07 128"]);

    let (back, renamed) = (project.0.join("back"), project.0.join("stroll.app"));
    fs::rename(&app, &renamed).unwrap();
    let by_tool = galatea(&["bundle", "--unpack", text(&renamed), "-o", text(&back)]);
    assert!(by_tool.status.success(), "{}", told(&by_tool));
    assert!(contents(&back).contains_key("scripts/word.lua"));

    // No character that an identifier allows.
    project.write("galatea.toml", "name = '歩く'\n");
    make(&project, &app, &["--runtime", text(&runtime)]);
    let about = fs::read_to_string(app.join("Contents/Info.plist")).unwrap();
    assert!(about.contains("<string>galatea.game</string>"), "{about}");

    let whole = mac();
    for length in [40, 100, whole.len() - 1] {
        project.write("galatea-mac", &whole[..length]);
        let with = ["--runtime", text(&runtime), "-o", text(&app)];
        let cut = galatea(&[&["bundle", text(&project.0)][..], &with].concat());
        assert_eq!(cut.status.code(), Some(1), "{length}: {}", told(&cut));
        assert!(
            told(&cut).contains("galatea-mac: this program is incomplete"),
            "{}",
            told(&cut)
        );
    }
    let wrong = galatea(&["bundle", text(&project.0), "-o", text(&app)]);
    assert_eq!(wrong.status.code(), Some(1));
    let why = "an .app needs a player for macOS; give one with --runtime";
    assert!(told(&wrong).contains(why), "{}", told(&wrong));
}

/// An image of 32 × 16 pixels.
fn wide() -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, 32, 16);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[9; 32 * 16]).unwrap();
    writer.finish().unwrap();
    out
}
