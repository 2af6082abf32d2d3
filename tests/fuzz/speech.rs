//! Texts to speak, marks in them, custom words and phones, files of times.

use galatea::speech::plan::{LipSync, PlanOptions, Recording, plan};
use galatea::speech::text::Pronouncer;
use galatea::speech::text::ipa;
use galatea::speech::text::language::{Language, OwnLanguage, languages};
use galatea::speech::text::lexicon::Pronunciation;
use galatea::speech::{exchange, marks, silent};
use serde_json::json;

use crate::mutate::InputFormat;
use crate::random::FuzzRng;
use crate::target::Target;
use crate::texts::text_seeds;

pub const TARGETS: &[Target] = &[
    Target::new("timings-json", InputFormat::Json, 200)
        .seeds(timing_documents)
        .run(read_timings),
    Target::new("timings-text", InputFormat::Text, 300)
        .seeds(|| text_seeds(&TIMINGS))
        .run(read_timings),
    Target::new("spoken-text", InputFormat::Text, 150)
        .seeds(|| text_seeds(&TEXTS))
        .run(speak),
    Target::new("lexicon", InputFormat::Text, 200)
        .seeds(|| {
            text_seeds(&[
                "galatea G AE L AH T IY1 AH\nczar zar\nmana /maːna/\n# remark\nen: tea T IY1\n",
            ])
        })
        .run(|bytes| {
            let text = String::from_utf8_lossy(bytes);
            // Refused or read: both are fine.
            for line in text.lines() {
                let _ = Pronunciation::parsed(line);
                let _ = (ipa::phoneme(line), ipa::symbol(line), ipa::longest(line));
            }
        }),
    Target::new("letter-rules", InputFormat::Text, 150)
        .seeds(|| text_seeds(&["|k|n|\n|n|ow|N OW1\n^|ch|+|CH\n:|a||AA\n#|gh|$|\n"]))
        .run(own_language),
    Target::new(
        "recording",
        InputFormat::Made(|rng| format!("{}", rng.next())),
        12,
    )
    .run(hear),
];

fn read_timings(bytes: &[u8]) {
    let Ok(timings) = exchange::read(bytes) else {
        return;
    };
    let last = timings.last();
    if let Ok(track) = timings.track(last.clamp(0.1, 60.0)) {
        assert!(track.duration.is_finite());
    }
}

fn timing_documents() -> Vec<Vec<u8>> {
    let documents = [
        json!({ "metadata": { "soundFile": "a.wav", "duration": 1.2 }, "mouthCues": [
            { "start": 0.0, "end": 0.3, "value": "X" }, { "start": 0.3, "end": 0.9, "value": "B" } ] }),
        json!({ "text": "hello you", "segments": [{ "start": 0, "end": 1, "words": [
            { "word": "hello", "start": 0.1, "end": 0.4, "score": 0.9 }, { "word": "you", "start": 0.5, "end": 0.9 } ] }] }),
        json!({ "words": [{ "word": "hello", "start": 0.1, "end": 0.4, "case": "success",
            "phones": [{ "phone": "hh_B", "duration": 0.1 }, { "phone": "ow_E", "duration": 0.2 }] }] }),
        json!({ "result": [{ "conf": 1.0, "start": 0.1, "end": 0.4, "word": "hello" }], "text": "hello" }),
        json!({ "b": 0, "d": 1, "w": [{ "b": 0.1, "d": 0.2, "t": "hello", "w": [{ "b": 0.1, "d": 0.1, "t": "HH" }] }] }),
        json!({ "format": "galatea-speech", "duration": 1.0, "text": "hi", "words": [["hi", 0.1, 0.5]],
            "phones": [["HH", 0.1, 0.2], ["AY", 0.2, 0.5]], "rate": 60, "curves": [[0.1, 0.2], [0.3, 0.4]] }),
    ];
    documents.map(|json| json.to_string().into_bytes()).to_vec()
}

