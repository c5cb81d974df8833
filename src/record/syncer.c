// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/syncer.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/mem.h"
#include "base/offload.h"
#include "collect/privilege.h"

struct syncer {
	struct offload thread;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t changed;
	int fd;	   /* -1: none */
	bool busy; /* the thread uses the descriptor that it took */
	bool asked, ends;
};

static void close_fd(int fd)
{
	fd_close(fd);
}

/* What has another file now is closed by who was busy with it. */
static void sync_file(struct syncer *s)
{
	int fd = s->fd;

	s->asked = false;
	s->busy = true;
	pthread_mutex_unlock(&s->lock);
	if (fd >= 0)
		fdatasync(fd);
	pthread_mutex_lock(&s->lock);
	s->busy = false;
	if (fd != s->fd)
		close_fd(fd);
}

static void run(void *arg)
{
	struct syncer *s = arg;

	privilege_limit(0);
	pthread_mutex_lock(&s->lock);
	while (!s->ends) {
		if (s->asked)
			sync_file(s);
		else
			pthread_cond_wait(&s->changed, &s->lock);
	}
	pthread_mutex_unlock(&s->lock);
}

struct syncer *syncer_new(void)
{
	struct syncer *s = mem_zalloc(sizeof(*s));

	s->fd = -1;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	if (offload_begin(&s->thread, run, s))
		return s;
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	free(s);
	return NULL;
}

void syncer_free(struct syncer *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->ends = true;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
	offload_end(&s->thread);
	close_fd(s->fd);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void syncer_set_file(struct syncer *s, int fd)
{
	if (!s) {
		close_fd(fd);
		return;
	}
	pthread_mutex_lock(&s->lock);
	if (!s->busy)
		close_fd(s->fd);
	s->fd = fd;
	pthread_mutex_unlock(&s->lock);
}

void syncer_ask(struct syncer *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->asked = true;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
}
