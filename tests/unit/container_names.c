// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What engines call their containers: from files as they leave them, in a folder that stands for /,
 * and from none that somebody else could have put there.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/helper/engines.h"
#include "collect/helper/process.h"
#include "collect/proc/container_names.h"
#include "folder.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ID2 "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define UID "12345678-1234-1234-1234-123456789abc"
#define DOCKER "var/lib/docker/containers/" ID
#define STORAGE "var/lib/containers/storage/overlay-containers"
#define BUNDLE "run/containerd/io.containerd.runtime.v2.task/k8s.io/" ID
#define K3S "run/k3s/containerd/io.containerd.runtime.v2.task/k8s.io/" ID
#define CRI(key, value) "\"io.kubernetes.cri." key "\":\"" value "\""

static const char docker[] =
	"{\"State\":{\"Name\":\"/no\",\"Pid\":7},\"ID\":\"" ID "\",\"Args\":[\"Name\",\"/no\"],"
	"\"Config\":{\"Env\":[\"Name=/no\",\"x=\\\"Name\\\":\\\"/no\\\"\"],\"Name\":\"/no\"},"
	"\"Name\":\"/web\",\"RestartCount\":0}";
static const char storage[] =
	"[{\"id\":\"" ID2 "\",\"names\":[\"other\"],\"image\":\"1\"},\n"
	" {\"names\" : [ \"db\", \"alias\" ], \"metadata\":\"{\\\"id\\\":\\\"" ID2 "\\\"}\","
	"  \"id\" : \"" ID "\", \"flags\":{\"id\":\"" ID2 "\"}},"
	" {\"id\":\"00\",\"names\":[\"last\"]}]";
static const char crio[] =
	"[{\"id\":\"" ID "\",\"names\":[\"k8s_redis_cart-7d9f_shop_" UID "_0\"]}]";
static const char bundle[] =
	"{\"process\":{\"env\":[\"annotations={}\"],\"annotations\":{" CRI("sandbox-name", "no")
	"}},\"annotations\":{" CRI("container-name", "redis") "," CRI("container-type", "container")
	"," CRI("sandbox-name", "cart-7d9f") "," CRI("sandbox-namespace", "shop") "}}";
static const char nerdctl[] = "{\"annotations\":{\"nerdctl/name\":\"small\"}}";

static const struct {
	const char *text, *name;
	enum engine_form form;
} texts[] = {
	{ docker, "web", ENGINE_DOCKER },
	{ "{\"Name\":\"/k8s_POD_cart-7d9f_shop_" UID "_0\"}", "shop/cart-7d9f", ENGINE_DOCKER },
	{ "{\"Name\":\"/k8s_redis_cart_shop_" UID "_0\"}", "shop/cart/redis", ENGINE_DOCKER },
	{ "{\"Name\":\"/k8s_is_mine\"}", "k8s_is_mine", ENGINE_DOCKER },
	{ "{\"Name\":\"\"}", NULL, ENGINE_DOCKER },
	{ "{\"Name\":\"/\"}", NULL, ENGINE_DOCKER },
	{ "{\"Name\":{\"Name\":\"/no\"}}", NULL, ENGINE_DOCKER },
	{ "[{\"Name\":\"/no\"}]", NULL, ENGINE_DOCKER },
	{ "\"Name\":\"/no\"", NULL, ENGINE_DOCKER },
	/* Names that no engine gives. */
	{ "{\"Name\":\"/a b\"}", NULL, ENGINE_DOCKER },
	{ "{\"Name\":\"/a\\nb\"}", NULL, ENGINE_DOCKER },
	{ "{\"Name\":\"/a\033[2J\"}", NULL, ENGINE_DOCKER },
	{ "{\"Name\":\"/../../x\"}", NULL, ENGINE_DOCKER },
	/* Cut, and damaged. */
	{ "{\"Name\":\"/web", NULL, ENGINE_DOCKER },
	{ "{\"Name\":\"/web\\", NULL, ENGINE_DOCKER },
	{ "{\"Name", NULL, ENGINE_DOCKER },
	{ "}]}\"Name\":\"/web\"", NULL, ENGINE_DOCKER },
	{ "", NULL, ENGINE_DOCKER },
	{ storage, "db", ENGINE_STORAGE },
	{ crio, "shop/cart-7d9f/redis", ENGINE_STORAGE },
	{ "[{\"id\":\"" ID2 "\",\"names\":[\"other\"]}]", NULL, ENGINE_STORAGE },
	{ "[{\"id\":\"" ID "\",\"names\":[]}]", NULL, ENGINE_STORAGE },
	{ "[{\"names\":[\"before\"]},{\"id\":\"" ID "\"}]", NULL, ENGINE_STORAGE },
	{ bundle, "shop/cart-7d9f/redis", ENGINE_BUNDLE },
	{ "{\"annotations\":{" CRI("sandbox-name", "cart") "," CRI("sandbox-namespace", "shop")
	  "}}", "shop/cart", ENGINE_BUNDLE },
	{ "{\"annotations\":{" CRI("sandbox-name", "cart") "}}", NULL, ENGINE_BUNDLE },
	{ nerdctl, "small", ENGINE_BUNDLE },
};

