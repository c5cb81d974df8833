/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Basic authentication. A password costs tens of milliseconds to check, on purpose: who knows one
 * pays that once, and who guesses gets a few tries a second, all guessers together.
 */
#ifndef IOTOP_SERVE_AUTH_H
#define IOTOP_SERVE_AUTH_H

#include <stdint.h>

#include "serve/web_config.h"

enum auth_answer {
	AUTH_YES,
	AUTH_NO,
	AUTH_LATER,	/* too many tries: this one was not looked at */
};

struct auth;

/* The users are borrowed. */
struct auth *auth_new(const struct web_config *config);
void auth_free(struct auth *a);
/* now: CLOCK_MONOTONIC ns. */
enum auth_answer auth_check(struct auth *a, const char *name, const char *password, uint64_t now);

#endif
