# SPDX-License-Identifier: GPL-2.0-or-later
"""
Programs in several languages, built in several ways, that do I/O at the end of chains of calls, for
tests/truth/stacks. Each gets the name of a file and writes it, again and again, until it is killed.
"""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bpf"))
from unwind_programs import CXX_THROWS

C = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define APART __attribute__((noinline, noclone))
#ifdef LATE
#include <dlfcn.h>
#endif
volatile int sink;
static int fd;
static char block[8192];
APART void innermost(int n) {
	sink += pwrite(fd, block, sizeof(block), (n & 15) * 8192);
	sink += fsync(fd);
}
APART void inner(int n) {
	char b[80];
	memset(b, n, sizeof(b));
	innermost(n);
	sink += b[n & 63];
}
APART void outer(int n) {
	inner(n);
	sink++;
}
APART void sized(int n) {
	char *p = __builtin_alloca(n * 16 + 16);
	memset(p, n, n);
	innermost(n);
	sink += p[n / 2];
}
APART void large(int n) {
	volatile char b[900000];
	b[n] = n;
	b[sizeof(b) - 1 - n] = n;
	innermost(n);
	sink += b[n];
}
static int order(const void *a, const void *b) {
	innermost(1);
	return *(const int *)a - *(const int *)b;
}
APART void sort(int n) {
	int v[4] = {5, 3, n, 2};
	qsort(v, 4, sizeof(v[0]), order);
	sink += v[0];
}
APART int recursion(int n) {
	if (n) return recursion(n - 1) + sink;
	innermost(n);
	return sink;
}
APART void fetch(const char *path) {
	int r = open(path, O_RDONLY);
	posix_fadvise(r, 0, 0, POSIX_FADV_DONTNEED);
	sink += read(r, block, sizeof(block));
	close(r);
}
int main(int argc, char **argv) {
	fd = open(argv[1], O_RDWR | O_CREAT, 0600);
	for (int n = 1;; n = n % 12 + 1) {
		outer(n);
		sized(n);
		large(n);
		sort(n);
		recursion(n);
		fetch(argv[1]);
#ifdef LATE
		static void (*late)(void (*)(int), int);
		if (!late && n == 12) late = dlsym(dlopen(argv[2], RTLD_NOW), "late");
		if (late) late(innermost, n);
#endif
	}
}
"""

# Calls C back, from a library that is loaded later.
LIBRARY = r"""
volatile int late_sink;
__attribute__((noinline)) static void within(void (*f)(int), int n) {
	char b[333];
	b[n] = 1;
	f(n);
	late_sink += b[n];
}
void late(void (*f)(int), int n) {
	within(f, n);
	late_sink++;
}
"""

# One of many, and a child of it that goes on as another program. With one more argument: for ever.
BRIEF = r"""
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#define APART __attribute__((noinline, noclone))
volatile int sink;
APART void innermost(int fd) {
	sink += pwrite(fd, "x", 1, 0);
	sink += fsync(fd);
}
APART void inner(int fd) {
	innermost(fd);
	sink++;
}
APART void child(int fd) {
	inner(fd);
	sink++;
}
int main(int argc, char **argv) {
	do {
		int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
		inner(fd);
		volatile pid_t pid = argc > 2 ? 0 : fork();
		if (!pid) child(fd);
		if (!pid && argc == 2) execl("/bin/sync", "sync", "-d", argv[1], NULL);
		if (argc == 2) waitpid(pid, NULL, 0);
		/* Not at the end of the program: gdb watches one that goes on. */
		dprintf(1, "%d %d\n", getpid(), pid);
		close(fd);
	} while (argc > 2);
}
"""

CXX = (
    r"""
#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#include <fcntl.h>
#include <unistd.h>
#define APART __attribute__((noinline, noclone))
volatile int sink;
static int fd;
APART void innermost(int n) {
	static char block[8192];
	sink = sink + (int)pwrite(fd, block, sizeof(block), (n & 15) * 8192);
	sink = sink + fsync(fd);
}
#define wait_here innermost
"""
    + CXX_THROWS
    + r"""
