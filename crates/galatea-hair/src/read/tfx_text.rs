//! Text files of TressFX 1 to 3: a header with one keyword per line, then each strand with its vertices, one per line.

use glam::{Affine3A, Quat, Vec3};

use super::{ReadError, ReadStrands};

/// First words of such a file; files before version 2.0 have no `version` line.
const BEGINNINGS: [&[u8]; 2] = [b"version", b"numStrands"];
/// Maximum number of vertices per strand; a higher number is an error.
const MAX_VERTICES: usize = 1 << 16;
/// Keywords whose values are not used: all vertices are read, and every strand becomes a guide or follows guides.
const UNUSED: [&str; 5] = [
    "bothEndsImmovable",
    "maxNumVerticesInStrand",
    "numFollowHairsPerGuideHair",
    "maxRadiusAroundGuideHair",
    "is",
];
/// Marks infinity and NaN as printed by DirectX programs, for example `-1.#INF`.
const NOT_FINITE: char = '#';

/// Returns true if a file is text, from its first bytes.
pub(super) fn is_text(file: &[u8]) -> bool {
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let file = file.trim_ascii_start();
    BEGINNINGS.iter().any(|word| file.starts_with(word))
}

pub(super) fn read(file: &[u8]) -> Result<ReadStrands, ReadError> {
    let mut lines = TextLines::new(file);
    let mut warnings = Vec::new();
    let (header, mut next) = read_header(&mut lines, &mut warnings)?;
    let mut strands = Vec::new();
    let mut n_skipped = 0;
    while let Some(tokens) = next.take() {
        if strands.len() == header.n_strands {
            warnings.push(format!(
                "line {}: the lines after strand {} were ignored, because numStrands is {}",
                lines.number,
                strands.len(),
                header.n_strands
            ));
            break;
        }
        let strand = read_strand(&mut lines, &tokens, strands.len(), &mut n_skipped)?;
        strands.push(strand);
        next = lines.next()?;
    }
    if strands.len() < header.n_strands {
        let what = format!(
            "the file ends after {} of {} strands; it may be cut off",
            strands.len(),
            header.n_strands
        );
        return Err(lines.wrong(what));
    }
    if n_skipped > 0 {
        warnings.push(format!(
            "{n_skipped} vertices that are NaN or infinite were left out"
        ));
    }
    for point in strands.iter_mut().flatten() {
        *point = header.transform.transform_point3(*point);
    }
    Ok((strands, warnings))
}

/// Values of the header.
struct TextHeader {
    n_strands: usize,
    transform: Affine3A,
}

/// Reads the header, and returns it with the tokens of the first line after it.
fn read_header<'a>(
    lines: &mut TextLines<'a>,
    warnings: &mut Vec<String>,
) -> Result<(TextHeader, Option<Vec<&'a str>>), ReadError> {
    let mut n_strands = None;
    let (mut scale, mut rotation, mut translation) = (1.0, Vec3::ZERO, Vec3::ZERO);
    let mut next = None;
    while let Some(tokens) = lines.next()? {
        match tokens[0] {
            "version" => {
                let version = lines.number_at(&tokens, 1, "version")?;
                if !(1.0..4.0).contains(&version) {
                    let what = format!(
                        "version {version} is not supported; text files have version 1.0 to 3.x"
                    );
                    return Err(lines.wrong(what));
                }
            }
            "scale" => scale = lines.number_at(&tokens, 1, "scale")?,
            "rotation" => rotation = lines.vector_at(&tokens, 1, "rotation")?,
            "translation" => translation = lines.vector_at(&tokens, 1, "translation")?,
            "numStrands" => n_strands = Some(lines.count_at(&tokens, 1, "numStrands")?),
            "strand" => {
                next = Some(tokens);
                break;
            }
            word if UNUSED.contains(&word) => {}
            word => warnings.push(format!(
                "line {}: unknown keyword {word:?}; the line was ignored",
                lines.number
            )),
        }
    }
    let n_strands = n_strands.ok_or_else(|| {
        lines.wrong("the header has no line \"numStrands N\" before the first strand".into())
    })?;
    // Same as XMMatrixRotationRollPitchYaw of DirectX: about Z, then X, then Y, radians.
    let orientation = Quat::from_rotation_y(rotation.y)
        * Quat::from_rotation_x(rotation.x)
        * Quat::from_rotation_z(rotation.z);
    let header = TextHeader {
        n_strands,
        transform: Affine3A::from_scale_rotation_translation(
            Vec3::splat(scale),
            orientation,
            translation,
        ),
    };
    Ok((header, next))
}

