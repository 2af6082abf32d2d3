//! Checksums of the stage, which show if a replay matches its recording.

use serde::{Deserialize, Serialize};

use super::Stage;
use super::ui::UiContent;

/// Checksums of parts of a stage. Two stages with equal checksums are most likely identical to the bit. Hair, particles and
/// data of scripts are not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageChecksum {
    /// Positions, poses and morph weights of characters and bodies.
    pub characters: u32,
    /// Agents of crowds and flocks.
    pub crowds: u32,
    /// Camera state.
    pub camera: u32,
    /// State of the random number generator.
    pub random: u32,
    /// Interface items over the picture.
    pub ui: u32,
}

impl StageChecksum {
    /// Names of the parts that differ.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let parts = [
            ("characters", self.characters, other.characters),
            ("crowds", self.crowds, other.crowds),
            ("camera", self.camera, other.camera),
            ("random numbers", self.random, other.random),
            ("ui", self.ui, other.ui),
        ];
        let differ = parts.into_iter().filter(|(_, a, b)| a != b);
        differ.map(|(name, ..)| name).collect()
    }
}

/// FNV-1a over words, folded to 32 bits.
struct WordHash(u64);

impl WordHash {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3);
    }

    fn numbers(&mut self, numbers: &[f32]) {
        for number in numbers {
            self.word(u64::from(number.to_bits()));
        }
    }

    fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        for byte in text.bytes() {
            self.word(u64::from(byte));
        }
    }

    fn end(self) -> u32 {
        (self.0 ^ (self.0 >> 32)) as u32
    }
}

impl Stage {
    /// Checksums of the stage between two ticks.
    pub fn checksum(&self) -> StageChecksum {
        StageChecksum {
            characters: self.characters_checksum(),
            crowds: self.crowds_checksum(),
            camera: self.camera_checksum(),
            random: {
                let mut hash = WordHash::new();
                hash.word(self.rng.clone().bits());
                hash.end()
            },
            ui: self.ui_checksum(),
        }
    }

    fn characters_checksum(&self) -> u32 {
        let mut hash = WordHash::new();
        for (handle, character) in self.characters.iter() {
            hash.word(handle.to_u64());
            hash.numbers(&character.posed.world[0].to_cols_array());
            let [palette, _] = &character.skin.palette;
            for matrix in palette {
                hash.numbers(&matrix.to_cols_array());
            }
            let [morphs, _] = &character.skin.morphs;
            hash.numbers(morphs);
        }
        hash.end()
    }

    fn crowds_checksum(&self) -> u32 {
        let mut hash = WordHash::new();
        for (handle, crowd) in self.agents.crowds.iter() {
            hash.word(handle.to_u64());
            for person in &crowd.agents {
                let [x, z] = person.agent.at.to_array();
                hash.numbers(&[x, person.height, z, person.heading]);
            }
        }
        for (handle, flock) in self.agents.flocks.iter() {
            hash.word(handle.to_u64());
            for boid in &flock.boids {
                hash.numbers(&boid.at.to_array());
            }
        }
        hash.end()
    }

    fn camera_checksum(&self) -> u32 {
        let camera = self.camera.camera(1.0);
        let mut hash = WordHash::new();
        hash.numbers(&camera.eye.to_array());
        hash.numbers(&camera.target.to_array());
        hash.numbers(&[camera.fov_y]);
        hash.end()
    }

    fn ui_checksum(&self) -> u32 {
        let mut hash = WordHash::new();
        for (handle, one) in self.ui.iter() {
            hash.word(handle.to_u64());
            hash.numbers(&one.item.offset.to_array());
            hash.numbers(&one.item.color.to_array());
            hash.numbers(&[one.item.opacity]);
            hash.word(u64::from(one.item.visible));
            match &one.item.content {
                UiContent::Text(text) => hash.text(&text.text),
                UiContent::Bar { value, .. } => hash.numbers(&[*value]),
                UiContent::Box { .. } | UiContent::Image { .. } | UiContent::Caption { .. } => {}
            }
        }
        hash.end()
    }
}
