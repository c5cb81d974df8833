/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model: what two samples mean. Rates exist only here. Built once a tick, then const for
 * everyone, and read-only memory in a debug build. engine = the state that outlives a tick (sums,
 * histories, names); model = one tick's rows.
 */
#ifndef IOTOP_DATA_MODEL_H
#define IOTOP_DATA_MODEL_H

#include "base/hash.h"
#include "base/set.h"
#include "data/entity.h"
#include "data/sample.h"
#include "data/watch.h"

struct counters;
struct frames_table;
struct names;
struct selection;

struct row_list {
	const struct row **rows;
	size_t n, cap;
};

/* Every row of a struct row_list or struct rows; r points to the struct of its entity. */
#define row_each(r, list) \
	for (size_t i_ = 0; i_ < (list)->n && ((r) = (const void *)(list)->rows[i_], true); i_++)

/* Bytes of the machine, or bytes per second. NaN: unknown. */
struct model_flows {
	double read, write;		/* sums of the task rows */
	double disk_read, disk_write;	/* /proc/diskstats, lowest devices */
	double hits, misses;		/* of tasks: read calls, from the page cache, from disks */
	double swap_in, swap_out;
	double refault_file, refault_anon;	/* read back soon after they were evicted */
	double scan_direct, steal_direct;	/* scanned, freed by direct reclaim */
};
#define MODEL_FLOWS (sizeof(struct model_flows) / sizeof(double))

/* The machine at a glance: the header. NaN: unknown. */
struct model_totals {
	struct model_flows flows;	/* of the interval, per second */
	double psi_some, psi_full;	/* percent of the interval */
	double psi_memory_some, psi_memory_full;	/* the same of memory */
	double dirty, writeback;	/* bytes now */
	double dirty_threshold, dirty_background_threshold;	/* bytes */
	double dirty_growth;		/* of dirty and writeback together, bytes per second */
	bool psi_idle;			/* psi_some and psi_full come from tasks in iowait that
					 * wait for no I/O */
	double load[3];
	uint64_t server_ns;		/* of all tasks in the interval: for servers of FUSE */
	uint64_t tasks, active, ended;	/* threads alive, with I/O in the interval, ended in it */
	struct history disks;		/* of disk_read, disk_write (of read, write where there
					 * are no disks) */
	struct history rows;
};

struct model_loss {
	const char *name;
	uint64_t total;		/* since the start */
	uint64_t now;		/* in the interval */
};

/*
 * Of the bytes that read calls of a task returned from a file in the interval, those that the page
 * cache had, and those that were read from a disk.
 */
struct model_reads {
	struct task_id id;
	uint64_t ino;
	uint32_t sdev;
	uint64_t hits, misses;
};

#define MODEL_BUSIEST 3

struct model {
	struct arena arena;
	const struct sample *cur;	/* borrowed: outlives the model */
	uint64_t real_ns;
	double interval;	/* seconds between the two samples; 0 for the first */
	bool gap;		/* as in struct sample: it is a first sample once more */
	double elapsed;		/* seconds since the first sample */
	struct row_list rows[ENTITY_COUNT];
	struct model_totals totals;
	struct model_flows sums;	/* bytes since the start */
	/* Since the start: µs of pressure (NaN: unknown), and tasks that ended. */
	double psi_some_us, psi_full_us, psi_memory_some_us, psi_memory_full_us;
	uint64_t ended;
	unsigned have;		/* enum source bits that are on */
	struct model_source {
		enum source_state state;
		const char *reason;	/* clean text */
		uint64_t since;		/* as in sample_source, and known of every source that is
					 * on */
		uint64_t late;		/* as in sample_source */
		struct watch watch;
	} sources[SRC_COUNT];
	uint64_t lacks[TABLE_COUNT];	/* fields that any sample so far lacked, as in sample_rows:
					 * sums go back that far */
	bool lacking;			/* any of these */
	unsigned probes;	/* enum source bits that findings want in the next sample
				 * (finding_probes()) */
	/*
	 * When what findings look at was on last, without a gap: CLOCK_REALTIME ns; ended_ns 0:
	 * never.
	 */
	struct {
		uint64_t began_ns, ended_ns;
	} looks[SRC_COUNT];
	/* What findings have seen of the tasks; for the line that says that nothing is wrong. */
	struct {
		unsigned intervals;	/* in a row in which it was known how long tasks wait */
		struct {
			const struct row *task;	/* of a process: its main thread */
			uint64_t bytes;
		} busiest[MODEL_BUSIEST];	/* processes, most bytes first */
		size_t nbusiest;
		const struct row *longest;	/* the task that waited longest; NULL: none */
	} calm;
	struct model_loss *losses;
	size_t nlosses;
	struct model_reads *reads;	/* by the tasks, for the files, which are built later */
	size_t nreads;
	const char *host, *release;	/* of the machine and of its kernel; "": unknown */
	uint64_t delayacct;	/* as in sample_system */
	const char *trigger;	/* clean text, as in sample_system; NULL */
	const struct selection *selection;	/* NULL: no row is marked with ROW_UNSELECTED */
	const struct model *before;	/* of a comparison: the range before; NULL: it is none */
	struct engine *engine;	/* for names that are resolved late */
};