int main(int, char **argv) {
	fd = open(argv[1], O_RDWR | O_CREAT, 0600);
	std::thread([] {
		std::unique_ptr<base> b = std::make_unique<derived>();
		for (int n = 1;; n = n % 9 + 1) b->call(n);
	}).detach();
	std::function<void(int)> f = [](int n) {
		std::vector<int> v{3, 1, n, 2};
		std::sort(v.begin(), v.end(), [](int a, int b) {
			innermost(a);
			return a < b;
		});
		sink = sink + v[0];
	};
	for (int n = 1;; n = n % 9 + 1) {
		f(n);
		catcher(n);
	}
}
"""
)

RUST = r"""
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::panic;
use std::thread;
trait Store {
    fn put(&mut self, n: u64) -> u64;
}
struct Journal {
    file: BufWriter<File>,
}
impl Store for Journal {
    #[inline(never)]
    fn put(&mut self, n: u64) -> u64 {
        self.file.seek(SeekFrom::Start(n % 16 * 8192)).unwrap();
        self.file.write_all(&[n as u8; 10000]).unwrap();
        self.file.flush().unwrap();
        self.file.get_ref().sync_data().unwrap();
        n + 1
    }
}
#[inline(never)]
fn at(file: &File, n: u64) -> u64 {
    file.write_at(&vec![1u8; 4096], n % 16 * 4096).unwrap();
    file.sync_all().unwrap();
    n
}
#[inline(never)]
fn recursion(file: &File, n: u64) -> u64 {
    if n > 0 { recursion(file, n - 1) + 1 } else { at(file, n) }
}
#[inline(never)]
fn generic<T: Fn(u64) -> u64>(f: T, n: u64) -> u64 {
    let m: BTreeMap<u64, u64> = (0..3).map(|i| (i, f(i + n))).collect();
    m.values().sum()
}
struct Last<'a>(&'a File);
impl<'a> Drop for Last<'a> {
    fn drop(&mut self) {
        at(self.0, 3);
    }
}
fn turn(path: &str) -> u64 {
    let file = OpenOptions::new().read(true).write(true).create(true).open(path).unwrap();
    let second = file.try_clone().unwrap();
    let mut s: Box<dyn Store> = Box::new(Journal { file: BufWriter::new(second) });
    let mut sum = 0;
    for n in 1..12 {
        sum += s.put(n) + recursion(&file, n) + generic(|i| at(&file, i), n);
        let _ = panic::catch_unwind(panic::AssertUnwindSafe(|| {
            let _last = Last(&file);
            if n % 2 == 0 { panic!("even") }
        }));
        let mut text = Vec::new();
        File::open(path).unwrap().read_to_end(&mut text).unwrap();
        sum += text.len() as u64;
    }
    sum
}
fn main() {
    panic::set_hook(Box::new(|_| {}));
    let path = std::env::args().nth(1).unwrap();
    let other = path.clone() + ".2";
    thread::spawn(move || loop { std::hint::black_box(turn(&other)); });
    loop { std::hint::black_box(turn(&path)); }
}
"""

GO = r"""
package main

import (
	"bufio"
	"os"
	"sort"
	"sync"
	"time"
)

type store interface{ put(n int) int }
type journal struct{ f *os.File }

//go:noinline
func (j *journal) put(n int) int {
	w := bufio.NewWriter(j.f)
	j.f.Seek(int64(n%16)*8192, 0)
	w.Write(make([]byte, 10000))
	w.Flush()
	j.f.Sync()
	return n + 1
}

//go:noinline
func at(f *os.File, n int) int {
	f.WriteAt(make([]byte, 4096), int64(n%16)*4096)
	f.Sync()
	return n
}

//go:noinline
func recursion(f *os.File, n int) int {
	if n > 0 {
		return recursion(f, n-1) + 1
	}
	return at(f, n)
}

func deferred(f *os.File, n int) (r int) {
	defer func() {
		recover()
		r = at(f, 2)
	}()
	defer at(f, n)
	if n%2 == 0 {
		panic("even")
	}
	return n
}

