# SPDX-License-Identifier: GPL-2.0-or-later
"""
The rungs of the ladder downwards: iotop where something is missing. Each works, says what is
missing and why, and shows "-".

A rung is a way to start iotop. What --probes and a report say is compared with
tests/ladder/NAME.expected after what depends on the machine was taken out, but for the lines that
the rung is about. IOTOP_GOLDEN_UPDATE=1 writes it anew: read the diff.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from common import *

IOTOP = os.environ["IOTOP"]
HERE = os.path.join(os.environ["top_srcdir"], "tests/ladder")
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
SWITCH = "/proc/sys/kernel/task_delayacct"
BTF = "/sys/kernel/btf/vmlinux"
UPDATE = os.environ.get("IOTOP_GOLDEN_UPDATE")
# The sanitizers need more memory and more system calls than the helpers are left with: there they
# have no such limits.
SANITIZED = "-fsanitize" in os.environ.get("TEST_CC", "")
UNSANITIZED = re.compile("; system calls: filtered|, at most N MiB")
need_root()
folder = tempfile.mkdtemp(prefix="iotop-ladder-")
os.chmod(folder, 0o755)
undo(lambda: shutil.rmtree(folder))


def caps(*names):
    list = ",".join("+" + n for n in names)
    return NOBODY + ["--inh-caps=" + list, "--ambient-caps=" + list]


def mounts(script, then=()):
    """In a mount namespace of its own, after a line of shell."""
    return ["unshare", "--mount", "--propagation=private", "sh", "-ec", script + '; exec "$@"',
            "sh", *then]


def delayacct(value):
    """The switch as it is elsewhere. The machine's own stays as it is."""
    path = os.path.join(folder, "delayacct-%s" % value)
    with open(path, "w") as f:
        f.write("%s\n" % value)
    return mounts("mount --bind '%s' %s" % (path, SWITCH))


def cgroups(script):
    return mounts("umount -R /sys/fs/cgroup 2>/dev/null || :; "
                  "mount -t tmpfs none /sys/fs/cgroup; cd /sys/fs/cgroup; " + script)


def more_arguments(*points):
    """The types of a kernel in which these tracepoints have forms that nobody knows."""
    path = os.path.join(folder, "btf")
    return mounts("'%s' %s %s %s; mount --bind %s %s" % (os.path.join(HERE, "more-arguments"), BTF,
                                                         path, " ".join(points), path, BTF))


def charged():
    """Do maps count for RLIMIT_MEMLOCK? They do in kernels without this helper."""
    with open(BTF, "rb") as f:
        return b"\0bpf_ktime_get_coarse_ns\0" not in f.read()


def unlimited(command):
    return (["prlimit", "--memlock=unlimited"] if charged() else []) + command


def normal(line, about):
    """A line of --probes without what is the machine's; None: it says nothing about the rung."""
    sign, what, text = re.match(r"([+-])  ( *\S.*?)(?:  +(.*))?$", line).groups()
    if what.strip() in about:
        return "%s %s: %s" % (sign, what,
                              re.sub(r"^(fentry|kprobe)(\.multi| \(.*?\))?: .*", r"\1: …",
                                     text or ""))
    # How full the maps are.
    if re.match(r"\d+ of \d+$", text or ""):
        return None
    # What is attached where differs by kernel: tests/kernels/t/load.sh looks at that.
    if re.match(r".*(, attached|, called|not attached: not needed now|not in this kernel|"
                r"types of its module|not this kernel's form|no such tracepoint)", text or ""):
        return None
    if re.match(r" *(iotop|kernel|architecture|libbpf|user|task numbers|notes of calls|"
                r"requests of io_uring|block starts|functions|cgroups|kernel.kptr_restrict|"
                r"user symbols|jbd2_.*|tasks that end|dirty pages|__blk_throtl_bio|"
                r"pressure|delayacct|lockdown|CAP_SYS_RESOURCE|.* maps?|.* storage|"
                r"taskstats version)$", what):
        return None
    text = re.sub(r"; could serve: .*", "", re.sub(r"\d+", "N", text or ""))
    # Not every machine gives root all capabilities; and a rung may be a filter of system calls that
    # all of them have.
    if what.startswith("process "):
        text = text.replace("sys_resource,", "").replace("; system calls: all", "")
        if "opener" not in what and "parser" not in what:
            text = text.replace("; system calls: filtered", "")
    return "%s %s: %s" % (sign, what, text)


