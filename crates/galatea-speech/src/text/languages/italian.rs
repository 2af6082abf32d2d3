//! Italian.

use crate::text::source::{LanguageSource, Numbers};

const RULES: &str = "\
[à] AA1; [è] EH1; [é] EH1; [ì] IY1; [í] IY1; [ò] AO1; [ó] AO1; [ù] UW1; [ú] UW1
[ai] AY; [au] AW; [a] AA; [ei] EY; [eu] EH W; [e] EH; [oi] OY; [o] AO
_[i](aeou) Y; C[i](aeouàèéòóù) Y; V[i](aeo) Y; [i] IY
q[u] W; g[u]V W; C[u](aeioàèéìò) W; _[u](aeio) W; [u] UW
[b] B
[c]' CH; [cci](aouàòù) CH; [cc]E CH; [cch] K; [ch] K; [ci](aouàòù) CH; [c]E CH; [cqu] K W; [c] K
(ai)[due]_ D UW1 EH; [d] D; [f] F
[ggi](aouàòù) JH; [gg]E JH; [ggh] G; [gh] G; [gi](aouàòù) JH; _[gl]ic G L; [gli](aeouàèéòù) L Y; [gl]i L Y; [gn] N Y; [g]E JH; [g] G
[h]; [j] Y; [k] K; [l] L; [m] M; [n](cg)E N; [n](cgqk) NG; [n](bp) M; [n] N
[ph] F; [p] P; [q] K; [r] R
[sci](aouàòù) SH; [sch] S K; [sc]E SH; [ss] S; [sh] SH; V[s]V Z; [s](bdglmnrv) Z; [s] S
[th] T; [t] T; [v] V; [w] W; [x] K S; [y] IY; [zz] T S; _[z] D Z; [z] T S";

const STRESS: &str = "\
ssim(aoei)_ -3; abil(ei)_ -3; ibil(ei)_ -3; evol(ei)_ -3; amico_ -2; amica_ -2; nemico_ -2; antico_ -2; ic(ao)_ -3; ich(ei)_ -3; \
tudin(ei)_ -3; agin(ei)_ -3; ordin(ei)_ -3; olog(aoi)_ -3; ograf(aoi)_ -3; (cgpbvtd)ol(aoie)_ -3; (tl)im(ao)_ -3; \
amer(ae)_ -3; umer(oi)_ -3; iber(oaie)_ -3; (pt)(oe)ver(oaie)_ -3; isol(ae)_ -3; anim(aeoi)_ -3; afic(ao)_ -3; \
etic(ao)_ -3; iamo_ -2; rlano_ -3; ordano_ -3; ettano_ -3; essano_ -3; (dlst)ono_ -3; assim(oaei)_ -3; \
(dct)ere_ -2; entes(aeio)_ -3; quid(oaie)_ -3; (pbt)id(oaie)_ -3; erc(oa)l(oei)_ -2; -2";

const WORDS: &str = "\
e EH; è EH1; ed EH D; i IY; o AO; io IY1 AO; mio M IY1 AO; mia M IY1 AA; mie M IY1 EH; tuo T UW1 AO; tua T UW1 AA; tue T UW1 EH; \
suo S UW1 AO; sua S UW1 AA; sue S UW1 EH; due D UW1 EH; zio T S IY1 AO; zia T S IY1 AA; via V IY1 AA; dio D IY1 AO; \
addio AA D IY1 AO; bugia B UW JH IY1 AA; farmacia F AA R M AA CH IY1 AA; paura P AA UW1 R AA; italia IY T AA1 L Y AA; \
essere EH1 S EH R EH; leggere L EH1 JH EH R EH; scrivere S K R IY1 V EH R EH; prendere P R EH1 N D EH R EH; \
mettere M EH1 T EH R EH; credere K R EH1 D EH R EH; vivere V IY1 V EH R EH; chiedere K Y EH1 D EH R EH; \
ridere R IY1 D EH R EH; perdere P EH1 R D EH R EH; vendere V EH1 N D EH R EH; correre K AO1 R EH R EH; \
numero N UW1 M EH R AO; lettera L EH1 T EH R AA; opera AO1 P EH R AA; albero AA1 L B EH R AO; giovane JH AO1 V AA N EH; \
uomini W AO1 M IY N IY; zucchero D Z UW1 K EH R AO; stomaco S T AO1 M AA K AO; sabato S AA1 B AA T AO; domenica D AO M EH1 N IY K AA; macchina M AA1 K IY N AA; \
pagina P AA1 JH IY N AA; subito S UW1 B IY T AO; dopo D AO1 P AO; attimo AA1 T IY M AO; rapido R AA1 P IY D AO; \
facile F AA1 CH IY L EH; difficile D IY F IY1 CH IY L EH; semplice S EH1 M P L IY CH EH; anima AA1 N IY M AA; \
donano D AO1 N AA N AO; mano M AA1 N AO; sono S AO1 N AO; buono B W AO1 N AO; zero D Z EH1 R AO; zona D Z AO1 N AA; \
mezzo M EH1 D Z AO; mezza M EH1 D Z AA; azzurro AA D Z UW1 R AO; pizza P IY1 T S AA; okay AO K EY1; \
undici UW1 N D IY CH IY; dodici D AO1 D IY CH IY; tredici T R EH1 D IY CH IY; quattordici K W AA T AO1 R D IY CH IY; \
quindici K W IY1 N D IY CH IY; sedici S EH1 D IY CH IY; euro EH1 W R AO";

