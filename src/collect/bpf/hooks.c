// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf/hooks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/macro.h"
#include "collect/bpf/calls.h"
#include "collect/collector.h"
#include "collect/probe_list.h"

/* What is absent is looked for after so many times anyway. */
#define ABSENT_ROUNDS 16

void bpf_hooks_init(struct bpf_hooks *h, const struct bpf_hook *table, unsigned n)
{
	memset(h, 0, sizeof(*h));
	h->table = table;
	h->n = MIN(n, BPF_HOOKS_MAX);
}

/* Run by ourselves, never attached. */
static bool is_called(const struct bpf_hook *hook)
{
	return hook->calls && !hook->point;
}

static bool hook_is_form(const struct bpf_hook *hook, int args, const char *first)
{
	return hook->args == args && (!hook->first || (first && !strcmp(hook->first, first)));
}

/*
 * Is the form of hook i the newest that is known (the first of its point), where the kernel's is
 * none of them?
 */
static bool hook_newest_of_unknown(const struct bpf_hooks *h, unsigned i, int args,
				   const char *first_arg)
{
	bool newest = true, first = true;

	for (unsigned k = 0; k < h->n; k++) {
		if (!h->table[k].point || strcmp(h->table[k].point, h->table[i].point) != 0)
			continue;
		if (hook_is_form(&h->table[k], args, first_arg))
			return false;
		if (first)
			newest = h->table[k].args == h->table[i].args;
		first = false;
	}
	return newest;
}

static bool hook_refused(const struct bpf_hooks *h, const char *program)
{
	for (unsigned i = 0; i < h->n; i++)
		if (!strcmp(h->table[i].program, program))
			return h->state[i].refused;
	return false;
}

static bool hook_fits(struct bpf_hooks *h, unsigned i)
{
	const struct bpf_hook *hook = &h->table[i];
	const char *first = NULL;
	int args = hook->point && !hook->raw ? bpf_host_args(hook->point, &first) : 0;

	h->state[i].spare = hook->instead && !hook_refused(h, hook->instead);
	if (h->state[i].refused || h->state[i].spare)
		return false;
	if (args < 0)
		snprintf(h->state[i].why, sizeof(h->state[i].why),
			 "this kernel has no such tracepoint");
	else if (!hook->args || hook_is_form(hook, args, first))
		return true;
	else if (hook_newest_of_unknown(h, i, args, first))
		h->state[i].unknown_args = args;
	else
		snprintf(h->state[i].why, sizeof(h->state[i].why),
			 "not this kernel's form: %d arguments, not %d", args, hook->args);
	return h->state[i].unknown_args;
}

/* Where a program goes, for people; what is not at a tracepoint goes through the tasks. */
static const char *hook_place(const struct bpf_hook *hook)
{
	return hook->point ? hook->point : is_called(hook) ? hook->program : "iter/task";
}

static const char *purpose(const struct bpf_hook *hook)
{
	return hook->was ? hook->was : hook->point ? hook->point : "";
}

/* Is there another program for the same purpose that can be used? */
static bool hook_replaced(const struct bpf_hooks *h, unsigned i)
{
	for (unsigned k = 0; k < h->n; k++) {
		if (k != i && h->table[k].point && !h->state[k].why[0] && !h->state[k].spare &&
		    !strcmp(purpose(&h->table[k]), purpose(&h->table[i])))
			return true;
	}
	return false;
}

static bool hook_binds(struct bpf_hooks *h, unsigned i, struct bpf_program *prog, int cast)
{
	const char *missing = bpf_calls_bind(prog, h->table[i].calls, cast);

	if (missing)
		snprintf(h->state[i].why, sizeof(h->state[i].why), "not in this kernel: %s",
			 missing);
	return !missing;
}

int bpf_hooks_choose(struct bpf_hooks *h, struct bpf_object *obj, struct err *err)
{
	int cast = bpf_calls_cast();

	bpf_host_failed_forget();
	for (unsigned i = 0; i < h->n; i++) {
		struct bpf_program *prog =
			bpf_object__find_program_by_name(obj, h->table[i].program);

		if (!prog)
			return err_set(err, ENOENT, "the program %s is not there",
				       h->table[i].program);
		bpf_program__set_autoload(prog, hook_fits(h, i) && hook_binds(h, i, prog, cast));
	}
	for (unsigned i = 0; i < h->n; i++) {
		if (h->state[i].why[0] && !h->table[i].optional && !hook_replaced(h, i))
			return err_set(err, ENOENT, "%s: %s", hook_place(&h->table[i]),
				       h->state[i].why);
	}
	return bpf_host_room(obj, err);
}

