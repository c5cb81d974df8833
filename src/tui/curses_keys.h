/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOTOP_TUI_CURSES_KEYS_H
#define IOTOP_TUI_CURSES_KEYS_H

/* term_read_key() of a terminal that is open. */
int curses_read_key(void);

#endif
