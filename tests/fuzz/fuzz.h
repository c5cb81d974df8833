/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a fuzz target defines. It returns 0; what is wrong it shows by abort() or to a sanitizer. */
#ifndef IOTOP_TESTS_FUZZ_H
#define IOTOP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As assert(), but never compiled out. */
#define FUZZ_CHECK(what)                                                          \
	do {                                                                      \
		if (!(what)) {                                                    \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what); \
			abort();                                                  \
		}                                                                 \
	} while (0)

#endif
