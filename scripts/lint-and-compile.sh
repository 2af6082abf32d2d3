#!/bin/sh
# The compiler of `./x test`: Clippy's driver compiles as rustc does, so the code is linted while it is built, and nothing is built twice.
# Unit tests of the libraries take longer to compile than to run: they are not optimised.
# A shell hands on no variable with a hyphen in its name, such as CARGO_BIN_EXE_galatea-player.
set -eu
is_test=
is_library=
for argument; do
    case "$argument" in
        --test) is_test=1 ;;
        crates/*/src/lib.rs) is_library=1 ;;
    esac
done
if [ -n "$is_test$is_library" ] && [ "$is_test" = "$is_library" ]; then
    set -- "$@" -C opt-level=0
fi
exec clippy-driver "$@"
