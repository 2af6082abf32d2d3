//! A project inside of a program: where it lies in the formats of the three systems.

use anyhow::bail;
use libsui::{Elf, Macho, PortableExecutable, utils};

use super::SECTION;
use crate::app::png::{Compression, png_bytes};
use crate::asset::model::Image;
use crate::render::Picture;

/// A program with a project in a note (ELF), a section (Mach-O, signed anew for this machine) or a resource (PE).
pub fn joined(program: &[u8], packed: Vec<u8>, icon: Option<&Image>) -> anyhow::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(program.len() + packed.len() + (1 << 16));
    if utils::is_elf(program) {
        Elf::new(program).append(SECTION, &packed, &mut out)?;
    } else if utils::is_macho(program) {
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
        bail!("no program for Linux, macOS or Windows");
    }
    Ok(out)
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

/// Makes a program for Windows one with windows, which opens no terminal beside them (PE format: `Subsystem` of the optional
/// header, 3 for terminals, 2 for windows).
fn without_terminal(program: &mut [u8]) {
    let header = program.get(0x3c..0x40).and_then(|at| at.try_into().ok());
    let at = header.map(u32::from_le_bytes).unwrap_or_default() as usize + 24 + 68;
    if let Some(subsystem) = program.get_mut(at..at + 2).filter(|of| *of == [3, 0]) {
        subsystem.copy_from_slice(&[2, 0]);
    }
}
