/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The set of collectors as the main program sees it; a recording being replayed is one more way to
 * get a sample.
 */
#ifndef IOTOP_COLLECT_COLLECT_H
#define IOTOP_COLLECT_COLLECT_H

#include <poll.h>

#include "base/buf.h"
#include "collect/collector.h"

/*
 * Never fails as a whole: what cannot be opened is a source that is off, with its reason in every
 * sample.
 */
struct collect_set *collect_open(const struct collect_options *opt);
void collect_close(struct collect_set *set);
/*
 * Puts back what was changed in the system, when the thread that should call collect_close() hangs
 * and the program ends without it. Async-signal-safe, for any thread.
 */
void collect_abandon(void);
/*
 * A descriptor that is readable once the program was asked to end: waits for others (helper
 * processes) end early then. Borrowed.
 */
void collect_on_stop(struct collect_set *set, int fd);
/* Opens and closes collectors so that exactly these enum source bits are served. */
void collect_enable(struct collect_set *set, unsigned sources);
/*
 * yield(arg) is called every few ms while collect_sample() runs, so that keys are answered whatever
 * it takes. It must not call back into the set.
 */
void collect_on_yield(struct collect_set *set, void (*yield)(void *arg), void *arg);
/* Fills s (reset by the caller). Returns 0, or -errno when there is not even a list of tasks. */
int collect_sample(struct collect_set *set, struct sample *s, struct err *err);
/*
 * Adds the command lines of the processes of these tasks to late; ids that are gone add nothing.
 * Kept in a cache by identity, so asking again is cheap.
 */
void collect_cmdlines(struct collect_set *set, struct sample *late, const struct task_id *ids,
		      size_t n);
/*
 * Adds the names of stacks to late. Ends early at `until` (CLOCK_MONOTONIC ns, 0: no limit);
 * returns how many were not looked at.
 */
size_t collect_stacks(struct collect_set *set, struct sample *late, const uint64_t *ids,
		      size_t n, uint64_t until);
/* A kernel program of ours, since it was loaded. */
struct collect_program {
	const char *object, *name;
	uint64_t runs, run_ns;
};

/*
 * The kernel counts runs of programs, those of others too, as long as this descriptor is open;
 * -errno.
 */
int collect_count_runs(struct err *err);
/* Tells of those that ran since the kernel counts. */
void collect_programs(void (*tell)(void *arg, const struct collect_program *p), void *arg);
/* Fills up to n pollfds; returns how many there are. */
size_t collect_pollfds(struct collect_set *set, struct pollfd *fds, size_t n);
/* Takes what came, of those that poll() found ready. */
void collect_drain(struct collect_set *set, const struct pollfd *fds, size_t n);
/* The page of --probes as text, or JSON. */
void collect_probes(struct collect_set *set, struct buf *out, bool json);

/*
 * kernel.task_delayacct: 0 or 1; -errno. collect_close() puts back what was there before any iotop
 * that still runs changed it.
 */
int collect_delayacct_set(struct collect_set *set, bool on, struct err *err);
/* collect_open() found it as an iotop had left it that was killed, and put it back. */
bool collect_delayacct_repaired(const struct collect_set *set);

/* Off-CPU: blocks of any kind, not only those that concern I/O; from the next sample on. */
void collect_every_block(struct collect_set *set, bool on);

/*
 * A recording: an SQLite database, one row of table `sample` per sample; PRAGMA user_version is its
 * format.
 */
struct recorder;
int recorder_open(const char *path, struct recorder **ret, struct err *err);
/* One moment: a sample, and what was fetched late since the one before. */
int recorder_write(struct recorder *r, const struct sample *s, const struct sample *late,
		   struct err *err);
int recorder_close(struct recorder *r, struct err *err);	/* frees r in any case; NULL is
								 * fine */

struct replay;
int replay_open(const char *path, struct replay **ret, struct err *err);
/* The same of the folder of a store. */
int replay_open_folder(const char *path, struct replay **ret, struct err *err);
/* 1 and a filled sample, its late rows in late (both reset by the caller); 0 at the end; -errno. */
int replay_next(struct replay *r, struct sample *s, struct sample *late, struct err *err);
/*
 * Moves the lines that say what of a store was left out since the last call. What is damaged there
 * is no failure: what follows is read.
 */
void replay_notes(struct replay *r, struct buf *out);
/* CLOCK_REALTIME ns of the n-th sample. */
uint64_t replay_time(const struct replay *r, size_t n);
/*
 * How far apart (ns) the samples from here to the end are where they are closest: a store keeps
 * fewer of what is old. 0: not known.
 */
uint64_t replay_interval(const struct replay *r);
/* What was wrong then: 1 + enum severity; 0: nothing was found, or it is not known. */
unsigned replay_mark(const struct replay *r, size_t n);
/* The n-th, as replay_next() would; that goes on from where it was. */
int replay_read(struct replay *r, size_t n, struct sample *s, struct sample *late,
		struct err *err);
/* It is a store, of which one wants to see the end first. */
/* How many follow; of a store some of them may turn out to be damaged. */
size_t replay_left(const struct replay *r);
/* The next sample has nothing before it that it is compared with. */
bool replay_at_gap(const struct replay *r);
bool replay_is_store(const struct replay *r);
/* Number of samples; and goes to the n-th (0-based): the next replay_next() reads it. */
size_t replay_count(const struct replay *r);
/* Its end is that of the file, which nobody closed: the recorder was killed, or still writes. */
size_t replay_at(const struct replay *r);
/* What a store got since it was opened, or since this was called last. True: there is more. */
bool replay_refresh(struct replay *r);
/* Whether somebody writes into it. */
bool replay_is_written(const struct replay *r);
bool replay_is_cut(const struct replay *r);
void replay_seek(struct replay *r, size_t n);
/*
 * Only what is from begin to end: the next sample is the newest that is not after begin, as the
 * baseline, and the last one that is not after end. Texts as when_parse() takes them, with the
 * end of the recording for now; NULL: from its begin, to its end. -EINVAL and a sentence when one
 * is no time, or there is nothing in between.
 */
int replay_limit(struct replay *r, const char *begin, const char *end, struct err *err);
void replay_close(struct replay *r);

#endif
