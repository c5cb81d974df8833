/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parser as the opener sees it: a call is a message and its answer. */
#ifndef IOTOP_COLLECT_SYMBOLS_PARSER_CLIENT_H
#define IOTOP_COLLECT_SYMBOLS_PARSER_CLIENT_H

#include "collect/helper/wire.h"
#include "collect/symbols/elfsyms.h"

struct tables;

struct parser {
	int socket;		/* -1: the tables are in this process, for tests */
	struct tables *tables;
	uint32_t numbers;	/* of tables, given so far */
	struct buf request, answer;
	struct wire_packet packet;
};

void parser_init(struct parser *p, int socket);
void parser_release(struct parser *p);
/* A number for a table that is to be loaded. */
uint32_t parser_number(struct parser *p);
/*
 * 0 or -errno; fd stays the caller's. A parser that is gone ends this process, too: both are
 * replaced.
 */
int parser_elf(struct parser *p, uint32_t number, int fd, struct elfsyms_debug *ret_debug);
int parser_debug(struct parser *p, uint32_t number, int fd);
int parser_perf(struct parser *p, uint32_t number, int fd);
/*
 * Appends the answer to MESSAGE_UNWIND, from this row on; fd: of the file, or -1: the one
 * asked for last. The receiver checks it.
 */
void parser_rows(struct parser *p, uint32_t number, uint32_t from, int fd, struct buf *out);
/* What an engine's file calls a container: its name is put into ret. */
int parser_engine(struct parser *p, uint32_t form, const char *id, int fd, struct buf *ret);
/* Appends n texts to out; -ENOENT: there is no such table (any more), and nothing is appended. */
int parser_names(struct parser *p, uint32_t number, const uint64_t *at, size_t n, struct buf *out);

#endif
