//! Resolves each name to the sinks that it moves: the file's own names first, then substitutes.

use std::collections::HashMap;

use super::prefix::shape_names;
use super::recipe::{
    EXPRESSIONS, FROM_VOWELS, REPLACEMENTS, SUBSTITUTES, VISEMES as MADE_VISEMES, openness, sides,
    words_for,
};
use super::rig::{
    BoneKind, Control, ControlOrigin, Corrective, FaceRig, FaceSource, Procedural, Sink, SinkRole,
    SinkTarget, SpeechBy,
};
use super::shape::{ARKIT, FaceRegion, FaceSide, key, region, side};
use galatea_rig::expression::Override;
use galatea_speech::viseme::{N_VISEMES, VISEMES, Viseme};

/// Sinks that a control or viseme moves, with their weights.
type Binds = Vec<(u16, f32)>;

/// Minimum fraction of a recipe's shapes that a face must have to use the recipe.
const MIN_FRACTION: f32 = 0.5;

impl FaceRig {
    /// Finds all controls of a model's face.
    pub fn new(source: &FaceSource) -> Self {
        let mut rig = Self {
            bones: source.bones.clone(),
            ..Self::default()
        };
        let names = shape_names(&source.morphs, &source.parts);
        for (i, name) in names.iter().enumerate() {
            let rest = source.rest.get(i).copied().unwrap_or(0.0);
            rig.sinks.push(Sink {
                target: SinkTarget::Morph(i),
                region: region(name),
                side: side(name),
                rest,
                range: [rest.min(0.0), rest.max(1.0)],
                act: role(&key(name)),
                binary: None,
            });
        }
        for (i, bone) in source.bones.iter().enumerate() {
            let (region, side, low) = match bone.kind {
                BoneKind::Jaw => (FaceRegion::Mouth, FaceSide::Middle, 0.0),
                BoneKind::Lid(side) => (FaceRegion::Lids, side, -0.5),
                BoneKind::Brow(side) => (FaceRegion::Brows, side, -1.0),
            };
            rig.sinks.push(Sink {
                target: SinkTarget::Bone(i),
                region,
                side,
                rest: 0.0,
                range: [low, 1.0],
                act: if bone.kind == BoneKind::Jaw {
                    SinkRole::OpensMouth
                } else {
                    SinkRole::None
                },
                binary: None,
            });
        }
        controls(&mut rig, source, &names);
        rig
    }
}

fn role(key: &str) -> SinkRole {
    match key {
        "jawopen" | "mouthopen" | "jawdrop" => SinkRole::OpensMouth,
        "mouthclose" => SinkRole::ClosesLips,
        _ => SinkRole::None,
    }
}

/// Adds controls, visemes, eyelids, gaze and correctives. `names` are those of [`shape_names`].
fn controls(rig: &mut FaceRig, source: &FaceSource, names: &[&str]) {
    file_expressions(rig, source);
    binary_sinks(rig);
    morphs(rig, source, names);
    shapes(rig);
    expressions(rig);
    visemes(rig, names);
    lids(rig);
    correctives(rig, source);
}

fn index(i: usize) -> u16 {
    u16::try_from(i).unwrap_or(u16::MAX)
}

fn plain(name: &str, origin: ControlOrigin, binds: Binds, how: String) -> Control {
    Control {
        name: name.to_owned(),
        key: key(name),
        origin,
        binds,
        is_binary: false,
        overrides: [Override::None; 3],
        procedural: None,
        how,
    }
}

