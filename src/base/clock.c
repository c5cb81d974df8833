// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* Of the time namespace of this process: by how much its clocks are ahead of the kernel's, ns. */
static int64_t mono_offset, boot_offset;

void clock_set_offsets(int64_t mono_ns, int64_t boot_ns)
{
	mono_offset = mono_ns;
	boot_offset = boot_ns;
}

int64_t clock_boot_offset(void)
{
	return boot_offset;
}

uint64_t clock_mono(void)
{
	return clock_ns(CLOCK_MONOTONIC) - (uint64_t)mono_offset;
}

uint64_t clock_boot(void)
{
	return clock_ns(CLOCK_BOOTTIME) - (uint64_t)boot_offset;
}

uint64_t clock_real(void)
{
	return clock_ns(CLOCK_REALTIME);
}

static void clock_split(uint64_t real_ns, struct tm *tm)
{
	time_t t = (time_t)(real_ns / NSEC_PER_SEC);

	if (!localtime_r(&t, tm))
		*tm = (struct tm){ .tm_mday = 1, .tm_year = 70 };
}

static void put_iso(char *out, size_t size, uint64_t real_ns, int digits, unsigned fraction)
{
	struct tm tm;
	long east;

	clock_split(real_ns, &tm);
	east = labs(tm.tm_gmtoff) / 60;
	snprintf(out, size, "%04d-%02d-%02dT%02d:%02d:%02d.%0*u%c%02ld:%02ld", tm.tm_year + 1900,
		 tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, digits, fraction,
		 tm.tm_gmtoff < 0 ? '-' : '+', east / 60, east % 60);
}

void clock_iso(char *out, size_t size, uint64_t real_ns)
{
	put_iso(out, size, real_ns, 3, (unsigned)(real_ns % NSEC_PER_SEC / 1000000));
}

void clock_iso_us(char *out, size_t size, uint64_t real_ns)
{
	put_iso(out, size, real_ns, 6, (unsigned)(real_ns % NSEC_PER_SEC / 1000));
}

void clock_hms_us(char *out, size_t size, uint64_t real_ns)
{
	struct tm tm;

	clock_split(real_ns, &tm);
	snprintf(out, size, "%02d:%02d:%02d.%06u", tm.tm_hour, tm.tm_min, tm.tm_sec,
		 (unsigned)(real_ns % NSEC_PER_SEC / 1000));
}

void clock_date(char *out, size_t size, uint64_t real_ns)
{
	struct tm tm;

	clock_split(real_ns, &tm);
	snprintf(out, size, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
}

void clock_hms(char *out, size_t size, uint64_t real_ns)
{
	struct tm tm;

	clock_split(real_ns, &tm);
	snprintf(out, size, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
}

void clock_zone(char *out, size_t size, uint64_t real_ns)
{
	struct tm tm = { 0 };

	clock_split(real_ns, &tm);
	snprintf(out, size, "%s", tm.tm_zone ? tm.tm_zone : "UTC");
}