func turn(path string) {
	f, _ := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0600)
	defer f.Close()
	var s store = &journal{f}
	for n := 1; n < 12; n++ {
		s.put(n)
		recursion(f, n)
		deferred(f, n)
		v := []int{3, 1, n}
		sort.Slice(v, func(i, j int) bool { return at(f, v[i]) < v[j] })
		os.ReadFile(path)
		time.Sleep(time.Millisecond)
	}
}

func main() {
	var w sync.WaitGroup
	for i := 0; i < 3; i++ {
		w.Add(1)
		go func(i int) {
			for {
				turn(os.Args[1] + string(rune('0'+i)))
			}
		}(i)
	}
	w.Wait()
}
"""

PYTHON = r"""
import os, re, sys, threading
def innermost(fd, n):
    os.pwrite(fd, b"x" * 8192, n % 16 * 8192)
    os.fsync(fd)
    return n
def inner(fd, n):
    return sorted([3, 1, n], key=lambda k: innermost(fd, k))[0]
def replaced(fd, m):
    inner(fd, 1)
    return "x"
def loop(path):
    fd = os.open(path, os.O_RDWR | os.O_CREAT)
    for n in range(1 << 30):
        inner(fd, n)
        re.sub("y", lambda m: replaced(fd, m), "xyz")
        with open(path, "rb") as f:
            f.read(100000)
threading.Thread(target=loop, args=(sys.argv[1] + ".2",), daemon=True).start()
loop(sys.argv[1])
"""

BASH = r"""
f() { echo "$1 $(<"$2.in")" >>"$2"; }
g() { for i in 1 2; do f "$i" "$1"; done; }
echo x >"$1.in"
while :; do g "$1"; : >"$1"; exec 7>>"$1"; echo y >&7; done
"""

SQL = """echo 'pragma cache_size=4; create table t(x); create index i on t(x);'
while sleep 0.02; do
echo 'insert into t values(randomblob(9999)); select count(*), max(x) from t order by x;'; done
"""


def have(*args):
    try:
        return subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


wanted = []


def build(folder, name, suffix, source, *command):
    """The program's path, or None where it cannot be built here, or is not wanted."""
    if wanted and not any(name.startswith(w) for w in wanted):
        return None
    path = os.path.join(folder, name)
    with open(path + suffix, "w") as f:
        f.write(source)
    p = subprocess.run([*command, "-o", path, path + suffix], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True,
                       env=dict(os.environ, GOCACHE=folder + "/cache", GO111MODULE="off"))
    if not p.returncode:
        return path
    print("not built: %s: %s" % (name, (p.stdout.strip().splitlines() or ["?"])[-1]))
    return None


class Run:
    """
    A program to compare. twin: one with the same addresses, of which gdb knows more; by: how it is
    judged (a method of Symbols) by the symbols of a file where gdb is no truth. whole: its stacks
    are expected to be. sql: it gets SQL to do.
    """

    def __init__(self, name, *args, twin=None, by=None, file=None, whole=True, sql=False):
        self.name, self.args, self.twin, self.by, self.file = name, list(args), twin, by, file
        self.whole, self.sql = whole, sql


CC = "cc", "-w", "-O2", "-fomit-frame-pointer", "-fno-optimize-sibling-calls"
NO_TABLES = "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-no-pie", "-fno-pie"
FIXED = "setarch", "-R"


def of_c(folder, file):
    for name, args in (("c-pie", ["-pie", "-fPIE"]), ("c-no-pie", ["-no-pie", "-fno-pie"]),
                       ("c-stripped", ["-s"]), ("c-static", ["-static"]),
                       ("c-static-stripped", ["-static-pie", "-s"]),
                       ("c-frames", ["-O1", "-fno-omit-frame-pointer"]), ("c-32", ["-m32"])):
        path = build(folder, name, ".c", C, *CC, *args)
        if path:
            yield Run(name, path, file, whole=name != "c-32")
    path = build(folder, "c-no-tables", ".c", C, *CC, *NO_TABLES)
    twin = build(folder, "c-no-tables-g", ".c", C, *CC, *NO_TABLES, "-g")
    if path and twin:
        yield Run("c-no-tables", *FIXED, path, file, twin=[*FIXED, twin, file],
                  whole=False)
    if have("musl-gcc", "--version"):
        for name, args in (("musl", []), ("musl-static", ["-static"])):
            path = build(folder, name, ".c", C, "musl-gcc", *CC[1:], "-no-pie", "-fno-pie", *args)
            if path:
                yield Run(name, path, file, by="named_call", file=path, whole=False)


