//! French. Nasal vowels are mapped to the plain vowels, because the lips do not close after them. The mute e, where it is
//! spoken, is UH, as are eu and œ; u is UW.

use crate::text::source::{LanguageSource, Numbers};

const RULES: &str = "\
[aient]_ EH; [aill] AA Y; [ail]_ AA Y; [ails]_ AA Y; [aim]_ AE; [ain]_ AE; [ain](bcdfgjlpqrstvz) AE; [aî] EH; [aï] AA IY; [ai] EH; [ay]V EH Y; [ay] EH
[an]_ AA; [an](bcçdfgjklpqrstvxz) AA; [am](bp) AA; [aoû] UW; [au] AO; [à] AA; [â] AA; [a] AA; [æ] EH
[eaux]_ AO; [eau] AO; [ei]n(bcdfgjlpqrstvz) AE; [ein]_ AE; [ein](bcdfgjlpqrstvz) AE; [eill] EH Y; [eil]_ EH Y; [eils]_ EH Y; [ei] EH; [euill] UH Y; [euil]_ UH Y
[eu] UH; [eû] UH; [ey] EH
#*[ent]s_ AA; l[lent]_ L; (ur)[lent]_ L; i[ssent]_ S; n[nent]_ N; (iu)[rent]_ R; è[rent]_ R; oi[vent]_ V; eu[vent]_ V; (bp)[lent]_ L
[ment]_ M AA; [en]_ AE; i[en](st)_ AE; é[en]_ AE; [en](bcçdfgjklpqrstvxz) AA; [em](bp) AA; _[emm] AA M
_C[es]_ EH; #*[es]_; _C[e]_ UH; _qu[e]_ UH; #*[e]_; [er]_ EH; [ers]_ EH; [ez]_ EH; [et]_ EH; [ets]_ EH
g[e](aoâô); [ell] EH L; [ett] EH T; [enn] EH N; [ess] EH S; [err] EH R; [eff] EH F; (aeiouéèy)(bcdfgjlmnprstvz)[e](bcdfgjlmnprstvz)V; (aoui)n(tdcg)[e](nlmr)V
[e](bcdfgjlmnpqrstvz)V UH; [e](bcdfgptv)(rl)V UH; [e]ch UH; [e] EH; [é] EH; [è] EH; [ê] EH; [ë] EH
[ieux]_ Y UH; [ieur] Y UH R; [ien]_ Y AE; [iens]_ Y AE; [ient]_ Y AE; [ie]_ IY; [ies]_ IY; [ier]_ Y EH; [ié] Y EH; [iè] Y EH
[in]_ AE; [ins]_ AE; [in](bcçdfgjklpqrstvxz) AE; [im](bp) AE; (bcdfgptv)(rl)[i]V IY Y; _v[ill] IY L; v[ill]e IY L; _m[ill] IY L; qu[ill] IY L; C[ill] IY Y; u[ill] IY Y
_[i]V Y; C[i](aàâeéèêoôu) Y; [î] IY; [ï] IY; [i] IY
[oin]_ W AE; [oin](bcdfgjlpqrstvz) W AE; [oî] W AA; [oi] W AA; [oy]V W AA Y; [oeu] UH; [œu] UH; [œ] UH; [ouill] UW Y; [oui] W IY; [ou](aeéè)C W; [oû] UW; [où] UW; [ou] UW
[on]_ AO; [on](bcçdfgjklpqrstvxz) AO; [om](bp) AO; [om]_ AO; [oms]_ AO; [ô] AO; [ö] AO; [o] AO
[ueill] UH Y; [ueil] UH Y; [uill] W IY Y; [uy]V W IY Y; [ui] W IY; [un]_ AE; [uns]_ AE; [un](bcçdfgjklpqrstvxz) AE; [um](bp) AE; [um]_ AO M; [ua] UW AA; [u](éè) W; [û] UW; [ù] UW; [ü] UW; [u] UW
_[y]V Y; V[y]V Y; [ym](bp) AE; [yn](bcdfgpqst) AE; [y] IY
m[b]_; [b] B; [c]' S; [ç] S; [cc]E K S; [chr] K R; [ch] SH; n[c]_; [c]E S; [cqu] K; [ct]_ K T; [cts]_ K T; [c] K
[d]_; [ds]_; [d] D; [fs]_ F; [f] F
[gn] N Y; [gt]_; [gts]_; [gu]E G; [g]_; [gs]_; [ge](aoâô) ZH; [g]E ZH; [g] G; [h]; [j] ZH; [k] K
[l] L; [mm] M; [m] M; [nn] N; [n] N
[ph] F; [p]_; [ps]_; _se[pt]i T; [p] P; [qu] K; [q] K; [r] R
[sch] SH; [sc]E S; [sh] SH; [ss] S; V[s]V Z; [s]_; [s] S
s[tion] T Y AO; [tion] S Y AO; [tient]_ T Y AE; [tiel] S Y EH L; [tieu] S Y UH; [tia]l S Y AA; [th] T; [t]_; [ts]_; [t] T
[v] V; [w] W; _e[x]V G Z; [x]_; [x] K S; [z]_; [z] Z; ['];";

const WORDS: &str = "\
est EH; es EH; et EH; a AA; y IY; femme F AA M; femmes F AA M; monsieur M UH S Y UH1; messieurs M EH S Y UH1; madame M AA D AA1 M; \
hier Y EH R; mer M EH R; cher SH EH R; fer F EH R; ver V EH R; fier F Y EH R; hiver IY V EH1 R; enfer AA F EH1 R; amer AA M EH1 R; \
fils F IY S; six S IY S; dix D IY S; sept S EH T; huit W IY T; cinq S AE K; vingt V AE; un AE; août UW T; eu UW; second S UH G AO1; \
seconde S UH G AO1 D; mille M IY L; ville V IY L; villes V IY L; tranquille T R AA K IY1 L; parce P AA R S; oeil UH Y; œil UH Y; \
yeux Y UH; pays P EH IY1; aujourd'hui AO ZH UW R D W IY1; ennemi EH N M IY1; ils IY L; sud S UW D; ours UW R S; sens S AA S; \
bus B UW S; gaz G AA Z; maïs M AA IY1 S; souvent S UW V AA1; vent V AA; avent AA V AA1; ont AO; sont S AO; dont D AO; bon B AO; \
jamais ZH AA M EH1; automne AO T AO1 N; damner D AA N EH1; examen EH G Z AA M AE1; chez SH EH; nez N EH; assez AA S EH1; \
moins M W AE; hôtel AO T EH1 L; ciel S Y EH L; sel S EH L; avec AA V EH1 K; sac S AA K; parc P AA R K; blanc B L AA; franc F R AA; \
tous T UW; plus P L UW; clef K L EH; clé K L EH; net N EH T; jus ZH UW; os AO S; club K L UW B; football F UW T B AO1 L; \
week W IY K; okay AO K EY1; ouest W EH S T; christ K R IY S T; cet S EH T; cette S EH T; sens S AA S; faisait F UH Z EH1; \
faisons F UH Z AO1; temps T AA; corps K AO R; longtemps L AO T AA1; printemps P R AE T AA1; chef SH EH F; neuf N UH F; oeuf UH F; \
œuf UH F; gentil ZH AA T IY1; outil UW T IY1; fusil F UW Z IY1; sourcil S UW R S IY1; parent P AA R AA1; parents P AA R AA1; \
ceux S UH; eux UH; deux D UH; peu P UH; jeu ZH UH; tu T UW; en AA; bien B Y AE; rien R Y AE; ennui AA N W IY1; solennel S AO L AA N EH1 L";

const LETTERS: &str = "\
a; bé; cé; dé; UH; effe; gé; ache; i; ji; ka; elle; emme; enne; o; pé; UW K; erre; esse; té; UW; vé; doublevé; ixe; igrec; zède";

const ABBREVIATIONS: &str = "\
m monsieur; mm messieurs; mme madame; mlle mademoiselle; dr docteur; pr professeur; me maître; etc etcétéra; st saint; ste sainte; \
av avenue; bd boulevard; km kilomètres; kg kilos";

/// French, "fr".
pub static FRENCH: LanguageSource = LanguageSource {
    code: "fr",
    names: &["french", "français"],
    vowels: "aeiouyàâäéèêëîïôöùûüœæ",
    front: "eiyéèêëîï",
    rules: &[RULES],
    stress: "-1",
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
    ordinal_marks: &["er", "ère", "re", "e", "ème", "è", "nd", "nde"],
    mark: ',',
    group: '.',
    point: "virgule",
    minus: "moins",
    percent: "pour cent",
    money: &[
        ('€', "euro", "euros"),
        ('$', "dollar", "dollars"),
        ('£', "livre", "livres"),
        ('¥', "yen", "yens"),
    ],
    ..Numbers::NONE
};

const SMALL: [&str; 17] = [
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze",
    "douze", "treize", "quatorze", "quinze", "seize",
];
const TENS: [&str; 7] = [
    "",
    "",
    "vingt",
    "trente",
    "quarante",
    "cinquante",
    "soixante",
];

/// The spellings "vingte" and "quatre vin" give the spoken form of "vingt" in compounds.
fn cardinal(n: u64) -> String {
    let of = |list: &[&str], i: u64| list.get(i as usize).copied().unwrap_or_default().to_owned();
    match n {
        0..17 => of(&SMALL, n),
        17..20 => format!("dix {}", of(&SMALL, n - 10)),
        20 => "vingt".to_owned(),
        22..30 => format!("vingte {}", of(&SMALL, n - 20)),
        21 => "vingte et un".to_owned(),
        30..70 => {
            let ten = of(&TENS, n / 10);
            match n % 10 {
                0 => ten,
                1 => format!("{ten} et un"),
                one => format!("{ten} {}", of(&SMALL, one)),
            }
        }
        71 => "soixante et onze".to_owned(),
        70..80 => format!("soixante {}", cardinal(n - 60)),
        80 => "quatre vin".to_owned(),
        81..100 => format!("quatre vin {}", cardinal(n - 80)),
        100..200 => join("cent".to_owned(), n % 100),
        200..1000 => join(format!("{} cent", before(n / 100)), n % 100),
        1000..2000 => join("mille".to_owned(), n % 1000),
        2000..1_000_000 => join(format!("{} mille", before(n / 1000)), n % 1000),
        1_000_000..2_000_000 => join("un million".to_owned(), n % 1_000_000),
        _ => join(format!("{} millions", before(n / 1_000_000)), n % 1_000_000),
    }
}

fn join(head: String, rest: u64) -> String {
    match rest {
        0 => head,
        rest => format!("{head} {}", cardinal(rest)),
    }
}

/// The last consonant of some numbers is mute before a consonant.
fn before(n: u64) -> String {
    let all = cardinal(n);
    for (whole, short) in [("six", "si"), ("dix", "di"), ("huit", "hui")] {
        if let Some(head) = all.strip_suffix(whole) {
            return format!("{head}{short}");
        }
    }
    all
}

fn ordinal(n: u64) -> String {
    match n {
        1 => "premier".to_owned(),
        5 => "cinquième".to_owned(),
        9 => "neuvième".to_owned(),
        _ => {
            let all = cardinal(n);
            format!("{}ième", all.strip_suffix('e').unwrap_or(&all))
        }
    }
}
