// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stacks/naming.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/macro.h"

#define TRACING_DEPTH 8	/* innermost frames that can be of the tracing itself */
/*
 * Names of a report are waited for so long (ns), but not in every report: what was waited for comes
 * back slowly, a round.
 */
#define PATIENCE (2 * NSEC_PER_SEC)
#define PATIENCE_ROUND HELPER_LATE
#define NAMED_AT_ONCE 64	/* stacks */

void naming_init(struct naming *naming, struct symbols *symbols)
{
	*naming = (struct naming){ .symbols = symbols, .patience = PATIENCE };
}

void naming_release(struct naming *naming)
{
	buf_release(&naming->text);
}

void naming_round(struct naming *naming)
{
	naming->patience = MIN(naming->patience + PATIENCE_ROUND, PATIENCE);
}

/* First functions of threads: a stack that ends in one of them is whole. */
static bool is_first(const char *name, size_t n)
{
	static const char *const names[] = {
		"_start", "clone", "clone3", "__clone", "__clone3", "__GI___clone", "__GI___clone3",
		"start_thread", "thread_start", "runtime.goexit.abi0", "runtime.goexit",
		"_rt0_amd64_linux", "__libc_start_main", "__libc_start_call_main",
		"__libc_start_main_impl", "_dl_start_user",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == n && !memcmp(names[i], name, n))
			return true;
	return false;
}

static bool is_user(const struct stack *stack)
{
	return stack->flags & FRAMES_USER;
}

/* Nothing is known of it: neither a file nor an address space. */
static bool is_nowhere(const struct place *frame)
{
	return !frame->file && !frame->space;
}

static void put_user(struct naming *naming, const struct stack *stack, uint32_t *ret_flags)
{
	struct buf *text = &naming->text;
	size_t line = 0;

	for (size_t i = 0; i < stack->n; i++) {
		/* Without frame pointers the unwinding can go on through data for a long time. */
		if (i && is_nowhere(&stack->frames[i]) && is_nowhere(&stack->frames[i - 1]))
			continue;
		if (text->len)
			buf_putc(text, '\n');
		line = text->len;
		symbols_user_text(naming->symbols, &stack->frames[i], text);
	}
	if (text->data[line] && strrchr(text->data + line, '\n'))
		line = (size_t)(strrchr(text->data + line, '\n') + 1 - text->data);
	if (!(stack->flags & FRAMES_CUT) && FRAMES_ENDED(stack->flags) != FRAMES_END_FIRST &&
	    !is_first(text->data + line, strcspn(text->data + line, "\t")))
		*ret_flags |= FRAMES_BROKEN;
}

static void cut_text(struct buf *text, size_t len)
{
	text->data[text->len = len] = '\0';
}

/* Whether all of it are addresses: programs that were loaded since the symbols were read. */
static bool is_nameless(const struct buf *text)
{
	for (const char *line = text->data; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (*line && strncmp(line, "0x", 2))
			return false;
	}
	return true;
}

/*
 * A program that takes a stack stands above it, and what it called above that. One that looks at
 * how a function ends has a frame between the function and who called it, which is called by the
 * function as well: that is there once for us.
 */
static void put_kernel(struct naming *naming, const struct stack *stack)
{
	struct buf *text = &naming->text;
	size_t last = 0; /* where the line before begins */
	bool detour = false;

	for (size_t i = 0; i < stack->n; i++) {
		size_t before = text->len, line = before + (before > 0);
		enum ksyms_tracing tracing;

		if (before)
			buf_putc(text, '\n');
		tracing = symbols_kernel_text(naming->symbols, stack->frames[i].offset, text);
		if (tracing == KSYMS_PROGRAM)
			cut_text(text, i < TRACING_DEPTH ? 0 : before);
		else if (tracing == KSYMS_DETOUR)
			cut_text(text, is_nameless(text) ? 0 : before);
		else if (detour && before - last == text->len - line &&
			 !memcmp(text->data + last, text->data + line, before - last))
			cut_text(text, before);
		else
			last = line;
		detour = tracing == KSYMS_DETOUR;
	}
}

