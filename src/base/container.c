// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/container.h"

#include <string.h>

#include "base/macro.h"

#define HEX "0123456789abcdef"
/* A pod's uid: a UUID with its dashes; of a static pod the MD5 of its configuration. */
#define UUID 36
#define MD5 32

const char *const container_kinds[CONTAINER_KINDS] = {
	[CONTAINER_NONE] = "",
	[CONTAINER_DOCKER] = "docker",
	[CONTAINER_PODMAN] = "podman",
	[CONTAINER_CRIO] = "cri-o",
	[CONTAINER_CONTAINERD] = "containerd",
	[CONTAINER_OTHER] = "container",
	[CONTAINER_LXC] = "lxc",
	[CONTAINER_NSPAWN] = "nspawn",
	[CONTAINER_VM] = "vm",
};

/* A component of a path. */
struct part {
	const char *s;
	size_t len;
};

static bool is(struct part p, const char *text)
{
	return p.len == strlen(text) && !memcmp(p.s, text, p.len);
}

static bool begins(struct part p, const char *text)
{
	size_t n = strlen(text);

	return p.len > n && !memcmp(p.s, text, n);
}

static bool ends(struct part p, const char *text)
{
	size_t n = strlen(text);

	return p.len >= n && !memcmp(p.s + p.len - n, text, n);
}

/* The part without what it begins and ends with. */
static struct part without(struct part p, const char *begin, const char *end)
{
	p.s += strlen(begin);
	p.len -= strlen(begin) + strlen(end);
	return p;
}

static size_t digits_of(struct part p, const char *digits)
{
	size_t n = 0;

	while (n < p.len && strchr(digits, p.s[n]))
		n++;
	return n;
}

/* Whose id it is, by what stands before it, or by the folder it is in. */
static enum container_kind kind_of_id(struct part before, struct part up)
{
	static const struct {
		const char *text;
		enum container_kind kind;
	} engines[] = {
		/* The monitors of containers are none. */
		{ "libpod-conmon-", CONTAINER_NONE },
		{ "crio-conmon-", CONTAINER_NONE },
		{ "docker-", CONTAINER_DOCKER },
		{ "libpod-", CONTAINER_PODMAN },
		{ "crio-", CONTAINER_CRIO },
		{ "cri-containerd-", CONTAINER_CONTAINERD },
		{ "cri-containerd:", CONTAINER_CONTAINERD },
		{ "nerdctl-", CONTAINER_CONTAINERD },
	};

	for (size_t i = 0; i < ARRAY_SIZE(engines); i++)
		if (ends(before, engines[i].text))
			return engines[i].kind;
	return is(up, "docker") ? CONTAINER_DOCKER
	       : is(up, "libpod_parent") ? CONTAINER_PODMAN
					 : CONTAINER_OTHER;
}

static bool find_id(struct part p, struct part up, struct container *ret)
{
	for (size_t i = 0; i + CONTAINER_ID <= p.len; i++) {
		struct part rest = { p.s + i, p.len - i };
		size_t n = digits_of(rest, HEX);
		enum container_kind kind;

		if (n != CONTAINER_ID) {
			i += n;
			continue;
		}
		kind = kind_of_id((struct part){ p.s, i }, up);
		if (kind == CONTAINER_NONE)
			return false;
		*ret = (struct container){ .kind = kind, .name = rest.s, .name_len = n };
		return true;
	}
	return false;
}

/* "qemu-1-web" with a dash or \x2d: what is behind the number; all of it without one. */
static struct part without_number(struct part p, const char *driver)
{
	struct part rest = p;
	size_t dash, n;

	if (!begins(p, driver))
		return p;
	rest = without(p, driver, "");
	for (int i = 0; i < 2; i++) {
		dash = begins(rest, "-") ? 1 : begins(rest, "\\x2d") ? 4 : 0;
		if (!dash)
			return p;
		rest = (struct part){ rest.s + dash, rest.len - dash };
		n = i ? 0 : digits_of(rest, "0123456789");
		if (!i && !n)
			return p;
		rest = (struct part){ rest.s + n, rest.len - n };
	}
	return rest.len ? rest : p;
}

static void set_name(struct container *ret, enum container_kind kind, struct part name,
		     bool escaped)
{
	*ret = (struct container){
		.kind = kind, .name = name.s, .name_len = name.len, .escaped = escaped,
	};
}

