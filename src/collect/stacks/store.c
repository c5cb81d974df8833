// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stacks/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/hash.h"
#include "bpf/abi.h"
#include "collect/stacks/store_inside.h"
#include "collect/symbols/symbols.h"

#define IDLE_ROUNDS 600		/* not asked for: forgotten, when there are many */
#define TRACING_DEPTH 8		/* innermost frames that can be of the tracing itself */
#define UNKNOWN_ROUNDS 30	/* the same for one that we never had */
#define STACKS_MAX 16384	/* the kernel's maps may hold more: what was asked for just now
				 * stays */

/*
 * New stacks of a sample are waited for so long, all together (ns): whoever does not answer by then
 * is told of later.
 */
#define PATIENCE HELPER_LATE
#define PATIENCE_ALONE NSEC_PER_SEC	/* where nobody waits for keys */
/*
 * Names of a report are waited for so long (ns), but not in every report: what was waited for comes
 * back slowly, a round.
 */
#define NAMES_PATIENCE (2 * NSEC_PER_SEC)
#define NAMES_PATIENCE_ROUND HELPER_LATE
/* So many stacks are named at a time. */
#define NAMED_AT_ONCE 64

/* A stack of a program whose places were asked for. */
struct wanted {
	uint64_t hash;
	struct stackstore *store;
	bool answered, placed;	/* placed: places[] are known */
	bool left;		/* nobody waits for it any more: its stack is in the store */
	struct abi_stack from;
	struct place places[ABI_STACK_DEPTH];
};

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
	struct hash stacks, aliases, wanted;
	uint64_t patience;	/* ns left for the stacks of this sample */
	uint64_t names_patience;	/* ns left for names of reports */
	bool impatient;		/* somebody waits for keys */
	unsigned round;
	size_t room;		/* stacks in kernel maps */
	struct buf text;
};

struct stackstore *stackstore_new(const char *proc, struct helper *helper)
{
	struct stackstore *s = mem_zalloc(sizeof(*s));

	s->symbols = symbols_new(proc, helper);
	s->patience = PATIENCE_ALONE;
	s->names_patience = NAMES_PATIENCE;
	hash_init(&s->stacks, offsetof(struct stack, id), sizeof(uint64_t));
	hash_init(&s->aliases, offsetof(struct alias, hash), sizeof(uint64_t));
	hash_init(&s->wanted, offsetof(struct wanted, hash), sizeof(uint64_t));
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
	/* Whoever waits for an answer gets none, now. */
	symbols_free(s->symbols);
	hash_filter(&s->stacks, NULL, drop, NULL);
	hash_filter(&s->aliases, NULL, drop, NULL);
	hash_filter(&s->wanted, NULL, drop, NULL);
	hash_release(&s->stacks);
	hash_release(&s->aliases);
	hash_release(&s->wanted);
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
	s->patience = s->impatient ? PATIENCE : PATIENCE_ALONE;
	s->names_patience = MIN(s->names_patience + NAMES_PATIENCE_ROUND, NAMES_PATIENCE);
	symbols_round(s->symbols);
	hash_age(&s->stacks, STACKS_MAX, IDLE_ROUNDS, stack_age, drop, s);
	/* Of what the kernel has it must be known since when nobody asks for it. */
	hash_age(&s->aliases, MAX(STACKS_MAX, 2 * s->room), IDLE_ROUNDS, alias_age, drop, s);
}

void stackstore_room(struct stackstore *s, long stacks)
{
	s->room += (size_t)stacks;
}

void stackstore_impatient(struct stackstore *s, bool impatient)
{
	s->impatient = impatient;
}

void stackstore_meet(struct stackstore *s, const struct abi_space *space)
{
	symbols_meet(s->symbols, &(struct space_key){ space->start, space->mm, space->tgid, 0 });
}

static struct stack *stack_new(const struct abi_stack *from, size_t n)
{
	struct stack *stack = mem_zalloc(sizeof(*stack) + n * sizeof(stack->frames[0]));

