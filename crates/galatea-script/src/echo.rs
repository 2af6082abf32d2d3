//! Lines that scripts print while the console runs code.

/// Lines and bytes of what a line prints that are kept.
const MAX_LINES: usize = 1000;
const MAX_PRINTED: usize = 256 << 10;

/// What is printed while the console runs code, as far as it is kept.
#[derive(Default)]
pub(super) struct Echo {
    lines: Vec<String>,
    bytes: usize,
    n_hidden: usize,
}

impl Echo {
    /// Keeps a line, or counts it where there are too many.
    pub fn push(&mut self, line: String) {
        if self.bytes + line.len() > MAX_PRINTED || self.lines.len() >= MAX_LINES {
            self.n_hidden += 1;
            return;
        }
        self.bytes += line.len();
        self.lines.push(line);
    }

    /// The lines, and how many more there were.
    pub fn into_lines(mut self) -> Vec<String> {
        if self.n_hidden > 0 {
            self.lines.push(format!("… {} more lines", self.n_hidden));
        }
        self.lines
    }
}
