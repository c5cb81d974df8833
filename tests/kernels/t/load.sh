#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every BPF object loads, and every program of it is attached or says what it does without.
# screens: tasks disks stacks offcpu layers
. "$(dirname "$0")/../devices.sh"
: "${IOTOP:?}" "${top_srcdir:?}" "${HAVE_BPF?}"

[ -n "$HAVE_BPF" ] || skip "iotop was built without BPF"
work=$(mktemp -d)
later rm -r "$work"

"$IOTOP" --probes > "$work/probes" 2>&1 || fail "--probes ends with $?"
cat "$work/probes"
for object in "$top_srcdir"/bpf/*/*.bpf.c; do
	name=$(basename "$object" .bpf.c)
	# Of the block programs, and of the mounts: where no limit and no FUSE can be, these have
	# nothing to say (tests far, throttled).
	case $name in hold | fuse) continue ;; esac
	grep -Eq "^\+  $name +serves: " "$work/probes" ||
		fail "$name: $(grep -E "^-  $name " "$work/probes" || echo no line)"
done
# a tracepoint that a kernel does not have may be missing; what is there must load
grep -E "refus|failed|no memory" "$work/probes" && fail "not all programs are attached"
[ "$(grep -c attached "$work/probes")" -ge 10 ] || fail "only $(grep -c attached \
	"$work/probes") programs are attached"
"$IOTOP" --probes --format=json > "$work/json" || fail "--probes --format=json ends with $?"
python3 - "$work" <<'END' || fail "the JSON page does not say what the text does"
import json, re, sys
with open(sys.argv[1] + "/probes") as f:
    text = [re.match(r"([+-])  ( *)(\S.*?)(?:  +(.*))?$", line).groups("") for line in f]
with open(sys.argv[1] + "/json") as f:
    page = json.load(f)["probes"]
numbers = re.compile(r"\d+")
want = [
    ("+" if p["ok"] else "-", "  " if "of" in p else "", p["what"], numbers.sub("N", p["text"]))
    for p in page
]
got = [(sign, indent, what, numbers.sub("N", said)) for sign, indent, what, said in text]
for pair in zip(got, want):
    if pair[0] != pair[1]:
        print(*pair, sep="\n")
sys.exit(got != want)
END
