//! Character classes.

/// Returns a digit, including full-width digits, as ASCII.
pub(super) fn digit(c: char) -> Option<char> {
    match c {
        '0'..='9' => Some(c),
        '０'..='９' => char::from_digit(c as u32 - '０' as u32, 10),
        _ => None,
    }
}

pub(super) fn is_apostrophe(c: char) -> bool {
    c == '\'' || c == '’'
}

/// Returns true for characters within words: letters, apostrophes, and combining marks.
pub(super) fn is_inside(c: char) -> bool {
    let is_power = matches!(c, '²' | '³') || vulgar_fraction(c).is_some();
    c.is_alphanumeric() && !is_power
        || is_apostrophe(c)
        || matches!(
            c,
            '\u{300}'..='\u{36f}' | '\u{3099}' | '\u{309a}' | '\u{ad}' | 'ー'
        )
}

/// Returns numerator and denominator of a one-character fraction.
pub(super) fn vulgar_fraction(c: char) -> Option<(u64, u64)> {
    Some(match c {
        '½' => (1, 2),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '¼' => (1, 4),
        '¾' => (3, 4),
        '⅕' => (1, 5),
        '⅖' => (2, 5),
        '⅗' => (3, 5),
        '⅘' => (4, 5),
        '⅙' => (1, 6),
        '⅚' => (5, 6),
        '⅐' => (1, 7),
        '⅛' => (1, 8),
        '⅜' => (3, 8),
        '⅝' => (5, 8),
        '⅞' => (7, 8),
        '⅑' => (1, 9),
        '⅒' => (1, 10),
        _ => return None,
    })
}
