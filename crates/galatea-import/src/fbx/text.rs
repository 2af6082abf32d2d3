//! Prepares OBJ and MTL text for `ufbx`, and finds the line that `ufbx` cannot read.

use std::borrow::Cow;

/// Removes the byte order mark and converts line ends to line feeds.
///
/// # Errors
/// If the file is UTF-16.
pub fn prepared(bytes: &[u8]) -> Result<Cow<'_, [u8]>, String> {
    // ASCII letters in UTF-16 have a zero byte next to them, with or without a byte order mark.
    if bytes.starts_with(b"\xFF\xFE")
        || bytes.starts_with(b"\xFE\xFF")
        || bytes.iter().take(2).any(|byte| *byte == 0)
    {
        return Err("the file is UTF-16 text; save it as UTF-8".into());
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut lone = bytes
        .windows(2)
        .any(|pair| pair[0] == b'\r' && pair[1] != b'\n');
    lone |= bytes.ends_with(b"\r");
    if !lone {
        return Ok(bytes.into());
    }
    let ends = bytes.iter().enumerate().map(|(i, byte)| match byte {
        b'\r' if bytes.get(i + 1) != Some(&b'\n') => b'\n',
        other => *other,
    });
    Ok(ends.collect())
}

/// Number of lines of an OBJ that begin an object or a group.
pub fn count_groups(bytes: &[u8]) -> usize {
    let lines = bytes
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii_start);
    let begins =
        |line: &&[u8]| matches!(line, [b'o' | b'g', next, ..] if next.is_ascii_whitespace());
    lines.filter(begins).count()
}

