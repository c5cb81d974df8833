// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/tasklist.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/parse.h"
#include "collect/actions.h"
#include "collect/set.h"

#define SLOW_ACTIVE 16		/* rounds after which the user and the cgroup of a process at
				 * work are read again */
#define SLOW_IDLE 256		/* … and of one that does nothing */
#define SLOW_BUDGET 500		/* cgroups read in one round */
#define IOPRIO_WHO_PROCESS 1

int tasklist_open(struct tasklist *l, struct collect_set *set, struct err *err)
{
	const struct collect_options *opt = collect_set_options(set);
	int proc = proc_dir(opt->proc);

	if (proc < 0)
		return err_set(err, -proc, "%s: %m", opt->proc);
	*l = (struct tasklist){
		.set = set,
		.opt = opt,
		.names = set->names,
		.proc = proc,
		.live = !strcmp(opt->proc, "/proc"),
	};
	hash_init(&l->known, offsetof(struct known, tid), sizeof(uint32_t));
	return 0;
}

static bool known_seen(void *value, void *arg)
{
	const struct known *k = value;
	const struct tasklist *l = arg;

	return l && k->seen == l->round;
}

void tasklist_release(struct tasklist *l)
{
	hash_filter(&l->known, known_seen, hash_free_value, NULL);
	hash_release(&l->known);
	free(l->tasks);
	buf_release(&l->buf);
	close(l->proc);
}

static void read_ioprio(const struct tasklist *l, struct known *k)
{
	long prio = l->live ? syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, (int)k->tid) : 0;

	k->ioprio = prio > 0 ? (uint32_t)prio : 0;
}

int tasklist_stat(struct tasklist *l, struct known *k)
{
	char path[64];
	struct proc_stat st;
	int r;

	snprintf(path, sizeof(path), "%u/task/%u/stat", k->tgid, k->tid);
	r = buf_read_file(&l->buf, l->proc, path, 4096);
	if (r < 0)
		return r;
	if (!l->buf.len || proc_stat_parse(l->buf.data, &st) < 0)
		return -ESRCH;
	if (k->stat_round && st.start != k->stat.start)
		*k = (struct known){
			.tid = k->tid, .tgid = k->tgid, .threads = k->threads, .seen = k->seen
		};
	k->stat = st;
	k->stat_round = l->round;
	read_ioprio(l, k);
	return 0;
}

/* Adds a task to this round; ret may be NULL. */
static void add_task(struct tasklist *l, uint32_t tgid, uint32_t tid, uint32_t threads)
{
	struct known *k = hash_get(&l->known, &tid);
	bool fresh = !k;

	if (fresh) {
		k = mem_alloc(sizeof(*k));
		*k = (struct known){ .tid = tid };
	}
	if (k->tgid != tgid)
		*k = (struct known){ .tid = tid, .tgid = tgid };
	k->threads = threads;
	if (!k->stat_round && tasklist_stat(l, k) < 0) {
		if (fresh)
			free(k);
		return;
	}
	if (fresh)
		hash_put(&l->known, k);
	if (k->seen == l->round)
		return;
	k->seen = l->round;
	l->tasks = mem_grow(l->tasks, l->n, &l->cap, sizeof(struct known *));
	l->tasks[l->n++] = k;
}

static void add_process(struct tasklist *l, uint32_t tgid)
{
	char path[32];
	struct stat st;
	struct dirent *e;
	size_t leader = l->n;
	DIR *dir;
	int fd;

	snprintf(path, sizeof(path), "%u/task", tgid);
	/* A folder of threads has as many links as threads, and two. */
	if (fstatat(l->proc, path, &st, 0) < 0)
		return;
	add_task(l, tgid, tgid, st.st_nlink > 2 ? (uint32_t)st.st_nlink - 2 : 1);
	if (st.st_nlink == 3)
		return;
	fd = openat(l->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return;
	}
	while ((e = readdir(dir))) {
		uint32_t tid;

		if (parse_u32(e->d_name, &tid) == 0 && tid && tid != tgid)
			add_task(l, tgid, tid, 1);
		collect_yield(l->set);
	}
	closedir(dir);
	if (leader < l->n)
		l->tasks[leader]->threads = (uint32_t)(l->n - leader);
}

static int add_all(struct tasklist *l)
{
	int fd = openat(l->proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent *e;
	DIR *dir;

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -errno;
	}
	while ((e = readdir(dir))) {
		uint32_t tgid;

		if (parse_u32(e->d_name, &tgid) == 0 && tgid)
			add_process(l, tgid);
		collect_yield(l->set);
	}
	closedir(dir);
	return 0;
}

int tasklist_scan(struct tasklist *l, struct err *err)
{
	int r = 0;

	l->round++;
	l->n = 0;
	if (l->opt->tgids) {
		for (size_t i = 0; i < l->opt->tgids->n; i++)
			add_process(l, l->opt->tgids->items[i]);
	} else {
		r = add_all(l);
	}
	hash_filter(&l->known, known_seen, hash_free_value, l);
	if (r < 0)
		return err_set(err, -r, "%s: %m", l->opt->proc);
	/* What a person has just set shows at once, on a sleeping task too. */
	for (size_t i = 0; l->changes != actions_changes() && i < l->n; i++)
		read_ioprio(l, l->tasks[i]);
	l->changes = actions_changes();
	return 0;
}

