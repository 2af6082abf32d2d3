//! Limit of printed lines, so that an endless `print` fills neither the terminal nor a log.

use std::borrow::Cow;

use galatea_math::names::printable;

/// Maximum number of lines and bytes that can be printed at once.
const BURST: Allowance = Allowance {
    n_lines: 2000,
    n_bytes: 256 << 10,
};
/// Number of lines and bytes that each tick adds, up to [`BURST`].
const PER_TICK: Allowance = Allowance {
    n_lines: 10,
    n_bytes: 1 << 10,
};
/// Maximum length of a line, bytes; the rest of the line is omitted.
const MAX_LINE: usize = 16 << 10;
/// Ticks between two reports of omitted lines.
const REPORT_TICKS: u32 = 60;

#[derive(Clone, Copy, Debug)]
struct Allowance {
    n_lines: usize,
    n_bytes: usize,
}

/// Limits the printed lines per tick, so that every run omits the same lines.
#[derive(Debug)]
pub struct PrintLimit {
    left: Allowance,
    n_left_out: u64,
    n_ticks: u32,
}

impl Default for PrintLimit {
    fn default() -> Self {
        Self {
            left: BURST,
            n_left_out: 0,
            n_ticks: 0,
        }
    }
}

impl PrintLimit {
    /// Returns the line to print, possibly shortened, with the characters that control a terminal escaped; `None` if it
    /// is omitted.
    pub fn admit(&mut self, mut line: String) -> Option<String> {
        if line.len() > MAX_LINE {
            let end = line.floor_char_boundary(MAX_LINE);
            let n_more = grouped((line.len() - end) as u64);
            line.truncate(end);
            line.push_str(&format!("… {n_more} more bytes of this line were left out"));
        }
        if let Cow::Owned(escaped) = printable(&line) {
            line = escaped;
        }
        let left = &mut self.left;
        if left.n_lines == 0 || left.n_bytes < line.len() {
            self.n_left_out += 1;
            // Later, shorter lines might fit the limit, but printing them would change the order of the output.
            left.n_lines = 0;
            return None;
        }
        left.n_lines -= 1;
        left.n_bytes -= line.len();
        Some(line)
    }

    /// Begins a tick. Returns a report of omitted lines from time to time.
    pub fn begin_tick(&mut self) -> Option<String> {
        self.left.n_lines = BURST.n_lines.min(self.left.n_lines + PER_TICK.n_lines);
        self.left.n_bytes = BURST.n_bytes.min(self.left.n_bytes + PER_TICK.n_bytes);
        self.n_ticks += 1;
        if self.n_ticks < REPORT_TICKS {
            return None;
        }
        self.n_ticks = 0;
        self.report()
    }

    /// Report of the lines omitted since the last report; `None` if there were none.
    pub fn report(&mut self) -> Option<String> {
        let n = std::mem::take(&mut self.n_left_out);
        let lines = if n == 1 { "line" } else { "lines" };
        (n > 0).then(|| format!("… {} more {lines} of print were left out", grouped(n)))
    }
}

/// Formats a number with a space between groups of three digits.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three_digits() {
        let numbers = [0, 12, 123, 1234, 123_456, 12_345_678];
        let told = ["0", "12", "123", "1 234", "123 456", "12 345 678"];
        assert_eq!(numbers.map(grouped), told);
    }

    #[test]
    fn a_line_cannot_control_the_terminal() {
        let mut limit = PrintLimit::default();
        let line = limit.admit("\u{1b}]0;title\u{7}a\tb\nc ß".into());
        assert_eq!(line.as_deref(), Some("\\u001b]0;title\\u0007a\tb\nc ß"));
    }

    #[test]
    fn usual_amounts_of_output_are_printed() {
        let mut limit = PrintLimit::default();
        let line = "hero 1.25 2.5 idle".to_owned();
        for _ in 0..BURST.n_lines {
            assert_eq!(limit.admit(line.clone()), Some(line.clone()));
        }
        for _ in 0..3600 {
            assert_eq!(limit.begin_tick(), None);
            for _ in 0..PER_TICK.n_lines {
                assert_eq!(limit.admit(line.clone()), Some(line.clone()));
            }
        }
        assert_eq!(limit.report(), None);
    }

    #[test]
    fn endless_lines_are_counted_and_ten_minutes_of_them_stay_small() {
        let mut limit = PrintLimit::default();
        let (mut n_bytes, mut n_reports, mut n_printed) = (0, 0, 0u64);
        let mut n_left_out = 0;
        let ticks = 60 * 600;
        for _ in 0..ticks {
            if let Some(report) = limit.begin_tick() {
                n_bytes += report.len();
                n_reports += 1;
                let digits: String = report.chars().filter(char::is_ascii_digit).collect();
                n_left_out += digits.parse::<u64>().unwrap();
            }
            for _ in 0..50 {
                if let Some(line) = limit.admit("x".repeat(100)) {
                    n_bytes += line.len();
                    n_printed += 1;
                }
            }
        }
        n_left_out += limit.n_left_out;
        assert_eq!(n_printed + n_left_out, 50 * ticks);
        assert!(n_bytes < 40_000_000, "{n_bytes} bytes");
        assert!(n_reports <= 600, "{n_reports}");
        assert!(
            limit
                .report()
                .unwrap()
                .contains("more lines of print were left out")
        );
        assert_eq!(limit.report(), None);
    }

    #[test]
    fn a_very_long_line_is_cut_between_two_characters() {
        let mut limit = PrintLimit::default();
        let printed = limit.admit("é".repeat(MAX_LINE)).unwrap();
        assert!(printed.len() < MAX_LINE + 100);
        assert!(printed.ends_with("é… 16 384 more bytes of this line were left out"));
    }
}
