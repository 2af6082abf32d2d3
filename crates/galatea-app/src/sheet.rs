//! Contact sheets: images side by side, at several times or from several sides.

use anyhow::Context as _;

use galatea_render::Picture;

/// Transparent gap between images, pixels.
const GAP: u32 = 2;
/// Maximum side of a sheet, pixels.
const MAX_SIDE: u32 = 16_384;
/// Maximum size of a sheet, bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Width and height of an image, pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelSize(pub u32, pub u32);

impl std::str::FromStr for PixelSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text
            .split_once(['x', 'X', '×'])
            .and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
        match parsed {
            Some((w, h)) if (1..=16384).contains(&w) && (1..=16384).contains(&h) => Ok(Self(w, h)),
            _ => Err("expected WIDTHxHEIGHT, each from 1 to 16384, such as 1280x720".into()),
        }
    }
}

/// Columns and rows of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Images per row.
    pub columns: u32,
    /// Number of rows.
    pub rows: u32,
}

impl std::str::FromStr for Layout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(PixelSize(columns, rows)) if columns <= 64 && rows <= 64 => {
                Ok(Self { columns, rows })
            }
            _ => Err("expected COLUMNSxROWS, each from 1 to 64, such as 4x3".into()),
        }
    }
}

impl Layout {
    /// Layout with room for `n` images (1 or more): nearly square, never with fewer columns than rows.
    pub fn of(n: u32) -> Self {
        let columns = f64::from(n.max(1)).sqrt().ceil() as u32;
        Self {
            columns,
            rows: n.max(1).div_ceil(columns),
        }
    }

    /// Number of images that fit.
    pub fn capacity(self) -> u32 {
        self.columns * self.rows
    }
}

/// A sheet that is filled image by image, row by row from the top left.
pub struct ContactSheet {
    layout: Layout,
    cell: PixelSize,
    n: u32,
    picture: Picture,
}

impl ContactSheet {
    /// Creates an empty sheet for images of `cell` pixels.
    ///
    /// # Errors
    /// If it would exceed the maximum size.
    pub fn new(layout: Layout, cell: PixelSize) -> anyhow::Result<Self> {
        let side = |n: u32, one: u32| n.checked_mul(one)?.checked_add((n - 1) * GAP);
        let size = side(layout.columns, cell.0).zip(side(layout.rows, cell.1));
        let (width, height) = size
            .filter(|&(w, h)| w <= MAX_SIDE && h <= MAX_SIDE)
            .filter(|&(w, h)| u64::from(w) * u64::from(h) * 4 <= MAX_BYTES)
            .with_context(|| {
                format!(
                    "a sheet of {} × {} pictures of {} × {} pixels is too large; use a smaller --size",
                    layout.columns, layout.rows, cell.0, cell.1
                )
            })?;
        Ok(Self {
            layout,
            cell,
            n: 0,
            picture: Picture {
                width,
                height,
                rgba: vec![0; width as usize * height as usize * 4],
            },
        })
    }

    /// Adds the next image. Images of another size, and images that do not fit, are ignored.
    pub fn add(&mut self, picture: &Picture) {
        if self.n >= self.layout.capacity() || PixelSize(picture.width, picture.height) != self.cell
        {
            return;
        }
        let x = (self.n % self.layout.columns) * (self.cell.0 + GAP);
        let y = (self.n / self.layout.columns) * (self.cell.1 + GAP);
        let row_bytes = self.cell.0 as usize * 4;
        for (row, pixels) in picture.rgba.chunks_exact(row_bytes).enumerate() {
            let from = ((y as usize + row) * self.picture.width as usize + x as usize) * 4;
            self.picture.rgba[from..from + row_bytes].copy_from_slice(pixels);
        }
        self.n += 1;
    }

    /// Returns the sheet; unused cells are transparent.
    pub fn finish(self) -> Picture {
        self.picture
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_go_row_by_row_with_room_between() {
        let layout = "2x2".parse().unwrap();
        let mut sheet = ContactSheet::new(layout, PixelSize(3, 1)).unwrap();
        for i in 1..=3 {
            sheet.add(&Picture {
                width: 3,
                height: 1,
                rgba: vec![i; 12],
            });
        }
        let sheet = sheet.finish();
        assert_eq!((sheet.width, sheet.height), (8, 4));
        let reds: Vec<u8> = sheet.rgba.chunks_exact(4).map(|texel| texel[0]).collect();
        assert_eq!(reds[..8], [1, 1, 1, 0, 0, 2, 2, 2]);
        assert_eq!(reds[8..24], [0; 16]);
        assert_eq!(reds[24..], [3, 3, 3, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn layouts_hold_as_many_as_there_are() {
        for (n, columns, rows) in [(1, 1, 1), (4, 2, 2), (5, 3, 2), (8, 3, 3), (12, 4, 3)] {
            assert_eq!(Layout::of(n), Layout { columns, rows }, "{n}");
        }
        assert!("0x2".parse::<Layout>().is_err() && "65x1".parse::<Layout>().is_err());
        let large = ContactSheet::new(Layout::of(64 * 64), PixelSize(1280, 720))
            .err()
            .unwrap();
        assert!(
            large.to_string().contains("use a smaller --size"),
            "{large}"
        );
    }
}
