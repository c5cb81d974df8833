/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Key sequences that the description of the terminal does not have: those that many terminals send
 * whatever they are called, and all others, which are nothing. Taken for single keys they would do
 * things that nobody asked for.
 */
#ifndef IOTOP_TUI_ESCAPE_H
#define IOTOP_TUI_ESCAPE_H

/*
 * The key that begins with Esc, which was read already. next: the next character that is there, 0:
 * none is; back: gives the last one back. Returns Esc where it stands alone, KEY_NONE_ where it
 * begins something unknown, Alt and a key included. Esc q stays two keys: whoever wants to quit
 * quits.
 */
int escape_key(unsigned (*next)(void), void (*back)(unsigned code));

#endif
