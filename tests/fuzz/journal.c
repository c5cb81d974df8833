// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any file as the journal beside a good recording: all files stay as they are, also `victim', which
 * inputs may name. SQLite takes such a name as one in the working folder.
 */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "collect/collect.h"
#include "fuzz.h"

#define SAMPLES 3

static char folder[] = "/tmp/iotop-fuzz-XXXXXX";
static struct buf recording;
static int before = -1;		/* the working folder between inputs */

static void put(const char *name, const void *data, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	FUZZ_CHECK(fd >= 0);
	FUZZ_CHECK(write(fd, data, size) == (ssize_t)size);
	close(fd);
}

static void check_file(const char *name, const void *data, size_t size)
{
	struct buf b = { 0 };

	FUZZ_CHECK(buf_read_file(&b, AT_FDCWD, name, 0) == 0);
	FUZZ_CHECK(b.len == size && (!size || !memcmp(b.data, data, size)));
	buf_release(&b);
}

static unsigned count_files(void)
{
	DIR *dir = opendir(".");
	unsigned n = 0;

	FUZZ_CHECK(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void record_some(void)
{
	struct sample *s = sample_new();
	struct err err = { "" };
	struct recorder *r;

	FUZZ_CHECK(recorder_open("r", &r, &err) == 0);
	for (unsigned i = 0; i < SAMPLES; i++) {
		sample_reset(s);
		s->mono = i + 1;
		for (unsigned j = 0; j < 200; j++) {
			struct sample_task *t = sample_add(s, TABLE_TASK);

			t->id = (struct task_id){ .tgid = j + 1, .tid = j + 1, .start = 1 };
			t->comm = i ? "later" : "first";
		}
		FUZZ_CHECK(recorder_write(r, s, s, &err) == 0);
	}
	FUZZ_CHECK(recorder_close(r, &err) == 0);
	sample_free(s);
	FUZZ_CHECK(buf_read_file(&recording, AT_FDCWD, "r", 0) == 0);
}

static void clean(void)
{
	if (chdir(folder) < 0)
		return;
	unlink("r");
	unlink("r-journal");
	unlink("victim");
	rmdir(folder);
	buf_release(&recording);
}

static void prepare(void)
{
	before = open(".", O_PATH | O_CLOEXEC);
	FUZZ_CHECK(before >= 0 && mkdtemp(folder) && chdir(folder) == 0);
	record_some();
	put("victim", "precious", 8);
	atexit(clean);
}

static void read_all(void)
{
	struct sample *s = sample_new();
	struct replay *r = NULL;
	struct err err = { "" };
	int result = replay_open("r", &r, &err);

	for (int i = 0; i < 100 && result >= 0; i++) {
		sample_reset(s);
		result = replay_next(r, s, s, &err);
		if (result == 0)
			break;
	}
	if (result < 0)
		FUZZ_CHECK(err.text[0] && !strchr(err.text, '\n'));
	replay_close(r);
	sample_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!recording.data)
		prepare();
	FUZZ_CHECK(chdir(folder) == 0);
	put("r-journal", data, size);
	read_all();
	check_file("r", recording.data, recording.len);
	check_file("r-journal", data, size);
	check_file("victim", "precious", 8);
	FUZZ_CHECK(count_files() == 5);
	FUZZ_CHECK(fchdir(before) == 0);
	return 0;
}