	stack->n = n;
	stack->flags = (from->flags & ABI_STACK_USER ? FRAMES_USER : 0u) |
		       (from->flags & ABI_STACK_CUT ? FRAMES_CUT : 0u);
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
static uint64_t place_stack(struct stackstore *s, struct stack *stack, const struct place *places)
{
	uint64_t parts[2] = { stack->flags, stack->n };

	if (stack->n)
		memcpy(stack->frames, places, stack->n * sizeof(*places));
	parts[0] = hash_bytes(parts, sizeof(parts));
	for (size_t i = 0; i < stack->n; i++) {
		parts[1] = symbols_place_id(s->symbols, &stack->frames[i]);
		parts[0] = hash_bytes(parts, sizeof(parts));
	}
	return parts[0] ? parts[0] : 1;
}

static struct stack *user_stack(struct stackstore *s, const struct wanted *w)
{
	struct stack *stack = stack_new(&w->from, MIN(w->from.n, ABI_STACK_DEPTH));

	if (w->placed) {
		stack->id = place_stack(s, stack, w->places);
		return stack;
	}
	/* Nobody could tell, or not yet: it is a stack of its own. */
	for (size_t i = 0; i < stack->n; i++)
		stack->frames[i].offset = w->from.ip[i];
	stack->id = hash_bytes(&w->hash, sizeof(w->hash)) | 1;
	return stack;
}

/* An answer that comes when its stack is in rows already: the id stays, the names come. */
static void place_later(struct stackstore *s, const struct wanted *w)
{
	const struct alias *alias = hash_get(&s->aliases, &w->hash);
	struct stack *stack = alias ? hash_get(&s->stacks, &alias->id) : NULL;

	if (stack && w->placed && stack->n <= ABI_STACK_DEPTH)
		place_stack(s, stack, w->places);
}

static void placed(void *arg, const struct place *places)
{
	struct wanted *w = arg;

	w->answered = true;
	w->placed = places;
	if (places)
		memcpy(w->places, places, MIN(w->from.n, ABI_STACK_DEPTH) * sizeof(*places));
	if (!w->left)
		return;
	place_later(w->store, w);
	hash_del(&w->store->wanted, &w->hash);
	free(w);
}

static bool is_answered(void *arg)
{
	return ((const struct wanted *)arg)->answered;
}

bool stackstore_wanted(const struct stackstore *s, uint64_t hash)
{
	return hash_get(&s->wanted, &hash);
}

void stackstore_want(struct stackstore *s, uint64_t hash, const struct abi_stack *from)
{
	struct space_key key = { from->start, from->mm, from->tgid, 0 };
	struct wanted *w;

	if (!(from->flags & ABI_STACK_USER) || stackstore_wanted(s, hash))
		return;
	w = mem_zalloc(sizeof(*w));
	w->hash = hash;
	w->store = s;
	w->from = *from;
	hash_put(&s->wanted, w);
	symbols_places(s->symbols, &key, (const uint64_t *)w->from.ip,
		       MIN(from->n, ABI_STACK_DEPTH), placed, w);
}

/* What its addresses mean, as far as it is told in time. */
static struct stack *take_wanted(struct stackstore *s, struct wanted *w)
{
	uint64_t start = clock_mono();
	struct stack *stack;

	/* Asked for in an earlier sample already, and not answered: later is early enough. */
	if (!w->answered && !w->left)
		symbols_wait(s->symbols, start + s->patience, is_answered, w);
	s->patience -= MIN(clock_mono() - start, s->patience);
	stack = user_stack(s, w);
	w->left = true;
	if (w->answered) {
		hash_del(&s->wanted, &w->hash);
		free(w);
	}
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
	struct alias *alias = hash_get(&s->aliases, &hash);
	struct stack *stack, *have;

