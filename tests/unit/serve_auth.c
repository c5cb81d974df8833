// SPDX-License-Identifier: GPL-2.0-or-later
/* Who may scrape: the file that says so, and passwords. */
#include <errno.h>
#include <sys/stat.h>
#include <time.h>

#include "base/buf.h"
#include "base/clock.h"
#include "folder.h"
#include "serve/auth.h"
#include "serve/web_config.h"
#include "unit.h"

/* Of "secret", cost 4. */
#define HASH "$2y$04$qGYXUyFSRYBff8awceyTXO5KfBn4URbjdyYyKJhU9rQwf701ttxO2"

static void put(const char *name, const char *text)
{
	write_file(name, text, strlen(text));
}

static int read_config(const char *text, struct web_config *c, struct err *err)
{
	put("web.yml", text);
	err->text[0] = '\0';
	return web_config_read(path_of("web.yml"), c, err);
}

START_TEST(right)
{
	struct web_config c;
	struct err err;

	put("a.crt", "CERT\n");
	put("a.key", "KEY\n");
	ck_assert_msg(!read_config("tls_server_config:\n"
				   "  cert_file: a.crt\n"
				   "  key_file: a.key\n"
				   "  min_version: TLS13\n"
				   "basic_auth_users:\n"
				   "  alice: " HASH "\n"
				   "  'bob b': \"" HASH "\"\n", &c, &err), "%s", err.text);
	ck_assert_str_eq(c.cert, "CERT\n");
	ck_assert_str_eq(c.key, "KEY\n");
	ck_assert(c.tls13 && c.nusers == 2);
	ck_assert_str_eq(c.users[1].name, "bob b");
	web_config_release(&c);
	ck_assert(!read_config("# nothing\n", &c, &err) && !c.cert && !c.nusers);
	ck_assert(!read_config("", &c, &err) && !c.cert && !c.nusers);
}
END_TEST

/* One line that says where. */
START_TEST(wrong)
{
	static const char *const texts[] = {
		"- a\n", "a", "unknown: 1\n", "http_server_config:\n  http2: true\n",
		"basic_auth_users:\n  alice: secret\n",
		"basic_auth_users:\n  alice: "
		"$2b$20$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy\n",
		"basic_auth_users:\n  alice: [ 1 ]\n", "basic_auth_users:\n  a:b: x\n",
		"basic_auth_users:\n  'a:b': " HASH "\n",
		"tls_server_config:\n  cert_file: a.crt\n",
		"tls_server_config:\n  cert_file: none\n  key_file: none\n",
		/* Nobody writes: who waited for it would wait for ever. */
		"tls_server_config:\n  cert_file: fifo\n  key_file: fifo\n",
		"tls_server_config:\n  client_auth_type: RequireAndVerifyClientCert\n",
		"tls_server_config:\n  min_version: TLS10\n", "a: b: c\n", "\t", "{", "\"", "&a *b",
		"basic_auth_users: {}\n--- {}\n", "basic_auth_users: {}\n...\n{",
		"basic_auth_users: &x\n  alice: *x\n",
	};
	struct web_config c;
	struct err err;

	ck_assert_int_eq(mkfifo(path_of("fifo"), 0600), 0);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		ck_assert_msg(read_config(texts[i], &c, &err) < 0, "%s", texts[i]);
		ck_assert_msg(strstr(err.text, folder) && !strchr(err.text, '\n'), "%s: %s",
			      texts[i], err.text);
	}
}
END_TEST

/* Reading the file does not try a password at its cost, which is a second for each. */
START_TEST(costly)
{
	struct buf text = { 0 };
	struct web_config c;
	clock_t begin = clock();
	struct err err;

	buf_puts(&text, "basic_auth_users:\n");
	for (unsigned i = 0; i < 64; i++)
		buf_printf(&text, "  user%u: $2y$14$%s\n", i, &HASH[7]);
	ck_assert_msg(!read_config(text.data, &c, &err), "%s", err.text);
	ck_assert_uint_eq(c.nusers, 64);
	ck_assert_str_eq(c.users[63].hash + 7, &HASH[7]);
	ck_assert_int_lt((clock() - begin) / CLOCKS_PER_SEC, 10);
	web_config_release(&c);
	buf_release(&text);
}
END_TEST

START_TEST(passwords)
{
	char name[] = "alice", hash[] = HASH;
	struct web_user user = { .name = name, .hash = hash };
	const struct web_config c = { .users = &user, .nusers = 1 };
	uint64_t now = 100 * NSEC_PER_SEC;
	struct auth *a = auth_new(&c);
	unsigned later = 0;
	char longest[100];

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	ck_assert(auth_check(a, "alice", "", now) == AUTH_NO);
	ck_assert(auth_check(a, "alice", longest, now) == AUTH_NO);
	ck_assert(auth_check(a, "alice", "secret", now) == AUTH_YES);
	ck_assert(auth_check(a, "alice", "secre", now) == AUTH_NO);
	ck_assert(auth_check(a, "alice", "secret2", now) == AUTH_NO);
	ck_assert(auth_check(a, "bob", "secret", now) == AUTH_NO);
	/* Guesses are few, and who was right once does not feel them. */
	for (unsigned i = 0; i < 100; i++) {
		later += auth_check(a, "alice", "guess", now) == AUTH_LATER;
		ck_assert(auth_check(a, "alice", "secret", now) == AUTH_YES);
	}
	ck_assert_uint_eq(later, 100);
	ck_assert(auth_check(a, "alice", "guess", now + NSEC_PER_SEC) == AUTH_NO);
	auth_free(a);
}
END_TEST

UNIT_FIXTURE_MAIN("serve_auth", folder_setup, folder_teardown, right, wrong, costly, passwords)
