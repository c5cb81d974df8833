// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuse_hang DIR PROG [FSNAME]: a file system in user space, mounted on DIR, with one file,
 * DIR/prog, which is PROG: it can be run, mapped, read and written. FSNAME is what the mount table
 * has as its source. Says "mounted" when it is, and serves until it is unmounted or killed; killed,
 * everything that waits for it fails. After SIGUSR1 it answers nothing, after SIGUSR2 it answers
 * again. Nothing is kept in the kernel but what is mapped: each stat() asks. By root; for tests.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATA_MAX (128u << 10)
#define PROG_NODE 2

struct server {
	int fuse, prog;
};

/* What the kernel asked and what it is told; aligned for the structs in them. */
static _Alignas(8) unsigned char request[DATA_MAX + 8192];
static _Alignas(8) unsigned char reply[DATA_MAX + 8192];

static volatile sig_atomic_t silent;

static void on_signal(int sig)
{
	silent = sig == SIGUSR1;
}

static void fill_attr(const struct server *s, uint64_t node, struct fuse_attr *a)
{
	struct stat st = { 0 };

	*a = (struct fuse_attr){ .ino = node, .nlink = 2, .mode = S_IFDIR | 0755, .blksize = 4096 };
	if (node != PROG_NODE)
		return;
	fstat(s->prog, &st);
	a->nlink = 1;
	a->mode = S_IFREG | 0755;
	a->size = (uint64_t)st.st_size;
	a->blocks = (uint64_t)st.st_blocks;
}

static ssize_t lookup(const struct server *s, const char *name, void *out)
{
	struct fuse_entry_out *entry = out;

	if (strcmp(name, "prog"))
		return -ENOENT;
	*entry = (struct fuse_entry_out){ .nodeid = PROG_NODE };
	fill_attr(s, PROG_NODE, &entry->attr);
	return sizeof(*entry);
}

static ssize_t transfer(const struct server *s, uint32_t opcode, const void *in, void *out)
{
	const struct fuse_read_in *r = in;
	const struct fuse_write_in *w = in;
	ssize_t n;

	if (opcode == FUSE_READ) {
		n = pread(s->prog, out, r->size < DATA_MAX ? r->size : DATA_MAX, (off_t)r->offset);
		return n < 0 ? -errno : n;
	}
	n = pwrite(s->prog, w + 1, w->size, (off_t)w->offset);
	if (n < 0)
		return -errno;
	*(struct fuse_write_out *)out = (struct fuse_write_out){ .size = (uint32_t)n };
	return sizeof(struct fuse_write_out);
}

/* Length of the answer in out, or -errno. */
static ssize_t answer(const struct server *s, const struct fuse_in_header *h, const void *in,
		      void *out)
{
	switch (h->opcode) {
	case FUSE_INIT:
		*(struct fuse_init_out *)out = (struct fuse_init_out){
			.major = 7, .minor = 31, .max_readahead = DATA_MAX, .max_write = DATA_MAX,
		};
		return sizeof(struct fuse_init_out);
	case FUSE_LOOKUP:
		return lookup(s, in, out);
	case FUSE_GETATTR:
	case FUSE_SETATTR:
		*(struct fuse_attr_out *)out = (struct fuse_attr_out){ 0 };
		fill_attr(s, h->nodeid, &((struct fuse_attr_out *)out)->attr);
		return sizeof(struct fuse_attr_out);
	case FUSE_OPEN:
	case FUSE_OPENDIR:
		*(struct fuse_open_out *)out = (struct fuse_open_out){ 0 };
		return sizeof(struct fuse_open_out);
	case FUSE_READ:
	case FUSE_WRITE:
		return transfer(s, h->opcode, in, out);
	case FUSE_STATFS:
		*(struct fuse_statfs_out *)out =
			(struct fuse_statfs_out){ .st = { .bsize = 4096, .namelen = 255 } };
		return sizeof(struct fuse_statfs_out);
	case FUSE_ACCESS:
	case FUSE_FLUSH:
	case FUSE_FSYNC:
	case FUSE_RELEASE:
	case FUSE_RELEASEDIR:
		return 0;
	default:
		return -ENOSYS;
	}
}

/* 0, or 1 when it was unmounted. */
static int serve_one(const struct server *s)
{
	const struct fuse_in_header *h = (const void *)request;
	struct fuse_out_header *o = (void *)reply;
	ssize_t n = read(s->fuse, request, sizeof(request) - 1);

	if (n < 0)
		return errno == ENODEV;
	request[n] = 0;
	if (h->opcode == FUSE_FORGET || h->opcode == FUSE_BATCH_FORGET ||
	    h->opcode == FUSE_INTERRUPT)
		return 0;
	n = answer(s, h, h + 1, o + 1);
	*o = (struct fuse_out_header){
		.len = (uint32_t)(sizeof(*o) + (n > 0 ? (size_t)n : 0)),
		.error = n < 0 ? (int)n : 0,
		.unique = h->unique,
	};
	/* Whoever asked may have gone. */
	n = write(s->fuse, reply, o->len);
	return 0;
}

static int open_all(struct server *s, char **argv)
{
	const char *name = argv[3] ? argv[3] : "fuse_hang";
	char options[128];

	s->fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	s->prog = open(argv[2], O_RDWR | O_CLOEXEC);
	if (s->prog < 0)
		s->prog = open(argv[2], O_RDONLY | O_CLOEXEC);
	if (s->fuse < 0 || s->prog < 0)
		return -1;
	snprintf(options, sizeof(options), "fd=%d,rootmode=40755,user_id=0,group_id=0,allow_other",
		 s->fuse);
	return mount(name, argv[1], "fuse.hang", MS_NOSUID | MS_NODEV, options);
}

int main(int argc, char **argv)
{
	struct sigaction act = { .sa_handler = on_signal };
	sigset_t all, before;
	struct server s;

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: fuse_hang DIR PROG [FSNAME]\n");
		return 2;
	}
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	sigaction(SIGUSR1, &act, NULL);
	sigaction(SIGUSR2, &act, NULL);
	if (open_all(&s, argv)) {
		perror(argv[1]);
		return 1;
	}
	puts("mounted");
	fflush(stdout);
	for (;;) {
		struct pollfd fd = { .fd = s.fuse, .events = POLLIN };

		/* Signals come here only: what is asked after one is not answered any more. */
		if (silent)
			sigsuspend(&before);
		else if (ppoll(&fd, 1, NULL, &before) > 0 && serve_one(&s))
			return 0;
	}
}
