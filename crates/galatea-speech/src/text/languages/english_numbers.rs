//! English numbers in words.

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

pub(super) fn cardinal(n: u64) -> String {
    let of = |list: &[&str], i: u64| list.get(i as usize).copied().unwrap_or_default().to_owned();
    match n {
        0..20 => of(&SMALL, n),
        20..100 => join(of(&TENS, n / 10), n % 10),
        100..1000 => join(format!("{} hundred", of(&SMALL, n / 100)), n % 100),
        1000..1_000_000 => join(format!("{} thousand", cardinal(n / 1000)), n % 1000),
        1_000_000..1_000_000_000 => join(
            format!("{} million", cardinal(n / 1_000_000)),
            n % 1_000_000,
        ),
        _ => join(
            format!("{} billion", cardinal(n / 1_000_000_000)),
            n % 1_000_000_000,
        ),
    }
}

fn join(head: String, rest: u64) -> String {
    match rest {
        0 => head,
        rest => format!("{head} {}", cardinal(rest)),
    }
}

pub(super) fn year(n: u64) -> Option<String> {
    match (n / 100, n % 100) {
        (10 | 20, 0..10) | (0..10 | 21.., _) => None,
        (century, 0) => Some(format!("{} hundred", cardinal(century))),
        (century, one @ 1..10) => Some(format!("{} oh {}", cardinal(century), cardinal(one))),
        (century, rest) => Some(format!("{} {}", cardinal(century), cardinal(rest))),
    }
}

pub(super) fn ordinal(n: u64) -> String {
    let all = cardinal(n);
    let (head, last) = match all.rsplit_once(' ') {
        Some((head, last)) => (format!("{head} "), last),
        None => (String::new(), all.as_str()),
    };
    let last = match last {
        "one" => "first".to_owned(),
        "two" => "second".to_owned(),
        "three" => "third".to_owned(),
        "five" => "fifth".to_owned(),
        "eight" => "eighth".to_owned(),
        "nine" => "ninth".to_owned(),
        "twelve" => "twelfth".to_owned(),
        other => match other.strip_suffix('y') {
            Some(ten) => format!("{ten}ieth"),
            None => format!("{other}th"),
        },
    };
    head + &last
}
