/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls FILE N: so many pread() of 4 KiB from the beginning of a file in the page cache; prints ns
 * a call.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long n = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	static char block[4096];
	struct timespec a, b;
	int fd = argc > 2 ? open(argv[1], O_RDONLY) : -1;

	if (fd < 0 || n <= 0)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (long i = 0; i < n; i++)
		if (pread(fd, block, sizeof(block), i % 256 * 4096) < 0)
			return 1;
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("%.1f\n",
	       ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / (double)n);
	return 0;
}
