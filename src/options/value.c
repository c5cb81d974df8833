// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/units.h"

/* The member of o that an option fills; its type follows from the kind of the option. */
#define MEMBER(type, o, info) ((type *)((char *)(o) + (info)->off))
#define READ(type, o, info) (*(const type *)((const char *)(o) + (info)->off))
#define SHORT_LIST 4	/* choices */

static int apply_flag(bool *ret, const struct option_info *info, const char *arg, struct buf *why)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };

	if (!arg || !*arg) {
		*ret = true;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(arg, words[i])) {
			*ret = i % 2;
			return 0;
		}
	buf_printf(why, _("--%s: \"%s\" is neither yes nor no"), info->name, arg);
	return -EINVAL;
}

static int apply_set(int *ret, const struct option_info *info, const char *arg, struct buf *why)
{
	bool on;
	int r = apply_flag(&on, info, arg, why);

	if (!r && on)
		*ret = info->value;
	return r;
}

static int apply_choice(int *ret, const struct option_info *info, const char *arg, struct buf *why)
{
	struct nearest near = { .word = arg };

	for (unsigned i = 0; i < info->nchoices; i++) {
		if (!strcmp(info->choices[i], arg)) {
			*ret = (int)i;
			return 0;
		}
		nearest_offer(&near, info->choices[i]);
	}
	buf_printf(why, _("--%s: there is no \"%s\""), info->name, arg);
	/* A short list is said whole: the one meant may be none of them. */
	if (near.best && info->nchoices > SHORT_LIST) {
		buf_printf(why, _("; did you mean %s?"), near.best);
		return -EINVAL;
	}
	for (unsigned i = 0; i < info->nchoices; i++)
		buf_printf(why, "%s%s", i ? " " : _("; there are: "), info->choices[i]);
	return -EINVAL;
}

static int apply_number(uint64_t *ret, const struct option_info *info, const char *arg,
			struct buf *why)
{
	uint64_t v;

	if (!parse_u64(arg, &v) && v >= info->min && v <= info->max) {
		*ret = v;
		return 0;
	}
	buf_printf(why, _("--%s: \"%s\" is not a whole number from %" PRIu64 " to %" PRIu64),
		   info->name, arg, info->min, info->max);
	return -EINVAL;
}

static int apply_seconds(double *ret, const struct option_info *info, const char *arg,
			 struct buf *why)
{
	double v;

	if (!arg) {
		*ret = info->value;
		return 0;
	}
	if (!parse_f64(arg, &v) && v * 10 >= (double)info->min && v * 10 <= (double)info->max) {
		*ret = v;
		return 0;
	}
	buf_printf(why, _("--%s: \"%s\" is not a number of seconds from %g to %g"),
		   info->name, arg, (double)info->min / 10, (double)info->max / 10);
	return -EINVAL;
}

static int apply_time(uint64_t *ret, const struct option_info *info, const char *arg,
		      struct buf *why)
{
	uint64_t seconds;

	if (!parse_duration(arg, (uint64_t)info->value, ret))
		return 0;
	if (!parse_duration(arg, NSEC_PER_SEC, &seconds)) {
		buf_printf(why, _("--%s: \"%s\" has no unit; a time is such as 30s, 10m or 7d"),
			   info->name, arg);
		return -EINVAL;
	}
	buf_printf(why, _("--%s: \"%s\" is not a time such as 10ms, 1.5s or 200us"), info->name,
		   arg);
	return -EINVAL;
}

static int apply_size(uint64_t *ret, const struct option_info *info, const char *arg,
		      struct buf *why)
{
	uint64_t v;

	if (!parse_size(arg, 0, &v) && v >= info->min && v <= info->max) {
		*ret = v;
		return 0;
	}
	buf_printf(why, _("--%s: \"%s\" is not a size such as 512M or 2G"), info->name, arg);
	return -EINVAL;
}

static int add_pid(struct options *o, const char *word, struct buf *why)
{
	uint32_t pid;

	if (parse_u32(word, &pid) || !pid || pid > INT32_MAX) {
		buf_printf(why, _("--pid: \"%s\" is not a process id"), word);
		return -EINVAL;
	}
	number_set_add(&o->pids, pid);
	return 0;
}

static int add_user(struct options *o, const char *word, struct buf *why)
{
	uint32_t uid;

	if (!*word) {
		buf_puts(why, _("--user: a name is missing"));
		return -EINVAL;
	}
	if (!parse_u32(word, &uid))
		number_set_add(&o->uids, uid);
	else
		text_set_add(&o->users, word);
	return 0;
}

