use proptest::prelude::*;

use super::*;
use crate::mouth::{Mouth, MouthOptions};
use crate::viseme::Viseme;

fn names(timings: &SpeechTimings) -> (String, String, String) {
    let words: Vec<_> = timings.words.iter().map(|w| w.text.as_str()).collect();
    let phones: Vec<_> = timings.phonemes.iter().map(|p| p.phoneme.name()).collect();
    let cues: Vec<_> = timings.cues.iter().map(|c| c.viseme.name()).collect();
    (words.join(" "), phones.join(" "), cues.join(" "))
}

fn timings(text: &str) -> SpeechTimings {
    read(text.as_bytes()).unwrap()
}

#[test]
fn the_three_rhubarb_formats_give_the_same_cues() {
    let tsv = timings("0.00\tX\n0.10\tB\n0.25\tA\n1.06\tX\n");
    let json = timings(
        r#"{"metadata": {"soundFile": "a.ogg", "duration": 1.06}, "mouthCues": [
        {"start": 0.00, "end": 0.10, "value": "X"}, {"start": "0.10", "end": "0.25", "value": "B"},
        {"start": 0.25, "end": 1.06, "value": "A"}]}"#,
    );
    let xml = timings(
        r#"<?xml version="1.0" encoding="utf-8"?><rhubarbResult><metadata><soundFile>a.ogg</soundFile><duration>1.06</duration></metadata>
        <mouthCues><mouthCue start="0.00" end="0.10">X</mouthCue><mouthCue start="0.10" end="0.25">B</mouthCue>
        <mouthCue start="0.25" end="1.06">A</mouthCue></mouthCues></rhubarbResult>"#,
    );
    assert_eq!(names(&tsv).2, "sil SS PP");
    assert_eq!(tsv, json);
    assert_eq!(json, xml);
    assert_eq!(tsv.duration, Some(1.06));
}

#[test]
fn words_are_read_from_all_json_variants() {
    let shapes = [
        r#"{"text": "Come in", "words": [{"word": "Come", "start": 0.1, "end": 0.4, "confidence": 0.9}, {"word": "in", "start": 0.4, "end": 0.6}]}"#,
        r#"{"segments": [{"text": "Come in", "start": 0, "end": 1, "words": [{"word": " Come", "start": 0.1, "end": 0.4, "probability": 0.9}, {"word": " in", "start": 0.4, "end": 0.6}]}]}"#,
        r#"{"result": [{"conf": 0.9, "word": "Come", "start": 0.1, "end": 0.4}, {"word": "in", "start": 0.4, "end": 0.6}]}"#,
        r#"[{"word": "Come", "start": "0.1", "duration": "0.3"}, {"word": "in", "begin": 0.4, "end": 0.6}]"#,
        "0.1\t0.4\tCome\n0.4\t0.6\tin\n",
    ];
    for shape in shapes {
        let timings = timings(shape);
        assert_eq!(names(&timings).0, "Come in", "{shape}");
        assert!(
            (timings.words[0].start - 0.1).abs() < 1e-6
                && (timings.words[0].end - 0.4).abs() < 1e-6
        );
        assert!(
            timings.words[0]
                .confidence
                .is_none_or(|c| (c - 0.9).abs() < 1e-6)
        );
    }
    let gentle = timings(
        r#"{"transcript": "in", "words": [{"word": "in", "start": 1.0, "end": 1.3, "phones": [{"duration": 0.1, "phone": "ih_B"}, {"duration": 0.2, "phone": "n_E"}]}]}"#,
    );
    assert_eq!(names(&gentle).1, "IH N");
    assert!((gentle.phonemes[1].start - 1.1).abs() < 1e-5);
    let sphinx = timings(
        r#"{"b": 0, "d": 2, "t": "in", "w": [{"b": 0.5, "d": 0.3, "t": "in", "w": [{"b": 0.5, "d": 0.1, "t": "IH"}, {"b": 0.6, "d": 0.2, "t": "N"}]}]}"#,
    );
    assert_eq!(names(&sphinx), ("in".into(), "IH N".into(), String::new()));
}

#[test]
fn labels_are_words_unless_all_are_phonemes_of_one_notation() {
    let rows = |labels: &str| {
        let rows = labels.split(' ').enumerate();
        let lines = rows.map(|(i, label)| format!("{}.1\t{}.9\t{label}\n", i + 1, i + 1));
        let timings = timings(&lines.collect::<String>());
        let (words, phones, cues) = names(&timings);
        format!("{words}|{phones}|{cues}")
    };
    for (labels, expected) in [
        ("lazy dogs run", "lazy dogs run||"),
        ("to be me", "to be me||"),
        ("sil lazy sp dogs", "lazy dogs||"),
        ("über øl", "über øl||"),
        // One real word among the labels, or two notations.
        ("HH AY THERE", "HH AY THERE||"),
        ("AA1 ʃ", "AA1 ʃ||"),
        ("Er Uh", "Er Uh||"),
        ("T2 K10", "T2 K10||"),
        ("sil hh iy1 pau", "|SIL HH IY SIL|"),
        ("D AO1 G", "|D AO G|"),
        ("d ɔː ɡ sp", "|D AO G SIL|"),
        ("h aɪ t͡ʃ", "|HH AY CH|"),
        ("sil PP aa", "||sil PP aa"),
        ("X B A", "||sil SS PP"),
    ] {
        assert_eq!(rows(labels), expected, "{labels}");
    }
}

