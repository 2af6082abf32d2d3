//! Castilian and Latin American Spanish.

use crate::text::source::{LanguageSource, Numbers};

const RULES: &str = "\
[á] AA1; [éi] EY1; [éis] EY1 S; [é] EH1; [í] IY1; [ói] OY1; [ó] AO1; [ú] UW1
[au] AW; [ai] AY; [ay]_ AY; [áu] AW1; [ái] AY1; [a] AA
[ei] EY; [ey]_ EY; [eu] EH W; [e] EH
_[hie] Y EH; _[hia] Y AA; _[i](aeoáéó) Y; C[i](aeouáéóú) Y; (qg)u[i](eéoóaá) Y; [i] IY
[oi] OY; [oy]_ OY; [o] AO
[uy]_ W IY; (cdjlmnprstbfvyzñ)[u](aeioáéíó) W; _[hue] W EH; _[u](aeio) W; [ü] W; [u] UW
_[y]_ IY; V[y]_ Y; C[y]_ IY; [y]C IY; [y] Y
[b] B; [ch] CH; [cc]E K TH; [c]E TH; [c] K
V[d](aeiouáéíóú) DH; V[d]_ DH; [d] D; [f] F
[gue] G EH; [gué] G EH1; [gui] G IY; [guí] G IY1; [gü] G W; [gu](aoáó) G W; [g]E HH; _[gn] N; [g] G
[h]; [j] HH; [k] K; [ll] Y; [l] L; [mm] M; [m] M; [ñ] N Y; [n]cE N; [n](cgkqj) NG; [n](bpv) M; [n] N
[ph] F; _[ps] S; [p] P; [qu]E K; [qu] K W; [q] K; [rr] R; [r] R
[sh] SH; [s] S; [tz] T S; [t] T; [v] B; [w] W; _[x] S; [x] K S; [z] TH";

const STRESS: &str = "(aeiou)_ -2; (aeiouáéíóú)(ns)_ -2; -1";

const WORDS: &str = "\
y IY; o AO; u UW; e EH; a AA; méxico M EH1 HH IY K AO; mexicano M EH HH IY K AA1 N AO; mexicana M EH HH IY K AA1 N AA; \
texas T EH1 HH AA S; oaxaca W AA HH AA1 K AA; hobby HH AO1 B IY; software S AO1 F T W EH R; whisky W IY1 S K IY";

const LETTERS: &str = "\
a; be; ce; de; e; efe; ge; hache; i; jota; ka; ele; eme; ene; o; pe; cu; erre; ese; te; u; uve; uvedoble; equis; igriega; zeta";

const ABBREVIATIONS: &str = "\
sr señor; sra señora; srta señorita; sres señores; dr doctor; dra doctora; d don; ud usted; uds ustedes; vd usted; \
etc etcétera; pág página; núm número; av avenida; km kilómetros; kg kilos";

/// Spanish, "es".
pub static SPANISH: LanguageSource = LanguageSource {
    code: "es",
    names: &["spanish", "español", "castilian"],
    vowels: "aeiouáéíóúü",
    front: "eiéí",
    rules: &[RULES],
    stress: STRESS,
    words: WORDS,
    letters: LETTERS,
    abbreviations: ABBREVIATIONS,
    numbers: NUMBERS,
    ..LanguageSource::NONE
};

/// Latin American Spanish, "es-419": z and c are pronounced as s.
pub static LATIN_AMERICAN: LanguageSource = LanguageSource {
    code: "es-419",
    names: &["latin american spanish", "es-mx", "es-ar", "es-us"],
    base: Some("es"),
    rules: &["[cc]E K S; [sc]E S; [c]E S; [z] S; [tz] T S"],
    ..LanguageSource::NONE
};

const NUMBERS: Numbers = Numbers {
    cardinal,
    ordinal: Some(ordinal),
    ordinal_marks: &["º", "ª", "°", "er", "ro", "do", "to", "ra", "da", "ta"],
    mark: ',',
    group: '.',
    point: "coma",
    minus: "menos",
    percent: "por ciento",
    money: &[
        ('€', "euro", "euros"),
        ('$', "dólar", "dólares"),
        ('£', "libra", "libras"),
        ('¥', "yen", "yenes"),
    ],
    ..Numbers::NONE
};

const SMALL: [&str; 30] = [
    "cero",
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
    "trece",
    "catorce",
    "quince",
    "dieciséis",
    "diecisiete",
    "dieciocho",
    "diecinueve",
    "veinte",
    "veintiuno",
    "veintidós",
    "veintitrés",
    "veinticuatro",
    "veinticinco",
    "veintiséis",
    "veintisiete",
    "veintiocho",
    "veintinueve",
];
const TENS: [&str; 10] = [
    "",
    "",
    "veinte",
    "treinta",
    "cuarenta",
    "cincuenta",
    "sesenta",
    "setenta",
    "ochenta",
    "noventa",
];
const HUNDREDS: [&str; 10] = [
    "",
    "ciento",
    "doscientos",
    "trescientos",
    "cuatrocientos",
    "quinientos",
    "seiscientos",
    "setecientos",
    "ochocientos",
    "novecientos",
];

fn cardinal(n: u64) -> String {
    let of = |list: &[&str], i: u64| list.get(i as usize).copied().unwrap_or_default().to_owned();
    match n {
        0..30 => of(&SMALL, n),
        30..100 if n.is_multiple_of(10) => of(&TENS, n / 10),
        30..100 => format!("{} y {}", of(&TENS, n / 10), of(&SMALL, n % 10)),
        100 => "cien".to_owned(),
        101..1000 => join(of(&HUNDREDS, n / 100), n % 100),
        1000..2000 => join("mil".to_owned(), n % 1000),
        2000..1_000_000 => join(format!("{} mil", before(n / 1000)), n % 1000),
        1_000_000..2_000_000 => join("un millón".to_owned(), n % 1_000_000),
        _ => join(format!("{} millones", before(n / 1_000_000)), n % 1_000_000),
    }
}

fn join(head: String, rest: u64) -> String {
    match rest {
        0 => head,
        rest => format!("{head} {}", cardinal(rest)),
    }
}

/// Before a counted noun, "uno" becomes "un".
fn before(n: u64) -> String {
    let all = cardinal(n);
    match all.strip_suffix("veintiuno") {
        Some(head) => format!("{head}veintiún"),
        None => all
            .strip_suffix("uno")
            .map_or(all.clone(), |head| format!("{head}un")),
    }
}

fn ordinal(n: u64) -> String {
    const FIRST: [&str; 11] = [
        "", "primero", "segundo", "tercero", "cuarto", "quinto", "sexto", "séptimo", "octavo",
        "noveno", "décimo",
    ];
    match FIRST.get(n as usize) {
        Some(word) if n > 0 => (*word).to_owned(),
        _ => cardinal(n),
    }
}