	if (from)
		stackstore_want(s, hash, from);
	if (stackstore_wanted(s, hash)) {
		stack = take_wanted(s, hash_get(&s->wanted, &hash));
	} else if (from) {
		stack = kernel_stack(from, MIN(from->n, ABI_STACK_DEPTH));
		stack->id = hash;
	} else {
		return 0;
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

	/*
	 * Nothing was counted for it yet: a task that goes on waiting may have it, and it is known
	 * nowhere else.
	 */
	if (alias)
		return s->round - alias->taken >=
		       (alias->id ? rounds : MAX(rounds, UNKNOWN_ROUNDS));
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
		"_start", "clone", "clone3", "__clone", "__clone3", "__GI___clone", "__GI___clone3",
			"start_thread", "thread_start",
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
		if (stack->flags & FRAMES_USER && lost && !stack->frames[i].file &&
		    !stack->frames[i].space)
			continue;
		lost = !stack->frames[i].file && !stack->frames[i].space;
		line = s->text.len;
		if (stack->flags & FRAMES_USER) {
			symbols_user_text(s->symbols, &stack->frames[i], &s->text);
		} else if (!symbols_kernel_text(s->symbols, stack->frames[i].offset, &s->text)) {
			/*
			 * What it called is tracing, too: a program that came since has no name
			 * yet.
			 */
			if (i < TRACING_DEPTH)
				buf_reset(&s->text);
			continue;
		}
		if (i + 1 < stack->n)
			buf_putc(&s->text, '\n');
	}
	if (s->text.len && s->text.data[s->text.len - 1] == '\n')
		s->text.data[--s->text.len] = '\0';
	if (stack->flags & FRAMES_USER && !(stack->flags & FRAMES_CUT) &&
	    !is_first(s->text.data + line, s->text.len - line))
		*ret_flags |= FRAMES_BROKEN;
}

static bool is_user(const struct stack *stack)
{
	return stack->flags & FRAMES_USER;
}

/* Asks for the names of these stacks, as far as they are of programs. */
static void ask_names(struct stackstore *s, const uint64_t *ids, size_t n)
{
	struct place *places = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < n; i++) {
		const struct stack *stack = hash_get(&s->stacks, &ids[i]);

		if (!stack || !is_user(stack) || !stack->n)
			continue;
		if (count + stack->n > cap) {
			cap = 2 * cap + stack->n;
			places = mem_realloc(places, cap * sizeof(*places));
		}
		memcpy(places + count, stack->frames, stack->n * sizeof(*places));
		count += stack->n;
	}
	symbols_ask(s->symbols, places, count);
	free(places);
}

struct names_of {
	struct stackstore *store;
	const uint64_t *ids;
	size_t n;	/* those before are answered */
};

/* From the last to the first: the others need not be looked at again. */
static bool all_answered(void *arg)
{
	struct names_of *of = arg;

	for (; of->n; of->n--) {
		const struct stack *stack = hash_get(&of->store->stacks, &of->ids[of->n - 1]);

		for (size_t i = 0; stack && is_user(stack) && i < stack->n; i++)
			if (!symbols_answered(of->store->symbols, &stack->frames[i]))
				return false;
	}
	return true;
}

static void wait_for_names(struct stackstore *s, struct names_of *of, uint64_t until)
{
	uint64_t start = clock_mono();

	symbols_wait(s->symbols, until ? until : start + s->names_patience, all_answered, of);
	if (!until)
		s->names_patience -= MIN(clock_mono() - start, s->names_patience);
}

static bool is_named(struct stackstore *s, const struct stack *stack)
{
	for (size_t i = 0; is_user(stack) && i < stack->n; i++)
		if (!symbols_answered(s->symbols, &stack->frames[i]))
			return false;
	return true;
}

static void add_frames(struct stackstore *s, struct sample *late, const struct stack *stack)
{
	struct sample_frames *row = sample_add_row(late, FRAMES, struct sample_frames);

	row->id = stack->id;
	frames_text(s, stack, &row->flags);
	row->text = sample_str(late, s->text.data, s->text.len);
}

size_t stackstore_resolve(struct stackstore *s, struct sample *late, const uint64_t *ids,
			  size_t n, uint64_t until)
{
	size_t unnamed = 0, i;
	struct hash done;

	hash_init(&done, 0, sizeof(uint64_t));
	for (i = 0; i < n && (!i || !until || clock_mono() < until);) {
		size_t end = until ? MIN(n, i + NAMED_AT_ONCE) : n;
		struct names_of of = { s, ids + i, end - i };

		ask_names(s, ids + i, end - i);
		wait_for_names(s, &of, until);
		for (; i < end; i++) {
			const struct stack *stack = hash_get(&s->stacks, &ids[i]);

			if (!stack || hash_get(&done, &ids[i]))
				continue;
			if (!is_named(s, stack)) {
				unnamed++;
				continue;
			}
			hash_put(&done, (void *)(uintptr_t)&stack->id);
			add_frames(s, late, stack);
		}
	}
	hash_release(&done);
	return n - i + unnamed;
}

const char *stackstore_kernel_reason(struct stackstore *s)
{
	return symbols_kernel_reason(s->symbols);
}

const char *stackstore_reason(struct stackstore *s)
{
	const char *kernel = symbols_kernel_reason(s->symbols);

	return kernel ? kernel : symbols_user_reason(s->symbols);
}
