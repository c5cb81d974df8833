/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings: when they come and go, what they take as proof, and what they say. */
#include "finding_seconds.h"

/* Plays so many seconds; the finding is there in the last ones, `shown` of them. */
static const struct finding_row *expect(const struct second *step, unsigned n, unsigned shown)
{
	const struct finding_row *f = NULL;

	for (unsigned i = 0; i < n; i++) {
		f = found(play(step), "disk-saturated");
		ck_assert_msg(!f == (i < n - shown), "second %u of %u", i + 1, n);
	}
	return f;
}

static const struct second calm = { .busy = 20, .depth = 1, .wait = 5 };
static const struct second bad = { .busy = 100, .depth = 30, .wait = 60 };

/* Three intervals in a row, then it is there until it was missed in three in a row. */
START_TEST(comes_and_goes)
{
	const struct finding_row *f;
	char text[200];

	expect(&calm, 2, 0);
	f = expect(&bad, 5, 3);
	ck_assert_str_eq(f->who, "ba\"ckup 20");
	ck_assert_str_eq(f->victim, "worker 30");
	ck_assert_double_eq_tol(f->share, 60, 0.1);
	ck_assert_str_eq(f->filter, "disk = \"sda\"");
	ck_assert_uint_eq(f->since_ns, (uint64_t)(1000 + 2) * SEC);
	finding_sentence(f, &(struct unit_style){ 0 }, text, sizeof(text));
	ck_assert_str_eq(text, "sda is saturated: worker 30 waits 60.0 % of its time behind "
			       "ba\"ckup 20, who makes 90.0 % of the load (depth 30.0)");
	for (unsigned i = 0; i < 2; i++)
		ck_assert_ptr_nonnull(found(play(&calm), "disk-saturated"));
	ck_assert_ptr_nonnull(found(play(&bad), "disk-saturated"));
	for (unsigned i = 0; i < 2; i++)
		ck_assert_ptr_nonnull(found(play(&calm), "disk-saturated"));
	ck_assert_ptr_null(found(play(&calm), "disk-saturated"));
}
END_TEST

/* Two, then none, then two: never three in a row. */
START_TEST(a_moment_is_nothing)
{
	expect(&calm, 1, 0);
	for (unsigned i = 0; i < 4; i++) {
		expect(&bad, 2, 0);
		expect(&calm, 1, 0);
	}
}
END_TEST

/* What would not have raised it keeps it, down to 70 % of the limit. */
START_TEST(does_not_flicker)
{
	static const struct second less = { .busy = 75, .depth = 3, .wait = 16 };
	static const struct second least = { .busy = 75, .depth = 3, .wait = 12 };

	expect(&less, 6, 0);
	expect(&bad, 3, 1);
	expect(&less, 8, 8);
	for (unsigned i = 0; i < 2; i++)
		ck_assert_ptr_nonnull(found(play(&least), "disk-saturated"));
	ck_assert_ptr_null(found(play(&least), "disk-saturated"));
}
END_TEST

/* Whoever waits for itself, or a busy disk for which nobody waits, is no finding. */
START_TEST(hurts_nobody)
{
	static const struct second alone = { .busy = 100, .depth = 30, .wait = 90, .alone = true };
	static const struct second nobody = { .busy = 100, .depth = 30 };
	static const struct second short_queue = { .busy = 100, .depth = 2, .wait = 90 };

	expect(&calm, 1, 0);
	expect(&alone, 6, 0);
	expect(&nobody, 6, 0);
	expect(&short_queue, 6, 0);
}
END_TEST

/* None of them does much, all of them do. */
START_TEST(many_are_one)
{
	static const struct second many = { .busy = 100, .depth = 30, .wait = 60, .many = 20 };
	const struct finding_row *f;

	expect(&calm, 1, 0);
	f = expect(&many, 4, 2);
	ck_assert_str_eq(f->who, "fio (20)");
	ck_assert_str_eq(f->victim, "worker 30");
}
END_TEST

/* Asleep again and again is not stuck; in one sleep it is, after five seconds. */
START_TEST(one_sleep)
{
	struct second asleep = { .asleep_ns = SEC };
	const struct finding_row *f = NULL;
	unsigned i;

	for (i = 0; i < 10; i++)
		ck_assert_ptr_null(found(play(&asleep), "stuck-task"));
	for (i = 0; i < 10 && !f; i++, asleep.asleep_ns += SEC)
		f = found(play(&asleep), "stuck-task");
	ck_assert_uint_eq(i, 5);
	ck_assert_str_eq(f->victim, "ba\"ckup 20");
}
END_TEST

