//! The `.app` folder of macOS programs with name, icon and version (Apple, Bundle Programming Guide).

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use image::imageops::{FilterType, resize};
use image::{ImageBuffer, Rgba};
use quick_xml::escape::escape;

use super::program::png;
use galatea_asset::model::Image;
use galatea_asset::{Project, write_program, write_whole};

/// Icon sizes in pixels, with their type codes (Apple Icon Image).
const SIDES: [(u32, &[u8; 4]); 6] = [
    (32, b"ic11"),
    (64, b"ic12"),
    (128, b"ic07"),
    (256, b"ic08"),
    (512, b"ic09"),
    (1024, b"ic10"),
];
/// Folder of the program inside of the `.app`.
const PROGRAMS: &str = "Contents/MacOS";
/// Smallest icon size that is always written, even from a smaller image.
const MIN_SIDE: u32 = 128;

/// Returns true if the output is an `.app` folder.
pub fn is_app(output: &Path) -> bool {
    output
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("app"))
}

/// The program in an `.app` folder, which may have been renamed.
pub fn program_in(app: &Path) -> Option<PathBuf> {
    let inside = fs::read_dir(app.join(PROGRAMS))
        .ok()
        .filter(|_| is_app(app))?;
    let mut files = inside.flatten().map(|entry| entry.path());
    files.find(|file| file.is_file())
}

/// Writes the `.app` folder.
///
/// # Errors
/// When the program is not for macOS, or a file cannot be written.
pub fn write(
    app: &Path,
    program: &[u8],
    project: &Project,
    icon: Option<&Image>,
) -> anyhow::Result<()> {
    ensure!(
        libsui::utils::is_macho(program),
        "{}: an .app needs a player for macOS; give one with --runtime",
        app.display()
    );
    let name = app.file_stem().and_then(|name| name.to_str());
    let name = name.with_context(|| format!("{}: the name is not valid UTF-8", app.display()))?;
    write_program(&app.join(PROGRAMS).join(name), program)?;
    let contents = app.join("Contents");
    let put = |name: &str, bytes: Vec<u8>| write_whole(&contents.join(name), &bytes);
    if let Some(icon) = icon {
        put("Resources/icon.icns", icns(icon)?)?;
    }
    put(
        "Info.plist",
        info_plist(project, name, icon.is_some()).into(),
    )?;
    Ok(())
}

/// Content of `Info.plist`.
fn info_plist(project: &Project, program: &str, has_icon: bool) -> String {
    let settings = &project.settings.bundle;
    let name = project.name();
    let identifier = settings.identifier.clone().unwrap_or_else(|| {
        // Identifiers allow only these characters; some names have none of them.
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        format!("galatea.{}", if plain.is_empty() { "game" } else { &plain })
    });
    let mut rows = vec![
        ("CFBundleExecutable", program),
        ("CFBundleIdentifier", &identifier),
        ("CFBundleInfoDictionaryVersion", "6.0"),
        ("CFBundleName", &name),
        ("CFBundlePackageType", "APPL"),
        ("CFBundleShortVersionString", &settings.version),
        ("CFBundleVersion", &settings.version),
        ("LSMinimumSystemVersion", "11.0"),
    ];
    if has_icon {
        rows.push(("CFBundleIconFile", "icon"));
    }
    let rows: String = rows
        .iter()
        .map(|(key, value)| {
            format!(
                "\t<key>{key}</key>\n\t<string>{}</string>\n",
                escape(*value)
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n{rows}\t<key>NSHighResolutionCapable</key>\n\t<true/>\n</dict>\n</plist>\n"
    )
}

/// An icon file in all sizes that the image is large enough for.
fn icns(icon: &Image) -> anyhow::Result<Vec<u8>> {
    let picture = ImageBuffer::<Rgba<u8>, _>::from_raw(icon.width, icon.height, &icon.rgba[..]);
    let picture = picture.context("the pixel data of the icon is incomplete")?;
    let mut parts = Vec::new();
    for (side, kind) in SIDES {
        if side > icon.width.max(MIN_SIDE) {
            break;
        }
        let rgba = resize(&picture, side, side, FilterType::Lanczos3).into_raw();
        let bytes = png(Image {
            name: String::new(),
            width: side,
            height: side,
            rgba,
        })?;
        parts.extend_from_slice(kind);
        parts.extend_from_slice(&length(bytes.len())?);
        parts.extend_from_slice(&bytes);
    }
    let mut out = b"icns".to_vec();
    out.extend_from_slice(&length(parts.len())?);
    out.extend_from_slice(&parts);
    Ok(out)
}

/// Length of a part, including its header of eight bytes.
fn length(bytes: usize) -> anyhow::Result<[u8; 4]> {
    Ok(u32::try_from(bytes + 8)?.to_be_bytes())
}
