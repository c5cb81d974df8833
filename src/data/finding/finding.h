/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings: what is wrong with the machine's I/O, who is held up by it and who is to blame, with
 * the numbers that prove it. They are computed from the rows and totals of the model, so that live
 * screens, reports and replays have the same.
 */
#ifndef IOTOP_DATA_FINDING_FINDING_H
#define IOTOP_DATA_FINDING_FINDING_H

#include "data/model.h"

enum severity {
	SEVERITY_NOTE,		/* worth knowing; nobody is held up */
	SEVERITY_WARNING,	/* somebody loses time that he need not lose */
	SEVERITY_WRONG,		/* something does not work */
	SEVERITY_COUNT,
};

/* "note", "warning", "wrong": the same in every language. */
extern const char *const severity_names[SEVERITY_COUNT];

/* A number that proves a finding, under a key that does not change. */
struct finding_number {
	const char *key;
	enum unit unit;
	bool rate;		/* per second */
	double value;
};

/* A name in the sentence of a finding: a task, a disk. Clean text. */
struct finding_text {
	const char *key, *text;
};

/* Whether a kind is looked for. */
enum finding_check_state {
	CHECK_WATCHED,		/* its sources are on */
	CHECK_LOOKED,		/* they were, from began_ns to ended_ns (CLOCK_REALTIME) */
	CHECK_LATER,		/* they were not on yet */
	CHECK_OFF,		/* one of them cannot be had, for this reason */
	CHECK_ABSENT,		/* there is nothing here that it is of */
	CHECK_IGNORED,		/* it is not to be looked for */
};

struct finding_look;
struct disk_row;

#define FINDING_NUMBERS 8
#define FINDING_TEXTS 5

/*
 * One kind of finding. A new one is a file of its own with one of these, and one line in
 * finding_kinds[].
 */
struct finding_kind {
	const char *name;	/* untranslated: "disk-saturated" */
	const char *title;	/* N_() a few words */
	/*
	 * N_() one sentence; {key} stands for a text or a number of the finding. The keys
	 * {who} and {victim} are its culprit and who is held up.
	 */
	const char *sentence;
	/* N_() the same where the culprit and who is held up are two; NULL: it says both anyway. */
	const char *beside;
	const char *help;	/* N_() what it means, in one sentence */
	enum severity severity;
	unsigned needs;		/* enum source bits; while one is off it is unknown */
	unsigned either;	/* any one of these will do; 0: no such choice */
	/*
	 * A number of the whole machine (of struct model_totals) without which nothing can be said,
	 * and why it is unknown, N_(); NULL: none.
	 */
	double (*total)(const struct model *m);
	const char *without;
	/*
	 * Whether what it looks at is there (CHECK_ABSENT) and tells (CHECK_OFF, and why not, N_(),
	 * of its disks), else CHECK_WATCHED; NULL: it always is.
	 */
	enum finding_check_state (*told)(const struct model *m, const char **ret_reason);
	double least;		/* seconds that it must have lasted before it is shown; 0: only
				 * FINDING_INTERVALS */
	const char *screen;	/* where its rows are */
	/*
	 * Kinds that tell the same trouble better, or its cause, when they name the same program as
	 * held up at the same disk: then it is not shown. NULL ends them; NULL: none.
	 */
	const struct finding_kind *const *told_by;
	bool all_waits;		/* its rows are of waits off the processor that are not known to be
				 * for I/O */
	/* One of the two: at everything, or at each disk in turn. */
	void (*look)(struct finding_look *look);
	void (*look_disk)(struct finding_look *look, const struct disk_row *disk);
};

/* All kinds, with their names: a new one is a file of its own, and a line here. */
/* clang-format off */
#define FINDING_LIST(X) \
	X(disk_errors, "disk-errors") \
	X(server_silent, "server-silent") \
	X(server_slow, "server-slow") \
	X(stuck_task, "stuck-task") \
	X(limit, "throttled") \
	X(provider_limit, "provider-limit") \
	X(requests_retried, "requests-retried") \
	X(device_slow, "device-slow") \
	X(tag_wait, "tag-wait") \
	X(disk_saturated, "disk-saturated") \
	X(memory_shortage, "memory-shortage") \
	X(lock_holder, "lock-holder") \
	X(fsync_journal, "fsync-journal") \
	X(fsync_storm, "fsync-storm") \
	X(dirty_limit, "dirty-limit") \
	X(swap, "swap") \
	X(slow_member, "slow-member") \
	X(small_syncs, "small-syncs") \
	X(amplification, "write-amplification") \
	X(discards, "discards") \
	X(iowait_idle, "iowait-without-io")
/* clang-format on */
#define FINDING_COUNT(kind, name) +1

enum { FINDING_KINDS = 0 FINDING_LIST(FINDING_COUNT) };

