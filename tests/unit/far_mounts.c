// SPDX-License-Identifier: GPL-2.0-or-later
/* Mounts that a server answers for: of a frozen /proc and /sys, and in the model. */
#include <string.h>
#include <sys/stat.h>

#include "collect/collect.h"
#include "collect/disks/nfs_stats.h"
#include "data/mount/mount.h"
#include "folder.h"
#include "found.h"
#include "samples.h"

#define MS 1000000ULL

static char proc[128], sys[128];
static struct collect_options opt;

#define NFS(n) "0:4" #n " / /net/" #n " rw - nfs4 server:/x" #n \
	       " rw,vers=4.2,clientaddr=10.0.0.2,addr=10.0.0." #n "\n"

static const char mountinfo[] =
	"21 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
	"22 21 0:30 /folder /bind rw - fuse.sshfs me@host:/ rw,user_id=1000\n"
	"23 21 0:30 / /net/with\\040blank rw - fuse.sshfs me@host:/ rw,user_id=1000\n"
	"24 21 0:31 / /sys/fs/fuse/connections rw - fusectl fusectl rw\n"
	"25 21 0:32 / /proc/fs/nfsd rw - nfsd nfsd rw\n"
	"26 21 " NFS(1) "27 21 " NFS(2) "28 21 0:50 / /9p rw - 9p tag rw,trans=virtio\n"
	"29 21 8:17 / /usb rw - fuseblk /dev/sdb1 rw\n";

static const char mountstats[] =
	"device /dev/sda1 mounted on / with fstype ext4\n"
	"device server:/x1 mounted on /net/1 with fstype nfs4 statvers=1.1\n"
	"\topts:\trw,vers=4.2,addr=10.0.0.1\n"
	"\tage:\t100\n"
	"\tcaps:\tcaps=0x3fff,wtmult=512\n"
	"\tsec:\tflavor=1,pseudoflavor=1\n"
	"\tevents:\t9 9 9 9 9 9 9 9 9 9\n"
	"\tbytes:\t1 2 3 4 4096 8192 7 8\n"
	"\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"
	"\txprt:\ttcp 800 1 2 3 4 50 47 0 60 0 2 1 1\n"
	"\txprt:\tudp 800 1 60 3 0 60 0 2 1 1\n"
	"\tper-op statistics\n"
	"\t        NULL: 1 1 0 44 24 0 1 2 0\n"
	"\t        READ: 10 12 1 1000 2000 5 300 500 2\n"
	"\t  READ_PLUS: 0 0 0 0 0 0 0 0 0\n"
	"\n"
	"device proc mounted on /proc with fstype proc\n";

static void setup(void)
{
	samples_setup();
	folder_setup();
	write_text("proc/self/mountinfo", mountinfo);
	write_text("proc/self/mountstats", mountstats);
	write_text("sys/fs/fuse/connections/30/waiting", "3\n");
	write_text("sys/kernel/sunrpc/xprt-switches/switch-0/xprt_switch_info",
		   "num_xprts=1\nnum_active=1\nnum_unique_destaddr=1\nqueue_len=5\n");
	write_text("sys/kernel/sunrpc/xprt-switches/switch-0/xprt-0-tcp/dstaddr", "10.0.0.1\n");
	write_text("sys/kernel/sunrpc/xprt-switches/switch-1/xprt_switch_info", "queue_len=70\n");
	write_text("sys/kernel/sunrpc/xprt-switches/switch-1/xprt-1-tcp/dstaddr", "10.0.0.12\n");
	snprintf(proc, sizeof(proc), "%s", path_of("proc"));
	snprintf(sys, sizeof(sys), "%s", path_of("sys"));
	opt = (struct collect_options){ .no_bpf = true, .proc = proc, .sys = sys };
}

static void teardown(void)
{
	folder_teardown();
	samples_teardown();
}

static const struct sample_mount *at(const struct sample *s, const char *point)
{
	sample_each(s, MOUNT, const struct sample_mount, m)
		if (!strcmp(m->point, point))
			return m;
	ck_abort_msg("%s is missing", point);
	return NULL;
}

static void take(struct sample *s)
{
	struct collect_set *set = collect_open(&opt);
	struct err err = { "" };

	collect_enable(set, SRC_MOUNTS);
	ck_assert_msg(collect_sample(set, s, &err) == 0, "%s", err.text);
	collect_close(set);
}

