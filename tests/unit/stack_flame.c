// SPDX-License-Identifier: GPL-2.0-or-later
/* What is drawn from stacks: folded lines, trees. */
#include "out/out.h"
#include "stack_samples.h"
#include "view/flame.h"

static void expect(enum out_format format, enum weight weight, bool delimited, const char *text)
{
	struct out_options opt = {
		.format = format, .screen = "stacks", .weight = weight, .delimited = delimited
	};
	char got[4096] = "";
	FILE *f = fmemopen(got, sizeof(got) - 1, "w");
	struct out *o = out_open(f, &opt);

	ck_assert_int_eq(out_report(o, &view), 0);
	out_close(o);
	fclose(f);
	ck_assert_str_eq(got, text);
}

START_TEST(folded_lines)
{
	two_ticks();
	expect(OUT_FOLDED, WEIGHT_BYTES, false,
	       "sda;writer;_start;main;flush:it;write;do_syscall_64;vfs_write;ext4_writepages "
	       "[ext4];submit_bio 49152\n"
	       "vg-root;other;do_syscall_64;dm_submit\\e[31m_bio 4096\n");
	expect(OUT_FOLDED, WEIGHT_IOS, true,
	       "sda;writer;_start;main;flush:it;write;--;do_syscall_64;vfs_write;ext4_writepages "
	       "[ext4];submit_bio 12\n"
	       "vg-root;other;do_syscall_64;dm_submit\\e[31m_bio 1\n");
	spec.group = GROUP_PROCESS;
	view_build(&view, view.model, &spec);
	expect(OUT_FOLDED, WEIGHT_LATENCY, false,
	       "sda;writer-10;_start;main;flush:it;write;do_syscall_64;vfs_write;ext4_writepages "
	       "[ext4];submit_bio 20\n"
	       "sda;writer-11;_start;main;flush:it;write;do_syscall_64;vfs_write;ext4_writepages "
	       "[ext4];submit_bio 4\n"
	       "vg-root;other-12;do_syscall_64;dm_submit\\e[31m_bio 2\n");
}
END_TEST

START_TEST(trees)
{
	const struct flame_node *n;
	struct flame f;

	two_ticks();
	flame_init(&f);
	flame_build(&f, &view, 0, WEIGHT_BYTES);
	ck_assert_uint_eq(f.root->weight, 53248);
	ck_assert_str_eq(f.root->child->text, "sda");
	ck_assert_uint_eq(f.root->child->weight + f.root->child->next->weight, 53248);
	n = f.root->child->child->child;
	ck_assert_str_eq(n->text, "_start");
	ck_assert_ptr_eq(flame_find(&f, n->key), n);
	ck_assert_ptr_null(flame_find(&f, 12345));
	flame_build(&f, &view, STEPS_REVERSED, WEIGHT_BYTES);
	n = f.root->child;
	ck_assert_str_eq(n->text, "sda");
	ck_assert_str_eq(n->child->text, "submit_bio");
	while (n->child)
		n = n->child;
	ck_assert_str_eq(n->text, "writer");
	flame_build(&f, &view, STEPS_TASK_FIRST, WEIGHT_BYTES);
	n = f.root->child;
	ck_assert_str_eq(n->text, "writer");
	while (n->child)
		n = n->child;
	ck_assert_str_eq(n->text, "sda");
	flame_release(&f);
}
END_TEST

/* Whose code a frame is, is told by its file. */
START_TEST(classes)
{
	static const struct {
		const char *line;
		enum flame_class class;
	} lines[] = {
		{ "write\t\tlibc.so.6", FLAME_LIBRARY },
		{ "flush\tflush.c:3\twriter", FLAME_USER },
		{ "copy\t\tlibsome.so", FLAME_LIBRARY },
		{ "a\t\twith.sources", FLAME_USER },
		{ "_PyEval\t\tlibpython3.11.so.1.0", FLAME_SCRIPT },
		{ "py::main:/srv/a.py\t\t[run time]", FLAME_SCRIPT },
		{ "main", FLAME_USER },
	};
	struct sample *s = at(1);
	struct buf text = { 0 };
	struct flame f;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		buf_printf(&text, "%s%s", i ? "\n" : "", lines[i].line);
	advance(at(0));
	io(s, 10, "writer", SDA, 1, 2, 4096);
	frames(s, 1, 0, "submit_bio\nvfs_write");
	frames(s, 2, FRAMES_USER, text.data);
	advance(s);
	flame_init(&f);
	flame_build(&f, &view, 0, WEIGHT_BYTES);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		size_t len = strcspn(lines[i].line, "\t");
		const struct flame_node *n = f.root;

		while (n && (strlen(n->text) != len || memcmp(n->text, lines[i].line, len)))
			n = n->child;
		ck_assert_ptr_nonnull(n);
		ck_assert_msg(flame_class(n) == lines[i].class, "%s", n->text);
	}
	flame_release(&f);
	buf_release(&text);
}
END_TEST

START_TEST(without_one_side)
{
	options.stacks = STACKS_KERNEL;
	engine_set_options(engine, &options);
	two_ticks();
	expect(OUT_FOLDED, WEIGHT_BYTES, true,
	       "sda;writer;do_syscall_64;vfs_write;ext4_writepages [ext4];submit_bio 49152\n"
	       "vg-root;other;do_syscall_64;dm_submit\\e[31m_bio 4096\n");
}
END_TEST

UNIT_FIXTURE_MAIN("stack_flame", stacks_setup, stacks_teardown, folded_lines, trees, classes,
		  without_one_side)
