# SPDX-License-Identifier: GPL-2.0-or-later
"""
The rungs of the ladder downwards: iotop where something is missing. Each works, says what is missing and why, and shows "-".

A rung is a way to start iotop. What --probes and a report say is compared with tests/ladder/NAME.expected after what depends on
the machine was taken out. IOTOP_GOLDEN_UPDATE=1 writes it anew: read the diff.
"""
import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

IOTOP = os.environ["IOTOP"]
HERE = os.path.join(os.environ["top_srcdir"], "tests/ladder")
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
SWITCH = "/proc/sys/kernel/task_delayacct"
UPDATE = os.environ.get("IOTOP_GOLDEN_UPDATE")
failures = 0


def skip(why):
    print("SKIP:", why)
    sys.exit(77)


def caps(*names):
    list = ",".join("+" + n for n in names)
    return NOBODY + ["--inh-caps=" + list, "--ambient-caps=" + list]


def mounts(script, then=()):
    """In a mount namespace of its own, after a line of shell."""
    return ["unshare", "--mount", "--propagation=private", "sh", "-ec", script + '; exec "$@"', "sh", *then]


def normal(line):
    """A line of --probes without what is the machine's; None: it says nothing about the rung."""
    sign, what, text = re.match(r"([+-])  ( *\S.*?)(?:  +(.*))?$", line).groups()
    # What is attached where differs by kernel: tests/kernels/t/load.sh looks at that.
    if re.match(r".*(, attached|not attached: not needed now|not in this kernel|types of its module|not this kernel's form|no such tracepoint)", text or ""):
        return None
    if re.match(r" *(iotop|kernel|architecture|libbpf|user|task numbers|notes of calls|block starts|functions|cgroups|kernel.kptr_restrict|user symbols|"
                r"pressure|delayacct|lockdown|.* maps?|.* storage|taskstats version)$", what):
        return None
    text = re.sub(r"; could serve: .*", "", re.sub(r"\d+", "N", text or ""))
    return "%s %s: %s" % (sign, what, text)


def page(text):
    """The lines of --probes that say something, each collector with what is indented below it, in the order of their names."""
    groups = []
    for line in text.splitlines():
        if not line[3:].startswith(" "):
            groups.append([])
        said = normal(line)
        if said:
            groups[-1].append(said)
    return [l for g in sorted((g for g in groups if g), key=lambda g: g[0][2:]) for l in g]


def sources(report):
    """Delay accounting has a switch in some kernels: what it decides is left out."""
    return ["%s: %s" % (k, "on" if "task_delayacct" in v else re.sub(r"\d+", "N", v))
            for k, v in sorted(report["sources"].items()) if k not in ("delayacct", "system")]


# Of these columns it is told whether iotop's own row has them.
COLUMNS = ("read", "write", "riops", "wiops", "dirty", "cgroup", "state", "command")
folder = tempfile.mkdtemp(prefix="iotop-ladder-")
os.chmod(folder, 0o755)
atexit.register(shutil.rmtree, folder)
runs = 0


def run(name, command, options):
    """Each under a name of its own, by which its row is found."""
    global runs
    runs += 1
    program = os.path.join(folder, "iotop-%d-%d" % (runs, os.getpid()))
    os.symlink(IOTOP, program)
    p = subprocess.run([*command, program, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    if p.returncode:
        print("FAIL: %s: %s ends with %d: %s" % (name, " ".join(options), p.returncode, p.stderr.strip()))
    p.comm = os.path.basename(program)[:15]
    return p


def describe(name, command, options):
    """The text that is compared, or None where iotop did not even work."""
    probes = run(name, command, [*options, "--probes"])
    report = run(name, command, [*options, "-b", "-n", "1", "-d", "0.5", "--format=json", "-P"])
    if probes.returncode or report.returncode:
        return None
    lines = ["probes:"] + page(probes.stdout)
    first = report.stdout.splitlines()[0]
    doc = json.loads(first)
    lines += ["sources:"] + sources(doc)
    own = [r for r in doc["rows"] if r["comm"] == report.comm]
    lines += ["unknown of a process of one's own:", " ".join(c for c in COLUMNS if own[0].get(c) is None) or "none" if own else "not listed"]
    return "\n".join(lines) + "\n"


def rung(name, command, options=()):
    global failures
    path = os.path.join(HERE, name + ".expected")
    got = describe(name, command, options)
    if got is None:
        failures += 1
        return
    if UPDATE:
        with open(path, "w") as f:
            f.write(got)
    with open(path) as f:
        want = f.read()
    if got == want:
        print("ok: " + name)
        return
    failures += 1
    print("FAIL: %s: not as expected" % name)
    with tempfile.NamedTemporaryFile("w", suffix=".got") as f:
        f.write(got)
        f.flush()
        print(subprocess.run(["diff", "-u", path, f.name], stdout=subprocess.PIPE, text=True).stdout)


# Everywhere, as root.
RUNGS = {
    "root": ([], ()),
    "user": (NOBODY, ()),
    "cap-bpf": (caps("bpf", "perfmon"), ()),
    "cap-net-admin": (caps("net_admin"), ()),
    "setcap": (caps("bpf", "perfmon", "net_admin", "sys_ptrace", "dac_read_search"), ()),
    "pid-namespace": (["unshare", "--pid", "--fork", "--mount-proc"], ()),
    "net-namespace": (["unshare", "--net"], ()),
    "hidepid": (mounts("mount -t proc -o hidepid=2 proc /proc", NOBODY), ()),
    "no-tracing": (mounts("umount -R /sys/kernel/debug /sys/kernel/tracing 2>/dev/null || :"), ()),
    "no-btf": (mounts("mount -t tmpfs none /sys/kernel/btf"), ()),
    "no-bpf": ([], ("--no-bpf",)),
    "netlink": ([], ("--accounting=netlink",)),
    "cgroup-v1": (mounts("umount -R /sys/fs/cgroup 2>/dev/null || :; mount -t tmpfs none /sys/fs/cgroup; mkdir /sys/fs/cgroup/t; "
                         "mount -t cgroup -o none,name=iotop-test none /sys/fs/cgroup/t"), ()),
}
# Where the whole machine is so: tests/kernels/t.
ELSEWHERE = {
    "lockdown": ([], ()),
}


def finish():
    sys.exit(1 if failures else 0)