const LETTERS: &str = "\
a; bi; ci; di; e; effe; gi; acca; i; ilunga; cappa; elle; emme; enne; o; pi; cu; erre; esse; ti; u; vu; vudoppia; ics; ipsilon; zeta";

const ABBREVIATIONS: &str = "\
sig signor; dott dottor; dr dottor; prof professor; avv avvocato; ing ingegner; ecc eccetera; pag pagina; \
es esempio; km chilometri; kg chili";

/// Italian, "it".
pub static ITALIAN: LanguageSource = LanguageSource {
    code: "it",
    names: &["italian", "italiano"],
    vowels: "aeiouàèéìíòóùú",
    front: "eièéìí",
    rules: &[RULES],
    stress: STRESS,
    words: WORDS,
    letters: LETTERS,
    abbreviations: ABBREVIATIONS,
    numbers: NUMBERS,
    elides: true,
    ..LanguageSource::NONE
};

const NUMBERS: Numbers = Numbers {
    cardinal,
    ordinal: Some(ordinal),
    ordinal_marks: &["º", "ª", "°"],
    mark: ',',
    group: '.',
    point: "virgola",
    minus: "meno",
    percent: "per cento",
    money: &[
        ('€', "euro", "euro"),
        ('$', "dollaro", "dollari"),
        ('£', "sterlina", "sterline"),
        ('¥', "yen", "yen"),
    ],
    ..Numbers::NONE
};

const SMALL: [&str; 20] = [
    "zero",
    "uno",
    "due",
    "tre",
    "quattro",
    "cinque",
    "sei",
    "sette",
    "otto",
    "nove",
    "dieci",
    "undici",
    "dodici",
    "tredici",
    "quattordici",
    "quindici",
    "sedici",
    "diciassette",
    "diciotto",
    "diciannove",
];
const TENS: [&str; 10] = [
    "",
    "",
    "venti",
    "trenta",
    "quaranta",
    "cinquanta",
    "sessanta",
    "settanta",
    "ottanta",
    "novanta",
];

fn cardinal(n: u64) -> String {
    let of = |list: &[&str], i: u64| list.get(i as usize).copied().unwrap_or_default().to_owned();
    match n {
        0..20 => of(&SMALL, n),
        20..100 => {
            let (ten, one) = (of(&TENS, n / 10), of(&SMALL, n % 10));
            match n % 10 {
                0 => ten,
                1 | 8 => {
                    let mut short = ten;
                    short.pop();
                    short + &one
                }
                3 => format!("{ten}tré"),
                _ => ten + &one,
            }
        }
        100..200 => join("cento".to_owned(), n % 100),
        200..1000 => join(format!("{}cento", of(&SMALL, n / 100)), n % 100),
        1000..2000 => join("mille".to_owned(), n % 1000),
        2000..1_000_000 => join(format!("{} mila", before(n / 1000)), n % 1000),
        1_000_000..2_000_000 => join("un milione".to_owned(), n % 1_000_000),
        _ => join(format!("{} milioni", before(n / 1_000_000)), n % 1_000_000),
    }
}

fn join(head: String, rest: u64) -> String {
    match rest {
        0 => head,
        rest => format!("{head} {}", cardinal(rest)),
    }
}

fn before(n: u64) -> String {
    let all = cardinal(n);
    match all.strip_suffix("uno") {
        Some(head) if n > 20 => format!("{head}un"),
        _ => all,
    }
}

fn ordinal(n: u64) -> String {
    const FIRST: [&str; 11] = [
        "", "primo", "secondo", "terzo", "quarto", "quinto", "sesto", "settimo", "ottavo", "nono",
        "decimo",
    ];
    match FIRST.get(n as usize) {
        Some(word) if n > 0 => (*word).to_owned(),
        _ => {
            let mut word = cardinal(n);
            word.pop();
            word + "esimo"
        }
    }
}
