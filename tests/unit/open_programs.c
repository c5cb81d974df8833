// SPDX-License-Identifier: GPL-2.0-or-later
/* Which programs are open: who walks them finds no memory that was freed. */
#include <errno.h>

#include "base/err.h"
#include "base/macro.h"
#include "bpf/mounts/fuse.skel.h"
#include "collect/bpf/programs.h"
#include "collect/disks/fuse_calls.h"
#include "unit.h"

static const struct bpf_hook hooks[] = {
	{ .program = "fuse_send", .point = "fuse_request_send", .raw = true },
};

/* Nothing gets to the kernel. */
static int refuse(_unused_ void *state, _unused_ void *skel, struct err *err)
{
	return err_set(err, ECANCELED, "not now");
}

BPF_PROGRAMS(fuse, .what = "the programs", .set_up = refuse);

START_TEST(freed)
{
	struct fuse_calls *c = fuse_calls_new();

	ck_assert_ptr_null(bpf_programs_first());
	fuse_calls_free(c);
	ck_assert_ptr_null(bpf_programs_first());
}
END_TEST

START_TEST(open_and_closed)
{
	struct bpf_programs a, b;
	struct err err = { "" };

	bpf_programs_init(&a, &fuse_programs);
	bpf_programs_init(&b, &fuse_programs);
	bpf_programs_close(&b);
	ck_assert_ptr_null(bpf_programs_first());
	ck_assert_int_eq(bpf_programs_load(&a, NULL, &err), -ECANCELED);
	ck_assert_int_eq(bpf_programs_load(&b, NULL, &err), -ECANCELED);
	/* Again: it is there once. */
	ck_assert_int_eq(bpf_programs_load(&a, NULL, &err), -ECANCELED);
	ck_assert_ptr_eq(bpf_programs_first(), &a);
	ck_assert_ptr_eq(a.next, &b);
	ck_assert_ptr_null(b.next);
	bpf_programs_close(&a);
	bpf_programs_close(&a);
	ck_assert_ptr_eq(bpf_programs_first(), &b);
	bpf_programs_close(&b);
	ck_assert_ptr_null(bpf_programs_first());
}
END_TEST

UNIT_MAIN("open_programs", freed, open_and_closed)
