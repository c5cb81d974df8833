// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recording FILE TICKS [idle=N] [off=SOURCE]… [lost=N] [hostile] [disks] [stacks] [layers]: writes a recording of so many samples of the
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

static unsigned source_bit(const char *name)
{
	for (unsigned i = 0; i < SRC_COUNT; i++)
		if (!strcmp(source_name(1u << i), name))
			return 1u << i;
	die("no such source", name);
	return 0;
}

static void set_scene(struct scene *scene, const char *word)
{
	if (!strncmp(word, "idle=", 5))
		scene->idle = strtoul(word + 5, NULL, 10);
	else if (!strncmp(word, "lost=", 5))
		scene->lost = strtoul(word + 5, NULL, 10);
	else if (!strncmp(word, "off=", 4))
		scene->off |= source_bit(word + 4);
	else if (!strcmp(word, "hostile"))
		scene->hostile = true;
	else if (!strcmp(word, "disks"))
		scene->disks = true;
	else if (!strcmp(word, "stacks"))
		scene->stacks = true;
	else if (!strcmp(word, "layers"))
		scene->layers = true;
	else
		die("scene", word);
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
		set_scene(&scene, argv[i]);
	if (recorder_open(argv[1], &r, &err) < 0)
		die("open", err.text);
	for (unsigned tick = 0; tick < strtoul(argv[2], NULL, 10); tick++) {
		sample_reset(s);
		scene_sample(&scene, s, tick);
		add_commands(&scene, s);
		if (recorder_write(r, s, &err) < 0)
			die("write", err.text);
	}
	if (recorder_close(r, &err) < 0)
		die("close", err.text);
	sample_free(s);
	return 0;
}
