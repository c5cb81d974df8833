# SPDX-License-Identifier: GPL-2.0-or-later
"""The stacks of programs that the BPF programs of all iotops here have stored."""
import json
import subprocess

USER = 1


def bpftool(*args, input=None):
    """None: what belongs to an iotop that has just ended is listed, and cannot be read any more."""
    p = subprocess.run(("bpftool", "-j") + args, input=input, stdout=subprocess.PIPE)
    return None if p.returncode else json.loads(p.stdout)


def stored_stacks():
    """Of each the process, its flags and its addresses, as often as an iotop has stored it."""
    names = {m["id"]: m.get("name") for m in bpftool("map", "show")}
    # What of one object belongs together, a program that stores stacks knows.
    objects = {(ids["stacks"], ids["stack_index"]) for ids in
               ({names.get(i): i for i in p.get("map_ids", ())} for p in bpftool("prog", "show"))
               if "stacks" in ids and "stack_index" in ids}
    for frames, index in objects:
        used = bpftool("map", "dump", "id", str(index)) or ()
        places = ["map lookup id %d key %s\n" % (frames, " ".join(e["value"])) for e in used]
        found = places and bpftool("batch", "file", "-", input="".join(places).encode()) or ()
        for entry in found:
            s = entry["output"]["formatted"]["value"]
            if s["flags"] & USER:
                yield s["tgid"], s["flags"], tuple(s["ip"][:s["n"]])