START_TEST(in_texts)
{
	size_t len = strlen(texts[_i].text);
	struct buf name = { 0 };
	bool found = engine_name(texts[_i].text, len, texts[_i].form, ID, &name);

	ck_assert_msg(found == !!texts[_i].name, "%s", texts[_i].text);
	if (found)
		ck_assert_str_eq(name.data, texts[_i].name);
	/* Each beginning of it is read to its end and not beyond: in memory of its own size. */
	for (size_t n = 0; n < len; n++) {
		char *cut = mem_alloc(n ? n : 1);

		memcpy(cut, texts[_i].text, n);
		buf_reset(&name);
		engine_name(cut, n, texts[_i].form, ID, &name);
		free(cut);
	}
	buf_release(&name);
}
END_TEST

START_TEST(nested)
{
	struct buf text = { 0 }, name = { 0 };

	buf_fill(&text, '[', 1000);
	buf_puts(&text, docker);
	ck_assert(!engine_name(text.data, text.len, ENGINE_DOCKER, ID, &name));
	buf_reset(&text);
	buf_puts(&text, "{\"x\":");
	buf_fill(&text, '{', 62);
	buf_fill(&text, '}', 62);
	buf_puts(&text, ",\"Name\":\"/deep\"}");
	ck_assert(engine_name(text.data, text.len, ENGINE_DOCKER, ID, &name));
	ck_assert_str_eq(name.data, "deep");
	buf_release(&text);
	buf_release(&name);
}
END_TEST

static struct helper *helper;
static struct container_names *names;

static void setup(void)
{
	folder_setup();
	helper = helper_start(folder, NULL);
	ck_assert_ptr_nonnull(helper);
	names = container_names_new(helper);
}

static void teardown(void)
{
	container_names_free(names);
	helper_stop(helper);
	folder_teardown();
}

/* These paths are longer than those of other tests. */
static const char *file_of(const char *name)
{
	static char path[512];

	ck_assert_int_lt(snprintf(path, sizeof(path), "%s/%s", folder, name), (int)sizeof(path));
	return path;
}

static void make_folder(const char *path)
{
	for (const char *p = strchr(path, '/');; p = strchr(p + 1, '/')) {
		char name[256];

		snprintf(name, sizeof(name), "%.*s", p ? (int)(p - path) : (int)strlen(path), path);
		mkdir(file_of(name), 0755);
		if (!p)
			return;
	}
}

