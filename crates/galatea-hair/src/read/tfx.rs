//! TressFX 4 files: strands of equal point counts, four floats per point, of which the last is 0 for a fixed point.

use glam::Vec3;

use super::bytes::ByteCursor;
use super::{ReadError, ReadStrands};

/// Range of points per strand in the format.
const POINTS: std::ops::RangeInclusive<u32> = 2..=1024;
const HEADER: u64 = 160;

pub(super) fn read(file: &[u8]) -> Result<ReadStrands, ReadError> {
    let mut bytes = ByteCursor::new(file);
    bytes.expect("the header", HEADER)?;
    let version = bytes.f32("the version")?;
    let begin = &file[..16];
    if begin.iter().all(|byte| (b' '..=b'~').contains(byte)) {
        let begin = String::from_utf8_lossy(begin);
        let what = format!(
            "the file is text that begins with {begin:?}; text files of TressFX begin with \"version 2.0\" or \"numStrands\""
        );
        return Err(bytes.wrong(4, what));
    }
    if !(1.0..100.0).contains(&version) {
        let what = format!("the version is {version}; TressFX files have version 4.0");
        return Err(bytes.wrong(4, what));
    }
    let n_strands = bytes.u32("the number of strands")?;
    let n_points = bytes.u32("the number of points")?;
    if !POINTS.contains(&n_points) {
        let what = format!("a strand has {n_points} points; expected 2 to 1024");
        return Err(bytes.wrong(4, what));
    }
    let first = bytes.u32("the offset of the points")?;
    if u64::from(first) < HEADER {
        let what = format!("the points begin at byte {first}, inside the header");
        return Err(bytes.wrong(4, what));
    }
    bytes.at = first as usize;
    let what = format!("{n_strands} strands of {n_points} points");
    bytes.expect(&what, 16 * u64::from(n_strands) * u64::from(n_points))?;
    let mut strand = || -> Result<Vec<Vec3>, ReadError> {
        let mut points = Vec::with_capacity(n_points as usize);
        for _ in 0..n_points {
            points.push(bytes.vec3(&what)?);
            bytes.f32(&what)?;
        }
        Ok(points)
    };
    let strands = (0..n_strands).map(|_| strand());
    Ok((strands.collect::<Result<_, _>>()?, Vec::new()))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::read::StrandFormat;

    fn file(n_strands: u32, n_points: u32) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(4.0_f32.to_le_bytes());
        out.extend(
            [n_strands, n_points, 160]
                .iter()
                .flat_map(|n| n.to_le_bytes()),
        );
        out.resize(160, 0);
        for strand in 0..n_strands {
            for point in 0..n_points {
                for x in [
                    strand as f32,
                    point as f32,
                    0.0,
                    f32::from(u8::from(point > 1)),
                ] {
                    out.extend(x.to_le_bytes());
                }
            }
        }
        out
    }

    #[test]
    fn strands_are_read_without_the_fourth_number_of_their_points() {
        let groom = StrandFormat::TressFx.read(&file(3, 4)).unwrap();
        assert_eq!(groom.strands.len(), 3);
        assert_eq!(groom.strands[2][3], Vec3::new(2.0, 3.0, 0.0));
    }

    #[test]
    fn errors_in_a_file_are_reported() {
        let said = |bytes: &[u8]| StrandFormat::TressFx.read(bytes).unwrap_err().to_string();
        let whole = file(3, 4);
        assert_eq!(
            said(&whole[..300]),
            "the file has 300 bytes, but 3 strands of 4 points should end at byte 352; it may be cut off"
        );
        assert!(
            said(&whole[..100])
                .starts_with("the file has 100 bytes, but the header should end at byte 160")
        );
        assert_eq!(
            said(&file(3, 1)),
            "byte 8: a strand has 1 points; expected 2 to 1024"
        );
        let mut inside = whole.clone();
        inside[12..16].copy_from_slice(&8_u32.to_le_bytes());
        assert!(said(&inside).starts_with("byte 12: the points begin at byte 8"));
        let mut big_endian = whole;
        big_endian[..4].reverse();
        assert!(said(&big_endian).starts_with("byte 0: the version is "));
        assert_eq!(said(&file(0, 4)), "there are no valid strands");
        assert_eq!(
            said(&b"solid strand of hair, by lines ".repeat(6)),
            "byte 0: the file is text that begins with \"solid strand of \"; text files of TressFX begin with \"version 2.0\" or \"numStrands\""
        );
    }
}
