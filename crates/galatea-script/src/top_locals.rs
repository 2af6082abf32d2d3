//! Locals declared at the top level of a script.

use super::tokens::{Blocks, Token, tokens, type_end};

/// Top level of a script.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Top<'a> {
    /// Names of the locals in order of declaration, without duplicates.
    pub names: Vec<&'a str>,
    /// Start of the last `return`, bytes.
    pub last_return: Option<usize>,
}

/// Reads a script that compiles; `None` if its structure is not recognized.
pub(super) fn top(text: &str) -> Option<Top<'_>> {
    let tokens = tokens(text)?;
    let mut top = Top {
        names: Vec::new(),
        last_return: None,
    };
    let mut blocks = Blocks::default();
    for (i, token) in tokens.iter().enumerate() {
        match token.text {
            "local" if blocks.is_top() => {
                for name in declared(&tokens[i + 1..]) {
                    if !top.names.contains(&name) {
                        top.names.push(name);
                    }
                }
            }
            "return" if blocks.is_top() => top.last_return = Some(token.range.start),
            _ => {}
        }
        blocks.step(token)?;
    }
    blocks.is_top().then_some(top)
}

/// Names that a `local` declares, from the tokens that follow it.
fn declared<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text);
    if text(0) == "function" {
        return vec![text(1)];
    }
    let mut names = vec![text(0)];
    let mut i = 1;
    loop {
        if text(i) == ":" {
            i = type_end(tokens, i + 1);
        }
        if text(i) != "," {
            return names;
        }
        names.push(text(i + 1));
        i += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::top;

    fn names(text: &str) -> Vec<&str> {
        top(text).expect("it is understood").names
    }

    #[test]
    fn only_top_level_names_are_found() {
        for (text, wanted) in [
            ("local a, b = 1, 2 local c", &["a", "b", "c"][..]),
            (
                "local function f() local x end local g = function() local y end",
                &["f", "g"],
            ),
            ("if a then local x = 1 else local y = 2 end local z", &["z"]),
            (
                "local a = if b then 1 elseif c then 2 else 3\nif a then local x end\nlocal d",
                &["a", "d"],
            ),
            (
                "local a = if b then if c then 1 else 2 else if d then 3 else 4 local e",
                &["a", "e"],
            ),
            (
                "f(if a then b else c) local t = { 1; if a then b else c; 2 } local u",
                &["t", "u"],
            ),
            (
                "while x do local a end for i = 1, 2 do local b end repeat local c until x local d",
                &["d"],
            ),
            (
                "do local a end local b -- local c\n--[[ local d\n]] local e --[==[ ]] local f ]==]",
                &["b", "e"],
            ),
            (
                "local s = 'local x' local t = \"end\\\" do\" local u = [[ local y ]] local v = `{a .. \"}\"} do`",
                &["s", "t", "u", "v"],
            ),
            (
                "local a: number, b: { [string]: (x: number) -> string }? = 1\nlocal c: typeof(a)\nlocal d: A.B<C, D> | nil\nx, y = 1, 2",
                &["a", "b", "c", "d"],
            ),
            ("type T = A<B>\nif x then local a end\nlocal b", &["b"]),
            ("local a = 1 local a = 2", &["a"]),
            ("", &[]),
        ] {
            assert_eq!(names(text), wanted, "{text}");
        }
    }

    #[test]
    fn the_last_return_is_that_of_the_script_and_not_of_a_function_in_it() {
        let text = "local function f() return 1 end\nreturn f";
        assert_eq!(
            top(text).and_then(|top| top.last_return),
            text.rfind("return")
        );
        let text = "if x then return end\nlocal function f() return 1 end";
        assert_eq!(top(text).and_then(|top| top.last_return), None);
    }

    #[test]
    fn unknown_syntax_is_left_unchanged() {
        for text in ["end", "local a = (", "x = 'open", "--[[ open", "do )"] {
            assert_eq!(top(text), None, "{text}");
        }
    }
}