fn file_expressions(rig: &mut FaceRig, source: &FaceSource) {
    for expression in &source.expressions {
        let mut binds: Binds = Vec::new();
        for (morph, weight) in &expression.morphs {
            if *morph < source.morphs.len() {
                binds.push((index(*morph), *weight));
            }
        }
        let name = expression.name;
        if !expression.materials.is_empty() {
            let sink = index(rig.sinks.len());
            let target = SinkTarget::Material(rig.materials.len());
            rig.materials.push(expression.materials.to_vec());
            rig.sinks.push(Sink {
                target,
                region: preset_region(name),
                side: FaceSide::Middle,
                rest: 0.0,
                range: [0.0, 1.0],
                act: SinkRole::None,
                binary: None,
            });
            binds.push((sink, 1.0));
            const LOOKS: [&str; 4] = ["lookl", "lookr", "lookup", "lookdown"];
            if let Some(at) = LOOKS.iter().position(|look| key(name) == *look) {
                rig.looks[at].push((sink, 1.0));
            }
        }
        // Targets with names that do not indicate a region belong to the region of their expression.
        let of_preset = preset_region(name);
        for (sink, _) in &binds {
            if let Some(sink) = rig.sinks.get_mut(usize::from(*sink))
                && sink.region == FaceRegion::Other
            {
                sink.region = of_preset;
            }
        }
        rig.controls.push(Control {
            is_binary: expression.is_binary,
            overrides: expression.overrides,
            procedural: procedural(name),
            ..plain(name, ControlOrigin::File, binds, String::new())
        });
    }
}

/// Marks the sinks that only binary expressions of the file move.
fn binary_sinks(rig: &mut FaceRig) {
    for control in rig.controls.iter().filter(|control| control.is_binary) {
        for (sink, weight) in &control.binds {
            if let Some(sink) = rig.sinks.get_mut(usize::from(*sink)) {
                sink.binary = Some(*weight);
            }
        }
    }
    for control in rig.controls.iter().filter(|control| !control.is_binary) {
        for (sink, _) in &control.binds {
            if let Some(sink) = rig.sinks.get_mut(usize::from(*sink)) {
                sink.binary = None;
            }
        }
    }
}

/// Returns the kind of a procedural VRM expression; `None` for other expressions.
fn procedural(name: &str) -> Option<Procedural> {
    match key(name).as_str() {
        "aa" | "ih" | "ou" | "ee" | "oh" => Some(Procedural::Mouth),
        "blink" | "blinkl" | "blinkr" => Some(Procedural::Blink),
        "lookl" | "lookr" | "lookup" | "lookdown" => Some(Procedural::Look),
        _ => None,
    }
}

/// Returns the region of the face that a file's expression moves.
fn preset_region(name: &str) -> FaceRegion {
    match procedural(name) {
        Some(Procedural::Mouth) => FaceRegion::Mouth,
        Some(Procedural::Blink) => FaceRegion::Lids,
        Some(Procedural::Look) => FaceRegion::Gaze,
        None => region(name),
    }
}

/// Adds a control for each name of a target, and for each shape name without its prefix.
fn morphs(rig: &mut FaceRig, source: &FaceSource, names: &[&str]) {
    let mut indices: HashMap<&str, usize> = HashMap::new();
    let whole = source.morphs.iter().enumerate();
    let short = names.iter().enumerate();
    let short = short.filter(|(i, name)| source.morphs[*i] != **name);
    for (i, name) in whole.chain(short) {
        match indices.get(name) {
            Some(control) => rig.controls[*control].binds.push((index(i), 1.0)),
            None => {
                indices.insert(*name, rig.controls.len());
                let control = plain(
                    name,
                    ControlOrigin::Morph,
                    vec![(index(i), 1.0)],
                    String::new(),
                );
                rig.controls.push(control);
            }
        }
    }
}

/// Returns the file's own control for a normalised name.
fn own<'a>(rig: &'a FaceRig, key: &str) -> Option<&'a Control> {
    let is_own = |c: &&Control| matches!(c.origin, ControlOrigin::File | ControlOrigin::Morph);
    rig.controls.iter().filter(is_own).find(|c| c.key == key)
}

