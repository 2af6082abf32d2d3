//! Animated WebP: pictures one after the other in the container of RFC 9649, each without loss, of each
//! what is otherwise than in the one before.

use image::ExtendedColorType;
use image::codecs::webp::WebPEncoder;

use super::png::{is_clear, pixels};
use galatea_render::Picture;

/// Sides of a picture in an animation are at most so long, pixels (RFC 9649, section 2.7.1.1: 24 bits;
/// VP8L, section 3.4: 14 bits).
const MOST_SIDE: u32 = 1 << 14;

/// Pictures of one size as an animated WebP that begins again at its end; each is shown for `delay`
/// milliseconds (at most 2^24 - 1).
///
/// # Errors
/// When there are no pictures, one is of another size or longer than 16384 pixels, or the file would be
/// 4 GiB or more.
pub fn webp_bytes(pictures: &[Picture], delay: u32) -> Result<Vec<u8>, String> {
    let Some(first) = pictures.first() else {
        return Err("an animation has at least one picture".into());
    };
    let (width, height) = (first.width, first.height);
    if ![width, height]
        .iter()
        .all(|side| (1..=MOST_SIDE).contains(side))
    {
        return Err(format!(
            "{width} × {height} pixels; WebP holds 1 to {MOST_SIDE} of each"
        ));
    }
    let has_alpha = pictures.iter().any(is_clear);
    let mut body = b"WEBP".to_vec();
    // The second bit tells of the animation, the fifth of alpha.
    let mut head = vec![0x02 | u8::from(has_alpha) << 4, 0, 0, 0];
    push_24(&mut head, width - 1);
    push_24(&mut head, height - 1);
    push_chunk(&mut body, b"VP8X", &head)?;
    // A clear background; no end to its repeating.
    push_chunk(&mut body, b"ANIM", &[0; 6])?;
    let mut before = None;
    for picture in pictures {
        if (picture.width, picture.height) != (width, height) {
            return Err("the pictures of an animation are of one size".into());
        }
        let part = before.map_or(Part::whole(picture), |before| {
            Part::changed(before, picture)
        });
        before = Some(picture);
        push_frame(&mut body, &part.of(picture), part, has_alpha, delay)?;
    }
    let mut file = Vec::with_capacity(body.len() + 8);
    push_chunk(&mut file, b"RIFF", &body)?;
    Ok(file)
}

/// A part of a picture, pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

impl Part {
    fn whole(picture: &Picture) -> Self {
        Self {
            x: 0,
            y: 0,
            width: picture.width,
            height: picture.height,
        }
    }

    /// What is otherwise than in the picture before, from an even place on; one pixel at least.
    fn changed(before: &Picture, picture: &Picture) -> Self {
        let (mut low, mut high) = ([u32::MAX; 2], [0; 2]);
        let pairs = before
            .rgba
            .chunks_exact(4)
            .zip(picture.rgba.chunks_exact(4));
        let changed = (0u32..).zip(pairs).filter(|(_, (was, is))| was != is);
        for (i, _) in changed {
            let at = [i % picture.width, i / picture.width];
            for axis in 0..2 {
                low[axis] = low[axis].min(at[axis]);
                high[axis] = high[axis].max(at[axis]);
            }
        }
        if low[0] > high[0] {
            low = [0; 2];
        }
        let [x, y] = low.map(|low| low & !1);
        Self {
            x,
            y,
            width: high[0] + 1 - x,
            height: high[1] + 1 - y,
        }
    }

    /// The part as a picture.
    fn of(self, picture: &Picture) -> Picture {
        let mut rgba = Vec::with_capacity((self.width * self.height * 4) as usize);
        for y in self.y..self.y + self.height {
            let from = (y as usize * picture.width as usize + self.x as usize) * 4;
            rgba.extend_from_slice(&picture.rgba[from..from + self.width as usize * 4]);
        }
        Picture {
            width: self.width,
            height: self.height,
            rgba,
        }
    }
}

