#!/bin/sh
# The compiler of `./x test`. Clippy's driver compiles like rustc, so the code is linted while it is built, and nothing
# is built twice. A shell does not pass on variables with a hyphen in their name, such as CARGO_BIN_EXE_galatea-player.
set -eu
# Libraries whose unit tests take longer to optimise than to run.
quick='asset character decal deform emitter face machine math rig stage'
is_test=
crate=none
for argument; do
    case "$argument" in
        --test) is_test=1 ;;
        crates/galatea-*/src/lib.rs)
            crate=${argument#crates/galatea-}
            crate=${crate%/src/lib.rs}
            ;;
    esac
done
case "$is_test $quick " in
    1*" $crate "*) set -- "$@" -C opt-level=0 ;;
esac
exec clippy-driver "$@"
