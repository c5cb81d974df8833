// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/group_name.h"

#include <stdlib.h>
#include <string.h>

#include "base/container.h"
#include "base/mem.h"
#include "base/utf8.h"

/* A container by its kind and name; those of Kubernetes are told with their pod and namespace. */
static char *container_text(const struct container *c, const char *told)
{
	struct buf b = { 0 };
	char *ret;

	if (c->kind == CONTAINER_NONE)
		return NULL;
	if (!told || !c->pod)
		buf_printf(&b, "%s/", c->pod && c->kind == CONTAINER_OTHER
					      ? "pod" : container_kinds[c->kind]);
	if (told)
		buf_puts(&b, told);
	else
		container_put_name(&b, c);
	/* What systemd escaped may be anything. */
	ret = utf8_clean_dup(b.data);
	buf_release(&b);
	return ret;
}

void group_name_init(struct group_name *ret, const char *path, const char *told)
{
	const char *last = strrchr(path, '/');
	struct container c;
	struct buf b = { 0 };

	container_find(path, &c);
	ret->container = container_text(&c, told && *told ? told : NULL);
	if (ret->container) {
		buf_puts(&b, ret->container);
		/* A service of a whole system in a container. */
		if (c.unit >= c.inside && c.unit_len) {
			buf_putc(&b, '/');
			buf_puts(&b, c.unit);
		}
	} else if (c.unit) {
		buf_puts(&b, c.unit);
	} else {
		buf_puts(&b, last && last[1] ? last + 1 : "/");
	}
	ret->brief = mem_strdup(b.data);
	buf_release(&b);
}

void group_name_release(struct group_name *g)
{
	free(g->brief);
	free(g->container);
	*g = (struct group_name){ 0 };
}
