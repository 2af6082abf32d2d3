mod readings;

use std::sync::Arc;

use proptest::prelude::*;

use crate::text::language::{Language, OwnLanguage, language, languages};
use crate::text::lexicon::{Lexicon, Pronunciation};
use crate::text::rules::{LetterRules, Rule};
use crate::text::{Pronouncer, SpokenWord};

fn reader(name: &str) -> Pronouncer {
    Pronouncer {
        language: language(name, &[]).unwrap(),
        lexicon: Arc::default(),
    }
}

fn names(words: &[SpokenWord]) -> String {
    let words = words.iter().map(|word| {
        let sounds = word.sounds.iter();
        let n = word.n_syllables();
        let names = sounds.map(|s| {
            format!(
                "{}{}",
                s.phoneme,
                if s.stressed && n > 1 { "1" } else { "" }
            )
        });
        names.collect::<Vec<_>>().join(" ")
    });
    words.collect::<Vec<_>>().join(" | ")
}

/// Checks rows of "word: phones", separated by ";", and reports all wrong rows at once.
fn check(name: &str, rows: &str) {
    let reader = reader(name);
    let mut errors = Vec::new();
    for row in rows
        .split(['\n', ';'])
        .map(str::trim)
        .filter(|row| !row.is_empty())
    {
        let (word, expected) = row.split_once(": ").unwrap();
        let read = names(&reader.spoken_by_rules(word));
        if read != expected {
            errors.push(format!("{word}: {read}, expected {expected}"));
        }
    }
    assert!(errors.is_empty(), "{name}\n{}", errors.join("\n"));
}

#[test]
fn spanish_words_are_read() {
    check(
        "es",
        "hola: AO1 L AA; buenos: B W EH1 N AO S; tierra: T Y EH1 R AA; pingüino: P IY NG G W IY1 N AO; gente: HH EH1 N T EH;
        jamón: HH AA M AO1 N; calle: K AA1 Y EH; zapato: TH AA P AA1 T AO; ciudad: TH Y UW DH AA1 DH; muy: M W IY;
        aire: AY1 R EH; agua: AA1 G W AA; huevo: W EH1 B AO; hueso: W EH1 S AO; pero: P EH1 R AO; música: M UW1 S IY K AA;
        árbol: AA1 R B AO L; lápiz: L AA1 P IY TH; examen: EH K S AA1 M EH N; noche: N AO1 CH EH; ayer: AA Y EH1 R;
        yo: Y AO; usted: UW S T EH1 DH; hombre: AO1 M B R EH; trabajo: T R AA B AA1 HH AO; amigo: AA M IY1 G AO;
        tiempo: T Y EH1 M P AO; puedo: P W EH1 DH AO; pequeño: P EH K EH1 N Y AO; ahora: AA AO1 R AA;
        también: T AA M B Y EH1 N; psicología: S IY K AO L AO HH IY1 AA; país: P AA IY1 S; baúl: B AA UW1 L;
        guitarra: G IY T AA1 R AA; general: HH EH N EH R AA1 L; invierno: IY M B Y EH1 R N AO; hablar: AA B L AA1 R;
        alrededor: AA L R EH DH EH DH AO1 R; estrella: EH S T R EH1 Y AA; jirafa: HH IY R AA1 F AA;
        xilófono: S IY L AO1 F AO N AO; rey: R EY; oír: AO IY1 R; maíz: M AA IY1 TH; aéreo: AA EH1 R EH AO;
        vergüenza: B EH R G W EH1 N TH AA; quizás: K IY TH AA1 S; difícil: D IY F IY1 TH IY L; inglés: IY NG G L EH1 S;
        alemán: AA L EH M AA1 N; avión: AA B Y AO1 N; crisis: K R IY1 S IY S; viernes: B Y EH1 R N EH S;
        sábado: S AA1 B AA DH AO; enero: EH N EH1 R AO; diciembre: D IY TH Y EH1 M B R EH;
        corazones: K AO R AA TH AO1 N EH S; jóvenes: HH AO1 B EH N EH S; ordenador: AO R D EH N AA DH AO1 R",
    );
}

