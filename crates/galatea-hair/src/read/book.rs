//! The book's binary file (Table 15.1): a version, the number of lines, and for each line the number of points and their
//! positions.

use super::bytes::ByteCursor;
use super::{ReadError, ReadStrands};

/// Maximum version. A higher number means the opposite byte order.
const MAX_VERSION: u32 = 0xffff;
/// Maximum number of points per line; a higher number is an error.
const MAX_POINTS: u32 = 1 << 16;

pub(super) fn read(file: &[u8]) -> Result<ReadStrands, ReadError> {
    let mut bytes = ByteCursor::new(file);
    let mut warnings = Vec::new();
    if bytes.u32("the version")? > MAX_VERSION {
        bytes.is_big = true;
        bytes.at = 0;
        let version = bytes.u32("the version")?;
        if version > MAX_VERSION {
            let what = format!(
                "the version is {} (little-endian) or {version} (big-endian); this is not a hair file",
                version.swap_bytes()
            );
            return Err(bytes.wrong(4, what));
        }
        warnings.push("the file was read as big-endian".to_owned());
    }
    let n_lines = bytes.u32("the number of lines")?;
    // A line has at least four bytes.
    bytes.expect(&format!("the {n_lines} lines"), 4 * u64::from(n_lines))?;
    let mut strands = Vec::new();
    for line in 1..=n_lines {
        let n = bytes.u32(&format!("the number of points of line {line}"))?;
        if n > MAX_POINTS {
            let what = format!("line {line} has {n} points; the limit is {MAX_POINTS}");
            return Err(bytes.wrong(4, what));
        }
        let what = format!("line {line} of {n_lines} with {n} points");
        bytes.expect(&what, 12 * u64::from(n))?;
        let points = (0..n).map(|_| bytes.vec3(&what));
        strands.push(points.collect::<Result<_, _>>()?);
    }
    if bytes.left() > 0 {
        warnings.push(format!(
            "{} bytes after the last line were ignored",
            bytes.left()
        ));
    }
    Ok((strands, warnings))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::read::StrandFormat;

    /// Two lines, with three points and two points.
    fn file(word: fn(u32) -> [u8; 4]) -> Vec<u8> {
        let float = |x: f32| x.to_bits();
        let mut words = vec![1, 2, 3];
        words.extend((0..9).map(|i| float(i as f32)));
        words.push(2);
        words.extend((0..6).map(|i| float(i as f32 * 0.5)));
        words.into_iter().flat_map(word).collect()
    }

    #[test]
    fn lines_of_unequal_counts_are_read_in_either_order_of_bytes() {
        let groom = StrandFormat::Book.read(&file(u32::to_le_bytes)).unwrap();
        assert!(groom.warnings.is_empty());
        assert_eq!(groom.strands[0][1], Vec3::new(3.0, 4.0, 5.0));
        assert_eq!(groom.strands[1].len(), 2);
        let big_endian = StrandFormat::Book.read(&file(u32::to_be_bytes)).unwrap();
        assert_eq!(big_endian.strands, groom.strands);
        assert_eq!(big_endian.warnings, ["the file was read as big-endian"]);
    }

    #[test]
    fn errors_in_a_file_name_their_byte() {
        let whole = file(u32::to_le_bytes);
        let said = |bytes: &[u8]| StrandFormat::Book.read(bytes).unwrap_err().to_string();
        assert_eq!(
            said(&whole[..60]),
            "the file has 60 bytes, but line 2 of 2 with 2 points should end at byte 76; it may be cut off"
        );
        assert!(
            said(&[]).starts_with("the file has 0 bytes, but the version should end at byte 4")
        );
        let mut many = whole.clone();
        many[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(said(&many).contains("but the 4294967295 lines should end at byte 17179869188"));
        let mut long = whole.clone();
        long[8..12].copy_from_slice(&70_000_u32.to_le_bytes());
        assert_eq!(
            said(&long),
            "byte 8: line 1 has 70000 points; the limit is 65536"
        );
        assert!(said(b"#VRML V2.0 utf8").starts_with("byte 0: the version is "));
        let mut tail = whole;
        tail.extend([0; 3]);
        let groom = StrandFormat::Book.read(&tail).unwrap();
        assert_eq!(groom.warnings, ["3 bytes after the last line were ignored"]);
    }
}
