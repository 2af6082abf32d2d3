//! American English.

use super::english_accents::ACCENTED;
use super::english_forms::FORMS;
use super::english_numbers::{cardinal, ordinal, year};
use super::english_rules::RULES;
use super::english_words::WORDS;
use crate::text::source::{LanguageSource, Numbers};

/// Stress patterns, derived in the same way as the rules in `english_rules.rs`.
const STRESS: &str = "\
(tsc)ional_ -3; ical_ -3; ology_ -3; ologist_ -3; ography_ -3; onomy_ -3; graphic_ -2; ee_ -1; eer_ -1; esque_ -1; \
self_ -1; VVve_ -1; sive_ -2; _coll 2; Vty_ -3; _acco 2; _ob 2; Cted_ -2; _aw 2; _ins*#*_ 2; Vz_ -2; tte_ -1; _uni 1; \
_arr 2; ion_ -2; _pre*#*# 2; _up 2; Cos_ -2; Cis_ -2; _ide 2; _crea 2; pt_ -1; tial_ -2; CCal_ -2; _succ 2; Vo_ -3; \
_cont*#*_ 1; ctive_ -2; _beha 2; ities_ -3; _inv 2; _unde 3; _tran 2; _ad*#*# 2; _att 2; us_ -3; cting_ -2; ions_ -2; \
Vcs_ -2; _ass 2; an_ -3; Va_ -3; ding_ -2; _app 2; ates_ -3; _imp 2; _comp 2; _dis 2; _un 2; _mc 2; _en*#*# 2; _con 2; \
_ex 2; _de 2; l_ -3; CCed_ -2; e_ -3; ic_ -2; i_ -2; Co_ -2; y_ -3; Ca_ -2; _re 2; 1";

/// Letters of loanwords.
const ACCENT_RULES: &str = "[ée] EY; [é] EY; [ñ] N Y";

const LETTERS: &str = "\
EY; B IY; S IY; D IY; IY; EH F; JH IY; EY CH; AY; JH EY; K EY; EH L; EH M; EH N; OW; P IY; K Y UW; AA R; EH S; T IY; Y UW; V IY; \
D AH1 B AH L Y UW; EH K S; W AY; Z IY";

const ABBREVIATIONS: &str = "\
mr mister; mrs missis; ms miz; dr doctor; prof professor; st saint; jr junior; sr senior; vs versus; etc etsetera; ft fort; capt captain; \
lt lieutenant; col colonel; gen general; sgt sergeant; gov governor; sen senator; rep representative; rev reverend; hon honorable; \
ave avenue; blvd boulevard; rd road; mt mount; \
inc incorporated; ltd limited; dept department; approx approximately; vol volume; jan january; feb february; aug august; \
sept september; oct october; nov november; dec december; tue tuesday; tues tuesday; thu thursday; thur thursday; thurs thursday; \
fri friday; co company; corp corporation; est established; hrs hours; mins minutes; secs seconds; yrs years";

/// English, "en".
pub static ENGLISH: LanguageSource = LanguageSource {
    code: "en",
    names: &["english", "american english", "en-us", "en-gb"],
    vowels: "aeiouyé",
    front: "eiyé",
    endings: "e es ed er ing ly",
    rules: &[RULES, ACCENT_RULES],
    stress: STRESS,
    words: WORDS,
    accented: ACCENTED,
    forms: &FORMS,
    letters: LETTERS,
    abbreviations: ABBREVIATIONS,
    numbers: NUMBERS,
    ..LanguageSource::NONE
};

const NUMBERS: Numbers = Numbers {
    cardinal,
    ordinal: Some(ordinal),
    ordinal_marks: &["st", "nd", "rd", "th"],
    year: Some(year),
    mark: '.',
    group: ',',
    point: "point",
    minus: "minus",
    percent: "percent",
    money: &[
        ('$', "dollar", "dollars"),
        ('€', "euro", "euros"),
        ('£', "pound", "pounds"),
        ('¥', "yen", "yen"),
        ('¢', "cent", "cents"),
        ('₹', "rupee", "rupees"),
        ('₽', "ruble", "rubles"),
        ('₩', "won", "won"),
        ('₿', "bitcoin", "bitcoins"),
    ],
};