static int each_word(struct options *o, const char *list,
		     int (*add)(struct options *, const char *, struct buf *), struct buf *why)
{
	for (const char *p = list;;) {
		size_t n = strcspn(p, ",");
		int r = add(o, arena_strndup(&o->strings, p, n), why);

		if (r < 0 || !p[n])
			return r;
		p += n + 1;
	}
}

static int apply_words(unsigned *ret, const struct option_info *info, const char *list,
		       struct buf *why)
{
	unsigned bits = 0;

	for (const char *p = list;;) {
		size_t n = strcspn(p, ",");
		char *word = mem_strndup(p, n);
		int which, r = apply_choice(&which, info, word, why);

		free(word);
		if (r < 0)
			return r;
		bits |= 1u << which;
		if (!p[n])
			break;
		p += n + 1;
	}
	*ret = bits;
	return 0;
}

int option_apply(struct options *o, const struct option_info *info, const char *arg,
		 struct buf *why)
{
	switch (info->kind) {
	case OPT_FLAG:
		return apply_flag(MEMBER(bool, o, info), info, arg, why);
	case OPT_COUNT:
		++*MEMBER(unsigned, o, info);
		return 0;
	case OPT_ACTION:
		/* Of --help --version the first one counts. */
		if (o->action == ACTION_RUN)
			o->action = info->value;
		if (info->value == ACTION_LIST_COLUMNS)
			o->list_screen = arg;
		return 0;
	case OPT_SET:
		return apply_set(MEMBER(int, o, info), info, arg, why);
	case OPT_TEXT:
		*MEMBER(const char *, o, info) = arg ? arg : "";
		return 0;
	case OPT_NUMBER:
		return apply_number(MEMBER(uint64_t, o, info), info, arg, why);
	case OPT_SECONDS:
		return apply_seconds(MEMBER(double, o, info), info, arg, why);
	case OPT_TIME:
		return apply_time(MEMBER(uint64_t, o, info), info, arg, why);
	case OPT_SIZE:
		return apply_size(MEMBER(uint64_t, o, info), info, arg, why);
	case OPT_CHOICE:
		return apply_choice(MEMBER(int, o, info), info, arg, why);
	case OPT_WORDS:
		return apply_words(MEMBER(unsigned, o, info), info, arg, why);
	case OPT_PIDS:
		return each_word(o, arg, add_pid, why);
	case OPT_USERS:
		return each_word(o, arg, add_user, why);
	}
	return -EINVAL;
}

/* --processes and --group=process are the same setting: it is saved under the latter name. */
static bool chosen_by_name(const struct options *o, const struct option_info *info)
{
	for (unsigned i = 0; i < option_count; i++)
		if (option_table[i].kind == OPT_CHOICE && option_table[i].off == info->off)
			return READ(int, o, info) > 0;
	return false;
}

static const char *words_text(unsigned bits, const struct option_info *info, struct arena *a)
{
	const char *text = NULL;

	for (unsigned i = 0; i < info->nchoices; i++)
		if (bits & 1u << i)
			text = arena_printf(a, "%s%s%s", text ? text : "", text ? "," : "",
					    info->choices[i]);
	return text;
}

static const char *time_text(uint64_t ns, uint64_t usual, struct arena *a)
{
	if (ns == usual)
		return NULL;
	if (ns % NSEC_PER_SEC)
		return arena_printf(a, "%" PRIu64 "ns", ns);
	return arena_printf(a, "%" PRIu64 "s", (uint64_t)(ns / NSEC_PER_SEC));
}

const char *option_text(const struct options *o, const struct option_info *info, struct arena *a)
{
	struct options defaults;
	char number[32];

	options_init(&defaults);

	switch (info->kind) {
	case OPT_FLAG:
		return READ(bool, o, info) ? "yes" : NULL;
	case OPT_TEXT:
		return READ(char *const, o, info);
	case OPT_NUMBER:
		return READ(uint64_t, o, info)
			       ? arena_printf(a, "%" PRIu64, READ(uint64_t, o, info))
			       : NULL;
	case OPT_SECONDS:
		if (READ(double, o, info) == 1)
			return NULL;
		double_format(number, sizeof(number), READ(double, o, info));
		return arena_strdup(a, number);
	case OPT_SET:
		return READ(int, o, info) == info->value && !chosen_by_name(o, info) ? "yes" : NULL;
	case OPT_CHOICE:
		return READ(int, o, info) > 0 ? info->choices[READ(int, o, info)] : NULL;
	case OPT_TIME:
		return time_text(READ(uint64_t, o, info), READ(uint64_t, &defaults, info), a);
	case OPT_WORDS:
		return words_text(READ(unsigned, o, info), info, a);
	case OPT_COUNT:
	case OPT_SIZE:
	case OPT_PIDS:
	case OPT_USERS:
	case OPT_ACTION:
		break;		/* never saved */
	}
	return NULL;
}