/// Adds ARKit shapes that the file lacks but that have a substitute.
fn shapes(rig: &mut FaceRig) {
    let mut found = Vec::new();
    for name in ARKIT {
        if own(rig, &key(name)).is_some() {
            continue;
        }
        let row = SUBSTITUTES
            .iter()
            .find(|(stem, _)| sides(stem).any(|shape| shape == name));
        let others = row.map_or(&[][..], |(_, others)| others);
        let by_morph = others.iter().find_map(|(other, weight)| {
            let control = own(rig, other)?;
            let binds = scaled(&control.binds, *weight);
            Some((binds, format!("{} × {weight}", control.name)))
        });
        if let Some((binds, how)) = by_morph.or_else(|| by_bone(rig, name)) {
            found.push(plain(name, ControlOrigin::StandIn, binds, how));
        }
    }
    rig.controls.append(&mut found);
}

fn scaled(binds: &[(u16, f32)], factor: f32) -> Binds {
    binds
        .iter()
        .map(|(sink, weight)| (*sink, weight * factor))
        .collect()
}

fn by_bone(rig: &FaceRig, shape: &str) -> Option<(Binds, String)> {
    let side = if shape.ends_with("Left") {
        FaceSide::Left
    } else {
        FaceSide::Right
    };
    let (sinks, weight, how) = match shape {
        "jawOpen" => (
            rig.bones_of(|kind| kind == BoneKind::Jaw),
            1.0,
            "the jaw bone",
        ),
        "eyeBlinkLeft" | "eyeBlinkRight" => (
            rig.bones_of(|kind| kind == BoneKind::Lid(side)),
            1.0,
            "eyelid bones",
        ),
        "eyeSquintLeft" | "eyeSquintRight" => (
            rig.bones_of(|kind| kind == BoneKind::Lid(side)),
            0.3,
            "eyelid bones",
        ),
        "eyeWideLeft" | "eyeWideRight" => (
            rig.bones_of(|kind| kind == BoneKind::Lid(side)),
            -0.3,
            "eyelid bones",
        ),
        "browOuterUpLeft" | "browOuterUpRight" => (
            rig.bones_of(|kind| kind == BoneKind::Brow(side)),
            1.0,
            "eyebrow bones",
        ),
        "browDownLeft" | "browDownRight" => (
            rig.bones_of(|kind| kind == BoneKind::Brow(side)),
            -1.0,
            "eyebrow bones",
        ),
        "browInnerUp" => (
            rig.bones_of(|kind| matches!(kind, BoneKind::Brow(_))),
            0.5,
            "eyebrow bones",
        ),
        _ => return None,
    };
    if sinks.is_empty() {
        return None;
    }
    Some((
        sinks.into_iter().map(|sink| (sink, weight)).collect(),
        how.to_owned(),
    ))
}

/// Sums up a recipe. Returns the sinks with their weights, and the fraction of the recipe that the face has.
fn mix(rig: &FaceRig, parts: &[(&str, f32)]) -> (Binds, f32) {
    let mut sums: Binds = Vec::new();
    let (mut all, mut had) = (0.0, 0.0);
    for (stem, weight) in parts {
        for shape in sides(stem) {
            all += weight;
            let name = key(&shape);
            let control = rig.controls.iter().find(|c| c.key == name);
            let Some(control) = control else { continue };
            had += weight;
            add(&mut sums, &control.binds, *weight);
        }
    }
    (sums, if all > 0.0 { had / all } else { 1.0 })
}

fn add(sums: &mut Binds, binds: &[(u16, f32)], weight: f32) {
    for (sink, bind) in binds {
        match sums.iter_mut().find(|(known, _)| known == sink) {
            Some((_, sum)) => *sum += bind * weight,
            None => sums.push((*sink, bind * weight)),
        }
    }
}

