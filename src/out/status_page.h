/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page for people who look at an exporter: what is wrong, what works, what it costs. */
#ifndef IOTOP_OUT_STATUS_PAGE_H
#define IOTOP_OUT_STATUS_PAGE_H

#include "base/buf.h"
#include "data/model.h"
#include "out/metrics/metrics.h"

/* Adds it as HTML, which loads nothing. */
void status_page(struct buf *out, const struct model *m, const struct metrics *x,
		 const struct metrics_process *p, size_t n);

#endif