def page(text, about):
    """
    The lines of --probes that say something, each collector with what is indented below it, in the
    order of their names.
    """
    groups = []
    for line in text.splitlines():
        if not line[3:].startswith(" "):
            groups.append([])
        said = normal(line, about)
        if said:
            groups[-1].append(said)
    return [l for g in sorted((g for g in groups if g), key=lambda g: g[0][2:]) for l in g]


def sources(report, about):
    """
    Delay accounting has a switch in some kernels: what it decides is left out where the rung is not
    about it.
    """
    def text(v):
        if "delayacct" not in about and ("task_delayacct" in v or "from /proc: in steps" in v):
            return "as delay accounting is"
        # Before 5.17; on kernels that are built so.
        if v.startswith(("part: requests of io_uring", "part: this kernel lets no program list")):
            return "on"
        return re.sub(r"\d+", "N", v)
    return ["%s: %s" % (k, text(v)) for k, v in sorted(report["sources"].items()) if k != "system"
            and (k != "delayacct" or k in about)]


# Which of the programs at the scheduler read memory in a way that a lockdown refuses is the
# kernel's: they are off on one, and without reclaim on another.
LOCKED = re.compile(r"^(. waits: .*|- +(balance_dirty_pages|mm_vmscan_\w+): .*|waits: .*)\n", re.M)

# Of these columns it is told whether iotop's own row has them.
COLUMNS = ("read", "write", "riops", "wiops", "dirty", "cgroup", "state", "command")
runs = 0


def run(name, command, options):
    """Each under a name of its own, by which its row is found."""
    global runs
    runs += 1
    program = os.path.join(folder, "iotop-%d-%d" % (runs, os.getpid()))
    os.symlink(IOTOP, program)
    p = subprocess.run([*command, program, *options], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True, errors="replace")
    if p.returncode == 77:
        print("skip: %s: not on this processor" % name)
    elif p.returncode:
        print("FAIL: %s: %s ends with %d: %s" % (name, " ".join(options), p.returncode,
                                                 p.stderr.strip()))
    p.comm = os.path.basename(program)[:15]
    return p


def describe(name, command, options, about):
    """
    The text that is compared, "" where the rung cannot be had, None where iotop did not even work.
    """
    probes = run(name, command, [*options, "--probes"])
    if probes.returncode == 77:
        return ""
    rows = () if options is LAYERS else ("-P",)
    report = run(name, command, [*options, "-b", "-n", "1", "-d", "0.5", "--format=json", *rows])
    if probes.returncode or report.returncode:
        return None
    lines = ["probes:"] + page(probes.stdout, about)
    first = report.stdout.splitlines()[0]
    doc = json.loads(first)
    lines += ["sources:"] + sources(doc, about)
    own = [r for r in doc["rows"] if r.get("comm") == report.comm]
    lines += ["unknown of a process of one's own:",
              " ".join(c for c in COLUMNS if own[0].get(c) is None) or "none" if own
              else "not listed"]
    return "\n".join(lines) + "\n"


def rung(name, command, options=(), about=(), alike=None):
    """
    about: lines of --probes that are left as they are; alike: the rung that it must say the same
    as.
    """
    path = os.path.join(HERE, (alike or name) + ".expected")
    got = describe(name, command, options, about)
    if got is None:
        failed(name + ": iotop did not work")
    if not got:
        return
    if UPDATE and not alike and not SANITIZED:
        with open(path, "w") as f:
            f.write(got)
    if name == "lockdown":
        got = LOCKED.sub("", got)
    with open(path) as f:
        want = f.read()
    if SANITIZED:
        # The rung itself may be a filter.
        got, want = UNSANITIZED.sub("", got), UNSANITIZED.sub("", want)
    if got == want:
        print("ok: " + name)
        return
    failed("%s: not as expected" % name)
    with tempfile.NamedTemporaryFile("w", suffix=".got") as f:
        f.write(got)
        f.flush()
        print(subprocess.run(["diff", "-u", path, f.name], stdout=subprocess.PIPE,
                             text=True).stdout)


