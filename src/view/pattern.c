// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/pattern.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/i18n.h"

/* Tests of screens and parsers on other processors have no library for these. */
#if defined(HAVE_PCRE2) && !defined(WITHOUT_PCRE2)

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#define STEPS_MAX 100000	/* of one text: less than a millisecond */
#define MEMORY_MAX 4096		/* KiB for them */
#define PATTERN_MAX 4096	/* bytes of a regular expression */

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
};

/*
 * Groups capture nothing: there is nothing that a back-reference could mean. Texts may be no valid
 * UTF-8.
 */
#define OPTIONS \
	(PCRE2_CASELESS | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | \
	 PCRE2_NO_AUTO_CAPTURE | PCRE2_NEVER_BACKSLASH_C)

int pattern_new(const char *text, struct pattern **ret, char *why, size_t size)
{
	pcre2_compile_context *how = pcre2_compile_context_create(NULL);
	struct pattern *p = mem_zalloc(sizeof(*p));
	size_t place;
	int code;

	pcre2_set_max_pattern_length(how, PATTERN_MAX);
	p->code =
		pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, OPTIONS, &code, &place, how);
	pcre2_compile_context_free(how);
	if (!p->code) {
		pcre2_get_error_message(code, (PCRE2_UCHAR *)why, size);
		free(p);
		return -EINVAL;
	}
	p->data = pcre2_match_data_create(1, NULL);
	p->limits = pcre2_match_context_create(NULL);
	if (!p->data || !p->limits)
		mem_exhausted();
	pcre2_set_match_limit(p->limits, STEPS_MAX);
	pcre2_set_heap_limit(p->limits, MEMORY_MAX);
	*ret = p;
	return 0;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_match_data_free(p->data);
	pcre2_match_context_free(p->limits);
	pcre2_code_free(p->code);
	free(p);
}

int pattern_search(const struct pattern *p, const char *text, uint64_t *left)
{
	uint64_t start, took;
	int r;

	if (!*left)
		return -1;
	start = clock_mono();
	r = pcre2_match(p->code, (PCRE2_SPTR)text, strnlen(text, PATTERN_TEXT), 0, 0, p->data,
			p->limits);
	took = clock_mono() - start;
	*left -= MIN(took, *left);
	return r >= 0 ? 1 : r == PCRE2_ERROR_NOMATCH ? 0 : -1;
}

#else

int pattern_new(const char *text, struct pattern **ret, char *why, size_t size)
{
	snprintf(why, size, "%s", _("this iotop was built without them"));
	return -EINVAL;
}

void pattern_free(struct pattern *p)
{
}

int pattern_search(const struct pattern *p, const char *text, uint64_t *left)
{
	return -1;
}

#endif