static void put(const char *where, const char *file, const char *text)
{
	char name[256];
	FILE *f;

	make_folder(where);
	snprintf(name, sizeof(name), "%s/%s", where, file);
	f = fopen(file_of(name), "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_int_eq(chmod(file_of(name), 0600), 0);
}

/* The answer: NULL when there is no name. */
static const char *ask(const char *path)
{
	const char *name = container_names_get(names, path);

	ck_assert(!name);
	helper_wait(helper, HELPER_NAMES, clock_mono() + 4 * NSEC_PER_SEC, NULL, NULL);
	return container_names_get(names, path);
}

START_TEST(in_files)
{
	const struct {
		const char *path, *where, *file, *text, *name;
	} files[] = {
		{ "/system.slice/docker-" ID ".scope", DOCKER, "config.v2.json", docker, "web" },
		{ "/docker/" ID "/system.slice/x.service", DOCKER, "config.v2.json", docker,
		  "web" },
		{ "/machine.slice/libpod-" ID ".scope", STORAGE, "containers.json", storage, "db" },
		{ "/machine.slice/libpod-" ID ".scope/container", STORAGE,
		  "volatile-containers.json", storage, "db" },
		{ "/kubepods.slice/crio-" ID ".scope", STORAGE, "containers.json", crio,
		  "shop/cart-7d9f/redis" },
		{ "/kubepods/burstable/pod" UID "/" ID, BUNDLE, "config.json", bundle,
		  "shop/cart-7d9f/redis" },
		{ "/kubepods.slice/cri-containerd-" ID ".scope", K3S, "config.json", bundle,
		  "shop/cart-7d9f/redis" },
		/* Of another, of a user, and what has no id. */
		{ "/system.slice/docker-" ID2 ".scope", DOCKER, "config.v2.json", docker, NULL },
		{ "/machine.slice/libpod-" ID ".scope", DOCKER, "config.v2.json", docker, NULL },
		{ "/user.slice/user-1000.slice/user@1000.service/docker-" ID ".scope", DOCKER,
		  "config.v2.json", docker, NULL },
		{ "/lxc.payload.web", DOCKER, "config.v2.json", docker, NULL },
	};
	const char *name;

	put(files[_i].where, files[_i].file, files[_i].text);
	name = ask(files[_i].path);
	if (files[_i].name)
		ck_assert_str_eq(name, files[_i].name);
	else
		ck_assert_ptr_null(name);
}
END_TEST

static void others_may_write_the_file(void)
{
	ck_assert_int_eq(chmod(file_of(DOCKER "/config.v2.json"), 0622), 0);
}

static void a_group_may_write_the_folder(void)
{
	ck_assert_int_eq(chmod(file_of(DOCKER), 0775), 0);
}

static void others_may_write_above(void)
{
	ck_assert_int_eq(chmod(file_of("var/lib"), 01777), 0);
}

static void is_a_link(void)
{
	char to[512];

	snprintf(to, sizeof(to), "%s", file_of("var/other"));
	ck_assert_int_eq(rename(file_of(DOCKER "/config.v2.json"), to), 0);
	ck_assert_int_eq(symlink(to, file_of(DOCKER "/config.v2.json")), 0);
}

static void has_another_name(void)
{
	char to[512];

	snprintf(to, sizeof(to), "%s", file_of("var/other"));
	ck_assert_int_eq(link(file_of(DOCKER "/config.v2.json"), to), 0);
}

static void a_folder_is_a_link(void)
{
	char to[512];

	snprintf(to, sizeof(to), "%s", file_of("elsewhere"));
	ck_assert_int_eq(rename(file_of("var/lib/docker"), to), 0);
	ck_assert_int_eq(symlink(to, file_of("var/lib/docker")), 0);
}

static void is_a_fifo(void)
{
	ck_assert_int_eq(unlink(file_of(DOCKER "/config.v2.json")), 0);
	ck_assert_int_eq(mkfifo(file_of(DOCKER "/config.v2.json"), 0600), 0);
}

/* Only root can give a file away. */
static void is_anothers(void)
{
	if (geteuid() != 0 || chown(file_of(DOCKER "/config.v2.json"), 12345, 0) != 0)
		unlink(file_of(DOCKER "/config.v2.json"));
}

static void a_folder_is_anothers(void)
{
	if (geteuid() != 0 || chown(file_of(DOCKER), 12345, 0) != 0)
		unlink(file_of(DOCKER "/config.v2.json"));
}

static void (*const changes[])(void) = {
	others_may_write_the_file, a_group_may_write_the_folder, others_may_write_above, is_a_link,
	has_another_name, a_folder_is_a_link, is_a_fifo, is_anothers, a_folder_is_anothers,
};

START_TEST(of_nobody_else)
{
	put(DOCKER, "config.v2.json", docker);
	changes[_i]();
	ck_assert_ptr_null(ask("/system.slice/docker-" ID ".scope"));
}
END_TEST

int main(void)
{
	TCase *tcase = unit_case("container_names", setup, teardown);

	tcase_add_loop_test(tcase, in_texts, 0, ARRAY_SIZE(texts));
	tcase_add_test(tcase, nested);
	tcase_add_loop_test(tcase, in_files, 0, 11);
	tcase_add_loop_test(tcase, of_nobody_else, 0, ARRAY_SIZE(changes));
	return unit_run();
}
