# SPDX-License-Identifier: GPL-2.0-or-later
"""
Programs that sleep in places where a stack is hard to unwind, and what tells where they are, for
tests/bpf/unwind.
"""

# Loaded before a program's libraries. What calls one of these is noted, once each, by the unwinder
# of the C++ runtime: a file of each process, of numbers and so many addresses.
NOTES = r"""
#define _GNU_SOURCE
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define APART __attribute__((noinline, noclone, visibility("hidden")))
#define DEPTH 250
#define KNOWN 65536
static unsigned long known[KNOWN];
static __thread int busy;
APART void note(void) {
	void *v[DEPTH + 1];
	unsigned long hash = 5381;
	char path[300];
	if (busy++) {
		busy--;
		return;
	}
	v[0] = (void *)(long)backtrace(v + 1, DEPTH);
	long n = (long)v[0];
	for (int i = 3; i <= n; i++) hash = (hash ^ (long)v[i]) * 0x9e3779b97f4a7c15UL;
	if (known[hash % KNOWN] != hash && n > 2) {
		known[hash % KNOWN] = hash;
		v[2] = (void *)(n - 2);
		snprintf(path, sizeof(path), "%s/%d", getenv("NOTES"), (int)syscall(SYS_getpid));
		int fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
		syscall(SYS_write, fd, v + 2, (n - 1) * 8);
		syscall(SYS_close, fd);
	}
	busy--;
}
#define CALL(...)                                                                                \
	note();                                                                                  \
	long r = syscall(__VA_ARGS__);                                                           \
	__asm__ volatile("" ::: "memory");                                                       \
	return r
int nanosleep(const struct timespec *t, struct timespec *l) { CALL(SYS_nanosleep, t, l); }
int clock_nanosleep(clockid_t c, int f, const struct timespec *t, struct timespec *l) {
	CALL(SYS_clock_nanosleep, c, f, t, l);
}
int usleep(useconds_t u) {
	struct timespec t = {u / 1000000, u % 1000000 * 1000};
	CALL(SYS_nanosleep, &t, NULL);
}
ssize_t read(int fd, void *b, size_t n) { CALL(SYS_read, fd, b, n); }
ssize_t write(int fd, const void *b, size_t n) { CALL(SYS_write, fd, b, n); }
ssize_t pread64(int fd, void *b, size_t n, off_t o) { CALL(SYS_pread64, fd, b, n, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off_t o) { CALL(SYS_pwrite64, fd, b, n, o); }
int fsync(int fd) { CALL(SYS_fsync, fd); }
int fdatasync(int fd) { CALL(SYS_fdatasync, fd); }
pid_t waitpid(pid_t p, int *s, int o) { CALL(SYS_wait4, p, s, o, NULL); }
#ifdef SYS_select
int select(int n, fd_set *r0, fd_set *w, fd_set *e, struct timeval *t) {
	CALL(SYS_select, n, r0, w, e, t);
}
#endif
int pselect(int n, fd_set *r0, fd_set *w, fd_set *e, const struct timespec *t,
	    const sigset_t *s) {
	struct timespec c = t ? *t : (struct timespec){0};
	struct {
		const sigset_t *s;
		size_t n;
	} m = {s, 8};
	CALL(SYS_pselect6, n, r0, w, e, t ? &c : NULL, &m);
}
#ifdef SYS_poll
int poll(struct pollfd *p, nfds_t n, int t) { CALL(SYS_poll, p, n, t); }
#endif
"""

C = r"""
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#define APART __attribute__((noinline, noclone))
volatile int sink;
static int fd;
APART void wait_here(void) {
	struct timespec t = {0, 10000000};
	while (nanosleep(&t, &t) < 0)
		;
	sink++;
}
/* main -> outer -> inner -> write() */
APART void inner(int n) {
	char b[80];
	memset(b, n, sizeof(b));
	sink += write(fd, b, n & 63);
	wait_here();
}
APART void outer(int n) {
	inner(n);
	sink++;
}
/* A frame whose size is only known when it runs, and one that is aligned. */
APART void alone(int n) {
	char *p = alloca(n * 16 + 16);
	memset(p, n, n);
	wait_here();
	sink += p[n / 2];
}
APART void aligned(int n) {
	_Alignas(64) char a[128];
	char *p = alloca(n + 1);
	memset(a, n, sizeof(a));
	memset(p, n, n);
	wait_here();
	sink += a[n & 63] + p[0];
}
APART void large(int n) {
	char a[100000];
	memset(a, n, 4096);
	wait_here();
	sink += a[n];
}
static int order(const void *a, const void *b) {
	static int n;
	if (!(n++ & 7)) wait_here();
	return *(const int *)a - *(const int *)b;
}
APART void sort(int n) {
	int v[6] = {5, 3, n, 2, 9, 1};
	qsort(v, 6, sizeof(v[0]), order);
	sink += v[0];
}
static void handler(int s) {
	wait_here();
	sink += s;
}
APART void interrupted(int n) {
	raise(SIGUSR1);
	sink += n;
}
/* A handler on a stack of its own, for a fault in the middle of a function. */
static void *volatile nowhere;
static void faulted(int s, siginfo_t *i, void *c) {
	(void)s;
	(void)i;
	wait_here();
	/* It is read once more with a pointer that is good. */
#ifdef __x86_64__
	((ucontext_t *)c)->uc_mcontext.gregs[REG_RAX] = (long)&sink;
#else
	((ucontext_t *)c)->uc_mcontext.regs[9] = (long)&sink;
#endif
}
APART int fault(int n) {
	int v;
#ifdef __x86_64__
	asm volatile("movl (%1), %0" : "=r"(v) : "a"(nowhere));
#else
	register void *at asm("x9") = nowhere;
	asm volatile("ldr %w0, [%1]" : "=r"(v) : "r"(at));
#endif
	return v + n;
}
APART int recursion(int n) {
	if (n) return recursion(n - 1) + sink;
	wait_here();
	return sink;
}
static void *thread(void *a) {
	for (;;) {
		outer(7);
		recursion(5);
	}
	return a;
}
typedef void late_function(void (*)(void));
int main(int argc, char **argv) {
	struct sigaction s = {.sa_handler = handler},
			 f = {.sa_sigaction = faulted, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	stack_t own = {.ss_sp = malloc(65536), .ss_size = 65536};
	late_function *late = NULL;
	pthread_t t;
	fd = open("/dev/null", O_WRONLY);
	sigaltstack(&own, NULL);
	sigaction(SIGUSR1, &s, NULL);
	sigaction(SIGSEGV, &f, NULL);
	pthread_create(&t, NULL, thread, NULL);
	for (int n = 1;; n = n % 40 + 1) {
		outer(n);
		alone(n);
		aligned(n);
		large(n);
		sort(n);
		interrupted(n);
		fault(n);
		recursion(n);
#ifndef STATIC
		if (argc > 1 && !late && n == 39)
			late = (late_function *)dlsym(dlopen(argv[1], RTLD_NOW), "late");
#endif
		if (late) late(wait_here);
	}
}
"""