/* It slept before it was looked at: since when is known all the same. */
START_TEST(slept_before)
{
	struct second asleep = { .asleep_ns = 22 * SEC };
	const struct finding_row *f = NULL;
	double stuck;

	/* The first sample is no interval. */
	for (unsigned i = 0; i < 1 + FINDING_INTERVALS; i++, asleep.asleep_ns += SEC)
		f = found(play(&asleep), "stuck-task");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(f->seen_ns - f->since_ns, 25 * SEC);
	stuck = f->numbers[0].value;
	ck_assert(stuck == 25.0 * SEC);
}
END_TEST

/* What is frozen is named by where it is mounted first, or by the disk alone. */
START_TEST(frozen)
{
	struct second asleep = { .asleep_ns = 22 * SEC, .frozen_dev = DISK_DEV };
	char text[200];

	for (unsigned i = 0; i < 5; i++) {
		const struct finding_row *f = found(play(&asleep), "stuck-task");

		if (i < FINDING_INTERVALS)
			continue;
		finding_sentence(f, &(struct unit_style){ 0 }, text, sizeof(text));
		ck_assert_ptr_nonnull(strstr(text, asleep.mounts ? ": its file system /srv (sda) is"
								 : ": its file system sda is"));
		asleep.mounts = "/srv\n/bind";
	}
}
END_TEST

/* While a source is off nothing is known: it stays for a minute, and does not come. */
START_TEST(unknown_is_not_false)
{
	static const struct second off = { .off = SRC_WAITS, .busy = 100, .depth = 30 };

	expect(&calm, 1, 0);
	expect(&off, 6, 0);
	/* What comes back is not known of its first interval. */
	expect(&bad, 4, 1);
	expect(&off, FINDING_UNSEEN, FINDING_UNSEEN);
	expect(&off, 3, 0);
}
END_TEST

/* What is sent back matters where it is much, not for want of room, and somebody waits. */
START_TEST(sent_back)
{
	static const struct second few = { .busy = 20, .wait = 60, .requeues = 4 },
				   idle = { .busy = 20, .wait = 5, .requeues = 40 },
				   full = { .busy = 99, .depth = 32, .wait = 60, .requeues = 40 },
				   much = { .busy = 20, .wait = 60, .requeues = 40 },
				   beside = { .busy = 50, .depth = 1, .wait = 60, .requeues = 40 };
	const struct finding_row *f = NULL;

	for (unsigned i = 0; i < 5; i++)
		ck_assert_ptr_null(found(play(&few), "requests-retried"));
	for (unsigned i = 0; i < 4; i++)
		ck_assert_ptr_null(found(play(&idle), "requests-retried"));
	for (unsigned i = 0; i < 5; i++)
		ck_assert_ptr_null(found(play(&full), "requests-retried"));
	for (unsigned i = 0; i < 3; i++)
		f = found(play(&much), "requests-retried");
	ck_assert_ptr_nonnull(f);
	ck_assert_str_eq(f->victim, "worker 30");
	ck_assert_double_eq_tol(f->numbers[1].value, 40, 0.01);
	ck_assert_ptr_null(f->who);
	/* Nor is who makes nine tenths of the load: the disk sends them back. */
	f = found(play(&beside), "requests-retried");
	ck_assert_ptr_nonnull(f);
	ck_assert_ptr_null(f->who);
}
END_TEST

/* What is read again only counts as far as it cannot have been the other's. */
START_TEST(read_again)
{
	static const struct second half = { .busy = 20, .wait = 80, .refaults = 100 },
				   most = { .busy = 20, .wait = 80, .refaults = 160 };
	const struct finding_row *f;

	for (unsigned i = 0; i < 6; i++)
		ck_assert_ptr_null(found(play(&half), "memory-shortage"));
	for (unsigned i = 0; i < 3; i++)
		f = found(play(&most), "memory-shortage");
	ck_assert_ptr_nonnull(f);
	ck_assert_str_eq(f->victim, "worker 30");
	ck_assert_double_eq_tol(f->share, 80 * 0.6, 0.1);
}
END_TEST