/* Whose an I/O is in the rows (--attribute): who caused it, or who submitted it. */
enum attribute {
	ATTRIBUTE_CAUSE,
	ATTRIBUTE_SUBMITTER,
};

/* How names look; part of the input, so that a recording draws the same anywhere. */
struct engine_options {
	enum attribute attribute;
	bool accumulated;	/* sums since the start are shown: ended tasks with I/O stay for
				 * ever, not for HISTORY_TICKS */
	size_t events;		/* so many are kept; 0: those of the interval, or, with `whole', of
				 * all */
	bool whole;		/* what is shown at the end is of all intervals: findings that were
				 * shown once stay, and so do events */
	unsigned finding_share;	/* percent of somebody's time that makes a finding; 0: the
				 * default */
	bool passing;		/* nobody looks at this model, or not before more samples: who
				 * ended and did nothing in the interval has no row */
	unsigned ignored;	/* kinds of findings not looked for: 1 << index in
				 * finding_kinds[] */
	const char *disk;	/* name of the only disk to look at, with what is stacked on it;
				 * NULL: all */
	const char *fs;		/* of layers: the only kind of file system; NULL: all */
	const struct selection *selection;	/* NULL: everybody */
	enum which_stacks stacks;
};

struct engine *engine_new(const struct engine_options *opt);
void engine_free(struct engine *e);
void engine_set_options(struct engine *e, const struct engine_options *opt);
/* The option `passing' alone. */
void engine_set_passing(struct engine *e, bool on);
/*
 * One tick: cur becomes the newest sample (borrowed until the next call), the model is rebuilt in
 * place and returned. Entities whose needs are not in `wanted` (enum source bits) get no rows.
 */
const struct model *engine_advance(struct engine *e, const struct sample *cur, unsigned wanted);
/*
 * What was fetched after engine_advance(), the rows of `late` (data/sample.h), reaches the model.
 * No row changes: command lines are found through their rows, and rows of stacks that got names are
 * replaced. Views are to be built again.
 */
void engine_late(struct engine *e, const struct sample *late);

/*
 * How long it was counted for what sources tell, in seconds: of the newest interval, or since the
 * start. sources: enum source bits; of several the one watched least. 0: not at all, or too short
 * to mean anything.
 */
double model_watched(const struct model *m, unsigned sources, bool since_start);
/* Whether all of these sources counted in the whole of the newest interval. */
bool model_watched_whole(const struct model *m, unsigned sources);
/*
 * By what a count of the newest interval is multiplied to be that of the whole interval, where the
 * sources were watched for a part of it. NAN: for too short a part. Since the start it is 1.
 */
double model_scale(const struct model *m, unsigned sources, bool since_start);

/* Enum source bits that a recording was asked for and does not have. */
unsigned model_unrecorded(const struct model *m);

/* Whether what a column is made of is not in all of the samples. */
bool model_lacks(const struct model *m, const struct column *col);

/* What moved: in the interval as rates, since the start as sums or as rates. */
struct model_flows model_flows(const struct model *m, enum span span);

const struct engine_options *engine_get_options(const struct engine *e);
/* For entities' build(): the names known so far. */
struct names *engine_name_table(struct engine *e);
struct frames_table *engine_frames(struct engine *e);
/* What an entity keeps from tick to tick, by its own functions only; NULL: nothing yet. */
void *engine_state(const struct engine *e, enum entity_id id);

/* A zeroed row of the entity's size whose head has entity set. For entities' build(). */
void *model_add_row(struct model *m, enum entity_id e);
/* The same of an entry of a table of counters: its key and its counters are in the head. */
void *model_add_counted(struct model *m, enum entity_id e, const struct counters *c);
/* A copy of row i in its place, to be changed by an entity's late(); the row itself stays. */
void *model_replace_row(struct model *m, enum entity_id e, size_t i);
/* Something that is lost in the model itself, not in a sample; the name stays. */
void model_add_loss(struct model *m, const char *name, uint64_t now, uint64_t total);

#endif