/// A part of the picture that takes the place of what was there, and is not mixed with it.
fn push_frame(
    body: &mut Vec<u8>,
    picture: &Picture,
    part: Part,
    has_alpha: bool,
    delay: u32,
) -> Result<(), String> {
    let mut frame = Vec::new();
    push_24(&mut frame, part.x / 2);
    push_24(&mut frame, part.y / 2);
    push_24(&mut frame, part.width - 1);
    push_24(&mut frame, part.height - 1);
    push_24(&mut frame, delay.min((1 << 24) - 1));
    frame.push(0x02);
    let color = match has_alpha {
        true => ExtendedColorType::Rgba8,
        false => ExtendedColorType::Rgb8,
    };
    let mut still = Vec::new();
    WebPEncoder::new_lossless(&mut still)
        .encode(&pixels(picture, has_alpha), part.width, part.height, color)
        .map_err(|error| error.to_string())?;
    // What follows "RIFF", the length and "WEBP" is the chunk of the picture.
    frame.extend_from_slice(still.get(12..).unwrap_or_default());
    push_chunk(body, b"ANMF", &frame)
}

fn push_24(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_le_bytes()[..3]);
}

/// A name, a length and what is so long, ended at an even place.
fn push_chunk(out: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) -> Result<(), String> {
    let length = u32::try_from(content.len()).map_err(|_| "4 GiB or more are no WebP")?;
    out.extend_from_slice(name);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(content);
    if !content.len().is_multiple_of(2) {
        out.push(0);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::AnimationDecoder as _;
    use image::codecs::webp::WebPDecoder;

    use super::*;

    fn picture(width: u32, height: u32, seed: u8, alpha: u8) -> Picture {
        let texel = |i: u32| [(i * 7) as u8 ^ seed, (i * 13) as u8, seed, alpha];
        Picture {
            width,
            height,
            rgba: (0..width * height).flat_map(texel).collect(),
        }
    }

    #[test]
    fn what_is_written_is_read_again_to_the_bit() {
        for alpha in [255, 100] {
            let pictures = [1, 2, 3].map(|seed| picture(5, 3, seed, alpha));
            let bytes = webp_bytes(&pictures, 40).unwrap();
            assert_eq!(
                bytes.len() as u32 - 8,
                u32::from_le_bytes(bytes[4..8].try_into().unwrap())
            );
            let decoder = WebPDecoder::new(Cursor::new(&bytes)).unwrap();
            assert!(decoder.has_animation());
            let frames: Vec<_> = decoder.into_frames().collect_frames().unwrap();
            assert_eq!(frames.len(), 3);
            for (frame, picture) in frames.iter().zip(&pictures) {
                assert_eq!(frame.buffer().as_raw(), &picture.rgba);
                assert_eq!(frame.delay().numer_denom_ms(), (40, 1));
            }
        }
    }

    #[test]
    fn only_what_changed_is_kept_and_the_whole_is_read_again() {
        let first = picture(64, 48, 9, 255);
        let mut second = first.clone();
        for (x, y) in [(13, 7), (20, 30)] {
            second.rgba[(y * 64 + x) * 4 + 1] ^= 1;
        }
        let part = Part::changed(&first, &second);
        assert_eq!((part.x, part.y), (12, 6));
        assert_eq!((part.width, part.height), (9, 25));
        let pictures = [first.clone(), second, first.clone(), first];
        let bytes = webp_bytes(&pictures, 20).unwrap();
        let decoder = WebPDecoder::new(Cursor::new(&bytes)).unwrap();
        let frames: Vec<_> = decoder.into_frames().collect_frames().unwrap();
        let same = frames.iter().zip(&pictures);
        assert!(
            same.into_iter()
                .all(|(frame, picture)| *frame.buffer().as_raw() == picture.rgba)
        );
        assert_eq!(frames.len(), 4);
    }

    #[test]
    fn pictures_that_make_no_animation_are_told() {
        assert!(webp_bytes(&[], 40).unwrap_err().contains("at least one"));
        let sizes = [picture(2, 2, 0, 255), picture(2, 3, 0, 255)];
        assert!(webp_bytes(&sizes, 40).unwrap_err().contains("one size"));
        let long = [picture(1, 16385, 0, 255)];
        assert!(webp_bytes(&long, 40).unwrap_err().contains("16384"));
    }
}
