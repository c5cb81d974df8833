// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/descriptors.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/macro.h"

void descriptors_close_from(unsigned first)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, first, ~0u, 0) == 0)
		return;
#endif
	for (long i = (long)first; i < MIN(sysconf(_SC_OPEN_MAX), 65536L); i++)
		close((int)i);
}

void descriptors_keep(int one, int two, bool errors)
{
	int null = open("/dev/null", O_RDWR);

	/* Out of the way of the numbers they get. */
	one = fcntl(one, F_DUPFD, 16);
	two = two < 0 ? -1 : fcntl(two, F_DUPFD, 16);
	for (int i = 0; i < (errors ? STDERR_FILENO : DESCRIPTOR_FIRST); i++)
		dup2(null, i);
	dup2(one, DESCRIPTOR_FIRST);
	if (two >= 0)
		dup2(two, DESCRIPTOR_FIRST + 1);
	descriptors_close_from(two >= 0 ? DESCRIPTOR_FIRST + 2 : DESCRIPTOR_FIRST + 1);
}
