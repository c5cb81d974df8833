/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of a recording, an SQLite database. Any tool that reads one can query it.
 *
 *	sample (id, mono, boot, real, complete, lacks)	one row a sample; clocks in nanoseconds
 * 	task, io, disk, … (sample, row, …)	the tables of data/sample.h: a column for each field
 * 	of sample_tables[]
 *	ended (sample)				the last sample, once the recorder ended
 *
 * Tables whose rows have a key (see sample_tables.c) hold a row in the samples in which it is new
 * or has changed; a row with a number below 0 has the key only, and says that it is not there any
 * more. In a sample that is complete, and one is now and then, all rows are there. The tables
 * without a key (system, loss) hold all rows in each.
 *
 * A number is an INTEGER (64-bit unsigned ones are stored as their two's complement), a text TEXT,
 * or BLOB where it is no valid UTF-8, and unknown NULL. Columns and tables may be missing in an
 * older recording: they read as 0 and empty, and the sample says that it lacks them. What was not
 * known when the sample was taken either is in `lacks': names of columns (lacking.h).
 *
 * Format 2: new operations of layers. Format 1 was also written before the layer `cache' had its
 * number, then queue and device had one less.
 */
#ifndef IOTOP_RECORD_RECORDING_H
#define IOTOP_RECORD_RECORDING_H

#define RECORDING_APPLICATION 0x494f5450	/* PRAGMA application_id: "IOTP" */
#define RECORDING_VERSION 3			/* PRAGMA user_version */
#define RECORDING_FULL 64			/* so many samples from a complete one to the
						 * next */
#define ROW_KEY_MAX 128				/* bytes of a key */

#endif
