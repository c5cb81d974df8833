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
	int null = open("/dev/null", O_RDWR), both[] = { one, two };

	/* Out of the way of the numbers they get. */
	for (int i = 0; i < 2; i++)
		if (both[i] >= 0 && (both[i] = fcntl(both[i], F_DUPFD, 16)) < 0)
			_exit(1);
	for (int i = 0; i < (errors ? STDERR_FILENO : DESCRIPTOR_FIRST); i++)
		dup2(null, i);
	for (int i = 0; i < 2; i++)
		if (both[i] >= 0 && dup2(both[i], DESCRIPTOR_FIRST + i) < 0)
			_exit(1);
	descriptors_close_from(two >= 0 ? DESCRIPTOR_FIRST + 2 : DESCRIPTOR_FIRST + 1);
}