fn times(timings: &SpeechTimings) -> Vec<(&str, f32, f32)> {
    let round = |t: f32| (t * 1000.0).round() / 1000.0;
    let words = timings.words.iter();
    words
        .map(|w| (w.text.as_str(), round(w.start), round(w.end)))
        .collect()
}

#[test]
fn untimed_words_split_the_time_between_their_neighbours_with_a_warning() {
    let whisperx = timings(
        r#"{"segments": [{"start": 0.1, "end": 2.0, "text": " 7 of 12 £9", "words": [{"word": "7"}, {"word": "of", "start": 0.5, "end": 0.7, "score": 0.9},
        {"word": "12"}, {"word": "£9", "start": null, "end": null}]}, {"start": 2.4, "end": 3.0, "text": " 5", "words": [{"word": "5"}]}], "word_segments": []}"#,
    );
    assert_eq!(
        times(&whisperx),
        [
            ("7", 0.1, 0.5),
            ("of", 0.5, 0.7),
            ("12", 0.7, 1.35),
            ("£9", 1.35, 2.0),
            ("5", 2.4, 3.0)
        ]
    );
    assert_eq!(
        whisperx.warnings,
        ["4 of 5 words have no times and were placed between their neighbours: 7, 12, £9, 5"]
    );
    // Gentle's words without a segment: 0.07 s per letter at the edges, no time in the middle.
    let gentle = timings(
        r#"{"transcript": "so the cat sat up now", "words": [{"case": "not-found-in-audio", "word": "so"}, {"alignedWord": "the", "word": "the", "start": 1.0, "end": 1.2},
        {"case": "not-found-in-audio", "word": "cat"}, {"word": "sat", "start": 1.2, "end": 1.5}, {"word": "up", "start": 2.0, "end": 2.1}, {"case": "not-found-in-audio", "word": "now"}]}"#,
    );
    assert_eq!(
        times(&gentle),
        [
            ("so", 0.86, 1.0),
            ("the", 1.0, 1.2),
            ("cat", 1.2, 1.2),
            ("sat", 1.2, 1.5),
            ("up", 2.0, 2.1),
            ("now", 2.1, 2.31)
        ]
    );
    assert!(gentle.warnings[0].ends_with("so, cat, now"));
    let timed = timings(
        r#"{"words": [{"word": "a", "start": 1, "end": 2}], "segments": [{"text": "a", "start": 1, "end": 2}]}"#,
    );
    assert_eq!(
        (times(&timed), timed.warnings.len()),
        (vec![("a", 1.0, 2.0)], 0)
    );
    assert_eq!(
        read(br#"{"words": [{"word": "a"}]}"#),
        Err(ExchangeError::Unknown)
    );
}

const LONG_GRID: &str = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\nxmin = 0\nxmax = 1.3\ntiers? <exists>\nsize = 2\nitem []:\n    item [1]:\n        class = \"IntervalTier\"\n        name = \"words\"\n        xmin = 0\n        xmax = 1.3\n        intervals: size = 2\n        intervals [1]:\n            xmin = 0\n            xmax = 0.5\n            text = \"\"\n        intervals [2]:\n            xmin = 0.5\n            xmax = 1.3\n            text = \"say \"\"ah\"\"\"\n    item [2]:\n        class = \"IntervalTier\"\n        name = \"phones\"\n        xmin = 0\n        xmax = 1.3\n        intervals: size = 2\n        intervals [1]:\n            xmin = 0\n            xmax = 0.5\n            text = \"sil\"\n        intervals [2]:\n            xmin = 0.5\n            xmax = 1.3\n            text = \"ɑː\"\n";

