// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/disks/nfs_stats.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"

#define NUMBERS 16		/* of a line */
#define CONNECTIONS_MAX 256	/* of /sys/kernel/sunrpc that are looked at */

/* Whether the text begins with these words: then *p is behind them. */
static bool take(const char **p, const char *words)
{
	size_t len = strlen(words);

	if (strncmp(*p, words, len))
		return false;
	*p += len;
	return true;
}

static size_t word_len(const char *p)
{
	return strcspn(p, " \n");
}

/* "device SOURCE mounted on POINT with fstype nfs4 statvers=1.1" */
static bool is_nfs_mount(const char *p, struct nfs_stats *ret)
{
	if (!take(&p, "device "))
		return false;
	ret->source = p;
	p += ret->source_len = word_len(p);
	if (!take(&p, " mounted on "))
		return false;
	ret->point = p;
	p += ret->point_len = word_len(p);
	return take(&p, " with fstype nfs ") || take(&p, " with fstype nfs4 ");
}

/* The numbers of the rest of the line, those that are missing are 0. */
static void numbers(const char *p, uint64_t n[NUMBERS])
{
	for (size_t i = 0; i < NUMBERS; i++)
		n[i] = scan_u64(&p);
}

/*
 * The numbers behind the name: of tcp and rdma the port, binds, connects, connect time, idle time,
 * sends, answers; of udp the port, binds, sends, answers.
 */
static void add_connection(struct nfs_stats *ret, const char *p)
{
	uint64_t n[NUMBERS];
	bool udp;

	p += strspn(p, " ");
	udp = !strncmp(p, "udp", 3);
	p += word_len(p);
	numbers(p, n);
	ret->answers += n[udp ? 3 : 6];
}

/*
 * "READ: operations, sent, timeouts, bytes sent, bytes received, ms queued, ms until answered, ms
 * until ended, errors". Before 5.3 without the last.
 */
static void add_operation(struct nfs_stats *ret, const char *p)
{
	uint64_t n[NUMBERS];

	numbers(p, n);
	ret->ops += n[0];
	ret->retrans += n[1] > n[0] ? n[1] - n[0] : 0;
	ret->rtt_ms += n[6];
	ret->execute_ms += n[7];
	ret->errors += n[8];
}

/* A line of a mount; operations come last. */
static void add_line(struct nfs_stats *ret, const char *p, bool operations)
{
	const char *colon = p + strcspn(p, ":\n");
	uint64_t n[NUMBERS];

	if (*colon != ':')
		return;
	if (operations) {
		add_operation(ret, colon + 1);
	} else if (take(&p, "\txprt:\t")) {
		add_connection(ret, p);
	} else if (take(&p, "\tbytes:\t")) {
		numbers(p, n);
		ret->read = n[4];
		ret->write = n[5];
	}
}

int nfs_stats_next(const char **p, struct nfs_stats *ret)
{
	bool operations = false;

	while (**p) {
		*ret = (struct nfs_stats){ 0 };
		if (is_nfs_mount(*p, ret))
			break;
		scan_line(p);
	}
	if (!**p)
		return 0;
	for (scan_line(p); **p && strncmp(*p, "device ", 7); scan_line(p)) {
		const char *line = *p;

		if (take(&line, "\tper-op statistics"))
			operations = true;
		else
			add_line(ret, line, operations);
	}
	return 1;
}

/* The value of "name=value" in a text of lines; 0: it is not there. */
static uint64_t value_of(const char *text, const char *name)
{
	for (const char *p = text; *p; scan_line(&p))
		if (take(&p, name) && take(&p, "="))
			return scan_u64(&p);
	return 0;
}

/* Whether a connection leads to that address. */
static bool leads_to(int connection, struct buf *buf, const char *addr)
{
	return buf_read_file(buf, connection, "dstaddr", 256) >= 0 && buf->len &&
	       strcspn(buf->data, "\n") == strlen(addr) &&
	       !strncmp(buf->data, addr, strlen(addr));
}

static DIR *folder(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *ret = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !ret)
		close(fd);
	return ret;
}

/* Whether a connection of a switch, which are those to one server, leads to that address. */
static bool switch_leads_to(DIR *connections, struct buf *buf, const char *addr, unsigned *left)
{
	const struct dirent *d;
	bool found = false;

	while (!found && *left && (d = readdir(connections))) {
		int fd;

		if (strncmp(d->d_name, "xprt-", 5))
			continue;
		--*left;
		fd = openat(dirfd(connections), d->d_name,
			    O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (fd < 0)
			continue;
		found = leads_to(fd, buf, addr);
		close(fd);
	}
	return found;
}

/* Calls that go on by one switch, when it leads to that address. */
static uint64_t waiting_at(int at, const char *name, struct buf *buf, const char *addr,
			   unsigned *left)
{
	DIR *connections = folder(at, name);
	uint64_t n = 0;

	if (!connections)
		return 0;
	if (switch_leads_to(connections, buf, addr, left) &&
	    buf_read_file(buf, dirfd(connections), "xprt_switch_info", 4096) >= 0 && buf->len)
		n = value_of(buf->data, "queue_len");
	closedir(connections);
	return n;
}

int nfs_waiting(int sys, struct buf *buf, const char *addr, uint64_t *ret)
{
	DIR *switches = sys < 0 ? NULL : folder(sys, "kernel/sunrpc/xprt-switches");
	unsigned left = CONNECTIONS_MAX;
	const struct dirent *d;
	uint64_t n = 0;

	if (!switches)
		return -ENOENT;
	while ((d = readdir(switches)))
		if (!strncmp(d->d_name, "switch-", 7))
			n += waiting_at(dirfd(switches), d->d_name, buf, addr, &left);
	closedir(switches);
	*ret = n;
	return 0;
}