#[test]
fn italian_words_are_read() {
    check(
        "it",
        "ciao: CH AA1 AO; buongiorno: B W AO N JH AO1 R N AO; prego: P R EH1 G AO; città: CH IY T AA1; chiave: K Y AA1 V EH;
        gelato: JH EH L AA1 T AO; giardino: JH AA R D IY1 N AO; famiglia: F AA M IY1 L Y AA; gli: L Y IY;
        gnocchi: N Y AO1 K IY; scuola: S K W AO1 L AA; uscire: UW SH IY1 R EH; pizza: P IY1 T S AA;
        stanza: S T AA1 N T S AA; azione: AA T S Y AO1 N EH; rosa: R AO1 Z AA; acqua: AA1 K W AA; questo: K W EH1 S T AO;
        buono: B W AO1 N AO; mio: M IY1 AO; amico: AA M IY1 K AO; musica: M UW1 Z IY K AA;
        bellissimo: B EH L IY1 S IY M AO; tavola: T AA1 V AO L AA; secolo: S EH1 K AO L AO; camera: K AA1 M EH R AA;
        libero: L IY1 B EH R AO; mattina: M AA T IY1 N AA; parlare: P AA R L AA1 R EH; sono: S AO1 N AO; oggi: AO1 JH IY;
        bambino: B AA M B IY1 N AO; guerra: G W EH1 R AA; cinque: CH IY1 NG K W EH; sedici: S EH1 D IY CH IY;
        quarantadue: K W AA R AA N T AA D UW1 EH; mille: M IY1 L EH; caffè: K AA F EH1; sempre: S EH1 M P R EH;
        sveglia: Z V EH1 L Y AA; luglio: L UW1 L Y AO; agosto: AA G AO1 S T AO; dicembre: D IY CH EH1 M B R EH;
        martedì: M AA R T EH D IY1; domenica: D AO M EH1 N IY K AA; maglione: M AA L Y AO1 N EH;
        forchetta: F AO R K EH1 T AA; bicchiere: B IY K Y EH1 R EH; acciuga: AA CH UW1 G AA; pesca: P EH1 S K AA;
        arancia: AA R AA1 N CH AA; scarpe: S K AA1 R P EH; orecchio: AO R EH1 K Y AO; ginocchio: JH IY N AO1 K Y AO;
        schiena: S K Y EH1 N AA; braccio: B R AA1 CH AO; piede: P Y EH1 D EH; capelli: K AA P EH1 L IY;
        svegliarsi: Z V EH L Y AA1 R S IY; quindici: K W IY1 N D IY CH IY",
    );
}

#[test]
fn german_words_are_read() {
    check(
        "de",
        "guten: G UW1 T AH N; tag: T AA K; bitte: B IH1 T AH; schön: SH UH N; ich: IH SH; buch: B UH K;
        sprechen: SH P R EH1 SH AH N; spiel: SH P IY L; zeit: T S AY T; jetzt: Y EH T S T; haus: HH AW S; deutsch: D OY CH;
        liebe: L IY1 B AH; sieben: Z IY1 B AH N; gehen: G EH1 AH N; fahren: F AA1 R AH N; wein: V AY N; vater: F AA1 T AH;
        ja: Y AA; singen: Z IH1 NG AH N; finger: F IH1 NG AH; kopf: K AO P F; hund: HH UH N T; lieb: L IY P;
        wichtig: V IH1 SH T IH SH; für: F UW R; müssen: M UW1 S AH N; nation: N AA T S Y AO1 N;
        bekommen: B AH K AO1 M AH N; gesehen: G AH Z EH1 AH N; zerstören: T S EH R S T UH1 R AH N; musik: M UW Z IY1 K;
        sechs: Z EH K S; sonne: Z AO1 N AH; kinder: K IH1 N D AH; bruder: B R UW1 D AH; sohn: Z AO N; tante: T AA1 N T AH;
        mittagessen: M IH1 T AA G EH S AH N; gemüse: G AH M UW1 Z AH; apfel: AA1 P F AH L; kirsche: K IH1 R SH AH;
        fisch: F IH SH; käse: K EH1 Z AH; butter: B UH1 T AH; salz: Z AA L T S; löffel: L UH1 F AH L; messer: M EH1 S AH;
        fenster: F EH1 N S T AH; wohnung: V AO1 N UH NG; küche: K UW1 SH AH; baum: B AW M; himmel: HH IH1 M AH L;
        schnee: SH N EH; sommer: Z AO1 M AH; herbst: HH EH R P S T; dienstag: D IY1 N S T AA K; januar: Y AA1 N UH AA R;
        vergessen: F EH R G EH1 S AH N; gesagt: G AH Z AA1 K T",
    );
}

