/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pingpong N [together|apart]: N round trips of a byte through two pipes between two processes, on
 * one processor, on two, or where the scheduler likes; prints the context switches and the seconds.
 */
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* To the first or the last processor that is allowed. */
static void pin(bool last)
{
	cpu_set_t all, one;
	int at = -1;

	if (sched_getaffinity(0, sizeof(all), &all))
		exit(1);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &all) && (last || at < 0))
			at = i;
	CPU_ZERO(&one);
	CPU_SET(at, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		exit(1);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 200000, to[2], from[2];
	struct rusage mine, theirs;
	double start;
	char c = 0;

	if (pipe(to) || pipe(from))
		return 1;
	if (!fork()) {
		if (argc > 2)
			pin(!strcmp(argv[2], "apart"));
		close(to[1]);
		close(from[0]);
		while (read(to[0], &c, 1) == 1 && write(from[1], &c, 1) == 1)
			continue;
		_exit(0);
	}
	if (argc > 2)
		pin(false);
	start = now();
	for (int i = 0; i < n; i++)
		if (write(to[1], &c, 1) != 1 || read(from[0], &c, 1) != 1)
			return 1;
	start = now() - start;
	close(to[1]);
	wait(NULL);
	getrusage(RUSAGE_SELF, &mine);
	getrusage(RUSAGE_CHILDREN, &theirs);
	printf("%ld %.3f\n", mine.ru_nvcsw + mine.ru_nivcsw + theirs.ru_nvcsw + theirs.ru_nivcsw,
	       start);
	return 0;
}
