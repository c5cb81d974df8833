/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats, a file each: adds one report to o->buf. */
#ifndef IOTOP_OUT_FORMATS_H
#define IOTOP_OUT_FORMATS_H

#include "out/writer.h"

void out_text(struct out *o, const struct view *v);
/* Of findings only. */
void out_page(struct out *o, const struct view *v);
void out_classic(struct out *o, const struct view *v);
void out_json(struct out *o, const struct view *v);
void out_csv(struct out *o, const struct view *v);
void out_folded(struct out *o, const struct view *v);
void out_svg(struct out *o, const struct view *v);
/* Of stacks and waits. */
void out_pprof(struct out *o, const struct view *v);
/* Of disks and layers. */
void out_hist(struct out *o, const struct view *v);
/* Of the model, whatever the view shows of it. */
void out_openmetrics(struct out *o, const struct view *v);

#endif