#[test]
fn french_words_are_read() {
    check(
        "fr",
        "bonjour: B AO ZH UW1 R; oui: W IY; femme: F AA M; enfant: AA F AA1; famille: F AA M IY1 Y; beau: B AO;
        oiseau: W AA Z AO1; vert: V EH R; noir: N W AA R; petit: P UH T IY1; bonne: B AO N; vin: V AE; matin: M AA T AE1;
        chien: SH Y AE; loin: L W AE; voyage: V W AA Y AA1 ZH; travail: T R AA V AA1 Y; montagne: M AO T AA1 N Y;
        manger: M AA ZH EH1; parlait: P AA R L EH1; fête: F EH T; mère: M EH R; nation: N AA S Y AO1; quand: K AA;
        vingt: V AE; yeux: Y UH; pluie: P L W IY; trop: T R AO; maintenant: M AE T N AA1; souvent: S UW V AA1;
        jeune: ZH UH N; coeur: K UH R; seul: S UH L; simple: S AE P L; ensemble: AA S AA1 B L;
        exercice: EH G Z EH R S IY1 S; premier: P R UH M Y EH1; hier: Y EH R; chez: SH EH; des: D EH; le: L UH;
        chaise: SH EH Z; chambre: SH AA B R; crayon: K R EH Y AO1; papier: P AA P Y EH1; phrase: F R AA Z;
        anglais: AA G L EH1; mardi: M AA R D IY1; dimanche: D IY M AA1 SH; août: UW T; printemps: P R AE T AA1;
        pomme: P AO M; cerise: S UH R IY1 Z; viande: V Y AA D; poulet: P UW L EH1; beurre: B UH R; poivre: P W AA V R;
        couteau: K UW T AO1; bouteille: B UW T EH1 Y; forêt: F AO R EH1; neige: N EH ZH; ciel: S Y EH L;
        réveil: R EH V EH1 Y; tante: T AA T",
    );
}

#[test]
fn words_are_elided_and_read_as_one() {
    check(
        "fr",
        "l'homme: L AO M; d'accord: D AA K AO1 R; c'est: S EH; qu'il: K IY L; j'ai: ZH EH; m'appelle: M AA P EH1 L",
    );
    check(
        "it",
        "l'acqua: L AA1 K W AA; c'è: CH EH; un'amica: UW N AA M IY1 K AA; dell'uomo: D EH L W AO1 M AO",
    );
}

#[test]
fn japanese_words_are_read() {
    check(
        "ja",
        "こんにちは: K AO1 N IY CH IY W AA; ありがとう: AA1 R IY G AA T AO; さくら: S AA1 K UW R AA; きょう: K Y AO; しゃしん: SH AA1 SH IY N;
        がっこう: G AA1 K AO; てんき: T EH1 NG K IY; しんぶん: SH IY1 M B UW N; にほんご: N IY1 HH AO NG G AO; カメラ: K AA1 M EH R AA;
        コーヒー: K AO1 HH IY; パーティー: P AA1 T IY; ちょっと: CH AO1 T AO; つき: T S UW1 K IY; ふじさん: F UW1 JH IY S AA N;
        おはようございます: AO1 HH AA Y AO G AO Z AA IY M AA S; せんせい: S EH1 N S EH; りょこう: R Y AO1 K AO; わたし: W AA1 T AA SH IY;
        ジュース: JH UW1 S UW",
    );
}

