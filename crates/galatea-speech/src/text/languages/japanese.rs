//! Japanese in kana and in Latin letters (Hepburn). Kanji are not read; text must be written in kana to be spoken.

use crate::text::source::{LanguageSource, Numbers};

/// Rules for kana; katakana is converted to hiragana first.
const KANA: &str = "\
_[こんにちは]_ K AO N IY CH IY W AA; _[こんばんは]_ K AO M B AA N W AA; _[は]_ W AA; _[へ]_ EH; [では]_ D EH W AA; [には]_ N IY W AA; [です]_ D EH S; [です]か D EH S; [ます]_ M AA S; [でした]_ D EH SH T AA; [ました]_ M AA SH T AA
(おこそとのほもよろごぞどぼぽょ)[う]; (えけせてねへめれげぜでべぺ)[い]; (うくすつぬふむゆるぐずぶぷゅ)[う]; [ー]; [っ]
[ん](ばびぶべぼぱぴぷぺぽまみむめも) M; [ん](かきくけこがぎぐげご) NG; [ん] N
[うぃ] W IY; [うぇ] W EH; [うぉ] W AO; [ゔぁ] V AA; [ゔぃ] V IY; [ゔぇ] V EH; [ゔぉ] V AO; [ゔ] V UW
[きゃ] K Y AA; [きゅ] K Y UW; [きょ] K Y AO; [ぎゃ] G Y AA; [ぎゅ] G Y UW; [ぎょ] G Y AO; [しゃ] SH AA; [しゅ] SH UW; [しょ] SH AO; [しぇ] SH EH; [じゃ] JH AA; [じゅ] JH UW; [じょ] JH AO; [じぇ] JH EH
[ちゃ] CH AA; [ちゅ] CH UW; [ちょ] CH AO; [ちぇ] CH EH; [ぢゃ] JH AA; [ぢゅ] JH UW; [ぢょ] JH AO; [てぃ] T IY; [でぃ] D IY; [でゅ] D Y UW; [とぅ] T UW; [どぅ] D UW; [つぁ] T S AA; [つぇ] T S EH; [つぉ] T S AO
[にゃ] N Y AA; [にゅ] N Y UW; [にょ] N Y AO; [ひゃ] HH Y AA; [ひゅ] HH Y UW; [ひょ] HH Y AO; [びゃ] B Y AA; [びゅ] B Y UW; [びょ] B Y AO; [ぴゃ] P Y AA; [ぴゅ] P Y UW; [ぴょ] P Y AO; [みゃ] M Y AA; [みゅ] M Y UW; [みょ] M Y AO; [りゃ] R Y AA; [りゅ] R Y UW; [りょ] R Y AO
[ふぁ] F AA; [ふぃ] F IY; [ふぇ] F EH; [ふぉ] F AO
[あ] AA; [い] IY; [う] UW; [え] EH; [お] AO; [ぁ] AA; [ぃ] IY; [ぅ] UW; [ぇ] EH; [ぉ] AO
[か] K AA; [き] K IY; [く] K UW; [け] K EH; [こ] K AO; [が] G AA; [ぎ] G IY; [ぐ] G UW; [げ] G EH; [ご] G AO
[さ] S AA; [し] SH IY; [す] S UW; [せ] S EH; [そ] S AO; [ざ] Z AA; [じ] JH IY; [ず] Z UW; [ぜ] Z EH; [ぞ] Z AO
[た] T AA; [ち] CH IY; [つ] T S UW; [て] T EH; [と] T AO; [だ] D AA; [ぢ] JH IY; [づ] Z UW; [で] D EH; [ど] D AO
[な] N AA; [に] N IY; [ぬ] N UW; [ね] N EH; [の] N AO; [は] HH AA; [ひ] HH IY; [ふ] F UW; [へ] HH EH; [ほ] HH AO
[ば] B AA; [び] B IY; [ぶ] B UW; [べ] B EH; [ぼ] B AO; [ぱ] P AA; [ぴ] P IY; [ぷ] P UW; [ぺ] P EH; [ぽ] P AO
[ま] M AA; [み] M IY; [む] M UW; [め] M EH; [も] M AO; [や] Y AA; [ゆ] Y UW; [よ] Y AO; [ゃ] Y AA; [ゅ] Y UW; [ょ] Y AO
[ら] R AA; [り] R IY; [る] R UW; [れ] R EH; [ろ] R AO; [わ] W AA; [ゐ] IY; [ゑ] EH; [を] AO";

