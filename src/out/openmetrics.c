// SPDX-License-Identifier: GPL-2.0-or-later
/* What a service would export of the sources that the screen needs. */
#include "out/formats.h"

void out_openmetrics(struct out *o, const struct view *v)
{
	if (!o->metrics)
		o->metrics = metrics_new(0, ~0u);
	metrics_update(o->metrics, v->model);
	metrics_write(o->metrics, METRICS_OPENMETRICS, &o->buf);
}