/* No program's fault. */
static bool lacks_room(int r)
{
	return r == -EPERM || r == -ENOMEM || r == -EMFILE || r == -ENFILE;
}

bool bpf_hooks_retry(struct bpf_hooks *h, int r, struct err *err)
{
	const char *failed = bpf_host_failed();
	bool again = false;

	for (unsigned i = 0; i < h->n && !lacks_room(r); i++) {
		if (strcmp(h->table[i].program, failed) != 0 || h->state[i].refused)
			continue;
		h->state[i].refused = true;
		/*
		 * The types of a module that is not loaded, or that we may not ask for, are not
		 * known.
		 */
		if (h->table[i].raw && r == -EINVAL)
			snprintf(h->state[i].why, sizeof(h->state[i].why), "%s", BPF_HOOK_NO_TYPES);
		else
			snprintf(h->state[i].why, sizeof(h->state[i].why),
				 "refused by the kernel's verifier: %s", strerror(-r));
		again = h->table[i].optional;
	}
	if (!again)
		bpf_host_explain(r, failed, err);
	return again;
}

/* A program for raw tracepoints may serve several, also others than the one in its section. */
static struct bpf_link *hook_link(const struct bpf_hook *hook, struct bpf_object *obj)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(obj, hook->program);

	return bpf_program__type(prog) == BPF_PROG_TYPE_RAW_TRACEPOINT
		       ? bpf_program__attach_raw_tracepoint(prog, hook->point)
		       : bpf_program__attach(prog);
}

static int hook_attach(struct bpf_hooks *h, unsigned i, struct bpf_object *obj, struct err *err)
{
	const struct bpf_hook *hook = &h->table[i];
	struct bpf_link *link = hook_link(hook, obj);
	int r = link ? 0 : -errno;

	if (!r) {
		h->state[i].link = link;
		h->state[i].why[0] = '\0';
		h->state[i].absent = false;
		return 0;
	}
	if (hook->raw && r == -ENOENT) {
		h->state[i].absent = true;
		snprintf(h->state[i].why, sizeof(h->state[i].why),
			 "not in this kernel, or its module is not loaded");
		return 0;
	}
	h->state[i].refused = true;
	snprintf(h->state[i].why, sizeof(h->state[i].why), "attaching failed: %s", strerror(-r));
	if (hook->optional)
		return 0;
	return err_set(err, -r, "%s: attaching failed: %m", hook_place(hook));
}

/*
 * Whether a module may have come since what is absent was looked for: the kernel takes longer to
 * look for a tracepoint than to tell how many modules there are. One may have gone when another
 * came, so that it is looked for from time to time anyway.
 */
static bool modules_came(struct bpf_hooks *h)
{
	nlink_t before = h->modules;
	struct stat st;
	unsigned i = 0;

	while (i < h->n && !h->state[i].absent)
		i++;
	if (i == h->n)
		return false;
	h->modules = stat("/sys/module", &st) == 0 ? st.st_nlink : 0;
	return h->tries++ % ABSENT_ROUNDS == 0 || !h->modules || h->modules != before;
}

int bpf_hooks_attach(struct bpf_hooks *h, struct bpf_object *obj, unsigned sources, struct err *err)
{
	bool came = modules_came(h);

	for (unsigned i = 0; i < h->n; i++) {
		bool usable = !h->state[i].why[0] || (h->table[i].raw && !h->state[i].refused);
		bool on = usable && !is_called(&h->table[i]) && !h->state[i].spare &&
			  (!h->table[i].needs || (h->table[i].needs & sources));
		int r;

		if (!on && h->state[i].link) {
			bpf_link__destroy(h->state[i].link);
			h->state[i].link = NULL;
		}
		if (!on || h->state[i].link || (h->state[i].absent && !came))
			continue;
		r = hook_attach(h, i, obj, err);
		if (r < 0)
			return r;
	}
	return 0;
}

