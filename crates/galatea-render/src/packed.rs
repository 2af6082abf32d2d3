//! Packs channels of several images into one, so a material needs fewer textures.

use galatea_asset::model::Image;

/// One channel (0..=3) of an image.
pub struct ImageChannel<'a> {
    pub image: &'a Image,
    pub channel: usize,
}

/// Packs `channels` in order into an image of the largest size. Missing channels are white; smaller images are stretched.
pub fn pack(channels: &[Option<ImageChannel<'_>>]) -> Image {
    let is_whole = |image: &Image| {
        let texels = image.width as usize * image.height as usize;
        texels > 0 && image.rgba.len() == texels * 4
    };
    let sources: Vec<Option<&ImageChannel<'_>>> = channels
        .iter()
        .map(|channel| channel.as_ref().filter(|c| is_whole(c.image)))
        .collect();
    let largest = |side: fn(&Image) -> u32| {
        let sides = sources.iter().flatten().map(|c| side(c.image));
        sides.max().unwrap_or(1)
    };
    let (width, height) = (largest(|i| i.width), largest(|i| i.height));
    let mut rgba = vec![255; width as usize * height as usize * 4];
    for (to, source) in sources.iter().enumerate().take(4) {
        let Some(source) = source else { continue };
        let image = source.image;
        for y in 0..height {
            let from_y = (u64::from(y) * u64::from(image.height) / u64::from(height)) as usize;
            for x in 0..width {
                let from_x = (u64::from(x) * u64::from(image.width) / u64::from(width)) as usize;
                let from = (from_y * image.width as usize + from_x) * 4 + source.channel.min(3);
                let at = (y as usize * width as usize + x as usize) * 4 + to;
                rgba[at] = image.rgba[from];
            }
        }
    }
    let mut names: Vec<&str> = Vec::new();
    for source in sources.iter().flatten() {
        if !names.contains(&source.image.name.as_str()) {
            names.push(&source.image.name);
        }
    }
    Image {
        name: names.join(" + "),
        width,
        height,
        rgba,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_come_from_their_images_and_small_ones_are_stretched() {
        let image = |width, height, rgba: &[u8]| Image {
            name: String::new(),
            width,
            height,
            rgba: rgba.to_vec(),
        };
        let wide = image(2, 1, &[1, 2, 3, 4, 5, 6, 7, 8]);
        let small = image(1, 1, &[9, 10, 11, 12]);
        let broken = image(4, 4, &[0]);
        let of = |image, channel| Some(ImageChannel { image, channel });
        let packed = pack(&[of(&wide, 1), of(&small, 3), None, of(&broken, 0)]);
        assert_eq!((packed.width, packed.height), (2, 1));
        assert_eq!(packed.rgba, [2, 12, 255, 255, 6, 12, 255, 255]);
    }
}
