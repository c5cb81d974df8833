/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "events.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "stop.h"

#define OWN_FDS 5
#define COLLECT_FDS 8

int events_open(struct events *e, struct err *err)
{
	sigset_t set;

	sigemptyset(&set);
	if (!stop_is_guarded()) {
		sigaddset(&set, SIGINT);
		sigaddset(&set, SIGTERM);
		sigaddset(&set, SIGHUP);
	}
	if (stop_spares_hangup())
		sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGCONT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* A closed pipe is an error of write(), where it is handled. */
	signal(SIGPIPE, SIG_IGN);
	e->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	e->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (e->signals < 0 || e->timer < 0) {
		int code = errno;

		events_close(e);
		return err_set(err, code, _("cannot wait for time and signals: %s"),
			       strerror(code));
	}
	return 0;
}

void events_close(struct events *e)
{
	fd_close(e->timer);
	fd_close(e->signals);
	e->timer = e->signals = -1;
}

static struct timespec timespec_of(double seconds)
{
	struct timespec ts = { .tv_sec = (time_t)seconds };

	ts.tv_nsec = (long)((seconds - (double)ts.tv_sec) * 1e9);
	if (!ts.tv_sec && !ts.tv_nsec)
		ts.tv_nsec = 1;	/* zero would disarm it */
	return ts;
}

void events_timer(struct events *e, double first, double delay)
{
	struct itimerspec its = { .it_value = timespec_of(first),
				  .it_interval = timespec_of(delay) };

	timerfd_settime(e->timer, 0, &its, NULL);
}

static uint64_t ns_of(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * NSEC_PER_SEC + (uint64_t)t->tv_nsec;
}

/*
 * What comes late (stopped, or the machine was busy) leaves little of the interval up to the next
 * tick: no rate would be told of that. It is part of the interval after it.
 */
static void skip_rest(int timer)
{
	struct itimerspec its;
	uint64_t left, every;

	if (timerfd_gettime(timer, &its) < 0)
		return;
	left = ns_of(&its.it_value);
	every = ns_of(&its.it_interval);
	if (left >= every / 2)
		return;
	its.it_value.tv_sec = (time_t)((left + every) / NSEC_PER_SEC);
	its.it_value.tv_nsec = (long)((left + every) % NSEC_PER_SEC);
	timerfd_settime(timer, 0, &its, NULL);
}

/*
 * Whether a read that got nothing says that there is nothing. What fails otherwise would be
 * readable for ever.
 */
static bool is_empty(void)
{
	return errno == EAGAIN || errno == EINTR;
}

static unsigned timer_read(int fd)
{
	uint64_t expired;

	if (read(fd, &expired, sizeof(expired)) == sizeof(expired)) {
		skip_rest(fd);
		return EVENT_TICK;
	}
	if (!is_empty())
		stop_request();
	return 0;
}

static unsigned signals_read(int fd)
{
	struct signalfd_siginfo info;
	unsigned events = 0;

	while (read(fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGWINCH)
			events |= EVENT_RESIZE;
		else if (info.ssi_signo == SIGTSTP)
			events |= EVENT_SUSPEND;
		else if (info.ssi_signo == SIGCONT)
			events |= EVENT_RESUME;
		else if (info.ssi_signo == SIGHUP && stop_spares_hangup())
			events |= EVENT_RELOAD;
		else
			stop_request();
	}
	if (!is_empty())
		stop_request();
	return events;
}

/*
 * A group in the background whose shell ended (an orphaned one) gets EIO of each read from its
 * terminal, which says POLLIN all the time and never POLLHUP. Nothing is taken by the read.
 */
static bool is_lost(int fd)
{
	char none;

	return read(fd, &none, 0) < 0 && errno == EIO;
}

unsigned events_wait(struct events *e, struct collect_set *set, bool input, int wait_ms)
{
	uint64_t end = clock_mono() + (uint64_t)MAX(wait_ms, 0) * (NSEC_PER_SEC / 1000);
	struct pollfd fds[OWN_FDS + COLLECT_FDS] = {
		{ .fd = e->timer, .events = POLLIN },
		{ .fd = e->signals, .events = POLLIN },
		{ .fd = input ? STDIN_FILENO : -1, .events = POLLIN },
		{ .fd = input ? stop_keys_fd() : -1, .events = POLLIN },
		{ .fd = stop_fd(), .events = POLLIN },
	};
	unsigned events = 0;

	while (!events) {
		size_t n = set ? collect_pollfds(set, fds + OWN_FDS, COLLECT_FDS) : 0;

		if (poll(fds, OWN_FDS + n, wait_ms) < 0)
			continue;	/* only EINTR is possible */
		if (fds[0].revents)
			events |= timer_read(e->timer);
		if (fds[1].revents)
			events |= signals_read(e->signals);
		if (stop_requested())
			events |= EVENT_STOP;
		/* A terminal that hung up says POLLIN, too; of a pipe the rest is read. */
		if (fds[2].revents & (POLLERR | POLLNVAL) ||
		    (fds[2].revents & POLLIN && is_lost(fds[2].fd)))
			events |= EVENT_HANGUP;
		else if ((fds[2].revents | fds[3].revents) & POLLIN)
			events |= EVENT_INPUT;
		else if (fds[2].revents & POLLHUP)
			events |= EVENT_HANGUP;
		if (n)
			collect_drain(set, fds + OWN_FDS, n);
		if (wait_ms >= 0 && clock_mono() >= end)
			break;
	}
	return events;
}
