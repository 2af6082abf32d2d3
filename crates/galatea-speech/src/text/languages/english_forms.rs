//! English symbols, units and abbreviations.

use super::english_numbers::{cardinal, ordinal};
use crate::text::forms::TextForms;

/// Tables of English.
pub static FORMS: TextForms = TextForms {
    phrases: &[
        ("e.g.", "for example"),
        ("i.e.", "that is"),
        ("ph.d.", "PHD"),
        ("24/7", "twenty four seven"),
        ("½ a", "half a"),
        ("½ an", "half an"),
        ("<3", "heart"),
        ("w/o", "without"),
        ("w/", "with"),
        ("b/c", "because"),
        ("vs.", "versus"),
        ("vs", "versus"),
    ],
    before_numbers: &[
        ("no", "number"),
        ("nos", "numbers"),
        ("p", "page"),
        ("pp", "pages"),
        ("pg", "page"),
        ("ch", "chapter"),
        ("fig", "figure"),
        ("sec", "section"),
        ("art", "article"),
        ("apt", "apartment"),
        ("ver", "version"),
        ("v", "version"),
    ],
    before_small: &[
        ("mon", "monday"),
        ("wed", "wednesday"),
        ("sat", "saturday"),
        ("sun", "sunday"),
    ],
    after_names: &[("st", "street"), ("dr", "drive")],
    signs: &[
        ('&', "and"),
        ('@', "at"),
        ('%', "percent"),
        ('+', "plus"),
        ('=', "equals"),
        ('×', "times"),
        ('÷', "divided by"),
        ('±', "plus or minus"),
        ('~', "about"),
        ('≈', "about"),
        ('#', "number"),
        ('♯', "sharp"),
        ('№', "number"),
        ('§', "section"),
        ('>', "is greater than"),
        ('<', "is less than"),
        ('²', "squared"),
        ('³', "cubed"),
        ('–', "to"),
        ('x', "by"),
    ],
    units: UNITS,
    scales: &[
        ("million", "million"),
        ("billion", "billion"),
        ("trillion", "trillion"),
        ("thousand", "thousand"),
        ("mn", "million"),
        ("bn", "billion"),
        ("tn", "trillion"),
        ("k", "thousand"),
        ("m", "million"),
        ("b", "billion"),
    ],
    cents: &[
        ('$', "cent", "cents"),
        ('€', "cent", "cents"),
        ('£', "penny", "pence"),
    ],
    half_days: &[("am", "AM"), ("pm", "PM")],
    months: &[
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ],
    foot: "foot",
    capital_words: CAPITAL_WORDS,
    initialisms: "am pm us vip pov faq hiv sos led",
    behind_the: "it who",
    clusters: "chr phl phr sch scr shr spl spr str thr",
    interjections: INTERJECTIONS,
    plural: Some(plural),
    fraction: Some(fraction),
    clock: Some(clock),
    roman: Some(roman),
};

const UNITS: &[(&str, &str, &str)] = &[
    ("km/h", "kilometer per hour", "kilometers per hour"),
    ("kmh", "kilometer per hour", "kilometers per hour"),
    ("kph", "kilometer per hour", "kilometers per hour"),
    ("mph", "mile per hour", "miles per hour"),
    ("m/s", "meter per second", "meters per second"),
    ("km²", "square kilometer", "square kilometers"),
    ("m²", "square meter", "square meters"),
    ("m³", "cubic meter", "cubic meters"),
    ("km", "kilometer", "kilometers"),
    ("m", "meter", "meters"),
    ("cm", "centimeter", "centimeters"),
    ("mm", "millimeter", "millimeters"),
    ("mi", "mile", "miles"),
    ("yd", "yard", "yards"),
    ("ft", "foot", "feet"),
    ("in.", "inch", "inches"),
    ("″", "inch", "inches"),
    ("kg", "kilogram", "kilograms"),
    ("g", "gram", "grams"),
    ("mg", "milligram", "milligrams"),
    ("lb", "pound", "pounds"),
    ("lbs", "pound", "pounds"),
    ("oz", "ounce", "ounces"),
    ("l", "liter", "liters"),
    ("L", "liter", "liters"),
    ("ml", "milliliter", "milliliters"),
    ("mL", "milliliter", "milliliters"),
    ("°C", "degree celsius", "degrees celsius"),
    ("°F", "degree fahrenheit", "degrees fahrenheit"),
    ("°", "degree", "degrees"),
    ("ms", "millisecond", "milliseconds"),
    ("sec", "second", "seconds"),
    ("secs", "second", "seconds"),
    ("min", "minute", "minutes"),
    ("mins", "minute", "minutes"),
    ("h", "hour", "hours"),
    ("hr", "hour", "hours"),
    ("hrs", "hour", "hours"),
    ("Hz", "hertz", "hertz"),
    ("kHz", "kilohertz", "kilohertz"),
    ("MHz", "megahertz", "megahertz"),
    ("GHz", "gigahertz", "gigahertz"),
    ("kB", "kilobyte", "kilobytes"),
    ("KB", "kilobyte", "kilobytes"),
    ("MB", "megabyte", "megabytes"),
    ("GB", "gigabyte", "gigabytes"),
    ("TB", "terabyte", "terabytes"),
    ("V", "volt", "volts"),
    ("W", "watt", "watts"),
    ("kW", "kilowatt", "kilowatts"),
    ("kWh", "kilowatt hour", "kilowatt hours"),
    ("dB", "decibel", "decibels"),
    ("fps", "frame per second", "frames per second"),
    ("px", "pixel", "pixels"),
];

