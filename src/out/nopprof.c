// SPDX-License-Identifier: GPL-2.0-or-later
/* Built without protobuf-c or without zlib: --format=pprof is refused. */
#include "out/formats.h"

const bool out_has_pprof = false;

void out_pprof(_unused_ struct out *o, _unused_ const struct view *v)
{
}
