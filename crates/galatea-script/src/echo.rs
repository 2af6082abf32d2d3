//! Lines that scripts print while the console runs code.

/// Maximum number of lines and bytes stored for one console line.
const MAX_LINES: usize = 1000;
const MAX_PRINTED: usize = 256 << 10;

/// Output printed while the console runs code, up to the limits.
#[derive(Default)]
pub(super) struct Echo {
    lines: Vec<String>,
    bytes: usize,
    n_hidden: usize,
}

impl Echo {
    /// Stores a line, or counts it if the limits are reached.
    pub fn push(&mut self, line: String) {
        if self.bytes + line.len() > MAX_PRINTED || self.lines.len() >= MAX_LINES {
            self.n_hidden += 1;
            return;
        }
        self.bytes += line.len();
        self.lines.push(line);
    }

    /// Returns the stored lines, with a count of the omitted lines at the end.
    pub fn into_lines(mut self) -> Vec<String> {
        if self.n_hidden > 0 {
            self.lines.push(format!("… {} more lines", self.n_hidden));
        }
        self.lines
    }
}