/// Short words that are read as words in capitals; without AC, AD, AI, ET, ID and others that are usually spelt.
const CAPITAL_WORDS: &str = "\
act add age ago aim air all and any are arm art ask ate bad bag ban bar bat bed bee beg bet big bit box boy bug bus but buy bye \
can cap car cat cop cow cry cup cut dad day did die dig dog dot dry due ear eat egg end eve eye fan far fat few fit fix fly fog \
for fox fun fur gap get god got gun gut guy had has hat her hey him hip his hit hot how hug hut ice ill ink its jam jar jaw jet \
job joy key kid kit lab lap law lay leg let lid lie lip lit log lot low mad man map mat may men met mix mom mud nap net new \
nor not now nut odd off oil old one our out owe own pan pay pen pet pie pig pin pit pot put ran rat raw red rid rip rob rod row \
rub rug run sad sat saw say sea see set sew sex she shy sin sir sit six sky son sun tap tax tea ten the thy tie tin tip toe top \
toy try tub two use van via war was wax way web wet who why win won wow yay yes yet you zoo ah an as at be by do go he hi if in is it \
me my no of oh on or so to up we";

const INTERJECTIONS: &str = "\
sh SH; psh P SH; pst P S T; ts T S; tch CH; tsk T IH1 S K; hm HH M; m M; mhm M HH M; br B ER; gr G ER; r ER; pft P F T; \
pf P F; z Z; bz B Z; bzt B Z T; s S; vr V R; ugh AH G; argh AA R G; arg AA R G; ar AA R; agh AE G; aw AO; ew IY1 UW; ah AA; ack AE K; \
eek IY K; meh M EH; achoo AH CH UW1; \
muahaha M UW AA HH AA HH AA; mwahaha M W AA HH AA HH AA; bwahaha B W AA HH AA HH AA; ha- HH AA; he- HH EH; hi- HH IY; ho- HH OW";

/// Returns the plural of the last word of a number.
fn plural(number: &str) -> String {
    match number.strip_suffix('y') {
        Some(ten) => format!("{ten}ies"),
        None if number.ends_with('x') => format!("{number}es"),
        None => format!("{number}s"),
    }
}

/// Denominators that are read as fractions; others, as in "9/11", are read as two numbers.
const DENOMINATORS: [u64; 12] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 32, 100];

fn fraction(n: u64, of: u64, is_behind_whole: bool) -> Option<String> {
    if n == 0 || n >= of || !DENOMINATORS.contains(&of) {
        return None;
    }
    let name = match of {
        2 => "half".to_owned(),
        4 => "quarter".to_owned(),
        other => ordinal(other),
    };
    Some(match (n, is_behind_whole) {
        (1, true) => format!("and a {name}"),
        (1, false) => format!("one {name}"),
        (n, true) => format!("and {} {name}s", cardinal(n)),
        (n, false) => format!("{} {name}s", cardinal(n)),
    })
}

fn clock(hour: u64, minute: u64, has_half: bool) -> String {
    let hours = cardinal(hour);
    match minute {
        0 if has_half => hours,
        0 if (1..=12).contains(&hour) => format!("{hours} o'clock"),
        0 => format!("{hours} hundred"),
        1..10 => format!("{hours} oh {}", cardinal(minute)),
        _ => format!("{hours} {}", cardinal(minute)),
    }
}

/// Names of rulers and popes, after which a Roman numeral is an ordinal number.
const RULERS: &str = " albert alexander alexandra alfonso augustus benedict catherine charles christian clement constantine \
    edward elizabeth ferdinand francis franz frederick george gregory gustav harald henry innocent isabella ivan james john \
    joseph juan karl leo leopold louis margaret maria mary maximilian napoleon nicholas olaf otto paul peter philip pius \
    ptolemy ramses richard robert rudolf sigismund thutmose urban victor victoria wilhelm william xerxes ";
/// Words after which a Roman numeral is a cardinal number.
const COUNTED: &str = " act appendix article battlefield book bowl category chapter class division episode fantasy figure grade \
    group lesson level mark mission number page part phase round scene season section stage step table tier title type unit \
    version vol volume war ";

fn roman(n: u64, numeral: &str, before: &str, after: &str) -> Option<String> {
    let is_in = |list: &str, word: &str| list.contains(&format!(" {} ", word.to_lowercase()));
    let is_small = numeral.chars().all(|c| "IVX".contains(c));
    let n_letters = numeral.len();
    if after.to_lowercase().starts_with("centur") {
        return Some(ordinal(n));
    }
    if before.is_empty() {
        return (is_small && n_letters > 2 && numeral != "XXX").then(|| cardinal(n));
    }
    if n_letters == 1 && !is_small {
        return None;
    }
    // "Elizabeth I think" contains no numeral, but "Chapter I" does.
    if is_in(COUNTED, before) {
        return Some(cardinal(n));
    }
    if is_in(RULERS, before) && is_small && (numeral != "I" || matches!(after, "" | "of")) {
        return Some(format!("the {}", ordinal(n)));
    }
    let is_name = before.chars().next().is_some_and(char::is_uppercase) && before.len() > 3;
    let is_long = n_letters > 2 && numeral != "XXX";
    (is_small && (is_long || n_letters == 2 && is_name)).then(|| cardinal(n))
}