LAYERS = ("--screen=layers",)
WITHOUT = os.path.join(HERE, "without")
V1 = "mount -t cgroup -o none,name=iotop-test none t"
# Everywhere, as root: how, the options of iotop, what it is about.
RUNGS = {
    "root": ([], ()),
    "user": (NOBODY, ()),
    "cap-bpf": (unlimited(caps("bpf", "perfmon")), ()),
    "memlock": (["prlimit", "--memlock=65536", *caps("bpf", "perfmon")], (), (),
                None if charged() else "cap-bpf"),
    "cap-net-admin": (caps("net_admin"), ()),
    # The manual's line for setcap.
    "setcap": (unlimited(caps("bpf", "perfmon", "net_admin", "sys_ptrace", "dac_read_search",
                              "syslog")), ()),
    "pid-namespace": (["unshare", "--pid", "--fork", "--mount-proc"], ()),
    "net-namespace": (["unshare", "--net"], ()),
    "hidepid": (mounts("mount -t proc -o hidepid=2 proc /proc", NOBODY), ()),
    "user-namespace": (["unshare", "--user", "--map-root-user"], ()),
    "no-tracefs": (mounts("umount -R /sys/kernel/tracing 2>/dev/null || :"), ()),
    "no-debugfs": (mounts("umount -R /sys/kernel/debug 2>/dev/null || :"), ()),
    "no-tracing": (mounts("umount -R /sys/kernel/debug /sys/kernel/tracing 2>/dev/null || :"), ()),
    "no-btf": (mounts("mount -t tmpfs none /sys/kernel/btf"), ()),
    "unknown-kernel": (more_arguments("block_bio_queue", "block_rq_issue", "block_rq_complete"), (),
                       ("block_bio_queue", "block_rq_issue", "block_rq_complete")),
    "no-bpf": ([], ("--no-bpf",)),
    "no-bpf-call": ([WITHOUT, "bpf"], ()),
    "no-kprobes": (mounts("mount -t tmpfs none /sys/bus/event_source/devices"),
                   LAYERS, ("functions",)),
    "netlink": ([], ("--accounting=netlink",)),
    "no-netlink": ([WITHOUT, "socket:2=16"], ("--no-bpf",)),
    "delayacct-off": (delayacct(0), (), ("delayacct",)),
    "delayacct-off-no-bpf": (delayacct(0), ("--no-bpf",), ("delayacct",)),
    "delayacct-on-no-bpf": (delayacct(1), ("--no-bpf",), ("delayacct",)),
    "delayacct-always-no-bpf": (
            mounts("mount -t tmpfs none /proc/sys/kernel"), ("--no-bpf",), ("delayacct",)),
    "cgroup-none": (cgroups(":"), (), ("cgroups",)),
    "cgroup-v1": (cgroups("mkdir t; " + V1), (), ("cgroups",)),
    "cgroup-v2": (cgroups("mount -t cgroup2 none ."), (), ("cgroups",)),
    "cgroup-hybrid": (cgroups("mkdir t unified; mount -t cgroup2 none unified; " +
                              V1), (), ("cgroups",)),
}
# Where the whole machine is so: tests/kernels/t.
ELSEWHERE = {
    "lockdown": ([], ()),
    "ftrace-off": ([], LAYERS, ("functions",)),
    "kprobes-off": ([], LAYERS, ("functions",)),
    "no-fentry": ([os.path.join(HERE, "occupied"), "vfs_read"], LAYERS, ("functions",)),
    "no-perf-events": ([WITHOUT, "perf_event_open"], LAYERS, ("functions",)),
    # kprobe.multi is all there is, and enough.
    "only-multi": ([os.path.join(HERE, "occupied"), "vfs_read", WITHOUT, "perf_event_open"],
                   LAYERS, ("functions",), "no-fentry"),
}
