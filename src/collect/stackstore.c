// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stackstore.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/hash.h"
#include "bpf/abi.h"
#include "collect/stackset.h"
#include "collect/symbols.h"

#define IDLE_ROUNDS 600		/* not asked for: forgotten, when there are many */
#define TRACING_DEPTH 8		/* innermost frames that can be of the tracing itself */
#define UNKNOWN_ROUNDS 30	/* the same for one that we never had */
#define STACKS_MAX 16384	/* the kernel's maps may hold more: what was asked for just now stays */

/* A stack under the id that samples have. */
struct stack {
	uint64_t id;
	uint32_t flags;		/* enum frames_flag */
	unsigned round;		/* used last */
	size_t n;
	struct place frames[];	/* kernel stacks: .offset is the address */
};

/* A hash in the kernel, and whose it is. */
struct alias {
	uint64_t hash;
	uint64_t id;
	unsigned round, taken;	/* asked for; taken by the kernel: last */
};

struct stackstore {
	struct symbols *symbols;
	struct hash stacks, aliases;
	unsigned round;
	size_t room;		/* stacks in kernel maps */
	struct buf text;
};

struct stackstore *stackstore_new(const struct collect_options *opt)
{
	struct stackstore *s = mem_zalloc(sizeof(*s));

	s->symbols = symbols_new(opt);
	hash_init(&s->stacks, offsetof(struct stack, id), sizeof(uint64_t));
	hash_init(&s->aliases, offsetof(struct alias, hash), sizeof(uint64_t));
	return s;
}

static void drop(void *value, void *arg)
{
	free(value);
}

void stackstore_free(struct stackstore *s)
{
	if (!s)
		return;
	hash_filter(&s->stacks, NULL, drop, NULL);
	hash_filter(&s->aliases, NULL, drop, NULL);
	hash_release(&s->stacks);
	hash_release(&s->aliases);
	symbols_free(s->symbols);
	buf_release(&s->text);
	free(s);
}

static unsigned stack_age(const void *value, const void *arg)
{
	return ((const struct stackstore *)arg)->round - ((const struct stack *)value)->round;
}

static unsigned alias_age(const void *value, const void *arg)
{
	return ((const struct stackstore *)arg)->round - ((const struct alias *)value)->round;
}

void stackstore_round(struct stackstore *s)
{
	s->round++;
	symbols_round(s->symbols);
	hash_age(&s->stacks, STACKS_MAX, IDLE_ROUNDS, stack_age, drop, s);
	/* Of what the kernel has it must be known since when nobody asks for it. */
	hash_age(&s->aliases, MAX(STACKS_MAX, 2 * s->room), IDLE_ROUNDS, alias_age, drop, s);
}

void stackstore_room(struct stackstore *s, long stacks)
{
	s->room += (size_t)stacks;
}

void stackstore_meet(struct stackstore *s, const struct abi_space *space)
{
	symbols_meet(s->symbols, space->tgid, space->start, space->mm);
}

static struct stack *stack_new(const struct abi_stack *from, size_t n)
{
	struct stack *stack = mem_zalloc(sizeof(*stack) + n * sizeof(stack->frames[0]));

	stack->n = n;
	stack->flags = (from->flags & ABI_STACK_USER ? FRAMES_USER : 0u) | (from->flags & ABI_STACK_CUT ? FRAMES_CUT : 0u);
	return stack;
}

static struct stack *kernel_stack(const struct abi_stack *from, size_t n)
{
	struct stack *stack = stack_new(from, n);

	for (size_t i = 0; i < n; i++)
		stack->frames[i].offset = from->ip[i];
	return stack;
}

/* Its id is that of its places: another process on the same path has the same. */
static struct stack *user_stack(struct stackstore *s, const struct abi_stack *from, size_t n)
{
	struct stack *stack = stack_new(from, n);
	uint64_t parts[2] = { stack->flags, n };

	symbols_places(s->symbols, from->tgid, from->start, from->mm, (const uint64_t *)from->ip, n, stack->frames);
	parts[0] = hash_bytes(parts, sizeof(parts));
	for (size_t i = 0; i < n; i++) {
		parts[1] = symbols_place_id(s->symbols, &stack->frames[i]);
		parts[0] = hash_bytes(parts, sizeof(parts));
	}
	stack->id = parts[0] ? parts[0] : 1;
	return stack;
}

uint64_t stackstore_known(struct stackstore *s, uint64_t hash, bool taken)
{
	struct alias *alias = hash_get(&s->aliases, &hash);
	struct stack *stack = alias ? hash_get(&s->stacks, &alias->id) : NULL;

	if (!stack)
		return 0;
	alias->round = stack->round = s->round;
	if (taken)
		alias->taken = s->round;
	return alias->id;
}

