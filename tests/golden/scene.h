/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hand-written samples: a small machine whose disks are busy in a way that is easy to check by eye.
 */
#ifndef IOTOP_TESTS_SCENE_H
#define IOTOP_TESTS_SCENE_H

#include "data/model.h"
#include "data/sample.h"

struct scene {
	unsigned off;		/* enum source bits that are off, with a reason */
	unsigned unrecorded;	/* of these, not in the recording */
	bool hostile;		/* names with control characters, invalid and wide ones */
	unsigned idle;		/* so many idle threads more */
	bool disks;		/* all that its disks are stacked from, histograms */
	bool stacks;		/* paths through the code */
	bool hidden;		/* whose kernel symbols the kernel hides */
	unsigned turn;		/* from this tick on the first path has twice as much, and the third
				 * nothing; 0: they go on */
	bool layers;		/* times at each layer */
	bool offcpu;		/* blocked tasks */
	bool mounts;		/* that servers answer for */
	bool memory;		/* of a control group, and its limits */
	bool pattern;		/* the order of I/O */
	bool files;		/* behind the I/O */
	bool events;		/* single requests */
	bool findings;		/* something is wrong */
	unsigned lost;		/* events lost by tick 3 */
};

/*
 * A word of a script or a command line: idle=N off=SOURCE unrecorded=SOURCE lost=N hostile disks
 * stacks hidden layers offcpu mounts events files memory pattern findings. False: it is no such
 * word, or no such source.
 */
bool scene_word(struct scene *scene, const char *word);
/* The sample of tick 0, 1, 2 … (a second each) into an empty s. */
void scene_sample(const struct scene *scene, struct sample *s, unsigned tick);
/*
 * The model of the newest of six samples of a scene, which go in turns through these two: made here
 * where they are NULL, and the caller's.
 */
const struct model *scene_model(const struct scene *scene, struct engine *engine,
				struct sample *samples[2]);
/* The id of a task by its thread; start 0: there is none. */
struct task_id scene_task(uint32_t tid);
/* The disks of a scene with disks set. */
void scene_disks(const struct scene *scene, struct sample *s, unsigned tick);
/* The paths of a scene with stacks set. */
void scene_stacks(const struct scene *scene, struct sample *s, unsigned tick);
/* The layers of a scene with layers set. */
void scene_layers(const struct scene *scene, struct sample *s, unsigned tick);
/* The blocked tasks of a scene with offcpu set. */
void scene_offcpu(const struct scene *scene, struct sample *s, unsigned tick);
/* What is wrong in a scene with findings set. */
void scene_findings(const struct scene *scene, struct sample *s, unsigned tick);
/* The far mounts of a scene with mounts set. */
void scene_memory(struct sample *s, unsigned tick);
void scene_mounts(const struct scene *scene, struct sample *s, unsigned tick);
/* The files of a scene with files set. */
void scene_files(const struct scene *scene, struct sample *s, unsigned tick);
/* The requests of a scene with events set. */
void scene_events(const struct scene *scene, struct sample *s, unsigned tick);
/* What /proc/PID/cmdline says. */
void scene_command(const struct scene *scene, struct sample *s, const struct task_id *id);

#endif