START_TEST(collected)
{
	struct sample *s = samples[0];
	const struct sample_mount *m;

	take(s);
	ck_assert_uint_eq(s->tables[TABLE_MOUNT].n, 5);
	m = at(s, "/net/with blank");
	ck_assert_str_eq(m->kind, "fuse.sshfs");
	ck_assert_str_eq(m->source, "me@host:/");
	ck_assert_uint_eq(m->have, MOUNT_WAITING);
	ck_assert_uint_eq(m->waiting, 3);
	m = at(s, "/net/1");
	ck_assert_uint_eq(m->have, MOUNT_WAITING | MOUNT_CALLS);
	ck_assert_uint_eq(m->waiting, 5);
	ck_assert_uint_eq(m->answers, 50);
	ck_assert_uint_eq(m->calls, 11);
	ck_assert_uint_eq(m->ns, 502 * MS);
	ck_assert_uint_eq(m->rtt_ns, 301 * MS);
	ck_assert_uint_eq(m->retrans, 2);
	ck_assert_uint_eq(m->errors, 2);
	ck_assert_uint_eq(m->read, 4096);
	ck_assert_uint_eq(m->write, 8192);
	/* Not in mountstats; nobody calls its server. */
	ck_assert_uint_eq(at(s, "/net/2")->have, MOUNT_WAITING);
	ck_assert_uint_eq(at(s, "/net/2")->waiting, 0);
	ck_assert_uint_eq(at(s, "/9p")->have, 0);
	ck_assert_uint_eq(at(s, "/usb")->have, 0);
}
END_TEST

/* Where the kernel does not tell, that is said. */
/* 256 have rows; of those beyond it is said how many they are. */
START_TEST(too_many)
{
	struct sample *s = samples[0];
	char text[32768] = "";
	size_t n = 0;

	for (int i = 0; i < 300; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "%d 1 0:%d / /many/%d rw - 9p tag rw,trans=virtio\n", 100 + i,
				      100 + i, i);
	ck_assert_uint_lt(n, sizeof(text));
	write_text("proc/self/mountinfo", text);
	take(s);
	ck_assert_uint_eq(s->tables[TABLE_MOUNT].n, 256);
	sample_each(s, LOSS, const struct sample_loss, loss)
		if (!strcmp(loss->name, "mounts.full")) {
			ck_assert_uint_eq(loss->count, 44);
			return;
		}
	ck_abort_msg("the loss is not told");
}
END_TEST

START_TEST(not_told)
{
	struct sample *s = samples[0];
	bool told = false;

	snprintf(sys, sizeof(sys), "%s", path_of("proc"));
	take(s);
	ck_assert_uint_eq(at(s, "/net/1")->have, MOUNT_CALLS);
	ck_assert_uint_eq(at(s, "/net/with blank")->have, 0);
	sample_each(s, SOURCE, const struct sample_source, row)
		told |= row->source == SRC_MOUNTS && row->state == SOURCE_PART && row->reason;
	ck_assert(told);
}
END_TEST

static const struct model *step(double seconds, uint32_t have, uint64_t waiting, uint64_t answers)
{
	struct sample *s = sample_at(seconds, SRC_MOUNTS);
	struct sample_mount *m = sample_add_row(s, MOUNT, struct sample_mount);

	*m = (struct sample_mount){
		.dev = 48, .have = have, .kind = "nfs4", .source = "server:/\x1b", .point = "/net",
		.waiting = waiting, .answers = answers, .calls = 100 + answers,
		.ns = answers * 3 * MS, .rtt_ns = answers * 2 * MS, .read = answers * 4096,
	};
	return engine_advance(engine, s, SRC_MOUNTS);
}

static struct value cell(const struct model *m, const char *key, enum span span)
{
	ck_assert_uint_eq(m->rows[ENTITY_MOUNT].n, 1);
	return column_value(entity_column(&entity_mount, key), m->rows[ENTITY_MOUNT].rows[0], m,
			    span, &unit_texts);
}