def others(folder, file):
    path = build(folder, "c++", ".cc", CXX, "c++", *CC[1:], "-pthread")
    if path:
        yield Run("c++", path, file)
    if have("rustc", "--version"):
        rust = "rustc", "-O", "-C", "force-frame-pointers=no"
        for name, args in ("rust", []), ("rust-stripped", ["-C", "strip=symbols"]):
            path = build(folder, name, ".rs", RUST, *rust, *args)
            if path:
                yield Run(name, path, file)
    if have("go", "version"):
        path = build(folder, "go", ".go", GO, "go", "build")
        bare = build(folder, "go-stripped", ".go", GO, "go", "build",
                     "-ldflags=-s -w")
        if path:
            yield Run("go", path, file, by="direct_call", file=path, whole=False)
        if path and bare:
            yield Run("go-stripped", bare, file, by="direct_call", file=path, whole=False)


IN_ROOT = """mount --bind {0} {0} && mount --bind {1} {0}/data && cd {0} && pivot_root . old &&
exec /program /data/root"""


def elsewhere(folder, where):
    """A program in a root of its own, with a C library of its own, where its names are others."""
    path = build(folder, "c-root", ".c", C, *CC, "-g")
    if not path:
        return
    root = folder + "/root"
    for name in ("lib64", "lib", "data", "old"):
        os.makedirs(root + "/" + name)
    shutil.copy(path, root + "/program")
    for line in subprocess.check_output(["ldd", path], text=True).splitlines():
        for name in [word for word in line.split() if word.startswith("/")]:
            shutil.copy(name, root + ("/lib64/" if "/ld-" in name else "/lib/"))
    yield Run("c-root", "unshare", "-m", "sh", "-c", IN_ROOT.format(root, where), whole=False)


def of_another(where):
    """Programs of another distribution, in the root that is given."""
    root = os.environ.get("TRUTH_ROOT")
    if not root:
        return
    for name in ("data", "old"):
        os.makedirs(os.path.join(root, name), exist_ok=True)
    yield Run("other-bash", "unshare", "-m", "sh", "-c",
              IN_ROOT.format(root, where).replace("/program /data/root",
                                                  '/bin/bash -c "$0" bash /data/other'), BASH)
    if os.path.exists(root + "/usr/bin/sqlite3"):
        yield Run("other-sqlite3", "unshare", "-m", "sh", "-c",
                  IN_ROOT.format(root, where).replace("/program /data/root",
                                                      "/usr/bin/sqlite3 /data/otherdb"), sql=True)


def commands(folder, where):
    """All that can be run here."""
    file = where + "/file"
    yield from of_c(folder, file)
    yield from others(folder, file)
    library = build(folder, "c-dlopen.so", ".c", LIBRARY, *CC, "-shared", "-fPIC")
    late = build(folder, "c-dlopen", ".c", C, *CC, "-DLATE")
    if library and late:
        yield Run("c-dlopen", late, file, library)
    yield from elsewhere(folder, where)
    yield from of_another(where)
    yield Run("python3", os.path.realpath(sys.executable), "-c", PYTHON, file)
    yield Run("bash", "/bin/bash", "-c", BASH, "bash", file)
    if shutil.which("sqlite3"):
        yield Run("sqlite3", "sqlite3", where + "/db", sql=True)
    if shutil.which("fio"):
        yield Run("fio", "fio", "--name=x", "--filename=" + file, "--size=1M", "--rw=randrw",
                  "--direct=1", "--fsync=5", "--time_based", "--runtime=300", "--thread",
                  "--numjobs=2", "--thinktime=2000")
