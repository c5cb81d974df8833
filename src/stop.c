// SPDX-License-Identifier: GPL-2.0-or-later
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "collect/collect.h"
#include "collect/privilege.h"
#include "tui/restore.h"

#define MS (NSEC_PER_SEC / 1000)
/* The main thread has this long to end after a stop request; then the guard ends the process. */
#define END_AFTER (1200 * MS)
/*
 * From this time on the guard ends what may block the main thread: stopped terminal output (^S) and
 * a write() that blocks.
 */
#define UNBLOCK_AFTER (500 * MS)
/* The guard reads keys that the main thread left unread for this long. */
#define KEYS_AFTER (1000 * MS)
/*
 * timeout(1) sends its signal to the process and to the process group: a signal that comes this
 * soon after the first is the same request.
 */
#define SAME_REQUEST (250 * MS)
#define STEP_MS 100
#define DESCRIPTORS 512	/* that all screens together may need, about */
#define GUARD_STACK (64 << 10)

static struct {
	int fd;			/* eventfd: a stop was requested */
	int wake;		/* eventfd: tty has changed */
	int signals;		/* signalfd of the guard */
	int keys[2];		/* pipe: what the guard read from the terminal */
	bool guarded;
	bool spares_hangup;
	pthread_t main;
	atomic_bool requested, interrupts, typing;
	atomic_int tty;
	atomic_uint reads;	/* how often the main thread was about to read keys */
	_Atomic uint64_t progress;	/* CLOCK_MONOTONIC ns of stop_progress(), 0: never */
} stop = { .fd = -1, .wake = -1, .signals = -1, .keys = { -1, -1 }, .tty = -1 };

/* State of the guard thread. Times are CLOCK_MONOTONIC ns, 0: not yet. */
struct guard {
	uint64_t stopped;	/* the first stop request */
	bool again;		/* a second stop request came */
	uint64_t unread;	/* when keys began to wait that the main thread has not read */
	unsigned reads;		/* stop.reads at that time */
	bool took;		/* the guard put some of these keys into the pipe */
	bool quit;		/* the last key means quit */
	bool escape;		/* the last key is Esc */
};

/*
 * The functions of the guard call only what is async-signal-safe: the main thread may hang while it
 * holds any lock, that of malloc() among them.
 */
static _Noreturn void end(void)
{
	restore_now();
	collect_abandon();
	_exit(0);
}

static void unblock(void)
{
	restore_unstop();
	if (atomic_load(&stop.interrupts))
		pthread_kill(stop.main, SIGURG);
}

static void take_signals(struct guard *g, uint64_t now)
{
	struct signalfd_siginfo info;

	while (read(stop.signals, &info, sizeof(info)) == sizeof(info)) {
		if (g->stopped && now - g->stopped > SAME_REQUEST)
			g->again = true;
		stop_request();
	}
	/* What cannot be read stays readable: nobody would be asked to end any more. */
	if (errno != EAGAIN && errno != EINTR)
		stop_request();
}

/* Counts the time since the stop request, or since the last progress of the final report. */
static void enforce_stop(const struct guard *g, uint64_t now)
{
	uint64_t progress = g->again ? 0 : atomic_load(&stop.progress),
		 since = MAX(g->stopped, progress);

	if (now >= since + END_AFTER)
		end();
	if (now >= since + UNBLOCK_AFTER)
		unblock();
}

/*
 * Whether the last of these keys quits. In a prompt `q` is text, unless Esc closed the prompt just
 * before. A `q` that ends an escape sequence (Esc [ q, Esc O q) belongs to another key.
 */
static bool means_quit(struct guard *g, const char *keys, size_t n)
{
	bool escaped = n > 1 ? keys[n - 2] == '\033' : g->escape;
	bool other = n > 2 && keys[n - 3] == '\033' && (keys[n - 2] == '[' || keys[n - 2] == 'O');

	g->escape = keys[n - 1] == '\033';
	return keys[n - 1] == STOP_KEY && !other && (escaped || !atomic_load(&stop.typing));
}

/*
 * Reads keys from the terminal into the pipe, from which the main thread takes them if it runs
 * again, and sets g->quit. A terminal that hung up quits as well. False: there were no keys.
 */
static bool take_keys(struct guard *g, int tty)
{
	struct pollfd wait = { .fd = tty, .events = POLLIN };
	char keys[STOP_KEYS];
	ssize_t n;

	poll(&wait, 1, 0);
	if (wait.revents & (POLLHUP | POLLERR)) {
		g->quit = true;
		return true;
	}
	n = wait.revents ? read(tty, keys, sizeof(keys)) : 0;
	if (n <= 0)
		return false;
	g->quit = means_quit(g, keys, (size_t)n);
	g->took = true;
	/* A full pipe means that the main thread has not read for 64 KiB of keys: drop them. */
	return write(stop.keys[1], keys, (size_t)n) != 0;
}

