//! Cem Yuksel's HAIR files (cemyuksel.com/research/hairmodels): a header of 128 bytes, then segments and points.

use super::bytes::ByteCursor;
use super::{ReadError, ReadStrands};

pub(super) const SIGNATURE: &[u8] = b"HAIR";
const HEADER: u64 = 128;
const HAS_SEGMENTS: u32 = 1;
const HAS_POINTS: u32 = 2;

pub(super) fn read(file: &[u8]) -> Result<ReadStrands, ReadError> {
    let mut bytes = ByteCursor::new(file);
    bytes.expect("the header", HEADER)?;
    bytes.at = SIGNATURE.len();
    let n_strands = bytes.u32("the number of strands")?;
    let n_points = bytes.u32("the number of points")?;
    let flags = bytes.u32("the flags")?;
    if flags & HAS_POINTS == 0 {
        let what = format!("the flags are {flags}: the file has no points");
        return Err(bytes.wrong(4, what));
    }
    let each = bytes.u32("the number of segments")?;
    bytes.at = HEADER as usize;
    let segments: Vec<u32> = if flags & HAS_SEGMENTS == 0 {
        let all = u64::from(n_strands) * (u64::from(each) + 1);
        if all != u64::from(n_points) {
            let what = format!(
                "{n_strands} strands of {each} segments have {all} points, but the header declares {n_points}"
            );
            return Err(ReadError::Wrong { at: 16, what });
        }
        vec![each; n_strands as usize]
    } else {
        let what = format!("the segments of {n_strands} strands");
        bytes.expect(&what, 2 * u64::from(n_strands))?;
        let counts = (0..n_strands).map(|_| bytes.u16(&what).map(u32::from));
        counts.collect::<Result<_, _>>()?
    };
    let expected: u64 = segments.iter().map(|n| u64::from(*n) + 1).sum();
    if expected != u64::from(n_points) {
        let what = format!(
            "the segments of the strands need {expected} points, but the header declares {n_points}"
        );
        return Err(ReadError::Wrong { at: 8, what });
    }
    let what = format!("{n_points} points");
    bytes.expect(&what, 12 * u64::from(n_points))?;
    let mut strands = Vec::with_capacity(segments.len());
    for n in segments {
        let points = (0..=n).map(|_| bytes.vec3(&what));
        strands.push(points.collect::<Result<_, _>>()?);
    }
    Ok((strands, Vec::new()))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::read::StrandFormat;

    /// Strands with these numbers of segments; `each` writes one number for all strands.
    fn file(segments: &[u16], each: Option<u32>) -> Vec<u8> {
        let n_points: u32 = segments.iter().map(|n| u32::from(*n) + 1).sum();
        let mut out = b"HAIR".to_vec();
        let flags = if each.is_some() { 2 } else { 3 };
        let words = [segments.len() as u32, n_points, flags, each.unwrap_or(0)];
        out.extend(words.iter().flat_map(|n| n.to_le_bytes()));
        out.resize(128, 0);
        if each.is_none() {
            out.extend(segments.iter().flat_map(|n| n.to_le_bytes()));
        }
        for i in 0..n_points * 3 {
            out.extend((i as f32).to_le_bytes());
        }
        out
    }

    #[test]
    fn strands_are_read_with_segments_of_their_own_and_of_all() {
        let bytes = file(&[2, 4], None);
        assert_eq!(StrandFormat::of("hair", &bytes), Some(StrandFormat::Yuksel));
        let groom = StrandFormat::Yuksel.read(&bytes).unwrap();
        assert_eq!(groom.strands[1].len(), 5);
        assert_eq!(groom.strands[1][0], Vec3::new(9.0, 10.0, 11.0));
        let same = StrandFormat::Yuksel.read(&file(&[3, 3], Some(3))).unwrap();
        assert_eq!(same.strands[1].len(), 4);
    }

    #[test]
    fn contradictory_counts_are_errors() {
        let said = |bytes: &[u8]| StrandFormat::Yuksel.read(bytes).unwrap_err().to_string();
        assert_eq!(
            said(&file(&[3, 2], Some(3))),
            "byte 16: 2 strands of 3 segments have 8 points, but the header declares 7"
        );
        let mut few = file(&[2, 4], None);
        few[8] = 9;
        assert_eq!(
            said(&few),
            "byte 8: the segments of the strands need 8 points, but the header declares 9"
        );
        let whole = file(&[2, 4], None);
        assert!(said(&whole[..whole.len() - 1]).contains("but 8 points should end at byte 228"));
        let mut none = whole;
        none[12] = 1;
        assert_eq!(
            said(&none),
            "byte 12: the flags are 1: the file has no points"
        );
    }
}
