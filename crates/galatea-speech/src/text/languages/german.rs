//! German. The sound of "ich" is mapped to SH, that of "ach" to K: the nearest of the 39 phones.

use crate::text::source::{LanguageSource, Numbers};

const RULES: &str = "\
[aa] AA; [ah]C AA; [ah]_ AA; [ai] AY; [ay] AY; [au] AW; [age]_ AA G AH0; [a] AA; [äu] OY; [äh] EH; [ä] EH
[ee] EH; [eh] EH; [ei] AY; [ey] AY; [eu] OY
_b[e]*#*# AH0; _g[e]*#*# AH0; _g[e]*#*t_ AH0; _b[e](!lrns)#*_ EH; _g[e]n(au) AH0
#*[ern]_ AH0 N; #*[ers]_ AH0 S; #*[ert]_ AH0 T; #*[erst]_ AH0 S T; #*[er]_ AH0; #*[erin]_ AH0 R IH N; #*[er]ung AH0 R; #*[er]lich AH0
#*[end]_ AH0 N T; #*[ende]_ AH0 N D AH0; #*[enden]_ AH0 N D AH0 N; #*[ens]_ AH0 N S; #*[en]_ AH0 N; #*[els]_ AH0 L S; #*[eln]_ AH0 L N; #*[el]_ AH0 L
#*[em]_ AH0 M; #*[est]_ AH0 S T; #*[es]_ AH0 S; #*[et]_ AH0 T; #*[ete]_ AH0 T AH0; #*[eten]_ AH0 T AH0 N; #*[e]_ AH0; #*[e]lich AH0; #*[e]n(tlh) AH0; [e] EH
(ln)[ie]_ Y AH0; (lnt)[ien]_ Y AH0 N; [ieh] IY; [ie] IY; #*[ig]_ IH SH; #*[igt]_ IH SH T; #*[igst]_ IH SH S T; [ih]C IY; [ih]_ IY; [io]n Y AO; [i]CV IY; [i]_ IY; [i] IH
[oh]C AO; [oh]_ AO; [oo] AO; [oi] OY; [oy] OY; [ou] UW; [o] AO; [öh] UH; [ö] UH
[uh]C UW; [uh]_ UW; q[u] V; [u]CV UW; [u]_ UW; [u]C_ UW; [u] UH; [üh] UW; [ü] UW
_[y]V Y; [y]_ IY; [y] UW
[bb] B; [b]_ P; [b](st) P; [b] B
_[ch](aoulr) K; _[chr] K R; (aou)[chs]_ K S; [chs] K S; (ä)u[ch] SH; eu[ch] SH; (aou)[ch] K; [ch] SH; [ck] K; [c](eiyäö) T S; [c] K
[dd] D; [dt] T; [d]_ T; [ds]_ T S; [d]st T; [d] D; [f] F
[gg] G; [g]_ K; [gs]_ K S; [g]t_ K; [g]st_ K; [g] G
V[h]V; _be[h]V HH; _ge[h](aäöuüo) HH; V[h]C; V[h]_; [h] HH; [j] Y; [k] K; [l] L; [m] M
[ng]_ NG; V[ng] NG; [nk] NG K; [n] N; [pf] P F; [ph] F; [p] P; [qu] K V; [r] R; [rh] R
[sch] SH; _[s](pt) SH; _be[s](pt) SH; früh[s]t SH; _ge[s](pt) SH; _ver[s](pt) SH; _an[s](pt) SH; _auf[s](pt) SH; _aus[s](pt) SH; _ent[s](pt) SH
[ss] S; [ß] S; _[s]V Z; V[s]V Z; (lmnr)[s]V Z; _(abg)e[s]V Z; [s] S
[tsch] CH; [tion] T S Y AO1 N; [tionen]_ T S Y AO1 N AH0 N; [tz] T S; [th] T; [t] T
_[v]io V; _[v]as V; _[v]is V; _[v]en V; V[v]V V; i[v]_ F; [v] F; [w] V; [x] K S; [zz] T S; [z] T S";

const STRESS: &str = "\
tion_ -1; tionen_ -2; ieren_ -2; iert_ -1; ität_ -1; enz_ -1; anz_ -1; ist_ -1; ismus_ -2; ekt_ -1; ent_ -1; ei_ -1; ik_ -1; ie_ -1; \
_be*#*# 2; _ge*#*# 2; _ge*#*t_ 2; _ver*# 2; _zer*# 2; _ent*#*# 2; _emp*#*# 2; _er(klzhfgbwi)*#*# 2; _erst(au)*#*# 2; \
_genau 2; _genug 2; _gesi 2; _gesch 2; _gefü 2; _gesun 2; _gespr 2; _gewi 2; _gebu 2; _besuch 2; _beruf 2; _beginn 2; _bekann 2; \
_bereit 2; _beweis 2; _bevor 2; _hotel 2; _allein 2; _warum 2; _wohin 2; _woher 2; _daher 2; _dahin 2; _kart 2; _zitr 2; _toma 2; _bana 2; _vorbei 2; _zur 2; _zusam 2; \
_überr 3; _viellei 2; _hallo 1; _natür 2; _willkom 2; _august 2; _april 2; 1";

