//! Haircut parameters, and the built-in haircuts.

use super::super::locks::Locks;
use super::scalp::HairArea;

/// Parameters of cutting and combing the hair of an area; lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HairCut {
    /// Area in which it grows.
    pub area: HairArea,
    /// Length on top, or of all hair.
    pub length: f32,
    /// Length at the sides and at the nape.
    pub sides: f32,
    /// Lower limit of the hair, as a fraction of the distance from the eyes down to the chin.
    pub end_height: Option<f32>,
    /// Width of the band of long hair over the middle (mohawk), as a fraction of the skull; `None` without a band.
    pub band: Option<f32>,
    /// Position of the parting, -1 at the right to 1 at the left.
    pub parting: Option<f32>,
    /// 1 combed back from the forehead, -1 forward.
    pub comb_back: f32,
    /// Length of the fringe over the forehead; 0 for none.
    pub fringe: f32,
    /// Height above the skin.
    pub lift: f32,
    /// Steepness at the skin, 0..=1.
    pub rise: f32,
    /// Rate at which it turns down, radians per metre; negative turns up.
    pub droop: f32,
    /// Tips turn in; negative turns them out.
    pub tips: f32,
    /// Random variation of the lengths, as a fraction.
    pub uneven: f32,
    /// Grouping of strands into locks.
    pub locks: Locks,
    /// Number of guides.
    pub guides: usize,
    /// Number of strands.
    pub strands: usize,
    /// Points per strand.
    pub points: usize,
    /// Width of a strand at its root.
    pub width: f32,
    /// See [`super::super::ChainSettings`].
    pub stiffness: [f32; 2],
    /// See [`super::super::ChainSettings`].
    pub rest_stiffness: [f32; 2],
    /// Visibility of the skin below, 0..=1.
    pub bare: f32,
}

const PLAIN: HairCut = HairCut {
    area: HairArea::Scalp,
    length: 0.3,
    sides: 0.3,
    end_height: None,
    band: None,
    parting: None,
    comb_back: 0.6,
    fringe: 0.0,
    lift: 0.014,
    rise: 0.3,
    droop: 30.0,
    tips: 0.0,
    uneven: 0.08,
    locks: Locks {
        clump: 0.45,
        lock_size: 22,
        frizz: 0.0015,
        curl: 0.0,
        curls_per_meter: 0.0,
    },
    guides: 150,
    strands: 5000,
    points: 16,
    width: 0.0014,
    stiffness: [0.8, 0.12],
    rest_stiffness: [0.15, 0.0],
    bare: 0.0,
};

