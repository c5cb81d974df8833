/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of a recording, an SQLite database. Any tool that reads one can query it.
 *
 *	sample (id, mono, boot, real)		one row a sample; clocks in nanoseconds
 *	task, io, disk, … (sample, row, …)	the tables of data/sample.h: a column for each field of sample_tables[]
 *
 * A number is an INTEGER (64-bit unsigned ones are stored as their two's complement), a text TEXT, or BLOB where it is no
 * valid UTF-8, and unknown NULL. Columns and tables may be missing in an older recording: they read as 0 and empty.
 */
#ifndef IOTOP_COLLECT_RECORDING_H
#define IOTOP_COLLECT_RECORDING_H

#define RECORDING_APPLICATION 0x494f5450	/* PRAGMA application_id: "IOTP" */
#define RECORDING_VERSION 1			/* PRAGMA user_version */

#endif