uint64_t stackstore_add(struct stackstore *s, uint64_t hash, const struct abi_stack *from)
{
	size_t n = MIN(from->n, ABI_STACK_DEPTH);
	struct alias *alias = hash_get(&s->aliases, &hash);
	struct stack *stack, *have;

	if (from->flags & ABI_STACK_USER) {
		stack = user_stack(s, from, n);
	} else {
		stack = kernel_stack(from, n);
		stack->id = hash;
	}
	have = hash_get(&s->stacks, &stack->id);
	if (have) {
		free(stack);
		stack = have;
	} else {
		hash_put(&s->stacks, stack);
	}
	if (!alias) {
		alias = mem_zalloc(sizeof(*alias));
		alias->hash = hash;
		hash_put(&s->aliases, alias);
	}
	alias->id = stack->id;
	alias->round = alias->taken = stack->round = s->round;
	return stack->id;
}

bool stackstore_idle(struct stackstore *s, uint64_t hash, unsigned rounds)
{
	struct alias *alias = hash_get(&s->aliases, &hash);

	/* Nothing was counted for it yet: a task that goes on waiting may have it, and it is known nowhere else. */
	if (alias)
		return s->round - alias->taken >= (alias->id ? rounds : MAX(rounds, UNKNOWN_ROUNDS));
	/* Its time begins here. */
	alias = mem_zalloc(sizeof(*alias));
	alias->hash = hash;
	alias->round = alias->taken = s->round;
	hash_put(&s->aliases, alias);
	return false;
}

uint64_t stackstore_missed(const struct stackstore *s)
{
	return symbols_missed(s->symbols);
}

uint64_t stackstore_forgotten(const struct stackstore *s)
{
	return symbols_forgotten(s->symbols);
}

/* The names of threads' first functions: a walk that comes to one of them was not cut short. */
static bool is_first(const char *name, size_t n)
{
	static const char *const names[] = {
		"_start", "clone", "clone3", "__clone", "__clone3", "__GI___clone", "__GI___clone3", "start_thread", "thread_start",
		"runtime.goexit.abi0", "runtime.goexit", "_rt0_amd64_linux", "__libc_start_main",
		"__libc_start_call_main", "__libc_start_main_impl", "_dl_start_user",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == n && !memcmp(names[i], name, n))
			return true;
	return false;
}

static void frames_text(struct stackstore *s, const struct stack *stack, uint32_t *ret_flags)
{
	size_t line = 0;
	bool lost = false;	/* the frame before was one of which nothing is known */

	buf_reset(&s->text);
	buf_puts(&s->text, "");
	*ret_flags = stack->flags;
	for (size_t i = 0; i < stack->n; i++) {
		/* Without frame pointers the walk can go on through data for a long time. */
		if (stack->flags & FRAMES_USER && lost && !stack->frames[i].file && !stack->frames[i].space)
			continue;
		lost = !stack->frames[i].file && !stack->frames[i].space;
		line = s->text.len;
		if (stack->flags & FRAMES_USER) {
			symbols_user_text(s->symbols, &stack->frames[i], &s->text);
		} else if (!symbols_kernel_text(s->symbols, stack->frames[i].offset, &s->text)) {
			/* What it called is tracing, too: a program that came since has no name yet. */
			if (i < TRACING_DEPTH)
				buf_reset(&s->text);
			continue;
		}
		if (i + 1 < stack->n)
			buf_putc(&s->text, '\n');
	}
	if (s->text.len && s->text.data[s->text.len - 1] == '\n')
		s->text.data[--s->text.len] = '\0';
	if (stack->flags & FRAMES_USER && !(stack->flags & FRAMES_CUT) && !is_first(s->text.data + line, s->text.len - line))
		*ret_flags |= FRAMES_BROKEN;
}

size_t stackstore_resolve(struct stackstore *s, struct sample *sample, const uint64_t *ids, size_t n, uint64_t until)
{
	struct hash done;
	size_t i;

	hash_init(&done, 0, sizeof(uint64_t));
	for (i = 0; i < n && (!i || !until || clock_mono() < until); i++) {
		const struct stack *stack = hash_get(&s->stacks, &ids[i]);
		struct sample_frames *row;

		if (!stack || hash_get(&done, &ids[i]))
			continue;
		hash_put(&done, (void *)(uintptr_t)&stack->id);
		row = sample_add_row(sample, FRAMES, struct sample_frames);
		row->id = stack->id;
		frames_text(s, stack, &row->flags);
		row->text = sample_str(sample, s->text.data, s->text.len);
	}
	hash_release(&done);
	return n - i;
}

const char *stackstore_reason(struct stackstore *s)
{
	return symbols_kernel_reason(s->symbols);
}
