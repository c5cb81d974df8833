// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recording FILE TICKS [idle=N] [off=SOURCE]… [lost=N] [hostile] [disks] [stacks] [layers]
 * [mounts] [events] [offcpu] [files] [pattern]: writes a recording of so many samples of the
 * hand-written machine of scene.c, as --record does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/collect.h"
#include "scene.h"

static void die(const char *what, const char *text)
{
	fprintf(stderr, "recording: %s: %s\n", what, text);
	exit(2);
}

/* The command lines of all processes: a recorder has those of the rows it showed. */
static void add_commands(const struct scene *scene, struct sample *s)
{
	if (scene->off & SRC_CMDLINE)
		return;
	sample_each(s, TASK, struct sample_task, t)
		if (t->id.tid == t->id.tgid && t->id.start)
			scene_command(scene, s, &t->id);
}

int main(int argc, char **argv)
{
	struct sample *s = sample_new();
	struct scene scene = { 0 };
	struct recorder *r;
	struct err err;

	if (argc < 3)
		die("usage", "recording FILE TICKS [SCENE]...");
	for (int i = 3; i < argc; i++)
		if (!scene_word(&scene, argv[i]))
			die("scene", argv[i]);
	if (recorder_open(argv[1], &r, &err) < 0)
		die("open", err.text);
	for (unsigned tick = 0; tick < strtoul(argv[2], NULL, 10); tick++) {
		sample_reset(s);
		scene_sample(&scene, s, tick);
		add_commands(&scene, s);
		if (recorder_write(r, s, s, &err) < 0)
			die("write", err.text);
	}
	if (recorder_close(r, &err) < 0)
		die("close", err.text);
	sample_free(s);
	return 0;
}