const ROMAJI: &str = "\
_[konnichiwa]_ K AO N IY CH IY W AA; [desu]_ D EH S; [masu]_ M AA S; _[ha]_ W AA; _[wo]_ AO
[aa] AA; [ā] AA; [â] AA; [a] AA; [ii] IY; [ī] IY; [i] IY; [uu] UW; [ū] UW; [û] UW; [u] UW; [ei] EH; [ee] EH; [ē] EH; [ê] EH; [e] EH; [ou] AO; [oo] AO; [ō] AO; [ô] AO; [o] AO
[b] B; [tch] CH; [cch] CH; [ch] CH; [c] K; [d] D; [f] F; [g] G; [h] HH; [j] JH; [k] K; [l] R; [m] M; [n](bpm) M; [n](kg) NG; [n] N; [p] P; [q] K; [r] R; [ssh] SH; [sh] SH; [s] S; [tsu] T S UW; [t] T; [v] V; [w] W; [x] K S; [y] Y; [z] Z; [']";

const LETTERS: &str = "\
えー; びー; しー; でぃー; いー; えふ; じー; えいち; あい; じぇー; けー; える; えむ; えぬ; おー; ぴー; きゅー; あーる; えす; てぃー; ゆー; ぶい; だぶりゅー; えっくす; わい; ぜっと";

/// Japanese, "ja".
pub static JAPANESE: LanguageSource = LanguageSource {
    code: "ja",
    names: &["japanese", "日本語", "jp"],
    vowels: "aeiouāīūēōâêîôûあいうえおかきくけこがぎぐげごさしすせそざじずぜぞたちつてとだぢづでどなにぬねのはひふへほばびぶべぼぱぴぷぺぽまみむめもやゆよらりるれろわをゔゃゅょ",
    front: "eiえい",
    rules: &[KANA, ROMAJI],
    stress: "1",
    letters: LETTERS,
    numbers: NUMBERS,
    ..LanguageSource::NONE
};

const NUMBERS: Numbers = Numbers {
    cardinal,
    mark: '.',
    group: ',',
    point: "てん",
    minus: "まいなす",
    percent: "ぱーせんと",
    money: &[
        ('¥', "えん", "えん"),
        ('円', "えん", "えん"),
        ('$', "どる", "どる"),
        ('€', "ゆーろ", "ゆーろ"),
    ],
    ..Numbers::NONE
};

const ONES: [&str; 10] = [
    "ぜろ",
    "いち",
    "に",
    "さん",
    "よん",
    "ご",
    "ろく",
    "なな",
    "はち",
    "きゅう",
];

fn cardinal(n: u64) -> String {
    let one = |i: u64| ONES.get(i as usize).copied().unwrap_or_default();
    let tail = |rest: u64| match rest {
        0 => String::new(),
        rest => cardinal(rest),
    };
    match n {
        0..10 => one(n).to_owned(),
        10..20 => format!("じゅう{}", tail(n - 10)),
        20..100 => format!("{}じゅう{}", one(n / 10), tail(n % 10)),
        100..1000 => {
            let hundred = match n / 100 {
                1 => "ひゃく".to_owned(),
                3 => "さんびゃく".to_owned(),
                6 => "ろっぴゃく".to_owned(),
                8 => "はっぴゃく".to_owned(),
                many => format!("{}ひゃく", one(many)),
            };
            hundred + &tail(n % 100)
        }
        1000..10_000 => {
            let thousand = match n / 1000 {
                1 => "せん".to_owned(),
                3 => "さんぜん".to_owned(),
                8 => "はっせん".to_owned(),
                many => format!("{}せん", one(many)),
            };
            thousand + &tail(n % 1000)
        }
        10_000..100_000_000 => format!("{}まん {}", cardinal(n / 10_000), tail(n % 10_000)),
        _ => format!(
            "{}おく {}",
            cardinal(n / 100_000_000),
            tail(n % 100_000_000)
        ),
    }
}
