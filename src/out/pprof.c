// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A profile for pprof and for continuous profilers: the stacks of the rows, what each of them did,
 * and labels that tell whose it was. One message of profile.proto, packed by gzip.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/hash.h"
#include "data/join.h"
#include "data/stack/offcpu.h"
#include "data/stack/stack.h"
#include "data/task/task.h"
#include "out/formats.h"
#include "src/out/profile.pb-c.h"

#define VALUES 3	/* of a sample, at most */
#define LABELS 4

/* A text of the string table, and the function of this name. */
struct text {
	uint64_t key;		/* hash key */
	const char *s;
	int64_t index;
	uint64_t user, kernel;	/* functions and their locations; 0: none yet */
};

struct list {
	void **items;
	size_t n, cap;
};

struct profile {
	struct arena *a;
	struct hash texts;
	struct list strings, samples, locations, functions;
	struct row_index tasks;
	const struct view *view;
	size_t nvalues;
};

const bool out_has_pprof = true;

static void list_add(struct list *l, void *item)
{
	l->items = mem_grow(l->items, l->n, &l->cap, sizeof(*l->items));
	l->items[l->n++] = item;
}

static struct text *text_get(struct profile *p, const char *s)
{
	uint64_t key = hash_bytes(s, strlen(s));
	struct text *t;

	while ((t = hash_get(&p->texts, &key)) && strcmp(t->s, s))
		key++;
	if (t)
		return t;
	t = arena_new(p->a, struct text, 1);
	*t = (struct text){ .key = key, .s = arena_strdup(p->a, s),
			    .index = (int64_t)p->strings.n };
	hash_put(&p->texts, t);
	list_add(&p->strings, (void *)(uintptr_t)t->s);
	return t;
}

static int64_t text_index(struct profile *p, const char *s)
{
	return text_get(p, s)->index;
}

/* Functions have no lines here: each is one location, of the same number. */
static uint64_t location_new(struct profile *p, const struct text *t, bool kernel)
{
	Iotop__Location *l = arena_new(p->a, Iotop__Location, 1);
	Iotop__Function *f = arena_new(p->a, Iotop__Function, 1);
	Iotop__Line *line = arena_new(p->a, Iotop__Line, 1);

	iotop__location__init(l);
	iotop__function__init(f);
	iotop__line__init(line);
	list_add(&p->functions, f);
	list_add(&p->locations, l);
	f->id = l->id = line->function_id = p->functions.n;
	f->name = f->system_name = t->index;
	f->filename = kernel ? text_index(p, "[kernel]") : 0;
	l->n_line = 1;
	l->line = arena_new(p->a, Iotop__Line *, 1);
	l->line[0] = line;
	return l->id;
}

static uint64_t location_get(struct profile *p, const struct step *step)
{
	struct text *t = text_get(p, step->text);
	bool kernel = step->kind == STEP_KERNEL;
	uint64_t *id = kernel ? &t->kernel : &t->user;

	if (!*id)
		*id = location_new(p, t, kernel);
	return *id;
}

/*
 * The code, innermost first: what it was for and who did it are labels. Of a wait only that of who
 * waited: it ends where the waker's begins.
 */
static void put_stack(struct profile *p, Iotop__Sample *s, const struct row *row)
{
	const struct step *steps;
	size_t n = row->entity->steps(row, 0, p->a, &steps), end = 0;

	while (end < n && !(steps[end].kind == STEP_MARK && !strcmp(steps[end].text, "--")))
		end++;
	s->location_id = arena_new(p->a, uint64_t, end + 1);
	while (end--)
		if (steps[end].kind != STEP_DISK && steps[end].kind != STEP_TASK)
			s->location_id[s->n_location_id++] = location_get(p, &steps[end]);
}

static void put_label(struct profile *p, Iotop__Sample *s, const char *key, const char *text)
{
	Iotop__Label *l;

	if (!text || !*text)
		return;
	l = arena_new(p->a, Iotop__Label, 1);
	iotop__label__init(l);
	l->key = text_index(p, key);
	l->str = text_index(p, text);
	s->label[s->n_label++] = l;
}

/* NULL: not known: the process has ended, or tasks were not looked at. */
static const char *cgroup_of(const struct profile *p, const struct task_id *id)
{
	struct rows tasks = row_index_find(&p->tasks, id->tgid);
	const struct task_row *t;

	row_each(t, &tasks)
		if (id->tgid && t->cgroup_path && t->id.start == id->start)
			return *t->cgroup_path ? t->cgroup_path : "/";
	return NULL;
}

static void put_io(struct profile *p, Iotop__Sample *s, const struct row *row,
		   const struct stack_counters *c)
{
	const struct stack_row *r = (const struct stack_row *)row;

	s->value[0] = (int64_t)c->ios;
	s->value[1] = (int64_t)c->bytes;
	s->value[2] = (int64_t)c->lat_ns;
	put_label(p, s, "disk", r->disk);
	put_label(p, s, "comm", r->comm);
	put_label(p, s, "cgroup", cgroup_of(p, &r->id));
	put_label(p, s, "op", r->op);
}

