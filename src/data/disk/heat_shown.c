// SPDX-License-Identifier: GPL-2.0-or-later
/* What a heat map of a disk shows: latency, size or place, by bands. */
#include "base/i18n.h"
#include "data/disk/disk.h"

const char *const heat_titles[HEAT_SHOWN_COUNT] = {
	[HEAT_BOTH] = N_("reads and writes by latency and time"),
	[HEAT_READS] = N_("reads by latency and time"),
	[HEAT_WRITES] = N_("writes by latency and time"),
	[HEAT_SIZES] = N_("requests by size and time"),
	[HEAT_PLACES] = N_("I/O by place on the disk and time"),
};

unsigned heat_bands(enum heat_shown shown)
{
	return shown == HEAT_SIZES ? DISK_SIZES : shown == HEAT_PLACES ? DISK_PLACES : DISK_BANDS;
}

uint64_t heat_band_lower(enum heat_shown shown, unsigned band, uint64_t place_bytes)
{
	if (shown == HEAT_SIZES)
		return band ? 512ull << band : 0;
	return shown == HEAT_PLACES ? band * place_bytes : disk_band_lower(band);
}

void heat_counts(enum heat_shown shown, const struct disk_tick *tick, unsigned band,
		 uint64_t ret[2])
{
	const uint32_t *reads = shown == HEAT_SIZES    ? tick->sizes[0]
				: shown == HEAT_PLACES ? tick->places[0]
						       : tick->reads,
		       *writes = shown == HEAT_SIZES	? tick->sizes[1]
				 : shown == HEAT_PLACES ? tick->places[1]
							: tick->writes;

	ret[0] = shown == HEAT_WRITES ? 0 : reads[band];
	ret[1] = shown == HEAT_READS ? 0 : writes[band];
}