#[test]
fn long_and_short_textgrids_are_read_in_any_encoding() {
    let long = timings(LONG_GRID);
    assert_eq!(
        names(&long),
        ("say \"ah\"".into(), "SIL AA".into(), String::new())
    );
    assert_eq!(long.duration, Some(1.3));
    let short = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n1.3\n<exists>\n1\n\"IntervalTier\"\n\"bobby\"\n0\n1.3\n2\n0\n0.5\n\"M\"\n0.5\n1.3\n\"AA1\"\n";
    assert_eq!(names(&timings(short)).1, "M AA");
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(LONG_GRID.encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    assert_eq!(read(&wide), Ok(long));
}

#[test]
fn phoneme_labels_are_phonemes_and_htk_times_are_in_100_ns() {
    let timings = timings(
        "0 1300000 x^x-sil+hh=iy@x\n1300000 2050000 x^sil-hh+iy=t@1\n2050000 90000000000 sil^hh-iy+t=er\n",
    );
    assert_eq!(names(&timings).1, "SIL HH IY");
    assert!((timings.phonemes[1].start - 0.13).abs() < 1e-6);
}

#[test]
fn written_files_are_read_back_unchanged() {
    let cue = |viseme, start, end| VisemeCue {
        viseme,
        start,
        end,
        amount: 1.0,
    };
    let timed = |phone, start, end| TimedPhoneme {
        phoneme: phone,
        start,
        end,
    };
    let track = SpeechTrack {
        duration: 1.0,
        words: vec![word("ma", 0.25, 0.75)],
        phonemes: vec![
            timed(Phoneme::Sil, 0.0, 0.25),
            timed(Phoneme::M, 0.25, 0.5),
            timed(Phoneme::AA, 0.5, 0.75),
        ],
        cues: vec![
            cue(Viseme::Sil, 0.0, 0.25),
            cue(Viseme::PP, 0.25, 0.5),
            cue(Viseme::AA, 0.5, 0.75),
        ],
        ..SpeechTrack::default()
    };
    let mouth = Mouth::new(&track.cues, &MouthOptions::default());
    let json = write_json(&track, &mouth, "ma", "ma.wav");
    let own = timings(&json);
    assert_eq!(own.clone().track(1.0), Ok(track.clone()));
    assert_eq!(own.text.as_deref(), Some("ma"));
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["curves"]["PP"].as_array().map(Vec::len), Some(61));
    assert_eq!(timings(&write_tsv(&track)).cues, track.cues);
    let grid = timings(&write_textgrid(&track));
    assert_eq!(grid.words, track.words);
    assert_eq!(names(&grid).1, "SIL M AA SIL");
}

#[test]
fn invalid_files_are_rejected_with_a_message() {
    let error = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
    assert!(error("hello there").starts_with("the file has no speech timing"));
    assert!(error("{\"a\": 1}").starts_with("the file has no speech timing"));
    assert!(
        error("{\"mouthCues\": [{\"start\": 0, \"end\": 1, \"value\": \"Q\"}]}").contains("cue 1")
    );
    assert!(error("{\n\"words\": [").starts_with("JSON: line 2"));
    assert!(error("0.0\tX\n0.5\tQ\n").contains("line 2: unknown shape \"Q\""));
    assert!(error("<svg></svg>").starts_with("the file has no speech timing"));
    assert!(error(&LONG_GRID[..LONG_GRID.len() - 40]).starts_with("TextGrid: line"));
    let late = timings("0\tX\n5000\tA\n9000\tX\n").track(4.0).unwrap_err();
    assert!(
        late.to_string()
            .contains("check that the times are seconds"),
        "{late}"
    );
}

#[test]
fn times_that_end_before_they_start_get_no_duration_and_a_warning() {
    let files = [
        "<rhubarbResult><mouthCues><mouthCue start=\"1.00\" end=\"0.10\">X</mouthCue></mouthCues></rhubarbResult>",
        "{\"mouthCues\": [{\"start\": 1, \"end\": 0.1, \"value\": \"X\"}]}",
    ];
    for file in files {
        let read = timings(file);
        assert_eq!((read.cues[0].start, read.cues[0].end), (1.0, 1.0));
        assert_eq!(
            read.warnings,
            ["1 entry with an end before the start; the duration is set to 0"]
        );
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes);
    }

    #[test]
    fn broken_files_are_read_or_refused(
        which in 0_usize..4,
        cut in 0_usize..900,
        at in 0_usize..900,
        byte in any::<u8>(),
    ) {
        let files = [
            LONG_GRID,
            "0.00\tX\n0.10\tB\n1.06\tX\n",
            r#"{"words": [{"word": "a", "start": 0.1, "end": 0.4, "phones": [{"phone": "AA", "duration": 1}]}]}"#,
            r#"<rhubarbResult><mouthCues><mouthCue start="0.00" end="0.10">X</mouthCue></mouthCues></rhubarbResult>"#,
        ];
        let mut bytes = files[which].as_bytes().to_vec();
        bytes.truncate(cut);
        if let Some(slot) = bytes.get_mut(at) {
            *slot = byte;
        }
        if let Ok(timings) = read(&bytes) {
            for cue in &timings.cues {
                prop_assert!(cue.start.is_finite() && cue.end >= cue.start);
            }
            let _ = timings.track(1.0);
        }
    }
}