/// Reads the vertices of the strand whose first line has these tokens: `strand 0 numVerts 16 texcoord 0.5 0.25`.
fn read_strand(
    lines: &mut TextLines,
    tokens: &[&str],
    index: usize,
    n_skipped: &mut usize,
) -> Result<Vec<Vec3>, ReadError> {
    let known = tokens.iter().position(|token| *token == "numVerts");
    let (Some(known), "strand") = (known, tokens[0]) else {
        let what = format!(
            "expected \"strand {index} numVerts …\", got {:?}",
            tokens.join(" ")
        );
        return Err(lines.wrong(what));
    };
    let n = lines.count_at(tokens, known + 1, "numVerts")?;
    if n > MAX_VERTICES {
        let what = format!("strand {index} has {n} vertices; the limit is {MAX_VERTICES}");
        return Err(lines.wrong(what));
    }
    let mut points = Vec::new();
    for i in 0..n {
        let Some(tokens) = lines.next()? else {
            let what = format!(
                "the file ends after {i} of {n} vertices of strand {index}; it may be cut off"
            );
            return Err(lines.wrong(what));
        };
        if tokens[0] == "strand" {
            let what = format!("strand {index} has {i} vertices, but its numVerts is {n}");
            return Err(lines.wrong(what));
        }
        if tokens.iter().any(|token| token.contains(NOT_FINITE)) {
            *n_skipped += 1;
            continue;
        }
        points.push(lines.vector_at(&tokens, 0, "a vertex")?);
    }
    Ok(points)
}

/// The non-empty lines of a text, with their numbers.
struct TextLines<'a> {
    left: &'a [u8],
    /// Number of the last line, from 1.
    number: usize,
}

