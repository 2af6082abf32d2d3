#!/bin/sh
# Speaks the lines of scripts/show again: every `"name.wav", … "text"` in it becomes assets/lines/name.wav, without its
# marks. Needs flite (apt-get install flite).
set -eu
cd "$(dirname "$0")/.."
mkdir -p assets/lines
cat scripts/show/*.lua |
    tr '\n\t' '  ' | sed 's/\\z *//g' |
    grep -o '"[a-z_0-9]*\.wav",[^"]*"[^"]*"' |
    sed 's/^"\([^.]*\)\.wav",[^"]*"\(.*\)"$/\1|\2/' |
    while IFS='|' read -r name text; do
        words=$(echo "$text" | sed 's/{[^}]*}//g; s/\[[^]]*\]//g; s/  */ /g')
        flite -voice slt --setf duration_stretch=1.06 --setf f0_shift=1.06 -t "$words" -o "assets/lines/$name.wav"
        echo "$name: $words"
    done