/* The worst first, whatever came first; the order stays. */
START_TEST(worst_first)
{
	static const struct second both = { .busy = 100, .depth = 30, .wait = 60, .errors = 2 };
	const struct model *m = NULL;

	expect(&calm, 1, 0);
	expect(&bad, 4, 2);
	for (unsigned i = 0; i < 4; i++)
		m = play(&both);
	ck_assert_uint_eq(m->rows[ENTITY_FINDING].n, 2);
	ck_assert_str_eq(model_verdict(m)->name, "disk-errors");
	ck_assert_uint_eq(found(m, "disk-saturated")->rank, 2);
	ck_assert(finding_is_wrong(m));
}
END_TEST

/* Of a whole time what was found once stays; what filled all of a short one is found. */
START_TEST(all_of_a_time)
{
	const struct finding_row *f;

	options.whole = true;
	engine_set_options(engine, &options);
	expect(&calm, 2, 0);
	expect(&bad, 3, 1);
	f = expect(&calm, 2 * FINDING_INTERVALS, 2 * FINDING_INTERVALS);
	ck_assert_uint_eq(f->since_ns, (uint64_t)(1000 + 2) * SEC);
	ck_assert_uint_eq(f->seen_ns, (uint64_t)(1000 + 4) * SEC);
	engine_free(engine);
	engine = engine_new(&options);
	ck_assert_ptr_null(found(play(&bad), "disk-saturated"));
	ck_assert_ptr_nonnull(found(play(&bad), "disk-saturated"));
	ck_assert_ptr_nonnull(found(play(&bad), "disk-saturated"));
	ck_assert_ptr_nonnull(found(play(&bad), "disk-saturated"));
	engine_free(engine);
	engine = engine_new(&options);
	play(&bad);
	ck_assert_ptr_nonnull(found(play(&bad), "disk-saturated"));
	ck_assert_ptr_null(found(play(&calm), "disk-saturated"));
}
END_TEST

static const char *nothing(const struct second *step)
{
	static char text[200];

	finding_nothing(play(step), &(struct unit_style){ 0 }, text, sizeof(text));
	/* What is the busiest is said in any case. */
	text[strcspn(text, ";")] = 0;
	return text;
}

/* That nothing is wrong takes as long to know as that something is, and takes sources. */
START_TEST(nothing_is_known)
{
	static const struct second blind = { .off = SRC_WAITS };
	static const struct second low = { .off = SRC_WAITS, .pressure = 2 };
	static const struct second high = { .off = SRC_WAITS, .pressure = 40 };
	static const struct second reads = { .busy = 20, .depth = 1, .wait = 90 };
	static const struct second waits = { .busy = 20, .depth = 1, .wait = FINDING_SHARE,
					     .held = true };

	play(&calm);
	ck_assert_str_eq(nothing(&calm), "nothing wrong so far (1 of 3 intervals)");
	ck_assert_ptr_nonnull(strstr(nothing(&calm), "so far (2 of 3"));
	ck_assert_str_eq(nothing(&calm), "nothing wrong");
	ck_assert_str_eq(nothing(&blind),
			 "not known: neither waits nor the pressure of I/O are measured");
	play(&low);
	ck_assert_str_eq(nothing(&low),
			 "no sign of trouble: somebody waits for I/O 2.0 % of the time");
	ck_assert_str_eq(nothing(&high), "somebody waits for I/O 40.0 % of the time");
	play(&calm);
	ck_assert_ptr_nonnull(strstr(nothing(&calm), "so far (1 of 3"));
	ck_assert_ptr_nonnull(strstr(nothing(&reads), "so far (2 of 3"));
	ck_assert_str_eq(nothing(&reads), "nothing wrong");
	/* Somebody waits, gets nothing, and nobody can say why. */
	ck_assert_str_eq(nothing(&waits), "no known trouble");
	ck_assert_str_eq(nothing(&calm), "nothing wrong");
}
END_TEST