/* machine-NAME.scope of systemd-machined; libvirt's are called by driver, number and name. */
static void find_machine(struct part name, struct container *ret)
{
	struct part vm = without_number(name, "qemu"), lxc = without_number(name, "lxc");

	if (vm.s != name.s)
		set_name(ret, CONTAINER_VM, vm, true);
	else if (lxc.s != name.s)
		set_name(ret, CONTAINER_LXC, lxc, true);
	else
		set_name(ret, CONTAINER_NSPAWN, name, true);
}

static bool find_named(struct part p, struct part up, struct container *ret)
{
	if (begins(p, "lxc.payload."))
		set_name(ret, CONTAINER_LXC, without(p, "lxc.payload.", ""), false);
	else if (is(up, "lxc") || is(up, "lxc.payload"))
		set_name(ret, CONTAINER_LXC, p, false);
	else if (begins(p, "machine-") && ends(p, ".scope") && p.len > strlen("machine-.scope"))
		find_machine(without(p, "machine-", ".scope"), ret);
	else if (begins(p, "systemd-nspawn@") && ends(p, ".service"))
		set_name(ret, CONTAINER_NSPAWN, without(p, "systemd-nspawn@", ".service"), true);
	else if (ends(p, ".libvirt-qemu"))
		set_name(ret, CONTAINER_VM,
			 without_number(without(p, "", ".libvirt-qemu"), "qemu"), true);
	else if (ends(p, ".libvirt-lxc"))
		set_name(ret, CONTAINER_LXC,
			 without_number(without(p, "", ".libvirt-lxc"), "lxc"), true);
	else if (is(up, "qemu.slice") && ends(p, ".scope"))
		set_name(ret, CONTAINER_VM, without(p, "", ".scope"), true);
	else
		return false;
	return ret->name_len;
}

/* Length of a pod's uid, in which systemd's names have _ for -; 0: this is none. */
static size_t uid_length(struct part p)
{
	static const char uuid[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	size_t n = digits_of(p, HEX);

	if (n == MD5)
		return n;
	for (n = 0; n < p.len && n < UUID; n++)
		if (!strchr(uuid[n] == '-' ? "-_" : HEX, p.s[n]))
			break;
	return n == UUID ? n : 0;
}

/* pod… or kubepods-burstable-pod… (libpod is another thing). */
static void find_pod(struct part p, struct container *ret)
{
	for (size_t i = 0; i + 3 < p.len; i++) {
		struct part rest = { p.s + i + 3, p.len - i - 3 };
		size_t n;

		if (memcmp(p.s + i, "pod", 3) || (i && p.s[i - 1] != '-'))
			continue;
		n = uid_length(rest);
		if (!n)
			continue;
		ret->pod = rest.s;
		ret->pod_len = n;
		return;
	}
}

void container_find(const char *path, struct container *ret)
{
	struct part up = { "", 0 };

	*ret = (struct container){ .inside = "" };
	for (path += strspn(path, "/"); *path; path += strspn(path, "/")) {
		struct part p = { path, strcspn(path, "/") };
		struct container found;

		path += p.len;
		find_pod(p, ret);
		if (find_id(p, up, &found) || find_named(p, up, &found)) {
			found.pod = ret->pod;
			found.pod_len = ret->pod_len;
			found.unit = ret->unit;
			found.unit_len = ret->unit_len;
			found.inside = path;
			*ret = found;
		}
		if (ends(p, ".service") || ends(p, ".scope")) {
			ret->unit = p.s;
			ret->unit_len = p.len;
		}
		up = p;
	}
}

bool container_has_id(const struct container *c)
{
	return c->kind > CONTAINER_NONE && c->kind <= CONTAINER_OTHER;
}

/* The byte that "\x2d" stands for, -1: it is no such thing. */
static int unescaped(const char *s, size_t n)
{
	const char *high = n >= 4 && s[0] == '\\' && s[1] == 'x' && s[2] ? strchr(HEX, s[2]) : NULL,
		   *low = high && s[3] ? strchr(HEX, s[3]) : NULL;

	return low ? (int)(high - HEX) << 4 | (int)(low - HEX) : -1;
}

void container_put_name(struct buf *out, const struct container *c)
{
	size_t n = container_has_id(c) ? CONTAINER_ID_SHOWN : c->name_len;

	for (size_t i = 0; i < n; i++) {
		int byte = c->escaped ? unescaped(c->name + i, n - i) : -1;

		buf_putc(out, byte > 0 ? (char)byte : c->name[i]);
		i += byte > 0 ? 3 : 0;
	}
}