const TIMINGS: [&str; 8] = [
    "0.00\tX\n0.30\tB\n0.90\tX\n",
    "0.10 0.40 hello\n0.50 0.90 you\n",
    "1000000 4000000 HH\n4000000 9000000 OW\n",
    "word\tstart\tend\nhello\t0.1\t0.4\n",
    "<rhubarbResult><metadata><duration>1.0</duration></metadata><mouthCues><mouthCue start=\"0.0\" end=\"0.3\">X</mouthCue></mouthCues></rhubarbResult>",
    "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\nxmin = 0\nxmax = 1\ntiers? <exists>\nsize = 1\nitem []:\n item [1]:\n  class = \"IntervalTier\"\n  name = \"words\"\n  xmin = 0\n  xmax = 1\n  intervals: size = 1\n  intervals [1]:\n   xmin = 0.1\n   xmax = 0.4\n   text = \"hello\"\n",
    "File type = \"ooTextFile\"\n\"TextGrid\"\n0\n1\n<exists>\n2\n\"IntervalTier\"\n\"phones\"\n0\n1\n1\n0.1\n0.4\n\"HH\"\n\"TextTier\"\n\"x\"\n0\n1\n1\n0.5\n\"a\"\n",
    "1\n00:00:00,100 --> 00:00:00,400\nhello\n\nWEBVTT\n\n00:00.100 --> 00:00.400\nyou\n",
];

const TEXTS: [&str; 6] = [
    "Hello {happy 0.5}there[pause 0.3], Dr. Smith! It is 12:30 on 3/4/2021, £5.50, 1,234.56 km.",
    "{look mira}\\{no\\}[wave] A.B.C. www.example.org/x?y=1 me@x.org +1 (555) 010-9999 #tag -12° 3½",
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. 1. Mai, 3,5 %",
    "L'été, c'est-à-dire «où» ; ¿Qué? ¡Ñandú! Пример текста. 日本語 テスト 한국어 שלום مرحبا",
    "III. IV XVIII 1st 22nd 1990s 3x4=12 $1M 10% ... --- ?!?! COVID-19 MP3 H2O",
    "<speak>Hi <break time=\"300ms\"/> <emphasis level=\"strong\">you</emphasis> &amp; me</speak>",
];

/// Reads a text in one of the languages and plans the mouth for it.
fn speak(bytes: &[u8]) {
    galatea::install();
    let text = String::from_utf8_lossy(bytes);
    assert!(silent::reading_time(&text).is_finite());
    let Ok(marked) = marks::parse(&text) else {
        return;
    };
    let all = languages();
    let reader = Pronouncer {
        language: all[bytes.len() % all.len()].clone(),
        lexicon: std::sync::Arc::default(),
    };
    let options = PlanOptions {
        rate: 1.0,
        lipsync: LipSync::Auto,
        level: true,
    };
    if let Ok(plan) = plan(&marked, None, &options, &reader) {
        assert!(plan.track.duration.is_finite());
    }
}

/// Each line is a rule, with its parts between bars.
fn own_language(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let rule = |line: &str| {
        let mut parts = line.split('|').map(str::to_owned);
        [0; 4].map(|_| parts.next().unwrap_or_default())
    };
    let asked = OwnLanguage {
        rules: text.lines().map(rule).collect(),
        stress: None,
        vowels: None,
        digits: Vec::new(),
    };
    for base in [None, languages().first().map(|own| &**own)] {
        if let Ok(own) = Language::own("fuzz", base, &asked) {
            own.read("knowing");
            own.read(&text.chars().take(200).collect::<String>());
        }
    }
}

/// A recording in a typical format, with odd samples.
fn hear(bytes: &[u8]) {
    let seed = String::from_utf8_lossy(bytes).trim().parse().unwrap_or(0);
    let mut rng = FuzzRng::new("recording", seed, 0);
    let channels = 1 + rng.below(2) as u16;
    let rate = *rng.pick(&[4000, 8000, 11_025, 44_100, 48_000, 192_000]);
    let n = rng.below(40_000);
    let loud = *rng.pick(&[0.0, 1e-30, 0.1, 1.0, 64.0]);
    let samples: Vec<f32> = (0..n)
        .map(|_| loud * (rng.below(2001) as f32 / 1000.0 - 1.0))
        .collect();
    let recording = Recording {
        samples: samples.into(),
        rate,
        channels,
        timings: None,
    };
    let marked = marks::parse("hello there").unwrap_or_default();
    let options = PlanOptions {
        rate: *rng.pick(&[1.0, 0.0, -1.0, 1e30, f32::NAN]),
        lipsync: *rng.pick(&[LipSync::Auto, LipSync::Amplitude, LipSync::Live]),
        level: rng.one_in(2),
    };
    // Refused or planned: both are fine.
    let _ = plan(&marked, Some(&recording), &options, &reader());
}

fn reader() -> Pronouncer {
    Pronouncer {
        language: languages()[0].clone(),
        lexicon: std::sync::Arc::default(),
    }
}