/// Adds the named expressions.
fn expressions(rig: &mut FaceRig) {
    for (name, parts) in EXPRESSIONS {
        let words = words_for(&key(name)).unwrap_or_else(|| vec![name]);
        if words.iter().any(|word| own(rig, &key(word)).is_some()) {
            continue;
        }
        let (binds, fraction) = mix(rig, parts);
        if fraction >= MIN_FRACTION {
            let how = parts
                .iter()
                .map(|(shape, weight)| format!("{shape} {weight}"));
            let how = how.collect::<Vec<_>>().join(", ");
            rig.controls
                .push(plain(name, ControlOrigin::Made, binds, how));
        }
    }
    let known = |rig: &FaceRig, name: &str| rig.find(name).is_some();
    for (name, _) in EXPRESSIONS {
        if known(rig, name) {
            continue;
        }
        let others = REPLACEMENTS
            .iter()
            .find(|(expression, _)| expression == name);
        let others = others.map_or(&[][..], |(_, others)| others);
        let (mut binds, mut how) = (Binds::new(), Vec::new());
        for (other, weight) in others {
            let found = rig
                .find(other)
                .and_then(|i| rig.controls.get(usize::from(i)));
            let direct = found.filter(|control| control.origin != ControlOrigin::Instead);
            if let Some(control) = direct {
                add(&mut binds, &control.binds, *weight);
                how.push(format!("{} {weight}", control.name));
            }
        }
        if how.is_empty() {
            rig.missing.push(name);
        } else {
            rig.controls
                .push(plain(name, ControlOrigin::Instead, binds, how.join(", ")));
        }
    }
}

/// Resolves each viseme.
fn visemes(rig: &mut FaceRig, names: &[&str]) {
    let own_binds: [Option<Binds>; N_VISEMES] =
        VISEMES.map(|viseme| own_viseme(rig, names, viseme));
    let n_own = own_binds.iter().flatten().count();
    let five = |name: &str| -> Option<Binds> {
        let words: &[&str] = match name {
            "aa" => &["aa", "a", "ah"],
            "ih" => &["ih", "i"],
            "ou" => &["ou", "u", "uu"],
            "ee" => &["ee", "e"],
            _ => &["oh", "o"],
        };
        // The file's expressions have priority over targets with such short names.
        let of = |origin: ControlOrigin| {
            let mut all = rig.controls.iter().filter(move |c| c.origin == origin);
            all.find(|control| words.contains(&control.key.as_str()))
        };
        of(ControlOrigin::File)
            .or_else(|| of(ControlOrigin::Morph))
            .map(|c| c.binds.clone())
    };
    let n_five = ["aa", "ih", "ou", "ee", "oh"]
        .iter()
        .filter(|name| five(name).is_some())
        .count();
    let by_five = |parts: &[(&str, f32)]| {
        let mut binds = Binds::new();
        for (name, weight) in parts {
            if let Some(own) = five(name) {
                add(&mut binds, &own, *weight);
            }
        }
        binds
    };
    let has = |name: &str| own(rig, &key(name)).is_some();
    let n_shapes = ["jawOpen", "mouthFunnel", "mouthPucker", "mouthStretchLeft"];
    let n_shapes = n_shapes.iter().filter(|name| has(name)).count();
    let open = rig
        .find("jawOpen")
        .and_then(|i| rig.controls.get(usize::from(i)));
    let open = open.map(|control| (control.binds.clone(), control.how.contains("bone")));
    let made = |i: usize| mix(rig, MADE_VISEMES[i]).0;
    let (by, all): (SpeechBy, Vec<Binds>) = if n_own >= 9 {
        let fill = own_binds.into_iter().enumerate();
        let filled = fill.map(|(i, binds)| binds.unwrap_or_else(|| made(i)));
        (SpeechBy::Visemes, filled.collect())
    } else if n_shapes >= 3 {
        (SpeechBy::Shapes, (0..N_VISEMES).map(made).collect())
    } else if n_five >= 3 {
        (
            SpeechBy::Vowels,
            FROM_VOWELS.iter().map(|parts| by_five(parts)).collect(),
        )
    } else if let Some((binds, by_bone)) = open {
        let by = if by_bone {
            SpeechBy::Jaw
        } else {
            SpeechBy::OpenMouth
        };
        // While speaking, the jaw is never fully open.
        let max_opening = if by_bone { 0.75 } else { 0.85 };
        let opened = VISEMES.map(|viseme| scaled(&binds, openness(viseme) * max_opening));
        (by, opened.into_iter().collect())
    } else {
        (SpeechBy::Nothing, Vec::new())
    };
    rig.speech_by = by;
    for (slot, binds) in rig.visemes.iter_mut().zip(all) {
        *slot = binds;
    }
    for (sink, _) in rig.visemes.iter().flatten() {
        if let Some(sink) = rig.sinks.get_mut(usize::from(*sink))
            && sink.region == FaceRegion::Other
        {
            sink.region = FaceRegion::Mouth;
        }
    }
}