static void put_wait(struct profile *p, Iotop__Sample *s, const struct row *row,
		     const struct offcpu_counters *c)
{
	const struct offcpu_row *r = (const struct offcpu_row *)row;

	s->value[0] = (int64_t)c->blocked_ns;
	s->value[1] = (int64_t)c->count;
	put_label(p, s, "disk", r->disk);
	put_label(p, s, "comm", r->comm);
	put_label(p, s, "cgroup", cgroup_of(p, &r->id));
	put_label(p, s, "op", r->disk ? io_op_name(r->op_id) : NULL);
}

static void put_row(struct profile *p, const struct row *row)
{
	const void *counters = row_counters(row, p->view->spec->span);
	Iotop__Sample *s = arena_new(p->a, Iotop__Sample, 1);
	bool did = false;

	iotop__sample__init(s);
	s->n_value = p->nvalues;
	s->value = arena_new(p->a, int64_t, VALUES);
	s->label = arena_new(p->a, Iotop__Label *, LABELS);
	if (p->view->spec->entity_id == ENTITY_STACK)
		put_io(p, s, row, counters);
	else
		put_wait(p, s, row, counters);
	for (size_t i = 0; i < p->nvalues; i++)
		did |= s->value[i] != 0;
	if (!did)
		return;
	put_stack(p, s, row);
	list_add(&p->samples, s);
}

static Iotop__ValueType *value_type(struct profile *p, const char *type, const char *unit)
{
	Iotop__ValueType *v = arena_new(p->a, Iotop__ValueType, 1);

	iotop__value_type__init(v);
	v->type = text_index(p, type);
	v->unit = text_index(p, unit);
	return v;
}

static void put_types(struct profile *p, Iotop__Profile *message)
{
	static const char *const io[VALUES][2] = {
		{ "ios", "count" }, { "bytes", "bytes" }, { "latency", "nanoseconds" },
	};
	static const char *const waits[][2] = {
		{ "blocked", "nanoseconds" }, { "count", "count" },
	};
	bool is_io = p->view->spec->entity_id == ENTITY_STACK;

	p->nvalues = is_io ? ARRAY_SIZE(io) : ARRAY_SIZE(waits);
	message->sample_type = arena_new(p->a, Iotop__ValueType *, VALUES);
	message->n_sample_type = p->nvalues;
	for (size_t i = 0; i < p->nvalues; i++)
		message->sample_type[i] = is_io ? value_type(p, io[i][0], io[i][1])
						: value_type(p, waits[i][0], waits[i][1]);
	message->default_sample_type = message->sample_type[is_io]->type;
}

static uint64_t process_of(const struct row *row)
{
	return ((const struct task_row *)row)->id.tgid;
}

static void put_time(const struct profile *p, Iotop__Profile *message)
{
	const struct model *m = p->view->model;
	double seconds = p->view->spec->span == SPAN_TICK ? m->interval : m->elapsed;

	message->duration_nanos = (int64_t)(seconds * 1e9);
	message->time_nanos = (int64_t)m->real_ns - message->duration_nanos;
}

/* Without a time in its head, so that the same rows are the same bytes. */
static void pack(struct buf *out, const struct buf *bytes)
{
	z_stream z = { .next_in = (Bytef *)bytes->data, .avail_in = (uInt)bytes->len };
	const int gzip = 16;
	char *to;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		mem_exhausted();
	z.avail_out = (uInt)deflateBound(&z, z.avail_in);
	to = mem_alloc(z.avail_out);
	z.next_out = (Bytef *)to;
	/* There is room for all of it: it cannot fail. */
	deflate(&z, Z_FINISH);
	buf_putn(out, to, z.total_out);
	deflateEnd(&z);
	free(to);
}

static void write_message(struct out *o, const Iotop__Profile *message)
{
	struct buf bytes = { .len = iotop__profile__get_packed_size(message) };

	bytes.data = mem_alloc(bytes.len + 1);
	iotop__profile__pack(message, (uint8_t *)bytes.data);
	pack(&o->buf, &bytes);
	free(bytes.data);
}

void out_pprof(struct out *o, const struct view *v)
{
	Iotop__Profile message = IOTOP__PROFILE__INIT;
	struct arena a;
	struct profile p = { .a = &a, .view = v };

	arena_init(&a);
	hash_init(&p.texts, offsetof(struct text, key), sizeof(uint64_t));
	p.tasks = row_index_new(v->model, ENTITY_TASK, process_of, &a);
	text_index(&p, "");
	put_types(&p, &message);
	put_time(&p, &message);
	for (size_t i = 0; i < v->n; i++)
		put_row(&p, v->rows[i].row);
	message.n_sample = p.samples.n;
	message.sample = (Iotop__Sample **)p.samples.items;
	message.n_location = p.locations.n;
	message.location = (Iotop__Location **)p.locations.items;
	message.n_function = p.functions.n;
	message.function = (Iotop__Function **)p.functions.items;
	message.n_string_table = p.strings.n;
	message.string_table = (char **)p.strings.items;
	write_message(o, &message);
	free(p.samples.items);
	free(p.locations.items);
	free(p.functions.items);
	free(p.strings.items);
	hash_release(&p.texts);
	arena_release(&a);
}