START_TEST(answers_stay_away)
{
	unsigned have = MOUNT_WAITING | MOUNT_CALLS;
	const struct model *m = step(0, have, 4, 1000);

	ck_assert_ptr_null(strpbrk(cell(m, "source", SPAN_TICK).str, "\x1b"));
	m = step(2, have, 4, 1010);
	ck_assert(cell(m, "calls", SPAN_TICK).f64 == 5);
	ck_assert(cell(m, "read", SPAN_TICK).f64 == 5 * 4096);
	ck_assert_uint_eq(cell(m, "avg", SPAN_TICK).u64, 3 * MS);
	ck_assert_uint_eq(cell(m, "rtt", SPAN_TICK).u64, 2 * MS);
	ck_assert_uint_eq(cell(m, "silent", SPAN_TICK).u64, 0);
	m = step(3, have, 4, 1010);
	ck_assert_uint_eq(cell(m, "silent", SPAN_TICK).u64, NSEC_PER_SEC);
	ck_assert_int_eq(cell(m, "avg", SPAN_TICK).kind, VAL_NONE);
	m = step(6, have, 4, 1010);
	ck_assert_uint_eq(cell(m, "silent", SPAN_TICK).u64, 4 * NSEC_PER_SEC);
	ck_assert_uint_eq(cell(m, "waiting", SPAN_TICK).u64, 4);
	m = step(7, have, 4, 1011);
	ck_assert_uint_eq(cell(m, "silent", SPAN_TICK).u64, 0);
	/* Nobody waits: no answer is missing. */
	m = step(8, have, 0, 1011);
	m = step(9, have, 0, 1011);
	ck_assert_uint_eq(cell(m, "silent", SPAN_TICK).u64, 0);
	m = step(10, have, 1, 1011);
	ck_assert_uint_eq(cell(m, "silent", SPAN_TICK).u64, 0);
	m = step(11, have, 1, 1011);
	ck_assert_uint_eq(cell(m, "silent", SPAN_TICK).u64, NSEC_PER_SEC);
	ck_assert(cell(m, "calls", SPAN_SUM).f64 == 11);
}
END_TEST

/* Plays seconds from *at on, in each so many calls end that took so long (ms). */
static const struct model *answer(unsigned *at, unsigned n, uint64_t calls, uint64_t ms,
				  uint64_t waiting)
{
	static uint64_t all, ns;
	const struct model *m = NULL;

	for (unsigned i = 0; i < n; i++) {
		struct sample *s = sample_at(*at, SRC_MOUNTS | SRC_SYSTEM | SRC_DISKS);

		all += calls;
		ns += calls * ms * MS;
		*sample_add_row(s, MOUNT, struct sample_mount) = (struct sample_mount){
			.dev = 48, .have = MOUNT_WAITING | MOUNT_CALLS, .kind = "fuse",
			.source = "remote", .point = "/mnt", .waiting = waiting, .answers = all,
			.calls = all, .ns = ns, .rtt_ns = ns,
		};
		m = engine_advance(engine, s, SRC_MOUNTS | SRC_SYSTEM | SRC_DISKS);
		++*at;
	}
	return m;
}

/* What takes its time, while somebody waits for it: in calls that end, or in one that goes on. */
START_TEST(slow)
{
	const struct finding_row *f;
	const struct model *m;
	unsigned at = 0;

	ck_assert_ptr_null(found(answer(&at, 6, 20, 50, 1), "server-slow"));
	ck_assert_ptr_null(found(answer(&at, 2, 1, 900, 1), "server-slow"));
	f = found(answer(&at, 1, 1, 900, 1), "server-slow");
	ck_assert_ptr_nonnull(f);
	ck_assert_str_eq(f->who, "remote");
	ck_assert_str_eq(f->filter, "reason = \"fuse_server\"");
	ck_assert_double_eq_tol(f->share, 90, 0.1);
	for (unsigned i = 0; i < 4; i++) {
		m = answer(&at, 1, 1, 3000, 1);
		ck_assert_ptr_nonnull(found(m, "server-slow"));
		m = answer(&at, 2, 0, 0, 1);
		ck_assert_ptr_nonnull(found(m, "server-slow"));
	}
	/* From five seconds on it is another finding. */
	m = answer(&at, 9, 0, 0, 1);
	ck_assert_ptr_nonnull(found(m, "server-silent"));
	ck_assert_ptr_null(found(m, "server-slow"));
	ck_assert_ptr_null(found(answer(&at, 6, 0, 0, 0), "server-silent"));
}
END_TEST

START_TEST(unknown)
{
	static const char *const keys[] = { "read", "write", "calls", "avg", "rtt", "silent",
					    "retrans", "errors" };
	const struct model *m = step(0, MOUNT_WAITING, 4, 0);

	m = step(1, MOUNT_WAITING, 4, 0);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		ck_assert_msg(cell(m, keys[i], SPAN_TICK).kind == VAL_NONE, "%s", keys[i]);
	ck_assert_uint_eq(cell(m, "waiting", SPAN_TICK).u64, 4);
	m = step(2, 0, 0, 0);
	ck_assert_int_eq(cell(m, "waiting", SPAN_TICK).kind, VAL_NONE);
}
END_TEST

UNIT_FIXTURE_MAIN("far_mounts", setup, teardown, collected, too_many, not_told, answers_stay_away,
		  slow, unknown)
