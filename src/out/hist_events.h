/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histograms of single requests. */
#ifndef IOTOP_OUT_HIST_EVENTS_H
#define IOTOP_OUT_HIST_EVENTS_H

#include "out/writer.h"

/* Of those of the interval, by what the options say. False: there are none. */
bool out_hist_events(struct out *o, const struct view *v);

#endif