/// Material libraries as `ufbx` expects them: `Tr` converted to `d`, and textures without options. Adds a warning for each
/// texture option that would change the appearance.
pub fn plain_materials(library: &[u8], warnings: &mut Vec<String>) -> Vec<u8> {
    let word = |line: &[u8]| -> String {
        let text = String::from_utf8_lossy(line);
        text.split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let lines: Vec<&[u8]> = library.split(|byte| *byte == b'\n').collect();
    let mut out = Vec::with_capacity(library.len());
    let mut has_opacity = false;
    for (i, line) in lines.iter().enumerate() {
        let first = word(line);
        let is_map =
            first.starts_with("map_") || ["bump", "Bump", "disp", "norm"].contains(&first.as_str());
        let text = || String::from_utf8_lossy(line);
        match first.as_str() {
            "newmtl" => {
                let rest = lines[i + 1..].iter().map(|line| word(line));
                let mut own = rest.take_while(|first| first != "newmtl");
                has_opacity = own.any(|first| first == "d");
                out.extend_from_slice(line);
            }
            // Some programs write both; then `d` counts, which all programs support.
            "Tr" if has_opacity => {}
            "Tr" | "d" => {
                let number = text()
                    .split_whitespace()
                    .find_map(|part| part.parse::<f32>().ok());
                let opacity = number.map(|n| if first == "Tr" { 1.0 - n } else { n });
                let opacity = opacity.map(|opacity| format!("d {opacity}"));
                out.extend_from_slice(opacity.unwrap_or_default().as_bytes());
            }
            _ if is_map => {
                let name = texture_name(&text(), warnings);
                out.extend_from_slice(format!("{first} {name}").as_bytes());
            }
            _ => out.extend_from_slice(line),
        }
        out.push(b'\n');
    }
    out
}

/// File name in a line such as `map_Kd -s 2 2 1 -clamp on brick wall.png`.
fn texture_name(line: &str, warnings: &mut Vec<String>) -> String {
    let mut rest = line.trim();
    let mut next = || {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let before = std::mem::replace(&mut rest, after.trim_start());
        (word, before)
    };
    next();
    let mut changed = Vec::new();
    let mut name = next();
    // The last word is the name, even if it begins with `-`.
    while name.0.starts_with('-') && name.0 != name.1.trim_end() {
        let option = name.0;
        let mut values = Vec::new();
        name = next();
        let (min_values, max_values) = match option {
            "-o" | "-s" | "-t" => (1, 3),
            "-mm" => (2, 2),
            _ => (1, 1),
        };
        while values.len() < min_values
            || values.len() < max_values && name.0.parse::<f32>().is_ok()
        {
            values.push(name.0);
            name = next();
        }
        let usual = match option {
            "-s" => Some(1.0),
            "-o" | "-t" => Some(0.0),
            _ => None,
        };
        let is_usual = |value: &&str| value.parse() == Ok(usual.unwrap_or_default());
        if usual.is_some() && !values.iter().all(is_usual) {
            changed.push(format!("{option} {}", values.join(" ")));
        }
    }
    let name = name.1.trim().trim_matches('"');
    if !changed.is_empty() {
        let changed = changed.join(" ");
        warnings.push(format!("image {name}: the option {changed} is ignored"));
    }
    name.to_owned()
}

/// Keywords of lines with numbers, and the minimum number count.
const NUMBERS: [(&str, usize); 3] = [("v", 3), ("vt", 2), ("vn", 3)];

/// First unreadable line of an OBJ file, with the cause.
pub fn fault(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let lines = || text.lines().zip(1..).map(|(line, n)| (line.trim(), n));
    let is = |line: &str, word: &str| line.split_whitespace().next() == Some(word);
    let all = NUMBERS.map(|(word, _)| lines().filter(|(line, _)| is(line, word)).count());
    let mut so_far = [0; 3];
    for (line, n) in lines() {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        let values: Vec<&str> = words.take_while(|word| !word.starts_with('#')).collect();
        let cause = if let Some(i) = NUMBERS.iter().position(|(word, _)| *word == first) {
            so_far[i] += 1;
            let min_values = NUMBERS[i].1;
            let wrong = values
                .iter()
                .take(min_values)
                .find(|v| v.parse::<f64>().is_err());
            match wrong {
                Some(value) => Some(format!("{value:?} is not a number")),
                None if values.len() < min_values => Some(format!(
                    "{first} needs {min_values} numbers, got {}",
                    values.len()
                )),
                None => None,
            }
        } else if ["f", "l", "p"].contains(&first) {
            values
                .iter()
                .find_map(|corner| corner_fault(corner, all, so_far))
        } else {
            let needs_name = ["mtllib", "usemtl"].contains(&first) && values.is_empty();
            needs_name.then(|| format!("{first} has no name"))
        };
        if let Some(cause) = cause {
            return Some(format!("line {n}: {cause}"));
        }
    }
    None
}

/// Error of a corner such as `5/1/1`. `all` are the element counts of the file, `so_far` those up to this line.
fn corner_fault(corner: &str, all: [usize; 3], so_far: [usize; 3]) -> Option<String> {
    const KINDS: [&str; 3] = ["vertex", "texture coordinate", "normal"];
    for (i, part) in corner.split('/').enumerate().take(3) {
        if part.is_empty() && i > 0 {
            continue;
        }
        let Ok(index) = part.parse::<i64>() else {
            return Some(format!("{part:?} in {corner:?} is not a number"));
        };
        let (kind, n) = (KINDS[i], all[i]);
        let limit = if index < 0 { so_far[i] } else { n };
        if index == 0 || index.unsigned_abs() > limit as u64 {
            return Some(match n {
                0 => format!("{corner:?} refers to {kind} {index}, but the file has none"),
                1 => format!("{corner:?} refers to {kind} {index}, but the file has only one"),
                n => format!("{corner:?} refers to {kind} {index}, but the file has only {n}"),
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_marks_and_carriage_returns_are_removed_and_utf_16_is_reported() {
        assert_eq!(
            &*prepared(b"\xEF\xBB\xBFv 1 2 3\r\n").unwrap(),
            b"v 1 2 3\r\n"
        );
        assert_eq!(&*prepared(b"a\rb\r\nc\r").unwrap(), b"a\nb\r\nc\n");
        for wide in [&b"\xFF\xFEv\0"[..], b"\xFE\xFF\0v", b"v\0 \0", b"\0v\0 "] {
            assert!(prepared(wide).unwrap_err().contains("UTF-16"));
        }
        assert_eq!(&*prepared(b"").unwrap(), b"");
    }

    #[test]
    fn textures_lose_their_options_and_keep_the_spaces_of_their_names() {
        let mut warnings = Vec::new();
        for (line, name) in [
            ("map_Kd a.png", "a.png"),
            ("map_Kd -s 1 1 1 my  wall.png", "my  wall.png"),
            (
                "map_Kd -s 1 1 -o 0 0 0 -clamp on -bm 0.5 2 walls.png",
                "2 walls.png",
            ),
            (
                "map_Kd -mm 0 1 -imfchan r \"in quotes.png\"",
                "in quotes.png",
            ),
            ("bump -bm -1.5 -texres 512 -b.png", "-b.png"),
            ("map_Kd -s", "-s"),
            ("map_Kd", ""),
        ] {
            assert_eq!(texture_name(line, &mut warnings), name, "{line}");
        }
        assert_eq!(warnings, [""; 0]);
        texture_name("map_Kd -s 2 2 1 -o 0.5 a b.png", &mut warnings);
        assert_eq!(
            warnings,
            ["image a b.png: the option -s 2 2 1 -o 0.5 is ignored"]
        );
    }

    #[test]
    fn transparency_is_one_minus_opacity_and_opacity_has_precedence() {
        let plain = |text: &str| {
            let out = plain_materials(text.as_bytes(), &mut Vec::new());
            String::from_utf8(out).unwrap().trim().to_owned()
        };
        assert_eq!(plain("newmtl a\nTr 0.25"), "newmtl a\nd 0.75");
        assert_eq!(plain("newmtl a\nTr 1\nd 0.5"), "newmtl a\n\nd 0.5");
        assert_eq!(
            plain("newmtl a\nd 1\nnewmtl b\nTr 0.5"),
            "newmtl a\nd 1\nnewmtl b\nd 0.5"
        );
        assert_eq!(plain("newmtl a\nd -halo 0.5"), "newmtl a\nd 0.5");
    }

    #[test]
    fn the_first_unreadable_line_is_reported_with_the_cause() {
        let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\n";
        for (rest, expected) in [
            ("f 1 2 3", None),
            ("f -1 -2 -3\nvt 0 0", None),
            (
                "f 1/1 2/1 3/1",
                Some("line 4: \"1/1\" refers to texture coordinate 1, but the file has none"),
            ),
            ("f 1//1 2//1 3//1\nvn 0 0 1\nvn 0 0 1", None),
            (
                "vn 0 0 1\nf 1//2 2//1 3//1",
                Some("line 5: \"1//2\" refers to normal 2, but the file has only one"),
            ),
            (
                "f 1 2 9",
                Some("line 4: \"9\" refers to vertex 9, but the file has only 3"),
            ),
            (
                "f 1 2 -4",
                Some("line 4: \"-4\" refers to vertex -4, but the file has only 3"),
            ),
            (
                "f 0 1 2",
                Some("line 4: \"0\" refers to vertex 0, but the file has only 3"),
            ),
            ("\nf a 1 2", Some("line 5: \"a\" in \"a\" is not a number")),
            ("v 1 2", Some("line 4: v needs 3 numbers, got 2")),
            ("v 1 x 2", Some("line 4: \"x\" is not a number")),
            ("usemtl", Some("line 4: usemtl has no name")),
        ] {
            assert_eq!(
                fault(format!("{square}{rest}").as_bytes()).as_deref(),
                expected
            );
        }
    }
}
