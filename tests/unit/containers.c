// SPDX-License-Identifier: GPL-2.0-or-later
/* What people call a control group, by its path: as engines, systemd and Kubernetes make them. */
#include <stdlib.h>
#include <string.h>

#include "base/container.h"
#include "base/mem.h"
#include "data/group_name.h"
#include "unit.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ID2 "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define SHORT "0123456789ab"
#define UID "12345678-1234-1234-1234-123456789abc"
#define UID_ "12345678_1234_1234_1234_123456789abc"
#define STATIC "d41d8cd98f00b204e9800998ecf8427e"
#define USER "/user.slice/user-1000.slice/user@1000.service"

static const struct {
	const char *path, *told, *brief, *container;
	const char *pod;
} names[] = {
	/* Docker: systemd's driver, the other one, version 1, one in another. */
	{ "/system.slice/docker-" ID ".scope", "web", "docker/web", "docker/web", NULL },
	{ "/system.slice/docker-" ID ".scope", NULL, "docker/" SHORT, "docker/" SHORT, NULL },
	{ "/docker/" ID, NULL, "docker/" SHORT, "docker/" SHORT, NULL },
	{ "/docker/" ID "/docker/" ID2, NULL, "docker/fedcba987654", "docker/fedcba987654", NULL },
	{ "/docker/" ID "/system.slice/cron.service", "os", "docker/os/cron.service", "docker/os",
	  NULL },
	{ USER "/user.slice/docker-" ID ".scope", NULL, "docker/" SHORT, "docker/" SHORT, NULL },
	{ "/system.slice/docker.service", NULL, "docker.service", NULL, NULL },
	/* Podman, also of a user, and its monitor, which is no container. */
	{ "/machine.slice/libpod-" ID ".scope", "db", "podman/db", "podman/db", NULL },
	{ "/machine.slice/libpod-" ID ".scope/container", NULL, "podman/" SHORT, "podman/" SHORT,
	  NULL },
	{ "/machine.slice/libpod_pod_" ID2 ".slice/libpod-" ID ".scope", NULL, "podman/" SHORT,
	  "podman/" SHORT, NULL },
	{ "/libpod_parent/" ID, NULL, "podman/" SHORT, "podman/" SHORT, NULL },
	{ "/libpod_parent/libpod-" ID, NULL, "podman/" SHORT, "podman/" SHORT, NULL },
	{ USER "/user.slice/libpod-" ID ".scope/container", NULL, "podman/" SHORT,
	  "podman/" SHORT, NULL },
	{ "/machine.slice/libpod-conmon-" ID ".scope", NULL, "libpod-conmon-" ID ".scope", NULL,
	  NULL },
	/* Kubernetes: containerd, CRI-O, k3s, cgroupfs, a static pod, two drivers that differ. */
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_ ".slice/"
	  "cri-containerd-" ID ".scope", "shop/cart-7d9f/redis", "shop/cart-7d9f/redis",
	  "shop/cart-7d9f/redis", UID_ },
	{ "/kubepods.slice/kubepods-pod" UID_ ".slice/cri-containerd-" ID ".scope", NULL,
	  "containerd/" SHORT, "containerd/" SHORT, UID_ },
	{ "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_ ".slice/"
	  "crio-" ID ".scope", NULL, "cri-o/" SHORT, "cri-o/" SHORT, UID_ },
	{ "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_ ".slice/"
	  "crio-" ID ".scope/container", "ns/pod/c", "ns/pod/c", "ns/pod/c", UID_ },
	{ "/kubepods/burstable/pod" UID "/" ID, NULL, "pod/" SHORT, "pod/" SHORT, UID },
	{ "/kubepods/besteffort/pod" STATIC "/" ID, NULL, "pod/" SHORT, "pod/" SHORT, STATIC },
	{ "/system.slice/containerd.service/kubepods-burstable-pod" UID_ ".slice:cri-containerd:"
	  ID, NULL, "containerd/" SHORT, "containerd/" SHORT, UID_ },
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_ ".slice/"
	  "docker-" ID ".scope", NULL, "docker/" SHORT, "docker/" SHORT, UID_ },
	{ "/system.slice/k3s.service", NULL, "k3s.service", NULL, NULL },
	{ "/k8s.io/" ID, NULL, "container/" SHORT, "container/" SHORT, NULL },
	{ "/system.slice/nerdctl-" ID ".scope", NULL, "containerd/" SHORT, "containerd/" SHORT,
	  NULL },
	{ "/kubepods/burstable/pod" UID, NULL, "pod" UID, NULL, UID },
	/* LXC, Incus, Proxmox; a docker in one of them. */
	{ "/lxc.payload.web/system.slice/cron.service", NULL, "lxc/web/cron.service", "lxc/web",
	  NULL },
	{ "/lxc.payload/web", NULL, "lxc/web", "lxc/web", NULL },
	{ "/lxc.monitor.web", NULL, "lxc.monitor.web", NULL, NULL },
	{ "/lxc/101/ns/system.slice/nginx.service", NULL, "lxc/101/nginx.service", "lxc/101",
	  NULL },
	{ "/lxc/101/ns/init.scope", NULL, "lxc/101/init.scope", "lxc/101", NULL },
	{ "/lxc", NULL, "lxc", NULL, NULL },
	{ "/lxc.payload.web/docker/" ID, NULL, "docker/" SHORT, "docker/" SHORT, NULL },
	/* systemd-nspawn, libvirt (both drivers), Proxmox. */
	{ "/machine.slice/systemd-nspawn@deb\\x2dian.service/payload", NULL, "nspawn/deb-ian",
	  "nspawn/deb-ian", NULL },
	{ "/machine.slice/machine-debian.scope", NULL, "nspawn/debian", "nspawn/debian", NULL },
	{ "/machine.slice/machine-qemu\\x2d12\\x2ddb\\x2d1.scope/libvirt/vcpu0", NULL, "vm/db-1",
	  "vm/db-1", NULL },
	{ "/machine.slice/machine-lxc\\x2d77\\x2dsmall.scope", NULL, "lxc/small", "lxc/small",
	  NULL },
	{ "/machine/qemu-3-win.libvirt-qemu/emulator", NULL, "vm/win", "vm/win", NULL },
	{ "/machine/win.libvirt-qemu", NULL, "vm/win", "vm/win", NULL },
	{ "/qemu.slice/101.scope", NULL, "vm/101", "vm/101", NULL },
	{ "/machine.slice", NULL, "machine.slice", NULL, NULL },
	{ "/machine.slice/machine-.scope", NULL, "machine-.scope", NULL, NULL },
	{ "/machine.slice/machine-qemu\\x2d1\\x2d.scope", NULL, "nspawn/qemu-1-",
	  "nspawn/qemu-1-", NULL },
	/* Units, and what is in them. */
	{ "/system.slice/nginx.service", NULL, "nginx.service", NULL, NULL },
	{ "/system.slice/system-postgresql.slice/postgresql@15-main.service/worker", NULL,
	  "postgresql@15-main.service/worker", NULL, NULL },
	{ USER "/app.slice/app-firefox-123.scope", NULL, "app-firefox-123.scope", NULL, NULL },
	{ "/user.slice/user-1000.slice/session-2.scope", NULL, "session-2.scope", NULL, NULL },
	{ "/user.slice/user-1000.slice", NULL, "user-1000.slice", NULL, NULL },
	{ "/batch/night", NULL, "night", NULL, NULL },
	{ "/", NULL, "/", NULL, NULL },
	{ "", NULL, "/", NULL, NULL },
	/* Almost an id. */
	{ "/docker/" ID "0", NULL, ID "0", NULL, NULL },
	{ "/docker/0123456789abcdef", NULL, "0123456789abcdef", NULL, NULL },
	/* An id that a name holds is an id; what is told is only of what has one. */
	{ "/system.slice/docker-" ID ".scope", "", "docker/" SHORT, "docker/" SHORT, NULL },
	/* Systemd's escapes may be anything; so may what is told. */
	{ "/machine.slice/machine-a\\x0ab\\x1b.scope", NULL, "nspawn/a\\nb\\e", "nspawn/a\\nb\\e",
	  NULL },
	{ "/machine.slice/machine-a\\x00\\xff\\x.scope", NULL, "nspawn/a\\x00\357\277\275\\x",
	  "nspawn/a\\x00\357\277\275\\x", NULL },
	{ "/system.slice/docker-" ID ".scope", "we\nb\033[2J", "docker/we\\nb\\e[2J",
	  "docker/we\\nb\\e[2J", NULL },
};

