// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of containers in JSON. Only what leads to a name is looked at: the text is walked once,
 * nothing is made of it, and a text that is no JSON gives no name or the one before the damage.
 */
#include <string.h>

#include "base/macro.h"
#include "collect/helper/engines.h"

#define DEPTH 64	/* of what is nested; the files of engines have less than ten */
#define NAME_MAX_LEN 253	/* bytes of a name */

struct piece {
	const char *s;
	size_t len;
};

/* Of the container that is looked for. */
struct found {
	struct piece name, pod, namespace, container;
};

struct walk {
	const char *at, *end;
	enum engine_form form;
	const char *id;
	unsigned depth;
	struct {
		char kind;		/* { or [ */
		bool value;		/* of an object: after a key */
		struct piece key;
	} levels[DEPTH];
	bool is_it;			/* ENGINE_STORAGE: the object has the id */
	struct found found;
};

static bool is(struct piece p, const char *text)
{
	return p.len == strlen(text) && !memcmp(p.s, text, p.len);
}

/* What engines take for a name; so nothing has to be unescaped. */
static bool is_name(struct piece p)
{
	for (size_t i = 0; i < p.len; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-",
			    p.s[i]) || !p.s[i])
			return false;
	return p.len && p.len <= NAME_MAX_LEN;
}

/* A string that is a value; its key is that of the object it is in. */
static void take(struct walk *w, struct piece value)
{
	struct piece key = w->levels[w->depth].key, up = w->levels[w->depth ? w->depth - 1 : 0].key;
	struct found *f = &w->found;
	unsigned depth = w->depth;

	switch (w->form) {
	case ENGINE_DOCKER:
		if (depth == 1 && is(key, "Name") && value.len > 1)
			f->name = (struct piece){ value.s + 1, value.len - 1 };
		break;
	case ENGINE_STORAGE:
		if (depth == 2 && is(key, "id"))
			w->is_it = is(value, w->id);
		else if (depth == 3 && is(up, "names") && !f->name.len)
			f->name = value;
		break;
	case ENGINE_BUNDLE:
		if (depth != 2 || !is(up, "annotations"))
			break;
		if (is(key, "io.kubernetes.cri.sandbox-namespace"))
			f->namespace = value;
		else if (is(key, "io.kubernetes.cri.sandbox-name"))
			f->pod = value;
		else if (is(key, "io.kubernetes.cri.container-name"))
			f->container = value;
		else if (is(key, "nerdctl/name"))
			f->name = value;
		break;
	case ENGINE_FORMS:
		break;
	}
}

/* At the first character behind the quote. False: it does not end. */
static bool take_string(struct walk *w)
{
	struct piece p = { w->at, 0 };

	while (w->at < w->end && *w->at != '"')
		w->at += *w->at == '\\' ? 2 : 1;
	if (w->at >= w->end)
		return false;
	p.len = (size_t)(w->at++ - p.s);
	if (w->levels[w->depth].kind == '{' && !w->levels[w->depth].value)
		w->levels[w->depth].key = p;
	else
		take(w, p);
	return true;
}

/* True: the container was found, or there is nothing more to be found. */
static bool leave(struct walk *w)
{
	if (!w->depth)
		return true;
	if (w->form == ENGINE_STORAGE && w->depth == 2) {
		if (w->is_it)
			return true;
		w->found = (struct found){ .name = { "", 0 } };
	}
	w->depth--;
	return !w->depth;
}

static void walk(struct walk *w)
{
	while (w->at < w->end) {
		char c = *w->at++;

		if (c == '"' && !take_string(w))
			return;
		if (c == ':')
			w->levels[w->depth].value = true;
		else if (c == ',')
			w->levels[w->depth].value = false;
		else if ((c == '}' || c == ']') && leave(w))
			return;
		if (c != '{' && c != '[')
			continue;
		if (++w->depth == DEPTH)
			return;
		memset(&w->levels[w->depth], 0, sizeof(w->levels[0]));
		w->levels[w->depth].kind = c;
		w->levels[w->depth].key = (struct piece){ "", 0 };
	}
}

/* k8s_CONTAINER_POD_NAMESPACE_UID_ATTEMPT, of Kubernetes on Docker and CRI-O. */
static void split_name(struct found *f)
{
	struct piece parts[4], rest = f->name;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const char *end = memchr(rest.s, '_', rest.len);

		if (!end)
			return;
		parts[i] = (struct piece){ rest.s, (size_t)(end - rest.s) };
		rest = (struct piece){ end + 1, rest.len - parts[i].len - 1 };
	}
	if (!is(parts[0], "k8s"))
		return;
	/* The one that holds the pod's namespaces. */
	if (!is(parts[1], "POD"))
		f->container = parts[1];
	f->pod = parts[2];
	f->namespace = parts[3];
}

bool engine_name(const char *text, size_t len, enum engine_form form, const char *id,
		 struct buf *ret)
{
	struct walk w = { .at = text, .end = text + len, .form = form, .id = id };
	struct found *f = &w.found;

	walk(&w);
	if (form == ENGINE_STORAGE && !w.is_it)
		return false;
	if (f->name.len)
		split_name(f);
	if (is_name(f->namespace) && is_name(f->pod)) {
		buf_putn(ret, f->namespace.s, f->namespace.len);
		buf_putc(ret, '/');
		buf_putn(ret, f->pod.s, f->pod.len);
		if (is_name(f->container)) {
			buf_putc(ret, '/');
			buf_putn(ret, f->container.s, f->container.len);
		}
		return true;
	}
	if (!is_name(f->name))
		return false;
	buf_putn(ret, f->name.s, f->name.len);
	return true;
}
