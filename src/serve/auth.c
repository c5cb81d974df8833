// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/auth.h"

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define TRIES 4				/* at once */
#define TRY_EVERY (NSEC_PER_SEC / 2)	/* after these */
#define PASSWORD_MOST 72		/* bytes that bcrypt looks at */

struct auth {
	const struct web_config *config;
	char (*known)[PASSWORD_MOST + 1];	/* of each user, once it was right; "": not yet */
	struct crypt_data crypt;
	uint64_t filled;	/* up to when tries were given */
};

struct auth *auth_new(const struct web_config *config)
{
	struct auth *a = mem_zalloc(sizeof(*a));

	a->config = config;
	a->known = mem_zalloc((config->nusers + 1) * sizeof(*a->known));
	return a;
}

void auth_free(struct auth *a)
{
	if (!a)
		return;
	explicit_bzero(a->known, a->config->nusers * sizeof(*a->known));
	free(a->known);
	free(a);
}

/* Takes as long whatever is equal. Of `is` size bytes can be read. */
static bool is_equal(const char *is, size_t size, const char *given)
{
	unsigned differ = 0;
	size_t len = strlen(given);

	for (size_t i = 0; i < size; i++)
		differ |= (unsigned char)is[i] ^ (unsigned char)(i < len ? given[i] : 0);
	return !differ && len < size;
}

/* Tries come back one by one. */
static bool take_try(struct auth *a, uint64_t now)
{
	uint64_t least = now > TRIES * TRY_EVERY ? now - TRIES * TRY_EVERY : 0;

	if (a->filled < least)
		a->filled = least;
	if (a->filled + TRY_EVERY > now)
		return false;
	a->filled += TRY_EVERY;
	return true;
}

enum auth_answer auth_check(struct auth *a, const char *name, const char *password, uint64_t now)
{
	const struct web_config *c = a->config;
	size_t user = c->nusers;
	const char *hash, *made;

	for (size_t i = 0; i < c->nusers; i++)
		if (!strcmp(c->users[i].name, name))
			user = i;
	if (strlen(password) > PASSWORD_MOST || !*password)
		return AUTH_NO;
	if (user < c->nusers && *a->known[user] &&
	    is_equal(a->known[user], sizeof(*a->known), password))
		return AUTH_YES;
	if (!take_try(a, now))
		return AUTH_LATER;
	/* A name that is not there costs as much as one that is. */
	hash = c->users[user < c->nusers ? user : 0].hash;
	made = crypt_r(password, hash, &a->crypt);
	if (!made || !is_equal(hash, strlen(hash) + 1, made) || user == c->nusers)
		return AUTH_NO;
	strcpy(a->known[user], password);
	return AUTH_YES;
}
