/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOTOP_BASE_CLOCK_H
#define IOTOP_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define NSEC_PER_SEC 1000000000ULL

/*
 * A time namespace has clocks of its own, which are ahead by so much. Programs in the kernel know
 * only those of the first one, and so do the functions below.
 */
void clock_set_offsets(int64_t mono_ns, int64_t boot_ns);
int64_t clock_boot_offset(void);	/* ns to add to clock_boot() for what /proc shows */
uint64_t clock_mono(void);	/* CLOCK_MONOTONIC, ns: what bpf_ktime_get_ns() returns */
uint64_t clock_boot(void);	/* CLOCK_BOOTTIME, ns: what task_struct.start_boottime counts in */
uint64_t clock_real(void);	/* CLOCK_REALTIME, ns since the epoch */

/* "2026-01-31T12:00:01.004+00:00" in local time zone; size at least 32. */
void clock_iso(char *out, size_t size, uint64_t real_ns);
/* "2026-01-31" */
void clock_date(char *out, size_t size, uint64_t real_ns);
/* The same to the microsecond. */
void clock_iso_us(char *out, size_t size, uint64_t real_ns);
/* "14:02:10.482913"; size at least 16. */
void clock_hms_us(char *out, size_t size, uint64_t real_ns);
/* "14:02:11" */
void clock_hms(char *out, size_t size, uint64_t real_ns);
/* "UTC", "CEST": of the times above */
void clock_zone(char *out, size_t size, uint64_t real_ns);

#endif