/* Somebody waits, nobody knows why: other sources for a few seconds, then a pause, each longer. */
START_TEST(looks_for_proof)
{
	unsigned looks = 0, begins = 0, before = 0;

	ck_assert_uint_eq(finding_probes(play(&calm)), 0);
	for (unsigned i = 0; i < 240; i++) {
		unsigned probes = finding_probes(play(&bad));

		looks += probes != 0;
		begins += probes && !before;
		before = probes;
	}
	ck_assert_uint_eq(begins, 4);
	ck_assert_uint_le(looks, 4 * 7);
	for (unsigned i = 0; i < 40; i++)
		before = finding_probes(play(&calm));
	ck_assert_uint_eq(before, 0);
}
END_TEST

static size_t of_name(const char *name)
{
	size_t i = 0;

	while (strcmp(finding_names[i], name) != 0)
		i++;
	return i;
}

/* What is not found was looked for, or it is said why not. */
START_TEST(looked_for)
{
	static const struct second off = { .off = SRC_BLOCK },
				   never = { .off = SRC_BLOCK, .why = "no BPF" };
	size_t kind = of_name("disk-saturated");
	struct finding_checked checked;

	ck_assert_int_eq(finding_check(play(&off), kind).state, CHECK_LATER);
	/* Nothing was watched in the first interval of a source: there is no time to name. */
	ck_assert_int_eq(finding_check(play(&calm), kind).state, CHECK_WATCHED);
	ck_assert_int_eq(finding_check(play(&calm), kind).state, CHECK_WATCHED);
	ck_assert_int_eq(finding_check(play(&calm), of_name("lock-holder")).state, CHECK_LATER);
	checked = finding_check(play(&off), kind);
	ck_assert_int_eq(checked.state, CHECK_LOOKED);
	ck_assert_uint_gt(checked.ended_ns, checked.began_ns);
	/* What is only asked for when somebody waits could not be had either. */
	checked = finding_check(play(&never), of_name("lock-holder"));
	ck_assert_int_eq(checked.state, CHECK_OFF);
	ck_assert_str_eq(checked.reason, "no BPF");
	ck_assert_int_eq(checked.source, SRC_OFFCPU);
}
END_TEST

/* The sources are on, and what the kind looks at is not among what they tell. */
START_TEST(a_kernel_that_does_not_tell)
{
	static const struct second told = { .pressure = 1 };
	struct finding_checked checked;

	play(&calm);
	checked = finding_check(play(&calm), of_name("iowait-without-io"));
	ck_assert_int_eq(checked.state, CHECK_OFF);
	ck_assert_int_eq(checked.source, SRC_SYSTEM);
	ck_assert_str_eq(checked.reason, "this kernel has no PSI or booted with psi=0");
	/* The first that tells is a baseline. */
	play(&told);
	ck_assert_int_eq(finding_check(play(&told), of_name("iowait-without-io")).state,
			 CHECK_WATCHED);
}
END_TEST

/* Commands that the device does not answer, told by the kernel: few are enough, and evidence. */
START_TEST(timeouts)
{
	static const struct second silent = { .busy = 100, .depth = 2, .wait = 60, .timeouts = 1 };
	const struct finding_row *f = NULL;
	bool told = false;

	for (unsigned i = 0; i < 5; i++)
		f = found(play(&silent), "requests-retried");
	ck_assert_ptr_nonnull(f);
	for (size_t i = 0; i < f->nnumbers; i++)
		told |= !strcmp(f->numbers[i].key, "timeouts") && f->numbers[i].value == 1;
	ck_assert(told);
}
END_TEST

/* Every kind names what it needs, where its rows are, and only keys that it may have. */
START_TEST(kinds)
{
	for (const struct finding_kind *const *k = finding_kinds; *k; k++) {
		ck_assert((*k)->name && (*k)->title && (*k)->sentence && (*k)->help);
		ck_assert(!(*k)->look != !(*k)->look_disk && (*k)->needs && (*k)->screen);
		for (const struct finding_kind *const *other = finding_kinds; other < k; other++)
			ck_assert_str_ne((*k)->name, (*other)->name);
	}
}
END_TEST

UNIT_FIXTURE_MAIN("findings", begin, samples_teardown, comes_and_goes, a_moment_is_nothing,
		  does_not_flicker, hurts_nobody, many_are_one, one_sleep, slept_before, frozen,
		  unknown_is_not_false, sent_back, read_again, worst_first, all_of_a_time,
		  nothing_is_known, looks_for_proof, looked_for, a_kernel_that_does_not_tell,
		  timeouts, kinds)