#define FINDING_DECLARE(kind, name) extern const struct finding_kind finding_##kind;
FINDING_LIST(FINDING_DECLARE)

extern const struct finding_kind *const finding_kinds[];	/* NULL ends them */
extern const char *const finding_names[FINDING_KINDS];

/* Sources of what most kinds look at, and that cost little. */
#define FINDING_NEEDS                                                                   \
	(SRC_DISKS | SRC_SYSTEM | SRC_BLOCK | SRC_TASKS | SRC_TASKIO | SRC_WAITS | SRC_THROTTLE | \
	 SRC_EXITS | SRC_NAMES | SRC_MEMSTALL | SRC_MOUNTS)

/* Intervals in a row in which it must be seen before it is shown, and missed before it goes. */
#define FINDING_INTERVALS 3
/* Intervals in a row in which it must be missed before it is another one when it comes back. */
#define FINDING_AGAIN 10
/* Percent of somebody's time that it takes, unless --finding-share is given. */
#define FINDING_SHARE 20
/* Seconds after which a finding is dropped that could not be looked at any more. */
#define FINDING_UNSEEN 60

/* Its counters are none: a row says what was found in the newest interval that showed it. */
struct finding_row {
	struct row row;
	const struct finding_kind *kind;
	const char *name, *screen;	/* of the kind */
	const char *sentence;	/* N_() in place of the kind's; NULL: that one */
	enum severity severity;
	const char *who;	/* the culprit; NULL: nobody is */
	const char *victim;	/* who is held up; NULL: nobody in particular */
	const char *filter;	/* of the rows on kind->screen that prove it; "": all */
	uint64_t age_ns;	/* what is wrong began so long ago; 0: that is not known */
	uint64_t since_ns;	/* CLOCK_REALTIME, when it began or was first seen */
	uint64_t seen_ns;	/* CLOCK_REALTIME, when it was last seen */
	bool since_before;	/* since_ns is when it was first looked for: it may be older */
	bool holds;		/* seen in the newest interval, or not looked at: then whoever it
				 * holds up waits as he did when it was last seen */
	uint64_t rank;		/* 1: the worst */
	double share;		/* percent of somebody's time */
	struct finding_text texts[FINDING_TEXTS];
	struct finding_number numbers[FINDING_NUMBERS];
	size_t ntexts, nnumbers;
};

extern const struct column finding_columns[];
extern const struct entity entity_finding;

/* The worst of all, and of equal ones the oldest; NULL: nothing is wrong. */
const struct finding_row *model_verdict(const struct model *m);
/* Whether somebody is held up: not only notes. */
bool finding_is_wrong(const struct model *m);
/*
 * The sentence of a finding in the reader's language, in text; returns its length, which may be
 * more than fits.
 */
size_t finding_sentence(const struct finding_row *row, const struct unit_style *style, char *text,
			size_t size);
/*
 * Since when it goes on: "14:02:01", "<14:02:01" where it was there when it was first looked for;
 * in text, of FINDING_BEGAN bytes.
 */
#define FINDING_BEGAN 16
void finding_began(const struct finding_row *row, char *text);
/*
 * The same as words, with its age at the newest interval of m, or when it was last seen where it is
 * not looked at any more. style as above.
 */
void finding_since(const struct finding_row *row, const struct model *m,
		   const struct unit_style *style, char *text, size_t size);
/* Not seen for longer than it would have been shown if it had been looked at. */
bool finding_is_unseen(const struct finding_row *row, const struct model *m);
/*
 * The worst finding that names the process of a row as its culprit or as who is held up, alone or
 * as one of its program; NULL: none does.
 */
struct task_row;
const struct finding_row *finding_of(const struct model *m, const struct task_row *task);
/*
 * One line for when there is no finding: that nothing is wrong, where it is known how long tasks
 * wait, or else what little is known; and what keeps the disks busy, the three busiest. style as
 * above.
 */
size_t finding_nothing(const struct model *m, const struct unit_style *style, char *text,
		       size_t size);
/*
 * When the sources were on that were not on all the time: "layers, callers 14:02:01 for 6 s"; ""
 * when there are none. style as above.
 */
size_t finding_looked(const struct model *m, char *text, size_t size);
struct finding_checked {
	enum finding_check_state state;
	uint64_t began_ns, ended_ns;
	enum source source;
	const char *reason;	/* untranslated, as the source says it */
};

/* Whether a kind (its index in finding_kinds) is looked for. */
struct finding_checked finding_check(const struct model *m, size_t kind);
/*
 * Sources (enum source bits) that the findings want for the next sample beyond what is shown: for a
 * few seconds when somebody waits for I/O and nobody can say why.
 */
unsigned finding_probes(const struct model *m);
/* Sources of all kinds: what the page of findings looks at. */
unsigned finding_sources(void);

#endif
