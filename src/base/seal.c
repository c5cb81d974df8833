// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/seal.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/macro.h"
#include "base/mem.h"

void seal_broken(void)
{
	static const char text[] = "iotop: something was added to what is sealed\n";
	ssize_t n = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)n;
	abort();
}

#ifdef IOTOP_DEBUG
static size_t pages(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (MAX(size, 1) + page - 1) / page * page;
}

void *seal_realloc(void *p, size_t old, size_t size)
{
	if (p)
		p = mremap(p, pages(old), pages(size), MREMAP_MAYMOVE);
	else
		p = mmap(NULL, pages(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0);
	if (p == MAP_FAILED)
		mem_exhausted();
	return p;
}

void seal_free(void *p, size_t size)
{
	if (p)
		munmap(p, pages(size));
}

void seal_set(void *p, size_t size, bool sealed)
{
	if (p && mprotect(p, pages(size), sealed ? PROT_READ : PROT_READ | PROT_WRITE) < 0)
		mem_exhausted();
}
#endif