#[test]
fn english_reads_numbers_and_abbreviations_without_the_dictionary() {
    check(
        "en",
        "42: F AO R T IY T UW1
        1984: N AY N T IY N EY T IY F AO1 R
        1905: N AY N T IY N OW F AY1 V
        2003: T UW TH AW Z AH N D TH R IY1
        2024: T W EH N T IY T W EH N T IY F AO1 R
        1,984: W AH N TH AW Z AH N D N AY N HH AH N D R AH D EY T IY F AO1 R
        3.5: TH R IY P OY N T F AY1 V
        $5: F AY V D AA1 L ER Z
        $1: W AH N D AA1 L ER
        10%: T EH N P ER S EH1 N T
        2nd: S EH1 K AH N D
        21st: T W EH N T IY F ER1 S T
        -4: M AY N AH S F AO1 R
        10:30: T EH N TH ER1 T IY
        007: Z IY R OW Z IY R OW S EH1 V AH N
        Dr. Smith: D AA1 K T ER | S M IH TH
        Mr. and Mrs. Bell: M IH1 S T ER | AE N D | M IH1 S IH Z | B EH L
        NASA: N AE1 S AH
        the USA: DH AH | Y UW EH S EY1
        U.S.A.: Y UW EH S EY1
        the FBI: DH AH | EH F B IY AY1
        I said STOP: AY | S EH D | S T AA P
        MP3: EH M P IY1 | TH R IY
        don't: D OW N T
        Smith's: S M IH TH S
        5 km: F AY V K AH L AA1 M AH T ER Z
        church's: CH ER1 CH IH Z",
    );
}

#[test]
fn numbers_are_read_in_the_words_of_each_language() {
    for (name, n, words) in [
        ("es", 0, "cero"),
        ("es", 16, "dieciséis"),
        ("es", 100, "cien"),
        ("es", 21_731, "veintiún mil setecientos treinta y uno"),
        (
            "es",
            999_999,
            "novecientos noventa y nueve mil novecientos noventa y nueve",
        ),
        ("it", 28, "ventotto"),
        ("it", 21_000, "ventun mila"),
        ("it", 183, "cento ottantatré"),
        ("de", 16, "sechzehn"),
        ("de", 121, "ein hundert ein und zwanzig"),
        ("de", 7001, "sieben tausend eins"),
        ("fr", 71, "soixante et onze"),
        ("fr", 98, "quatre vin dix huit"),
        ("fr", 6000, "si mille"),
        ("ja", 3600, "さんぜんろっぴゃく"),
        ("ja", 21_000, "にまん せん"),
        (
            "en",
            123_456,
            "one hundred twenty three thousand four hundred fifty six",
        ),
    ] {
        let spoken_number = language(name, &[]).unwrap().cardinal(n);
        assert_eq!(spoken_number, words, "{name} {n}");
    }
    for name in ["en", "es", "es-419", "it", "de", "fr", "ja"] {
        let reader = reader(name);
        for n in (0..1000).chain((1000..1_000_000).step_by(997)) {
            let words = reader.spoken_by_rules(&n.to_string());
            assert!(
                words.len() == 1 && !words[0].sounds.is_empty(),
                "{name} {n}"
            );
        }
        // The decimal mark is the language's own.
        let mark = reader.language.numbers.mark;
        let read = reader.spoken_by_rules(&format!("3{mark}5"));
        assert_eq!(read.len(), 1, "{name}");
    }
}

#[test]
fn all_tables_of_all_languages_are_valid() {
    assert_eq!(languages().len(), super::SOURCES.len());
    for language in languages() {
        assert!(
            language.rules.len() > 60,
            "{}: {}",
            language.code,
            language.rules.len()
        );
        assert!(!language.spelt("xyz").is_empty(), "{}", language.code);
    }
}

#[test]
fn a_language_is_found_by_its_names_and_an_unknown_one_is_reported() {
    for (name, code) in [
        ("EN", "en"),
        ("Spanish", "es"),
        ("español", "es"),
        ("es-MX", "es-419"),
        ("de_AT", "de"),
        ("fr-CA", "fr"),
        ("Deutsch", "de"),
        ("japanese", "ja"),
    ] {
        assert_eq!(language(name, &[]).unwrap().code, code);
    }
    let error = language("spanich", &[]).unwrap_err();
    assert!(error.contains("did you mean \"spanish\""), "{error}");
}