/*
 * The real user. The owner of /proc/PID is the effective one, and root for a process that must not
 * be dumped.
 */
static void read_user(struct tasklist *l, struct known *k)
{
	char path[32];
	struct stat st = { 0 };

	snprintf(path, sizeof(path), "%u", k->tgid);
	if (l->live && fstatat(l->proc, path, &st, 0) == 0 && (st.st_uid || k->stat.kthread)) {
		k->uid = k->owner = st.st_uid;
		k->user_read = true;
		return;
	}
	/* This one is slow to make: not again while the owner stays. */
	if (k->user_read && l->live && k->owner == st.st_uid)
		return;
	snprintf(path, sizeof(path), "%u/status", k->tgid);
	if (buf_read_file(&l->buf, l->proc, path, 1 << 16) == 0 && l->buf.len &&
	    proc_status_uid(l->buf.data, &k->uid) == 0) {
		k->owner = st.st_uid;
		k->user_read = true;
	}
}

static void read_cgroup(struct tasklist *l, struct known *k)
{
	char path[32];
	const char *name;
	size_t len;
	bool unified;

	snprintf(path, sizeof(path), "%u/cgroup", k->tgid);
	if (buf_read_file(&l->buf, l->proc, path, 1 << 16) == 0 && l->buf.len &&
	    proc_cgroup_parse(l->buf.data, &name, &len, &unified) == 0)
		k->cgroup = owner_names_cgroup(l->names, name, len, unified);
}

/*
 * A young process gets its place soon after the fork; an old one rarely changes it, and not while
 * it does nothing.
 */
static bool slow_is_due(const struct tasklist *l, const struct known *k)
{
	unsigned age = l->round - k->slow_round;

	return k->slow_reads < 2 || age >= SLOW_IDLE ||
	       (age >= SLOW_ACTIVE && k->stat_round == l->round);
}

void tasklist_slow(struct tasklist *l)
{
	struct known *leader = NULL;

	l->budget = SLOW_BUDGET;
	for (size_t i = 0; i < l->n; i++) {
		struct known *k = l->tasks[i];

		collect_yield(l->set);
		if (k->tid != k->tgid) {
			if (leader && leader->tgid == k->tgid) {
				k->uid = leader->uid;
				k->cgroup = leader->cgroup;
			}
			continue;
		}
		leader = k;
		if (!k->user_read)
			read_user(l, k);
		if (!slow_is_due(l, k) || !l->budget)
			continue;
		l->budget--;
		read_user(l, k);
		read_cgroup(l, k);
		k->slow_round = l->round;
		k->slow_reads = MIN(k->slow_reads + 1, 2);
	}
}

void tasklist_emit(struct tasklist *l, struct sample *s)
{
	uint64_t tick = proc_tick_ns();
	const struct known *leader = NULL;

	for (size_t i = 0; i < l->n; i++) {
		const struct known *k = l->tasks[i];
		struct sample_task *t;

		if (!k->stat_round)
			continue;
		/* The main thread goes before the others. */
		if (k->tid == k->tgid)
			leader = k;
		t = sample_add_row(s, TASK, struct sample_task);
		t->id = (struct task_id){ .tgid = k->tgid,
					  .tid = k->tid,
					  .start = k->stat.start * tick };
		if (leader && leader->tgid == k->tgid)
			t->process = leader->stat.start * tick;
		t->ppid = k->stat.ppid;
		t->uid = k->uid;
		t->state = (uint32_t)k->stat.state;
		t->ioprio = k->ioprio;
		t->nice = k->stat.nice;
		t->flags = TASK_LISTED | (k->stat.kthread ? TASK_KTHREAD : 0) |
			   (k->stat.exiting ? TASK_EXITING : 0);
		t->have = SRC_TASKS | k->have;
		t->cgroup = k->cgroup;
		t->comm = arena_strdup(&s->arena, k->stat.comm);
		t->read_bytes = k->io.read_bytes;
		t->write_bytes = k->io.write_bytes;
		t->cancelled_bytes = k->io.cancelled_bytes;
		t->blkio_ns = k->blkio_ns;
		t->swapin_ns = k->swapin_ns;
		t->wait_ns = t->iowait_ns = k->iowait_ns;
	}
}

const char *tasklist_limits(struct tasklist *l)
{
	struct stat st;

	if (l->opt->tgids)
		return NULL;
	if (fstatat(l->proc, "1/stat", &st, 0) < 0 || faccessat(l->proc, "1/stat", R_OK, 0) < 0)
		return N_("tasks of other users are hidden: /proc is mounted with hidepid");
	return l->live ? proc_namespace_limit(l->proc) : NULL;
}
