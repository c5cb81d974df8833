// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a sample says of files, by thread and disk, becomes a row for each file and process. A byte
 * is counted once, at the lowest disk. Where only a stacked disk knows the file (what is below is
 * encrypted, or a driver's own pages), it has its I/O there, and that of the disk below is of no
 * file (NO_FILE_BELOW).
 */
#include "data/file/file.h"

#include <string.h>

#include "base/i18n.h"
#include "data/file/file_state.h"
#include "data/names.h"
#include "data/selection.h"

/* A residual that is all that is known of I/O of no file; 0: it is another one. */
static uint32_t residual_file(const struct file_key *key)
{
	uint32_t residual = key->sdev || key->process.start ? 0 : key->process.tid;

	return residual == RESIDUAL_JOURNAL || residual == RESIDUAL_SWAP ? residual : 0;
}

/* What there is in place of a file. */
static const char *no_file_name(const struct file_key *key)
{
	static const char *const names[] = {
		[NO_FILE] = "[no file]",
		[NO_FILE_METADATA] = "[metadata]",
		[NO_FILE_DEVICE] = "[block device]",
		[NO_FILE_BELOW] = "[stacked disks]",
		[NO_FILE_OTHER] = "[other files]",
	};

	if (residual_file(key))
		return residual_name(residual_file(key));
	return key->ino < ARRAY_SIZE(names) && names[key->ino] ? names[key->ino] : "[no file]";
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void disks_fill(struct file_row *r, const struct file_entry *e, struct model *m,
		       unsigned tick)
{
	struct names *names = engine_name_table(m->engine);
	struct file_part *disks;

	for (const struct file_disk *d = e->disks; d; d = d->next)
		r->ndisks++;
	r->disks = disks = arena_new(&m->arena, struct file_part, r->ndisks);
	for (const struct file_disk *d = e->disks; d; d = d->next)
		*disks++ = (struct file_part){
			.name = names_disk_people(names, d->dev), .key = d->dev,
			.now_read = d->tick == tick ? d->now_read : 0,
			.now_write = d->tick == tick ? d->now_write : 0,
			.read = d->read, .write = d->write,
		};
}

static void row_fill(struct file_row *r, const struct file_entry *e, struct model *m,
		     struct names *names, const struct file_mount *mount)
{
	const struct selection_owner owner = { e->uid, e->cgroup };
	const struct file_key *key = &e->key;
	struct {
		uint64_t ino;
		uint32_t sdev, residual;	/* that says what it is */
	} file = { key->ino, key->sdev, residual_file(key) };

	r->row.have = m->have | SRC_FILES;
	r->row.history = e->history;
	r->path = e->path;
	if (!key->sdev)
		r->path = no_file_name(key);
	else if (!r->path)
		r->path = arena_printf(&m->arena, "%s:%llu", names_disk(names, key->sdev)->name,
				       (unsigned long long)ino_shown(key->ino));
	r->row.name = last_part(r->path);
	r->dirty = e->dirty;
	r->seen = e->seen;
	r->dir = e->dir;
	r->ext = e->ext;
	r->mount = mount ? mount->point : NULL;
	r->fs = mount ? mount->fs : NULL;
	r->state = e->deleted ? N_("deleted") : NULL;
	r->ino = key->sdev ? key->ino : 0;
	r->file = hash_bytes(&file, sizeof(file));
	r->process = hash_bytes(&key->process, sizeof(key->process));
	r->sdev = key->sdev;
	r->is_block = e->is_block;
	r->disk = e->disks ? names_disk_people(names, e->disks->dev)
		  : e->dev ? names_disk_people(names, e->dev) : NULL;
	if (key->process.start) {
		r->comm = e->comm ? e->comm : "?";
		r->pid = key->process.tgid;
		r->cgroup = names_cgroup_short(names, e->cgroup);
		r->cgroup_path = names_cgroup_path(names, e->cgroup);
	} else {
		r->comm = residual_name(key->process.tid);
	}
	if (m->selection && !selection_has(m->selection, names, &key->process, &owner))
		r->row.flags |= ROW_UNSELECTED;
}

static bool has_io(const struct file_entry *e)
{
	const struct file_counters *sum = (const struct file_counters *)e->c.sum;

	return sum->rios + sum->wios;
}

/*
 * Whether the other entry of the same has the row: that at a lowest disk has all of the I/O there
 * is; without any there, that at a stacked disk has it, and this one is what calls and dirty pages
 * say.
 */
static bool is_other_row(const struct file_entry *e, const struct file_entry *twin)
{
	return twin && (e->key.stacked ? has_io(twin) : !has_io(e));
}

static const uint64_t *merged(struct model *m, const uint64_t *a, const uint64_t *b)
{
	uint64_t *sum = arena_new(&m->arena, uint64_t, FILE_COUNTERS_SUM + FILE_COUNTERS_MAX);

	memcpy(sum, a, (FILE_COUNTERS_SUM + FILE_COUNTERS_MAX) * sizeof(*sum));
	counters_fold(sum, b, FILE_COUNTERS_SUM, FILE_COUNTERS_MAX);
	return sum;
}

static void row_add(struct file_row *r, const struct file_entry *twin, struct model *m)
{
	r->row.now = merged(m, r->row.now, twin->c.now);
	r->row.sum = merged(m, r->row.sum, twin->c.sum);
	r->dirty += twin->dirty;
}

static void build(void *state, struct model *m, _unused_ const struct sample *cur)
{
	struct names *names = engine_name_table(m->engine);
	struct file_state *st = state;
	struct file_entry *e;

	file_state_update(st, m);
	counter_table_each(st->files, e) {
		const struct file_entry *twin = file_state_twin(st, e);
		struct file_row *r;

		if (is_other_row(e, twin))
			continue;
		r = model_add_counted(m, ENTITY_FILE, &e->c);
		row_fill(r, e, m, names, hash_get(&st->mounts, &e->key.sdev));
		disks_fill(r, e, m, st->files->tick);
		if (twin && is_other_row(twin, e) && e->key.stacked)
			row_add(r, twin, m);
	}
}

const struct entity entity_file = {
	.name = "file",
	.row_size = sizeof(struct file_row),
	.nsum = FILE_COUNTERS_SUM,
	.nmax = FILE_COUNTERS_MAX,
	.columns = file_columns,
	.needs = SRC_FILES,
	.always = true,
	.groups = 1u << GROUP_NONE | 1u << GROUP_PROCESS | 1u << GROUP_CGROUP | 1u << GROUP_FILE |
		  1u << GROUP_FOLDER | 1u << GROUP_MOUNT | 1u << GROUP_FS | 1u << GROUP_EXTENSION,
	.state_new = file_state_new,
	.state_free = file_state_free,
	.build = build,
	.group_key = file_group_key,
	.group = file_group,
	.urgency = file_urgency,
};