static void same(const char *what, const char *path, const char *got, const char *want)
{
	ck_assert_msg(!got == !want && (!got || !strcmp(got, want)), "%s of %s is %s, not %s", what,
		      path, got ? got : "NULL", want ? want : "NULL");
}

START_TEST(table)
{
	struct group_name g;
	struct container c;
	char *pod;

	group_name_init(&g, names[_i].path, names[_i].told);
	container_find(names[_i].path, &c);
	pod = c.pod ? mem_strndup(c.pod, c.pod_len) : NULL;
	same("name", names[_i].path, g.brief, names[_i].brief);
	same("container", names[_i].path, g.container, names[_i].container);
	same("pod", names[_i].path, pod, names[_i].pod);
	free(pod);
	group_name_release(&g);
}
END_TEST

/* Of 4,096 bytes that nobody would call a name, at every length. */
START_TEST(long_paths)
{
	static const char *const pieces[] = {
		"a", "/", "pod", ID, "machine-", "\\x1b", "\\", ".scope", "lxc/", "qemu-1-",
		"docker-",
	};
	char path[4097] = "/";
	unsigned random = 1;

	for (int round = 0; round < 2000; round++) {
		size_t len = 1;
		struct group_name g;

		while (len < sizeof(path) - CONTAINER_ID - 1 && random % 64) {
			const char *piece = pieces[(random >> 8) % 11];

			random = random * 1103515245 + 12345;
			memcpy(path + len, piece, strlen(piece) + 1);
			len += strlen(piece);
		}
		random = random * 1103515245 + 12345;
		path[len] = '\0';
		group_name_init(&g, path, NULL);
		ck_assert(*g.brief && !strchr(g.brief, '\033'));
		ck_assert(!g.container || !strchr(g.container, '\033'));
		group_name_release(&g);
	}
	memset(path, 'a', sizeof(path) - 1);
	path[0] = '/';
	path[4096] = '\0';
	{
		struct group_name g;

		group_name_init(&g, path, NULL);
		ck_assert_uint_eq(strlen(g.brief), 4095);
		group_name_release(&g);
	}
}
END_TEST

int main(void)
{
	TCase *tcase = unit_case("containers", NULL, NULL);

	tcase_add_loop_test(tcase, table, 0, ARRAY_SIZE(names));
	tcase_add_test(tcase, long_paths);
	return unit_run();
}