/// Returns the target or expression of a viseme: by its whole name, or with a prefix word for one-letter names.
fn own_viseme(rig: &FaceRig, names: &[&str], viseme: Viseme) -> Option<Binds> {
    let expected = viseme.name().to_lowercase();
    let is_viseme = |name: &str| {
        let lower = name.to_lowercase();
        let with_word = ["viseme", "vis", "vrc.v", "v"].iter().any(|word| {
            let rest = lower.strip_prefix(word);
            let rest = rest.map(|rest| rest.trim_start_matches(['_', '.', ' ', '-']));
            let long = match viseme {
                Viseme::I => "ih",
                Viseme::O => "oh",
                Viseme::U => "ou",
                _ => "",
            };
            rest.is_some_and(|rest| rest == expected || !long.is_empty() && rest == long)
        });
        with_word || expected.len() > 1 && lower == expected && viseme != Viseme::AA
    };
    let of_file = rig
        .controls
        .iter()
        .filter(|c| c.origin == ControlOrigin::File);
    let mut named = of_file.filter(|control| is_viseme(&control.name));
    if let Some(control) = named.next() {
        return Some(control.binds.clone());
    }
    let targets = names.iter().enumerate().filter(|(_, name)| is_viseme(name));
    let binds: Binds = targets.map(|(i, _)| (index(i), 1.0)).collect();
    (!binds.is_empty()).then_some(binds)
}

fn lids(rig: &mut FaceRig) {
    let binds = |rig: &FaceRig, name: &str| -> Option<Binds> {
        let control = rig.controls.get(usize::from(rig.find(name)?))?;
        Some(control.binds.clone())
    };
    // One target for both eyelids closes them better than two independent ones.
    let both = own(rig, "blink").map(|control| control.binds.clone());
    rig.blink = both.unwrap_or_else(|| {
        let mut sums = Binds::new();
        for name in ["eyeBlinkLeft", "eyeBlinkRight"] {
            add(&mut sums, &binds(rig, name).unwrap_or_default(), 1.0);
        }
        sums
    });
    for (sink, _) in &rig.blink {
        if let Some(sink) = rig.sinks.get_mut(usize::from(*sink))
            && sink.region == FaceRegion::Other
        {
            sink.region = FaceRegion::Lids;
        }
    }
}

/// Finds corrective targets: their names combine the names of others with `__`, `*` or `+`.
fn correctives(rig: &mut FaceRig, source: &FaceSource) {
    for (i, name) in source.morphs.iter().enumerate() {
        let parts: Vec<&str> = ["__", "*", "+"]
            .iter()
            .map(|between| name.split(between).map(str::trim).collect::<Vec<_>>())
            .find(|parts| parts.len() > 1)
            .unwrap_or_default();
        let of: Vec<u16> = parts
            .iter()
            .filter_map(|part| source.morphs.iter().position(|other| other == part))
            .map(index)
            .collect();
        if of.len() > 1 && of.len() == parts.len() {
            rig.correctives.push(Corrective { sink: index(i), of });
        }
    }
}