const WORDS: &str = "\
und UH N T; der D EH R; er EH R; wer V EH R; her HH EH R; mehr M EH R; sehr Z EH R; den D EH N; dem D EH M; wen V EN; des D EH S; \
es EH S; das D AA S; ich IH SH; mich M IH SH; dich D IH SH; sich Z IH SH; nicht N IH SH T; was V AA S; weg V EH K; bis B IH S; \
ab AA P; ob AO P; vom F AO M; von F AO N; vor F AO R; gern G EH R N; gerne G EH1 R N AH; stern SH T EH R N; fern F EH R N; \
herr HH EH R; herz HH EH R T S; ersten EH1 R S T AH N; erste EH1 R S T AH; erde EH1 R D AH; chef SH EH F; chance SH AA1 N S AH; \
orange AO R AA1 N ZH AH; restaurant R EH S T AO R AA1 N; hotel HH AO T EH1 L; computer K AO M P Y UW1 T AH; okay AO K EY1; \
familie F AA M IY1 L Y AH; ferien F EH1 R Y AH N; gehen G EH1 AH N; sehen Z EH1 AH N; stehen SH T EH1 AH N; leben L EH1 B AH N; \
geben G EH1 B AH N; gegen G EH1 G AH N; gestern G EH1 S T AH N; guten G UW1 T AH N; wegen V EH1 G AH N; beide B AY1 D AH; \
besser B EH1 S AH; bett B EH T; berg B EH R K; elf EH L F; test T EH S T; fest F EH S T; rest R EH S T; best B EH S T; \
nest N EH S T; west V EH S T; west V EH S T; held HH EH L T; geld G EH L T; welt V EH L T; nett N EH T; wenn V EH N; denn D EH N; \
hallo HH AA L AO1; montag M AO1 N T AA K; tag T AA K; tags T AA K S; weiß V AY S; heißt HH AY S T; musik M UW Z IY1 K; \
physik F UW Z IY1 K; studieren SH T UW D IY1 R AH N; sechs Z EH K S; sechzehn Z EH1 SH T S EH N; sechzig Z EH1 SH T S IH SH; \
vier F IY R; vierzig F IH1 R T S IH SH; fünf F UW N F; euro OY1 R AO; die D IY; sie Z IY; wie V IY; nie N IY; knie K N IY; \
haus HH AW S; aus AW S; hause HH AW1 Z AH; haben HH AA1 B AH N; habe HH AA1 B AH";

const LETTERS: &str = "\
a; be; tse; de; e; EH F; ge; ha; i; jot; ka; EH L; EH M; EH N; o; pe; ku; EH R; EH S; te; u; fau; we; iks; üpsilon; tsett";

const ABBREVIATIONS: &str = "\
dr doktor; prof professor; hr herr; fr frau; nr nummer; usw und so weiter; bzw beziehungsweise; ca zirka; str straße; st sankt; \
evtl eventuell; ggf gegebenenfalls; tel telefon; km kilometer; kg kilo";

/// German, "de".
pub static GERMAN: LanguageSource = LanguageSource {
    code: "de",
    names: &["german", "deutsch"],
    vowels: "aeiouäöüy",
    front: "eiäöüy",
    rules: &[RULES],
    stress: STRESS,
    words: WORDS,
    letters: LETTERS,
    abbreviations: ABBREVIATIONS,
    numbers: NUMBERS,
    ..LanguageSource::NONE
};

const NUMBERS: Numbers = Numbers {
    cardinal,
    year: Some(year),
    mark: ',',
    group: '.',
    point: "komma",
    minus: "minus",
    percent: "prozent",
    money: &[
        ('€', "euro", "euro"),
        ('$', "dollar", "dollar"),
        ('£', "pfund", "pfund"),
        ('¥', "yen", "yen"),
    ],
    ..Numbers::NONE
};

const SMALL: [&str; 20] = [
    "null",
    "eins",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
];
const TENS: [&str; 10] = [
    "", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
];

/// The parts of a number are separate words, because they are pronounced like separate words.
fn cardinal(n: u64) -> String {
    let of = |list: &[&str], i: u64| list.get(i as usize).copied().unwrap_or_default().to_owned();
    match n {
        0..20 => of(&SMALL, n),
        20..100 if n.is_multiple_of(10) => of(&TENS, n / 10),
        20..100 => format!("{} und {}", before(n % 10), of(&TENS, n / 10)),
        100..1000 => join(format!("{} hundert", before(n / 100)), n % 100),
        1000..1_000_000 => join(format!("{} tausend", before(n / 1000)), n % 1000),
        1_000_000..2_000_000 => join("eine million".to_owned(), n % 1_000_000),
        _ => join(
            format!("{} millionen", before(n / 1_000_000)),
            n % 1_000_000,
        ),
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
    match all.strip_suffix("eins") {
        Some(head) => format!("{head}ein"),
        None => all,
    }
}

fn year(n: u64) -> Option<String> {
    let is_year = (1100..2000).contains(&n);
    is_year.then(|| join(format!("{} hundert", before(n / 100)), n % 100))
}