static void put_frames(struct naming *naming, const struct stack *stack, uint32_t *ret_flags)
{
	buf_reset(&naming->text);
	buf_puts(&naming->text, "");
	*ret_flags = stack->flags;
	if (is_user(stack))
		put_user(naming, stack, ret_flags);
	else
		put_kernel(naming, stack);
}

/* Some stacks that are named together. */
struct batch {
	struct naming *naming;
	const struct hash *stacks;
	const uint64_t *ids;
	size_t n;
	bool (*is_done)(const struct naming *naming, const struct stack *stack);
};

static const struct stack *stack_at(const struct batch *b, size_t i)
{
	return hash_get(b->stacks, &b->ids[i]);
}

/* Asks for the names of user stacks; the kernel's are here. */
static void ask(const struct batch *b)
{
	struct place *places = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct stack *stack = stack_at(b, i);

		if (!stack || !is_user(stack) || !stack->n)
			continue;
		if (count + stack->n > cap) {
			cap = 2 * cap + stack->n;
			places = mem_realloc(places, cap * sizeof(*places));
		}
		memcpy(places + count, stack->frames, stack->n * sizeof(*places));
		count += stack->n;
	}
	symbols_ask(b->naming->symbols, places, count);
	free(places);
}

static bool is_placed(const struct naming *naming, const struct stack *stack)
{
	return !stack->awaited;
}

static bool is_named(const struct naming *naming, const struct stack *stack)
{
	if (!is_placed(naming, stack))
		return false;
	for (size_t i = 0; is_user(stack) && i < stack->n; i++)
		if (!symbols_answered(naming->symbols, &stack->frames[i]))
			return false;
	return true;
}

/* From the last to the first: those that are done need not be asked again. */
static bool all_done(void *arg)
{
	struct batch *left = arg;

	for (; left->n; left->n--) {
		const struct stack *stack = stack_at(left, left->n - 1);

		if (stack && !left->is_done(left->naming, stack))
			return false;
	}
	return true;
}

static void wait_until(struct batch left, uint64_t until,
		       bool (*is_done)(const struct naming *naming, const struct stack *stack))
{
	struct naming *naming = left.naming;
	uint64_t start = clock_mono();

	left.is_done = is_done;
	/* Or time is up: what is asked for now is named in a later call. */
	if (all_done(&left) || (until && start >= until))
		return;
	symbols_wait(naming->symbols, until ? until : start + naming->patience, all_done, &left);
	if (!until)
		naming->patience -= MIN(clock_mono() - start, naming->patience);
}

static void add_row(struct naming *naming, struct sample *sample, const struct stack *stack)
{
	struct sample_frames *row = sample_add_row(sample, FRAMES, struct sample_frames);

	row->id = stack->id;
	put_frames(naming, stack, &row->flags);
	row->text = sample_str(sample, naming->text.data, naming->text.len);
}

size_t naming_add(struct naming *naming, const struct hash *stacks, struct sample *sample,
		  const uint64_t *ids, size_t n, uint64_t until)
{
	size_t unnamed = 0, done = 0;
	struct hash added;

	hash_init(&added, 0, sizeof(uint64_t));
	while (done < n && (!done || !until || clock_mono() < until)) {
		struct batch b = { naming, stacks, ids + done,
				   until ? MIN(n - done, NAMED_AT_ONCE) : n - done, NULL };

		wait_until(b, until, is_placed);
		ask(&b);
		wait_until(b, until, is_named);
		for (size_t i = 0; i < b.n; i++) {
			const struct stack *stack = stack_at(&b, i);

			if (!stack || hash_get(&added, &stack->id))
				continue;
			if (!is_named(naming, stack)) {
				unnamed++;
				continue;
			}
			hash_put(&added, (void *)(uintptr_t)&stack->id);
			add_row(naming, sample, stack);
		}
		done += b.n;
	}
	hash_release(&added);
	return n - done + unnamed;
}
