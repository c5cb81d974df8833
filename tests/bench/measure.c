/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure COMMAND…: runs it with its output thrown away and prints "CPU-seconds wall-seconds
 * peak-kB".
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	struct timespec a, b;
	struct rusage u;
	int status;
	pid_t pid;

	if (argc < 2)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &a);
	pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &u) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status))
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("%.4f %.4f %ld\n", seconds(u.ru_utime) + seconds(u.ru_stime),
	       (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9, u.ru_maxrss);
	return 0;
}