# Two functions of one shape call the same one with the same stack pointer, one three times as
# often; so do two with frame pointers.
CALLERS = r"""
#include <time.h>
#define APART __attribute__((noinline, noclone))
#define FRAMED __attribute__((noinline, noclone, optimize("no-omit-frame-pointer")))
volatile int sink;
APART void place(void) {
	struct timespec t = {0, 2000000};
	nanosleep(&t, 0);
	sink++;
}
APART void often(void) {
	place();
	sink++;
}
APART void seldom(void) {
	place();
	sink--;
}
FRAMED void framed_often(void) {
	place();
	sink += 2;
}
FRAMED void framed_seldom(void) {
	place();
	sink -= 2;
}
int main(int n_args, char **args) {
	for (; n_args > 1; framed_often())
		often();
	for (int n = 0;; n++) {
		(n % 4 ? often : seldom)();
		(n % 4 ? framed_often : framed_seldom)();
	}
}
"""

LATE = r"""
volatile int late_sink;
__attribute__((noinline)) static void within(void (*f)(void)) {
	char b[333];
	b[late_sink & 7] = 1;
	f();
	late_sink += b[3];
}
void late(void (*f)(void)) {
	within(f);
	late_sink++;
}
"""

# What throws, catches and is called by a table; wait_here() is what it does.
CXX_THROWS = r"""
struct guard {
	std::string s;
	~guard() {
		wait_here((int)s.size());
		sink = sink + 1;
	}
};
APART void thrower(int n) {
	guard g{std::string(n, 'x')};
	if (n & 1) throw std::runtime_error(g.s);
	wait_here(n);
}
APART void middle(int n) {
	std::vector<std::string> v(n, "y");
	thrower(n);
	sink = sink + (int)v.size();
}
APART void catcher(int n) {
	try {
		middle(n);
	} catch (const std::exception &e) {
		wait_here(n);
		try {
			middle(n | 1);
		} catch (...) { wait_here(n); }
	}
}
struct base {
	virtual ~base() {}
	virtual void call(int n) = 0;
};
struct derived : base {
	void call(int n) override {
		catcher(n);
		sink = sink + 1;
	}
};
"""

CXX = (
    r"""
#include <algorithm>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#include <unistd.h>
#define APART __attribute__((noinline, noclone))
volatile int sink;
APART void wait_here(int) {
	usleep(10000);
	sink = sink + 1;
}
"""
    + CXX_THROWS
    + r"""
APART void sorted(int n) {
	std::vector<int> v{3, 1, n, 2};
	std::sort(v.begin(), v.end(), [](int a, int b) {
		wait_here(a);
		return a < b;
	});
	sink = sink + v[0];
}
int main() {
	std::thread([] {
		derived d;
		base *b = &d;
		for (int n = 1;; n = n % 9 + 1) b->call(n);
	}).detach();
	std::function<void(int)> f = [](int n) { sorted(n); };
	for (int n = 1;; n = n % 9 + 1) {
		f(n);
		catcher(n);
	}
}
"""
)

PYTHON = r"""
import re, threading, time
def a(n):
    return b(n) + 1
def b(n):
    return sorted([3, 1, n], key=c)[0]
def c(n):
    time.sleep(0.01)
    return n
def d(m):
    a(1)
    return "x"
def loop():
    while True:
        a(5)
        re.sub("y", d, "xyz")
threading.Thread(target=loop, daemon=True).start()
loop()
"""

BASH = r"""
f() { local x; read -t 0.01 x <"$1"; }
g() { f "$1"; sleep 0.01; }
while :; do g "$1"; x=$(echo "$(f "$1")"); done
"""
