// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stacks/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "bpf/abi.h"
#include "collect/stacks/naming.h"
#include "collect/symbols/symbols.h"

_Static_assert((int)ABI_END_FIRST == FRAMES_END_FIRST && (int)ABI_ENDS == FRAMES_END_32_BITS + 1,
	       "ends");

#define IDLE_ROUNDS 600		/* not asked for: forgotten, when there are many */
#define UNKNOWN_ROUNDS 30	/* the same for one that we never had */
#define STACKS_MAX 16384	/* the kernel's maps may hold more: what was asked for just now
				 * stays */

/*
 * New stacks of a sample are waited for so long, all together (ns): whoever does not answer by then
 * is told of later.
 */
#define PATIENCE HELPER_LATE
#define PATIENCE_ALONE NSEC_PER_SEC	/* where nobody waits for keys */
/* A stack of a program whose places were asked for. */
struct asked {
	uint64_t hash;
	struct stackstore *store;
	bool answered, placed;	/* placed: places[] are known */
	bool left;		/* nobody waits for it any more: its stack is in the store */
	struct abi_stack from;
	struct place places[ABI_STACK_DEPTH];
};

/* A hash in the kernel, and whose it is. */
struct alias {
	uint64_t hash;
	uint64_t id;
	unsigned round, taken;	/* asked for; taken by the kernel: last */
};

struct stackstore {
	struct symbols *symbols;
	struct hash stacks, aliases, asked;
	uint64_t patience;	/* ns left for the stacks of this sample */
	unsigned round;
	size_t room;		/* stacks in kernel maps */
	struct naming naming;
};

struct stackstore *stackstore_new(const char *proc, struct helper *helper)
{
	struct stackstore *s = mem_zalloc(sizeof(*s));

	s->symbols = symbols_new(proc, helper);
	s->patience = PATIENCE_ALONE;
	naming_init(&s->naming, s->symbols);
	hash_init(&s->stacks, offsetof(struct stack, id), sizeof(uint64_t));
	hash_init(&s->aliases, offsetof(struct alias, hash), sizeof(uint64_t));
	hash_init(&s->asked, offsetof(struct asked, hash), sizeof(uint64_t));
	return s;
}

void stackstore_begin(struct stackstore *s)
{
	symbols_begin(s->symbols);
}

void stackstore_free(struct stackstore *s)
{
	if (!s)
		return;
	/* Whoever waits for an answer gets none, now. */
	symbols_free(s->symbols);
	hash_clear(&s->stacks, hash_free_value, NULL);
	hash_clear(&s->aliases, hash_free_value, NULL);
	hash_clear(&s->asked, hash_free_value, NULL);
	naming_release(&s->naming);
	free(s);
}

void stackstore_round(struct stackstore *s, bool interactive)
{
	s->round++;
	s->patience = interactive ? PATIENCE : PATIENCE_ALONE;
	naming_round(&s->naming);
	symbols_round(s->symbols);
	hash_age_rounds(&s->stacks, STACKS_MAX, IDLE_ROUNDS, offsetof(struct stack, round),
			s->round, hash_free_value, s);
	/* Of what the kernel has it must be known since when nobody asks for it. */
	hash_age_rounds(&s->aliases, MAX(STACKS_MAX, 2 * s->room), IDLE_ROUNDS,
			offsetof(struct alias, round), s->round, hash_free_value, s);
}

void stackstore_room(struct stackstore *s, long stacks)
{
	s->room += (size_t)stacks;
}

void stackstore_register(struct stackstore *s, const struct abi_space *space)
{
	const struct space_key key = { space->start, space->mm, space->tgid, 0 };

	symbols_register(s->symbols, &key);
}

static struct stack *stack_new(const struct abi_stack *from, size_t n)
{
	struct stack *stack = mem_zalloc(sizeof(*stack) + n * sizeof(stack->frames[0]));

	stack->n = n;
	stack->flags = (from->flags & ABI_STACK_USER ? FRAMES_USER : 0u) |
		       (from->flags & ABI_STACK_CUT ? FRAMES_CUT : 0u) |
		       FRAMES_END((uint32_t)ABI_STACK_END(from->flags));
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
	/* The innermost is where it was interrupted: after a system call, at what faulted. */
	if (stack->n)
		stack->frames[0].exact = true;
	parts[0] = hash_bytes(parts, sizeof(parts));
	for (size_t i = 0; i < stack->n; i++) {
		parts[1] = symbols_place_id(s->symbols, &stack->frames[i]);
		parts[0] = hash_bytes(parts, sizeof(parts));
	}
	return parts[0] ? parts[0] : 1;
}

/* Nobody could tell, or not yet: it is a stack of its own. */
static uint64_t unplaced_id(const struct asked *w)
{
	return hash_bytes(&w->hash, sizeof(w->hash)) | 1;
}

static struct stack *user_stack(struct stackstore *s, const struct asked *w)
{
	struct stack *stack = stack_new(&w->from, MIN(w->from.n, ABI_STACK_DEPTH));

	if (w->placed) {
		stack->id = place_stack(s, stack, w->places);
		return stack;
	}
	for (size_t i = 0; i < stack->n; i++)
		stack->frames[i].offset = w->from.ip[i];
	stack->awaited = !w->answered;
	stack->id = unplaced_id(w);
	return stack;
}

/* An answer that comes when its stack is in rows already: the id stays, the names come. */
static void place_later(struct stackstore *s, const struct asked *w)
{
	const uint64_t id = unplaced_id(w);
	struct stack *stack = hash_get(&s->stacks, &id);

	if (!stack)
		return;
	stack->awaited = false;
	if (w->placed)
		place_stack(s, stack, w->places);
}

static void placed(void *arg, const struct place *places)
{
	struct asked *w = arg;

	w->answered = true;
	w->placed = places;
	if (places)
		memcpy(w->places, places, MIN(w->from.n, ABI_STACK_DEPTH) * sizeof(*places));
	if (!w->left)
		return;
	place_later(w->store, w);
	hash_del(&w->store->asked, &w->hash);
	free(w);
}

static bool is_answered(void *arg)
{
	return ((const struct asked *)arg)->answered;
}

bool stackstore_asked(const struct stackstore *s, uint64_t hash)
{
	return hash_get(&s->asked, &hash);
}

void stackstore_ask(struct stackstore *s, uint64_t hash, const struct abi_stack *from)
{
	struct space_key key = { from->start, from->mm, from->tgid, 0 };
	struct asked *w;

	if (!(from->flags & ABI_STACK_USER) || stackstore_asked(s, hash))
		return;
	w = mem_zalloc(sizeof(*w));
	w->hash = hash;
	w->store = s;
	w->from = *from;
	hash_put(&s->asked, w);
	symbols_places(s->symbols, &key, (const uint64_t *)w->from.ip,
		       MIN(from->n, ABI_STACK_DEPTH), placed, w);
}

/* What its addresses mean, as far as it is told in time. */
static struct stack *take_asked(struct stackstore *s, struct asked *w)
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
		hash_del(&s->asked, &w->hash);
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
		stackstore_ask(s, hash, from);
	if (stackstore_asked(s, hash)) {
		stack = take_asked(s, hash_get(&s->asked, &hash));
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

size_t stackstore_resolve(struct stackstore *s, struct sample *late, const uint64_t *ids,
			  size_t n, uint64_t until)
{
	return naming_add(&s->naming, &s->stacks, late, ids, n, until);
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