void bpf_hooks_detach(struct bpf_hooks *h)
{
	for (unsigned i = 0; i < h->n; i++) {
		bpf_link__destroy(h->state[i].link);
		h->state[i].link = NULL;
	}
}

void bpf_hooks_refuse(struct bpf_hooks *h, unsigned i, const char *why)
{
	h->state[i].refused = true;
	snprintf(h->state[i].why, sizeof(h->state[i].why), "%s", why);
}

bool bpf_hooks_can_call(const struct bpf_hooks *h, unsigned i)
{
	return !h->state[i].why[0];
}

/* Does another program for the same point, in another form of it, not fit this kernel? */
static bool hook_chosen(const struct bpf_hooks *h, unsigned i)
{
	for (unsigned k = 0; k < h->n && h->table[i].args; k++) {
		if (h->table[k].point && h->state[k].why[0] &&
		    h->table[k].args != h->table[i].args &&
		    !strcmp(h->table[k].point, h->table[i].point))
			return true;
	}
	return false;
}

/* Is there a program that goes there instead of this one, which was refused? */
static bool hook_relieved(const struct bpf_hooks *h, unsigned i)
{
	for (unsigned k = 0; k < h->n; k++)
		if (h->table[k].instead && !strcmp(h->table[k].instead, h->table[i].program))
			return h->state[i].refused && !h->state[k].spare;
	return false;
}

void bpf_hooks_probe(const struct bpf_hooks *h, struct probe_list *list)
{
	for (unsigned i = 0; i < h->n; i++) {
		const struct bpf_hook *hook = &h->table[i];
		const char *point = hook_place(hook);
		const char *how = hook->instead ? "tracepoint"
				  : hook->raw	? "raw_tp"
				  : hook->point ? "tp_btf"
						: "iterator";

		if (h->state[i].spare || hook_relieved(h, i))
			continue;
		/* One line a point: two programs may share it. */
		if (i && hook->point &&
		    !strcmp(point, h->table[i - 1].point ? h->table[i - 1].point : "") &&
		    h->state[i - 1].link && h->state[i].link)
			continue;

		if (is_called(hook))
			probe_add(list, hook->program, !h->state[i].why[0], "%s",
				  h->state[i].why[0] ? h->state[i].why : "program, called");
		else if (h->state[i].link && h->state[i].unknown_args)
			probe_add(list, point, true,
				  "%s, attached as the newest form known (arguments: %d, here %d)",
				  how, hook->args, h->state[i].unknown_args);
		else if (h->state[i].link && hook_chosen(h, i))
			probe_add(list, point, true, "%s, attached (arguments: %d)", how,
				  hook->args);
		else if (h->state[i].link)
			probe_add(list, point, true, "%s, attached", how);
		else if (!h->state[i].why[0])
			probe_add(list, point, true, "%s, not attached: not needed now", how);
		else if (!hook_replaced(h, i))
			probe_add(list, point, false, "%s", h->state[i].why);
	}
}

const char *bpf_hooks_missing(const struct bpf_hooks *h, unsigned sources, char *out, size_t size)
{
	for (unsigned i = 0; i < h->n; i++) {
		const struct bpf_hook *hook = &h->table[i];

		if (!h->state[i].why[0] || hook->raw || hook->newer || is_called(hook) ||
		    hook_replaced(h, i) ||
		    (hook->needs && !(hook->needs & sources)))
			continue;
		snprintf(out, size, "%s: %s", hook_place(hook), h->state[i].why);
		return out;
	}
	return NULL;
}

bool bpf_hooks_attached(const struct bpf_hooks *h, const char *program)
{
	for (unsigned i = 0; i < h->n; i++)
		if (h->state[i].link && !strcmp(h->table[i].program, program))
			return true;
	return false;
}

/* Whether the same program is attached for another entry already. */
static bool hook_repeats(const struct bpf_hooks *h, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (h->state[k].link && !strcmp(h->table[k].program, h->table[i].program))
			return true;
	return false;
}

uint64_t bpf_hooks_misses(const struct bpf_hooks *h, const struct bpf_object *obj)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < h->n; i++)
		if (h->state[i].link && !h->table[i].covered && !hook_repeats(h, i))
			n += bpf_program_misses(
				bpf_object__find_program_by_name(obj, h->table[i].program));
	return n;
}
