/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pingpong N: N round trips of a byte through two pipes between two processes; prints the context switches and the seconds. */
#include <stdio.h>
#include <stdlib.h>
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

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 200000, to[2], from[2];
	struct rusage mine, theirs;
	double start;
	char c = 0;

	if (pipe(to) || pipe(from))
		return 1;
	if (!fork()) {
		close(to[1]);
		close(from[0]);
		while (read(to[0], &c, 1) == 1 && write(from[1], &c, 1) == 1)
			continue;
		_exit(0);
	}
	start = now();
	for (int i = 0; i < n; i++)
		if (write(to[1], &c, 1) != 1 || read(from[0], &c, 1) != 1)
			return 1;
	start = now() - start;
	close(to[1]);
	wait(NULL);
	getrusage(RUSAGE_SELF, &mine);
	getrusage(RUSAGE_CHILDREN, &theirs);
	printf("%ld %.3f\n", mine.ru_nvcsw + mine.ru_nivcsw + theirs.ru_nvcsw + theirs.ru_nivcsw, start);
	return 0;
}