static void watch_keys(struct guard *g, uint64_t now, short revents)
{
	unsigned reads = atomic_load(&stop.reads);

	if (g->unread && reads != g->reads)
		*g = (struct guard){ 0 };
	if (!g->unread && revents) {
		g->unread = now;
		g->reads = reads;
	}
	if (!g->unread || now < g->unread + KEYS_AFTER)
		return;
	/* No keys left: the main thread read them between poll() and here. */
	if (!take_keys(g, atomic_load(&stop.tty)) && !g->took)
		*g = (struct guard){ 0 };
	if (!g->quit)
		return;
	unblock();
	if (now >= g->unread + END_AFTER)
		end();
}

/*
 * Gives the guard real-time priority where that is allowed (CAP_SYS_NICE or RLIMIT_RTPRIO). On an
 * overloaded machine a normal thread can wait half a second for a processor, and the guard needs
 * one about three times until the end. It hardly ever runs, and never for long.
 */
static void raise_priority(void)
{
	struct sched_param param = { .sched_priority = sched_get_priority_min(SCHED_RR) };
	uint64_t before = privilege_raise(PRIV_PRIORITY);

	pthread_setschedparam(pthread_self(), SCHED_RR, &param);
	privilege_restore(before);
}

static void *guard_run(void *arg)
{
	struct guard g = { 0 };

	raise_priority();
	/* collect_abandon() writes kernel.task_delayacct back. */
	privilege_limit(PRIV_SYSCTL);
	for (;;) {
		struct pollfd fds[] = {
			{ .fd = stop.signals, .events = POLLIN },
			{ .fd = g.stopped ? -1 : stop.fd, .events = POLLIN },
			{ .fd = stop.wake, .events = POLLIN },
			{ .fd = g.stopped || g.unread ? -1 : atomic_load(&stop.tty),
			  .events = POLLIN },
		};
		eventfd_t count;
		uint64_t now;

		if (poll(fds, ARRAY_SIZE(fds), g.stopped || g.unread ? STEP_MS : -1) < 0)
			continue;
		now = clock_mono();
		if (fds[0].revents)
			take_signals(&g, now);
		if (fds[2].revents)
			eventfd_read(stop.wake, &count);
		if (!g.stopped && stop_requested())
			g = (struct guard){ .stopped = now };
		if (g.stopped)
			enforce_stop(&g, now);
		else if (atomic_load(&stop.tty) >= 0)
			watch_keys(&g, now, fds[3].revents);
	}
	return arg;
}

static void on_interrupt(int sig)
{
}

static int start_guard(void)
{
	struct sigaction act = { .sa_handler = on_interrupt };
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t all, before;
	int r;

	/* Its only effect is that a blocked write() returns EINTR. */
	sigaction(SIGURG, &act, NULL);
	stop.main = pthread_self();
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, MAX((size_t)PTHREAD_STACK_MIN, (size_t)GUARD_STACK));
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(&thread, &attr, guard_run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return r;
}

int stop_open(struct err *err)
{
	sigset_t set;

	stop.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	stop.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (!stop.spares_hangup)
		sigaddset(&set, SIGHUP);
	stop.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (stop.fd < 0 || stop.wake < 0 || stop.signals < 0 ||
	    pipe2(stop.keys, O_CLOEXEC | O_NONBLOCK) < 0)
		return err_set(err, errno, _("cannot wait for signals: %s"), strerror(errno));
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	fd_table_grow(stop.fd, DESCRIPTORS);
	stop.guarded = start_guard() == 0;
	return 0;
}

void stop_spare_hangup(void)
{
	sigset_t set;

	stop.spares_hangup = true;
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

bool stop_spares_hangup(void)
{
	return stop.spares_hangup;
}

bool stop_is_guarded(void)
{
	return stop.guarded;
}

void stop_request(void)
{
	if (!atomic_exchange(&stop.requested, true))
		eventfd_write(stop.fd, 1);
}

bool stop_requested(void)
{
	return atomic_load(&stop.requested);
}

int stop_fd(void)
{
	return stop.fd;
}

void stop_progress(void)
{
	atomic_store(&stop.progress, clock_mono());
}

void stop_interrupts(bool on)
{
	atomic_store(&stop.interrupts, on);
}

void stop_watch_keys(int tty)
{
	atomic_store(&stop.tty, tty);
	eventfd_write(stop.wake, 1);
}

void stop_typing(bool on)
{
	atomic_store(&stop.typing, on);
}

size_t stop_read_keys(char keys[static STOP_KEYS])
{
	ssize_t n;

	atomic_fetch_add(&stop.reads, 1);
	n = read(stop.keys[0], keys, STOP_KEYS);
	return n > 0 ? (size_t)n : 0;
}

int stop_keys_fd(void)
{
	return stop.keys[0];
}
