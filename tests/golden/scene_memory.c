// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel says of the control group of postgres: it is at its limits. */
#include "scene.h"

#define GROUP 27	/* of postgres */
#define NVME (259u << 20)

void scene_memory(struct sample *s, unsigned tick)
{
	struct sample_memory *m = sample_add_row(s, MEMORY, struct sample_memory);
	struct sample_groupdisk *d = sample_add_row(s, GROUPDISK, struct sample_groupdisk);

	sample_source(s, SRC_MEMORY, SOURCE_ON, NULL);
	*m = (struct sample_memory){
		.cgroup = GROUP,
		.have = MEMORY_REFAULTS | MEMORY_LIMITS | MEMORY_PSI | MEMORY_EVICTED,
		.refault_file = tick * (3ULL << 20), .evicted = tick * (5ULL << 20),
		.high = tick * 4, .psi_some_us = tick * 250000ULL, .psi_full_us = tick * 125000ULL,
		.limits = "memory.high 512 MiB; io.max nvme0n1 rbps=200M",
	};
	*d = (struct sample_groupdisk){
		.cgroup = GROUP, .dev = NVME,
		.read = tick * (170ULL << 20), .write = tick * (1ULL << 20),
	};
}
