/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads N: N idle threads; prints a line when all are there, ends when stdin does. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *idle(void *arg)
{
	pause();
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	pthread_attr_t attr;
	char c;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	for (int i = 0; i < n; i++) {
		pthread_t t;

		if (pthread_create(&t, &attr, idle, NULL))
			return 1;
	}
	puts("ready");
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		continue;
	return 0;
}