/// Built-in haircuts by name.
pub const CUTS: &[(&str, HairCut)] = &[
    (
        "short",
        HairCut {
            length: 0.055,
            sides: 0.02,
            comb_back: 0.2,
            parting: Some(0.35),
            lift: 0.009,
            rise: 0.4,
            droop: 20.0,
            uneven: 0.2,
            locks: Locks {
                clump: 0.6,
                lock_size: 12,
                ..PLAIN.locks
            },
            strands: 6000,
            points: 7,
            width: 0.0016,
            stiffness: [0.95, 0.7],
            rest_stiffness: [0.6, 0.2],
            ..PLAIN
        },
    ),
    (
        "bob",
        HairCut {
            length: 0.34,
            sides: 0.3,
            end_height: Some(0.95),
            parting: Some(0.3),
            comb_back: 0.15,
            lift: 0.018,
            droop: 32.0,
            tips: 0.35,
            uneven: 0.02,
            locks: Locks {
                clump: 0.3,
                frizz: 0.001,
                ..PLAIN.locks
            },
            stiffness: [0.9, 0.35],
            rest_stiffness: [0.2, 0.02],
            ..PLAIN
        },
    ),
    (
        "long",
        HairCut {
            length: 0.62,
            sides: 0.5,
            parting: Some(0.0),
            comb_back: 0.25,
            uneven: 0.12,
            points: 20,
            ..PLAIN
        },
    ),
    (
        "curly",
        HairCut {
            length: 0.3,
            sides: 0.26,
            parting: Some(-0.3),
            comb_back: 0.2,
            lift: 0.024,
            rise: 0.4,
            droop: 24.0,
            uneven: 0.2,
            locks: Locks {
                clump: 0.85,
                lock_size: 18,
                frizz: 0.002,
                curl: 0.008,
                curls_per_meter: 18.0,
            },
            points: 40,
            strands: 2800,
            stiffness: [0.9, 0.3],
            width: 0.0017,
            ..PLAIN
        },
    ),
    (
        "mohawk",
        HairCut {
            length: 0.1,
            sides: 0.004,
            comb_back: 0.3,
            band: Some(0.2),
            rise: 0.9,
            lift: 0.01,
            droop: -14.0,
            uneven: 0.1,
            locks: Locks {
                clump: 0.7,
                lock_size: 14,
                ..PLAIN.locks
            },
            strands: 5000,
            points: 8,
            stiffness: [1.0, 0.9],
            rest_stiffness: [0.8, 0.4],
            ..PLAIN
        },
    ),
    (
        "beard",
        HairCut {
            area: HairArea::Beard,
            length: 0.05,
            sides: 0.016,
            lift: 0.006,
            rise: 0.45,
            droop: 12.0,
            uneven: 0.25,
            locks: Locks {
                clump: 0.5,
                lock_size: 10,
                frizz: 0.002,
                ..PLAIN.locks
            },
            guides: 110,
            strands: 3500,
            points: 7,
            width: 0.0013,
            stiffness: [0.95, 0.6],
            rest_stiffness: [0.6, 0.25],
            bare: 0.35,
            ..PLAIN
        },
    ),
    (
        "stubble",
        HairCut {
            area: HairArea::Beard,
            length: 0.004,
            sides: 0.003,
            lift: 0.002,
            rise: 0.6,
            droop: 0.0,
            uneven: 0.3,
            locks: Locks {
                clump: 0.0,
                frizz: 0.0,
                ..PLAIN.locks
            },
            guides: 110,
            strands: 4000,
            points: 2,
            width: 0.0006,
            stiffness: [1.0, 1.0],
            rest_stiffness: [1.0, 1.0],
            bare: 0.75,
            ..PLAIN
        },
    ),
    (
        "moustache",
        HairCut {
            area: HairArea::Moustache,
            length: 0.022,
            sides: 0.026,
            lift: 0.004,
            rise: 0.4,
            droop: 10.0,
            uneven: 0.15,
            locks: Locks {
                clump: 0.4,
                lock_size: 8,
                frizz: 0.001,
                ..PLAIN.locks
            },
            guides: 40,
            strands: 900,
            points: 6,
            width: 0.0011,
            stiffness: [1.0, 0.8],
            rest_stiffness: [0.8, 0.5],
            bare: 0.5,
            ..PLAIN
        },
    ),
    (
        "brows",
        HairCut {
            area: HairArea::Brows,
            length: 0.011,
            sides: 0.008,
            lift: 0.0012,
            rise: 0.25,
            droop: 0.0,
            uneven: 0.2,
            locks: Locks {
                clump: 0.2,
                lock_size: 6,
                frizz: 0.0005,
                ..PLAIN.locks
            },
            guides: 36,
            strands: 700,
            points: 4,
            width: 0.0007,
            stiffness: [1.0, 1.0],
            rest_stiffness: [1.0, 1.0],
            bare: 0.5,
            ..PLAIN
        },
    ),
];

impl HairCut {
    /// Returns the haircut with widths and curls for a head `scale` times as large as usual.
    pub fn sized(&self, scale: f32) -> Self {
        let locks = Locks {
            frizz: self.locks.frizz * scale,
            curl: self.locks.curl * scale,
            curls_per_meter: self.locks.curls_per_meter / scale,
            ..self.locks
        };
        Self {
            width: self.width * scale,
            locks,
            ..*self
        }
    }

    /// Finds a built-in haircut by its name.
    pub fn named(name: &str) -> Option<Self> {
        CUTS.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, cut)| *cut)
    }
}

/// Names of the built-in haircuts.
pub const CUT_NAMES: [&str; CUTS.len()] = {
    let mut names = [""; CUTS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = CUTS[i].0;
        i += 1;
    }
    names
};
