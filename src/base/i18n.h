/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translation of what a person reads. N_() of macro.h marks a string in a table, _() translates
 * where it is printed.
 */
#ifndef IOTOP_BASE_I18N_H
#define IOTOP_BASE_I18N_H

#include <libintl.h>

#include "base/macro.h"

#define _(s) gettext(s)

#endif