impl<'a> TextLines<'a> {
    fn new(file: &'a [u8]) -> Self {
        Self {
            left: file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file),
            number: 0,
        }
    }

    /// Tokens of the next line, at least one; they are separated by spaces or commas.
    fn next(&mut self) -> Result<Option<Vec<&'a str>>, ReadError> {
        while !self.left.is_empty() {
            let end = self.left.iter().position(|byte| *byte == b'\n');
            let (line, left) = match end {
                Some(end) => (&self.left[..end], &self.left[end + 1..]),
                None => (self.left, &self.left[self.left.len()..]),
            };
            self.left = left;
            self.number += 1;
            let line = std::str::from_utf8(line)
                .map_err(|_| self.wrong("the line is not UTF-8 text".into()))?;
            let is_gap = |c: char| c.is_whitespace() || c == ',' || c == '\0';
            let tokens: Vec<&str> = line.split(is_gap).filter(|t| !t.is_empty()).collect();
            if !tokens.is_empty() {
                return Ok(Some(tokens));
            }
        }
        Ok(None)
    }

    fn wrong(&self, what: String) -> ReadError {
        ReadError::Line {
            line: self.number.max(1),
            what,
        }
    }

    fn number_at(&self, tokens: &[&str], at: usize, what: &str) -> Result<f32, ReadError> {
        let token = tokens.get(at).copied().unwrap_or_default();
        let number = token.parse().ok().filter(|number: &f32| number.is_finite());
        number.ok_or_else(|| self.wrong(format!("{what}: expected a number, got {token:?}")))
    }

    fn count_at(&self, tokens: &[&str], at: usize, what: &str) -> Result<usize, ReadError> {
        let token = tokens.get(at).copied().unwrap_or_default();
        let count = token.parse().ok();
        count.ok_or_else(|| self.wrong(format!("{what}: expected a whole number, got {token:?}")))
    }

    fn vector_at(&self, tokens: &[&str], at: usize, what: &str) -> Result<Vec3, ReadError> {
        if tokens.len() < at + 3 {
            let line = tokens.join(" ");
            return Err(self.wrong(format!("{what}: expected three numbers, got {line:?}")));
        }
        Ok(Vec3::new(
            self.number_at(tokens, at, what)?,
            self.number_at(tokens, at + 1, what)?,
            self.number_at(tokens, at + 2, what)?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::read::StrandFormat;

    const HEADER: &str = "version 2.0\nscale 1.0\nrotation 0 0 0\ntranslation 0 0 0\nbothEndsImmovable 0\n\
        maxNumVerticesInStrand 3\nnumFollowHairsPerGuideHair 4\nmaxRadiusAroundGuideHair 0.5\nnumStrands 2\nis sorted 1\n";
    const STRANDS: &str = "strand 0 numVerts 3 texcoord 0.5 0.25\n0 1 0\n0 2 0\n0 3 0.5\n\
        strand 1 numVerts 2 texcoord 0.000000 000000\n1.5, 1, 0\n1.5, 2e0, 0\n";

    fn strands(text: &str) -> Vec<Vec<Vec3>> {
        let format = StrandFormat::of("tfx", text.as_bytes()).unwrap();
        assert_eq!(format, StrandFormat::TressFxText);
        format.read(text.as_bytes()).unwrap().strands
    }

    fn error(text: &str) -> String {
        let error = StrandFormat::TressFxText.read(text.as_bytes());
        error.unwrap_err().to_string()
    }

    #[test]
    fn text_files_are_read_with_spaces_commas_and_either_line_end() {
        let read = strands(&format!("{HEADER}{STRANDS}"));
        assert_eq!(read.len(), 2);
        assert_eq!(read[0][2], Vec3::new(0.0, 3.0, 0.5));
        assert_eq!(
            read[1],
            [Vec3::new(1.5, 1.0, 0.0), Vec3::new(1.5, 2.0, 0.0)]
        );
        let windows = format!("\u{feff}{HEADER}{STRANDS}").replace('\n', "\r\n");
        assert_eq!(strands(&windows), read);
        // Files before version 2.0.
        let first = format!("numStrands 2\nis sorted 1\n\n{STRANDS}");
        assert_eq!(strands(&first), read);
    }

    #[test]
    fn the_header_scales_rotates_and_moves_strands() {
        let header = HEADER
            .replace("scale 1.0", "scale 0.1")
            .replace("rotation 0 0 0", "rotation 0 0 1.5707963")
            .replace("translation 0 0 0", "translation 0 1.6 0");
        let read = strands(&format!("{header}{STRANDS}"));
        assert!(read[0][0].distance(Vec3::new(-0.1, 1.6, 0.0)) < 1e-6);
        assert!(read[0][2].distance(Vec3::new(-0.3, 1.6, 0.05)) < 1e-6);
    }

    #[test]
    fn errors_name_the_line() {
        let whole = format!("{HEADER}{STRANDS}");
        assert_eq!(
            error(&whole.replace("0 2 0", "0 two 0")),
            "line 13: a vertex: expected a number, got \"two\""
        );
        assert_eq!(
            error(&whole.replace("numVerts 3", "numVerts 4")),
            "line 15: strand 0 has 3 vertices, but its numVerts is 4"
        );
        assert_eq!(
            error(&whole.replace("numVerts 2", "numVerts 5")),
            "line 17: the file ends after 2 of 5 vertices of strand 1; it may be cut off"
        );
        assert_eq!(
            error(&whole.replace("numStrands 2", "numStrands 7")),
            "line 17: the file ends after 2 of 7 strands; it may be cut off"
        );
        assert_eq!(
            error(&whole.replace("version 2.0", "version 9")),
            "line 1: version 9 is not supported; text files have version 1.0 to 3.x"
        );
        assert_eq!(
            error(&whole.replace("numStrands 2\n", "")),
            "line 10: the header has no line \"numStrands N\" before the first strand"
        );
        assert_eq!(
            error(&whole.replace("strand 1 numVerts", "lock 1")),
            "line 15: expected \"strand 1 numVerts …\", got \"lock 1 2 texcoord 0.000000 000000\""
        );
        assert_eq!(
            error(&whole.replace("0 3 0.5", "0 3")),
            "line 14: a vertex: expected three numbers, got \"0 3\""
        );
        let huge = whole.replace("numVerts 2", "numVerts 99999999");
        assert!(error(&huge).starts_with("line 15: strand 1 has 99999999 vertices; the limit is"));
    }

    #[test]
    fn unknown_lines_are_ignored_with_a_warning() {
        let text = format!("{HEADER}color red\n{STRANDS}strand 2 numVerts 1\n9 9 9\n")
            .replace("0 2 0", "-1.#INF 2 0");
        let groom = StrandFormat::TressFxText.read(text.as_bytes()).unwrap();
        assert_eq!(groom.strands[0].len(), 2);
        assert_eq!(
            groom.warnings,
            [
                "line 11: unknown keyword \"color\"; the line was ignored",
                "line 19: the lines after strand 2 were ignored, because numStrands is 2",
                "1 vertices that are NaN or infinite were left out"
            ]
        );
    }
}
