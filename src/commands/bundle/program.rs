//! Embeds a project into an executable, in the formats of the three systems.

use anyhow::{bail, ensure};
use libsui::{Elf, Macho, PortableExecutable, utils};

use galatea_app::png::{Compression, png_bytes};
use galatea_asset::model::Image;
use galatea_player::SECTION;
use galatea_render::Picture;

/// A program with the project in a note (ELF), a section (Mach-O, signed again ad hoc) or a resource (PE).
pub fn joined(program: &[u8], packed: Vec<u8>, icon: Option<&Image>) -> anyhow::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(program.len() + packed.len() + (1 << 16));
    if utils::is_elf(program) {
        Elf::new(program).append(SECTION, &packed, &mut out)?;
    } else if utils::is_macho(program) {
        ensure!(is_whole(program), "this program is incomplete or damaged");
        let program = Macho::from(program.to_vec())?;
        program
            .write_section(SECTION, packed)?
            .build_and_sign(&mut out)?;
    } else if utils::is_pe(program) {
        let mut program = program.to_vec();
        without_terminal(&mut program);
        let mut program = PortableExecutable::from(&program)?;
        if let Some(icon) = icon {
            program = program.set_icon(png(icon.clone())?)?;
        }
        program.write_resource(SECTION, packed)?.build(&mut out)?;
    } else {
        bail!("not a program for Linux, macOS or Windows");
    }
    Ok(out)
}

/// Returns true if all segments of a macOS program are inside of its file (Mach-O, 64 bits: commands with kind and length;
/// segments have kind 0x19, with offset and size of their bytes).
fn is_whole(program: &[u8]) -> bool {
    let four = |at: usize| {
        Some(u32::from_le_bytes(
            program.get(at..at + 4)?.try_into().ok()?,
        ))
    };
    let eight = |at: usize| {
        Some(u64::from_le_bytes(
            program.get(at..at + 8)?.try_into().ok()?,
        ))
    };
    let walk = || {
        let mut at = 32;
        for _ in 0..four(16)? {
            let (kind, length) = (four(at)?, four(at + 4)? as usize);
            let end = match kind {
                0x19 => eight(at + 40)?.checked_add(eight(at + 48)?)?,
                _ => 0,
            };
            at += length;
            let is_in = length >= 8 && at <= program.len() && end <= program.len() as u64;
            is_in.then_some(())?;
        }
        Some(())
    };
    walk().is_some()
}

/// An icon as PNG.
pub fn png(icon: Image) -> anyhow::Result<Vec<u8>> {
    let picture = Picture {
        width: icon.width,
        height: icon.height,
        rgba: icon.rgba,
    };
    Ok(png_bytes(&picture, Compression::Fast)?)
}

/// Makes a Windows program a GUI program, which opens no terminal (PE format: `Subsystem` of the optional header, 3 for
/// console, 2 for GUI).
fn without_terminal(program: &mut [u8]) {
    let header = program.get(0x3c..0x40).and_then(|at| at.try_into().ok());
    let at = header.map(u32::from_le_bytes).unwrap_or_default() as usize + 24 + 68;
    if let Some(subsystem) = program.get_mut(at..at + 2).filter(|of| *of == [3, 0]) {
        subsystem.copy_from_slice(&[2, 0]);
    }
}