#[test]
fn a_custom_language_uses_its_rules_stress_and_digits() {
    let rule = |left: &str, letters: &str, right: &str, sounds: &str| {
        [left, letters, right, sounds].map(str::to_owned)
    };
    let mut definition = OwnLanguage {
        rules: vec![
            rule("", "th", "", "TH"),
            rule("", "a", "", "AA"),
            rule("", "e", "_", "IY"),
            rule("", "e", "", "EH"),
            rule("", "l", "", "L"),
        ],
        stress: Some("penultimate".to_owned()),
        digits: "al el le la tha the atha ethe lal lel"
            .split(' ')
            .map(str::to_owned)
            .collect(),
        ..OwnLanguage::default()
    };
    let read = |language: Language, text: &str| {
        let reader = Pronouncer {
            language: Arc::new(language),
            lexicon: Arc::default(),
        };
        names(&reader.spoken(text))
    };
    let own = Language::own("elvish", None, &definition).unwrap();
    assert_eq!(
        read(own, "Ethela thalate 20"),
        "EH TH EH1 L AA | TH AA L AA1 IY | L IY AA1 L"
    );
    definition.digits.pop();
    assert!(
        Language::own("elvish", None, &definition)
            .unwrap_err()
            .contains("ten words")
    );
    definition.digits.clear();
    definition.stress = Some("penultimat".to_owned());
    assert!(
        Language::own("elvish", None, &definition)
            .unwrap_err()
            .contains("penultimate")
    );
    definition.stress = None;
    definition.rules.push(rule("", "x", "", "KX"));
    let error = Language::own("elvish", None, &definition).unwrap_err();
    assert!(error.contains("unknown phoneme \"KX\""), "{error}");
    // Additional rules before those of another language.
    definition.rules = vec![rule("", "z", "", "S")];
    let spanish = language("es", &[]).unwrap();
    let own = Language::own("andaluz", Some(&spanish), &definition).unwrap();
    assert_eq!(read(own, "zapato"), "S AA P AA1 T AO");
}

#[test]
fn the_custom_lexicon_has_priority() {
    let mut lexicon = Lexicon::default();
    let mut add = |language: Option<&str>, word: &str, says: &str| {
        lexicon.insert(language, word, Pronunciation::parsed(says).unwrap());
    };
    add(None, "Galatea", "G AE L AH T IY1 AH");
    add(None, "Xyr", "ksir");
    add(None, "the", "/zə/");
    add(Some("es"), "Xyr", "S IY R");
    add(None, "loop", "loop");
    let mut reader = reader("en");
    reader.lexicon = Arc::new(lexicon);
    for words in [
        reader.spoken("The Galatea, Xyr’s."),
        reader.spoken_by_rules("The Galatea, Xyr’s."),
    ] {
        assert_eq!(names(&words), "Z AH | G AE L AH T IY1 AH | K S ER Z");
        assert_eq!(words[1].pause, 0.2);
    }
    assert!(names(&reader.spoken("loop")).ends_with('P'));
    reader.language = language("es", &[]).unwrap();
    assert_eq!(names(&reader.spoken("Xyr")), "S IY R");
}

/// Texts of letters, digits and meaningful symbols in several scripts.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC*",
        "[a-zA-Zäöüßéàçñ'’.,:;$€%0-9 -]{0,40}",
        "[ぁ-んァ-ヶー0-9０-９、。]{0,20}"
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_is_read_in_any_language_without_panic(text in text(), which in 0_usize..7) {
        let reader = Pronouncer {
            language: languages()[which].clone(),
            lexicon: Arc::default(),
        };
        let mut at = 0;
        for word in reader.spoken_by_rules(&text) {
            prop_assert_eq!(text.get(word.range.clone()), Some(word.text.as_str()));
            prop_assert!(word.range.start >= at && !word.sounds.is_empty());
            prop_assert!(word.sounds.iter().filter(|s| s.stressed).count() <= 1);
            prop_assert!(word.pause.is_finite());
            at = word.range.end;
        }
    }

    #[test]
    fn any_rule_and_any_pronunciation_is_parsed_or_rejected(
        left in "[a-zA-Z_*#=()!é]{0,8}",
        letters in "\\PC{0,4}",
        right in "[a-zA-Z_*#=()!é]{0,8}",
        sounds in "[A-Z0-2 ]{0,8}",
        text in text(),
    ) {
        let _ = Pronunciation::parsed(&text);
        let _ = Pronunciation::parsed(&format!("/{text}/"));
        let mut rules = LetterRules::default();
        let _ = rules.set_stress(&format!("{right} -1;{left} 2"));
        if let Ok(rule) = Rule::new(&left, &letters, &right, &sounds) {
            rules.add(rule);
            let letters = rules.letters(&format!("{letters}{text}{letters}"));
            let _ = rules.read(&letters);
        }
    }
}
