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
    frames = None
    for m in bpftool("map", "show"):
        # Of one object the frames are listed before the index, which leads to those in use.
        if m.get("name") == "stacks":
            frames = m["id"]
        if m.get("name") != "stack_index":
            continue
        index = bpftool("map", "dump", "id", str(m["id"])) or ()
        places = ["map lookup id %d key %s\n" % (frames, " ".join(e["value"])) for e in index]
        found = places and bpftool("batch", "file", "-", input="".join(places).encode()) or ()
        for entry in found:
            s = entry["output"]["formatted"]["value"]
            if s["flags"] & USER:
                yield s["tgid"], s["flags"], tuple(s["ip"][:s["n"]])
