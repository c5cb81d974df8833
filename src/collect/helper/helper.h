/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The disposable processes that look at what other users control, as the main process sees them.
 * What may wait for a file system, for another process's memory or for a name service is asked here
 * and never done by the process that owns the terminal. A helper that does not answer is left alone
 * after a short time, given up after a longer one, and replaced; the request it hung on fails, and
 * nothing else does.
 *
 *	main ── control ── keeper		starts and ends the others; opens nothing
 *	  ├─ HELPER_NAMES ── opener ── parser	opens files and reads /proc; the parser
 *	  │					reads what was opened, without privileges
 *	  └─ HELPER_USERS ── users		name services
 *	main ── provider			asks disks for the limits of their provider
 */
#ifndef IOTOP_COLLECT_HELPER_HELPER_H
#define IOTOP_COLLECT_HELPER_HELPER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum helper_kind {
	HELPER_NAMES,
	HELPER_USERS,
	HELPER_KINDS,
};

struct helper;
struct probe_list;
struct provider;

/*
 * Forks the keeper: as early as possible, so that little of this process is in it and no thread
 * runs yet. proc: "/proc"; fetched: where debuginfod-find(1) keeps debug files, NULL: nowhere;
 * both are copied. NULL when that fails: then every request fails.
 */
struct helper *helper_start(const char *proc, const char *fetched);
/*
 * Forks the process that asks disks when the limits of their provider hold them back, where there
 * are such disks (provider.h). Before threads, too. h may be NULL.
 */
void helper_start_provider(struct helper *h, const char *sys);
/* What that process was told; NULL: there is none. h may be NULL. The helper's own. */
struct provider *helper_provider(struct helper *h);
/*
 * Ends all of them; never waits for one that hangs. h may be NULL. Replies that are outstanding do
 * not come any more.
 */
void helper_stop(struct helper *h);

/* Starts those that will be needed, without waiting for them. */
void helper_begin(struct helper *h);

/*
 * The answer to a request, valid during the call; NULL: it failed, was cancelled, or the helper was
 * given up for it (len is 0).
 */
typedef void helper_answer(void *arg, const void *data, size_t len);

/*
 * Sends a request (data is copied; at most WIRE_DATA bytes) and returns at once. answer is called
 * exactly once: by this call when it cannot be asked at all, else by helper_wait() or
 * helper_drain(), in the order of the requests unless one hangs; unwind tables come when nothing
 * else is asked.
 */
void helper_ask(struct helper *h, enum helper_kind kind, uint32_t message, const void *data,
		size_t len, helper_answer *answer, void *arg, const void *owner);
/* All requests of this owner fail now: it is about to go. */
void helper_cancel(struct helper *h, const void *owner);
/*
 * Takes answers until done(arg), until nothing of this kind is asked any more, or until `until`
 * (CLOCK_MONOTONIC ns); when the program is to stop, not for long. True: done, or everything was
 * answered.
 */
bool helper_wait(struct helper *h, enum helper_kind kind, uint64_t until, bool (*done)(void *arg),
		 void *arg);
/* Reads the answers that are there. */
void helper_drain(struct helper *h);
/* Requests of this kind that have no answer yet. */
size_t helper_pending(const struct helper *h, enum helper_kind kind);
/* Descriptors to poll for helper_drain(); returns how many there are, at most n are written. */
size_t helper_pollfds(const struct helper *h, struct pollfd *fds, size_t n);
/*
 * yield(arg) is called every few ms while helper_wait() waits; stop_fd: readable when the program
 * is to stop, -1: none.
 */
void helper_on_wait(struct helper *h, void (*yield)(void *arg), void *arg, int stop_fd);

/*
 * Why names were not told in the last minute, a sentence; NULL: all that were asked for were, or it
 * is not known why.
 */
const char *helper_reason(const struct helper *h);
/*
 * Lines for --probes: of each process its capabilities, system call filter and limits. Starts those
 * that do not run yet.
 */
void helper_probe(struct helper *h, struct probe_list *list);

/* A request of this kind is late after so long, and given up after so long (ns). */
#define HELPER_LATE (200 * 1000000ULL)
#define HELPER_GIVE_UP (5000 * 1000000ULL)

#endif
