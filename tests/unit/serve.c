// SPDX-License-Identifier: GPL-2.0-or-later
/* What a scraper is told by: the format it asks for, the address, the file. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "serve/accept.h"
#include "serve/listen.h"
#include "serve/textfile.h"
#include "unit.h"

START_TEST(formats)
{
	static const char *const newer[] = {
		"application/openmetrics-text",
		("application/openmetrics-text;version=1.0.0,application/openmetrics-text;"
		 "version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),
		"text/plain;q=0.5, Application/OpenMetrics-Text; Q=0.5",
		"text/html,application/openmetrics-text;q=0.001",
	};
	static const char *const older[] = {
		NULL, "", "*/*", "text/plain", "text/plain, application/openmetrics-text;q=0.9",
		"application/openmetrics-text;q=0", "application/openmetrics-text;q=0.0",
		"application/openmetrics-textual", ",,;;q=,", "application/openmetrics-text;q=x",
		"xapplication/openmetrics-text",
	};

	for (size_t i = 0; i < ARRAY_SIZE(newer); i++)
		ck_assert_msg(accept_openmetrics(newer[i]), "%s", newer[i]);
	for (size_t i = 0; i < ARRAY_SIZE(older); i++)
		ck_assert_msg(!accept_openmetrics(older[i]), "%s", older[i] ? older[i] : "none");
}
END_TEST

START_TEST(addresses)
{
	static const char *const wrong[] = {
		"", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "[::1]",
		"[::1:80", "::1:80", "example.org:80", "127.0.0.1:80x", "unix:", "unix:relative",
		"256.0.0.1:80", "127.0.0.1:-1", "[]:80",
		"1111111111111111111111111111111111111111111111111111111111111111111:80",
	};
	struct listen_address a;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		err.text[0] = '\0';
		ck_assert_msg(listen_parse(wrong[i], &a, &err) == -EINVAL, "%s", wrong[i]);
		ck_assert(strstr(err.text, "--listen"));
	}
	ck_assert(!listen_parse(LISTEN_DEFAULT, &a, &err));
	ck_assert(a.any.sa_family == AF_INET);
	ck_assert(((struct sockaddr_in *)&a.room)->sin_addr.s_addr == htonl(INADDR_LOOPBACK));
	ck_assert(!listen_parse("[::1]:9963", &a, &err));
	ck_assert(a.any.sa_family == AF_INET6);
	ck_assert(((struct sockaddr_in6 *)&a.room)->sin6_port == htons(9963));
	ck_assert(!listen_parse(":9963", &a, &err));
	ck_assert(IN6_IS_ADDR_UNSPECIFIED(&((struct sockaddr_in6 *)&a.room)->sin6_addr));
	ck_assert(!listen_parse("localhost:80", &a, &err));
	ck_assert(a.any.sa_family == AF_INET);
}
END_TEST

/* One that is in use is left alone, one that nobody listens at is taken. */
START_TEST(local_sockets)
{
	char folder[64], path[128];
	struct listen_address a;
	struct err err;
	struct stat st;
	int fd;

	unit_mkdtemp(folder, sizeof(folder));
	snprintf(path, sizeof(path), "unix:%s/s", folder);
	ck_assert(!listen_parse(path, &a, &err));
	fd = listen_open(&a, &err);
	ck_assert_int_ge(fd, 0);
	ck_assert(!stat(path + 5, &st) && (st.st_mode & 0777) == 0660);
	ck_assert_int_eq(listen_open(&a, &err), -EADDRINUSE);
	close(fd);
	fd = listen_open(&a, &err);
	ck_assert_int_ge(fd, 0);
	close(fd);
	listen_remove(&a);
	ck_assert(stat(path + 5, &st) && errno == ENOENT);
	/* Another file in its place is not ours. */
	fd = open(path + 5, O_CREAT | O_WRONLY, 0600);
	close(fd);
	ck_assert_int_eq(listen_open(&a, &err), -EADDRINUSE);
	ck_assert(!stat(path + 5, &st));
}
END_TEST

static size_t count_files(const char *folder)
{
	DIR *d = opendir(folder);
	size_t n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

START_TEST(files)
{
	char folder[64], path[128], other[128];
	struct buf content = { 0 };
	struct textfile *t;
	struct err err;
	struct stat st;

	unit_mkdtemp(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/iotop.prom", folder);
	snprintf(other, sizeof(other), "%s/other", folder);
	umask(077);
	/* What a link leads to is not written to: the link is replaced. */
	ck_assert(!symlink(other, path));
	ck_assert(!textfile_open(path, &t, &err));
	ck_assert(!textfile_write(t, "one\n", 4, &err));
	ck_assert(!textfile_write(t, "two\n", 4, &err));
	ck_assert(!lstat(path, &st) && S_ISREG(st.st_mode) && (st.st_mode & 0777) == 0644);
	ck_assert(!buf_read_file(&content, AT_FDCWD, path, 0));
	ck_assert_str_eq(content.data, "two\n");
	ck_assert(stat(other, &st));
	ck_assert_uint_eq(count_files(folder), 1);
	/* It cannot take the place of a folder: nothing is left behind. */
	ck_assert(!unlink(path) && !mkdir(path, 0700));
	ck_assert_int_lt(textfile_write(t, "one\n", 4, &err), 0);
	ck_assert(strstr(err.text, "--textfile"));
	ck_assert_uint_eq(count_files(folder), 1);
	textfile_close(t);
	snprintf(path, sizeof(path), "%s/none/iotop.prom", folder);
	ck_assert_int_eq(textfile_open(path, &t, &err), -ENOENT);
	snprintf(path, sizeof(path), "%s/", folder);
	ck_assert_int_eq(textfile_open(path, &t, &err), -EISDIR);
	buf_release(&content);
}
END_TEST

UNIT_MAIN("serve", formats, addresses, local_sockets, files)
