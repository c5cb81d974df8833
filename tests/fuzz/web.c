// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as the file of --web-config: refused in one line, or taken, and then it is whole. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "serve/web_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct web_config c = { 0 };
	struct err err = { "" };
	char path[64];

	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (web_config_read(path, &c, &err) < 0) {
		FUZZ_CHECK(err.text[0] && !strchr(err.text, '\n'));
	} else {
		FUZZ_CHECK(!c.cert == !c.key);
		for (size_t i = 0; i < c.nusers; i++)
			FUZZ_CHECK(c.users[i].name && !strchr(c.users[i].name, ':') &&
				   strlen(c.users[i].hash) == 60);
		web_config_release(&c);
	}
	close(fd);
	return 0;
}
