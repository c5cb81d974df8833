// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/restore.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/macro.h"

#define CRASH_STACK 16384
/*
 * For so long the text is tried to be written: another thread may be in the middle of a write() to
 * the terminal.
 */
#define WRITE_TRIES 20
#define WRITE_PAUSE_MS 10

static struct {
	atomic_bool armed;
	struct termios modes;
	bool have_modes;
	bool prepared;
	int tty;		/* a file description of its own: O_NONBLOCK here is not the
				 * shell's; -1: could not be opened */
	char text[256];
	size_t len;
} saved = { .tty = -1 };

static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGQUIT };

static struct sigaction before[ARRAY_SIZE(crash_signals)];

/*
 * The terminal may belong to another user (after su), or have no name here (in a container):
 * /dev/tty can be opened then.
 */
static int open_tty(void)
{
	const int flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	char name[64];
	int fd = -1;

	if (!ttyname_r(STDOUT_FILENO, name, sizeof(name)))
		fd = open(name, flags);
	return fd >= 0 ? fd : open("/dev/tty", flags);
}

void restore_prepare(void)
{
	saved.have_modes = !tcgetattr(STDIN_FILENO, &saved.modes);
	saved.len = 0;
	if (!saved.prepared)
		saved.tty = open_tty();
	saved.prepared = true;
}

void restore_add(const char *text)
{
	size_t len;

	if (!text || text == (char *)-1)
		return;
	len = strlen(text);
	if (saved.len + len > sizeof(saved.text))
		return;
	memcpy(saved.text + saved.len, text, len);
	saved.len += len;
}

int restore_tty(void)
{
	return saved.tty;
}

/* TCOON alone continues only what TCOOFF stopped. */
void restore_unstop(void)
{
	if (!atomic_load(&saved.armed))
		return;
	tcflow(STDOUT_FILENO, TCOOFF);
	tcflow(STDOUT_FILENO, TCOON);
}

/*
 * Where nobody reads, the text has no room until what was written before is thrown away; and while
 * another thread waits in its write(), the terminal is locked. Both end by throwing away and
 * starting the output again.
 */
static void write_text(void)
{
	struct pollfd out = { .fd = saved.tty >= 0 ? saved.tty : STDOUT_FILENO, .events = POLLOUT };
	size_t done = 0;

	for (int i = 0; i < WRITE_TRIES && done < saved.len; i++) {
		ssize_t n = -1;

		if (poll(&out, 1, 0) > 0 && out.revents & POLLOUT)
			n = write(out.fd, saved.text + done, saved.len - done);
		if (n > 0) {
			done += (size_t)n;
			continue;
		}
		tcflush(STDOUT_FILENO, TCOFLUSH);
		tcflow(STDOUT_FILENO, TCOOFF);
		tcflow(STDOUT_FILENO, TCOON);
		poll(NULL, 0, i ? WRITE_PAUSE_MS : 0);
	}
}

void restore_now(void)
{
	int e = errno;

	if (!atomic_exchange(&saved.armed, false))
		return;
	tcflow(STDOUT_FILENO, TCOOFF);
	tcflow(STDOUT_FILENO, TCOON);
	write_text();
	if (saved.have_modes)
		tcsetattr(STDIN_FILENO, TCSANOW, &saved.modes);
	errno = e;
}

static void on_crash(int sig)
{
	restore_now();
	/* What the signal did before, be it a sanitizer's report, it does now. */
	for (size_t i = 0; i < ARRAY_SIZE(crash_signals); i++)
		if (crash_signals[i] == sig)
			sigaction(sig, &before[i], NULL);
	raise(sig);
}

static void watch_crashes(bool on)
{
	static char stack[CRASH_STACK];
	stack_t alt = { .ss_sp = stack, .ss_size = sizeof(stack) }, present;
	struct sigaction act = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER };

	if (on && !sigaltstack(NULL, &present) && present.ss_flags & SS_DISABLE)
		sigaltstack(&alt, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(crash_signals); i++) {
		if (on)
			sigaction(crash_signals[i], &act, &before[i]);
		else
			sigaction(crash_signals[i], &before[i], NULL);
	}
}

void restore_arm(bool on)
{
	watch_crashes(on);
	atomic_store(&saved.armed, on);
}
