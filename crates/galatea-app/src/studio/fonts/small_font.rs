//! A font for tests, generated in code: every character is a filled square.

/// A TrueType file in which each of these characters is one wide square.
pub fn small_font(family: &str, chars: &str) -> Vec<u8> {
    let mut codes: Vec<u32> = chars.chars().map(u32::from).collect();
    codes.sort_unstable();
    codes.dedup();
    // Glyph 0 is the box for missing characters, here without an outline; all characters are glyph 1.
    let square = square();
    let tables: [(&[u8; 4], Vec<u8>); 10] = [
        (b"OS/2", os2()),
        (b"cmap", cmap(&codes)),
        (b"glyf", square.clone()),
        (b"head", head()),
        (b"hhea", hhea()),
        (b"hmtx", words(&[1000, 0, 1000, 100])),
        (b"loca", words(&[0, 0, (square.len() / 2) as u16])),
        (b"maxp", [words(&[1, 0, 2, 4, 1]), vec![0; 22]].concat()),
        (b"name", name(family)),
        (b"post", [words(&[3, 0]), vec![0; 28]].concat()),
    ];
    let mut file = words(&[1, 0, tables.len() as u16, 128, 3, 32]);
    let mut offset = file.len() + 16 * tables.len();
    for (tag, table) in &tables {
        file.extend(*tag);
        for value in [0, offset as u32, table.len() as u32] {
            file.extend(value.to_be_bytes());
        }
        offset += table.len().next_multiple_of(4);
    }
    for (_, table) in &tables {
        file.extend(table);
        file.resize(file.len().next_multiple_of(4), 0);
    }
    file
}

fn words(values: &[u16]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_be_bytes())
        .collect()
}

fn cmap(codes: &[u32]) -> Vec<u8> {
    // One encoding, of all of Unicode, in format 12.
    let mut table = words(&[0, 1, 3, 10, 0, 12, 12, 0]);
    for value in [16 + 12 * codes.len() as u32, 0, codes.len() as u32] {
        table.extend(value.to_be_bytes());
    }
    for code in codes {
        for value in [*code, *code, 1] {
            table.extend(value.to_be_bytes());
        }
    }
    table
}

/// Corners at 100 and 900 of 1000 units, on the curve, as 16-bit differences.
fn square() -> Vec<u8> {
    let back = (-800_i16).cast_unsigned();
    let mut glyph = words(&[1, 100, 0, 900, 800, 3, 0]);
    glyph.extend([1, 1, 1, 1]);
    glyph.extend(words(&[100, 0, 800, 0]));
    glyph.extend(words(&[0, 800, 0, back]));
    glyph
}

fn head() -> Vec<u8> {
    let mut table = words(&[1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 1000]);
    table.extend([0; 16]);
    table.extend(words(&[0, 0, 1000, 1000, 0, 8, 2, 0, 0]));
    table
}

fn hhea() -> Vec<u8> {
    let down = (-200_i16).cast_unsigned();
    let mut table = words(&[1, 0, 800, down, 0, 1000]);
    table.extend([0; 22]);
    table.extend(words(&[2]));
    table
}

fn os2() -> Vec<u8> {
    // Version 4 with the weight 400 and the width "normal".
    let mut table = words(&[4, 1000, 400, 5]);
    table.resize(96, 0);
    table
}

fn name(family: &str) -> Vec<u8> {
    let text: Vec<u8> = family.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let n = text.len() as u16;
    let mut table = words(&[0, 2, 6 + 2 * 12]);
    // The family and the PostScript name, for Windows in American English.
    for id in [1, 6] {
        table.extend(words(&[3, 1, 0x409, id, n, 0]));
    }
    table.extend(text);
    table
}
