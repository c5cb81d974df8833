// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/web_config.h"

#include <crypt.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

#include "base/buf.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"

#define FILE_MOST (1u << 20)	/* bytes of the file, a certificate, a key */
#define USERS 64
#define HASH_LENGTH 60		/* of bcrypt */
#define COST_MOST 14		/* of it: more takes a second and longer for each try */

struct reading {
	struct web_config *config;
	const char *path;
	yaml_document_t doc;
	struct err *err;
};

static int wrong(const struct reading *r, const yaml_node_t *node, const char *what)
{
	return err_set(r->err, EINVAL, "%s:%zu: %s", r->path,
		       node ? node->start_mark.line + 1 : 1, what);
}

static const char *text_of(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE &&
			       strlen((const char *)node->data.scalar.value) ==
				       node->data.scalar.length
		       ? (const char *)node->data.scalar.value : NULL;
}

/* Calls key() for every pair of a mapping. */
static int each_pair(struct reading *r, const yaml_node_t *map,
		     int (*key)(struct reading *r, const yaml_node_t *name,
				const yaml_node_t *value))
{
	if (map->type == YAML_SCALAR_NODE && !map->data.scalar.length)
		return 0;	/* nothing behind the colon */
	if (map->type != YAML_MAPPING_NODE)
		return wrong(r, map, _("names and values are expected here"));
	for (const yaml_node_pair_t *p = map->data.mapping.pairs.start;
	     p < map->data.mapping.pairs.top; p++) {
		const yaml_node_t *name = yaml_document_get_node(&r->doc, p->key);
		int done;

		if (!text_of(name))
			return wrong(r, name, _("names and values are expected here"));
		done = key(r, name, yaml_document_get_node(&r->doc, p->value));
		if (done < 0)
			return done;
	}
	return 0;
}

/* Nothing that may keep it waiting, as a FIFO or a terminal does. */
static int read_regular(struct buf *text, const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), code;
	struct stat st;

	if (fd < 0)
		return -errno;
	code = fstat(fd, &st) < 0 ? -errno : S_ISREG(st.st_mode) ? 0 : -EINVAL;
	if (!code)
		code = buf_read_fd(text, fd, FILE_MOST);
	close(fd);
	return code;
}

static int read_pem(struct reading *r, const yaml_node_t *node, char **ret)
{
	_cleanup_(buf_release) struct buf path = { 0 }, text = { 0 };
	const char *name = text_of(node), *slash = strrchr(r->path, '/');
	int code;

	if (!name || !*name)
		return wrong(r, node, _("the name of a file is expected here"));
	if (*name != '/' && slash)
		buf_putn(&path, r->path, (size_t)(slash - r->path) + 1);
	buf_puts(&path, name);
	code = read_regular(&text, path.data);
	if (code == -EINVAL)
		return err_set(r->err, EINVAL, "%s %s", path.data, _("is not a regular file"));
	if (code < 0)
		return err_set(r->err, -code, "%s: %m", path.data);
	free(*ret);
	*ret = mem_strdup(text.data ? text.data : "");
	if (text.data)
		explicit_bzero(text.data, text.len);
	return 0;
}

static int tls_key(struct reading *r, const yaml_node_t *name, const yaml_node_t *value)
{
	const char *key = text_of(name), *text = text_of(value);

	if (!strcmp(key, "cert_file"))
		return read_pem(r, value, &r->config->cert);
	if (!strcmp(key, "key_file"))
		return read_pem(r, value, &r->config->key);
	if (!strcmp(key, "min_version")) {
		if (!text || (strcmp(text, "TLS12") && strcmp(text, "TLS13")))
			return wrong(r, value, _("min_version is TLS12 or TLS13"));
		r->config->tls13 = !strcmp(text, "TLS13");
		return 0;
	}
	if (!strcmp(key, "client_auth_type") && text && !strcmp(text, "NoClientCert"))
		return 0;
	return wrong(r, name, _("iotop serve cannot do this; it knows cert_file, key_file, "
				"min_version"));
}

/*
 * "$2y$10$", 22 characters of salt and 31 of the hash; and the C library knows what it is. That is
 * asked at the least cost: at 14 it takes a second for each user.
 */
static bool is_bcrypt(const char *hash)
{
	char cheap[HASH_LENGTH + 1];
	struct crypt_data *data;
	const char *made;
	uint64_t cost;
	char number[3];
	bool ok;

	if (strlen(hash) != HASH_LENGTH || hash[0] != '$' || hash[1] != '2' ||
	    !strchr("aby", hash[2]) || hash[3] != '$' || hash[6] != '$')
		return false;
	memcpy(number, hash + 4, 2);
	number[2] = '\0';
	if (parse_u64(number, &cost) < 0 || cost < 4 || cost > COST_MOST)
		return false;
	data = mem_zalloc(sizeof(*data));
	memcpy(cheap, hash, sizeof(cheap));
	memcpy(cheap + 4, "04", 2);
	made = crypt_r("", cheap, data);
	ok = made && !strncmp(made, cheap, 7);
	free(data);
	return ok;
}

static int user_key(struct reading *r, const yaml_node_t *name, const yaml_node_t *value)
{
	const char *hash = text_of(value);
	struct web_config *c = r->config;

	if (!hash || !is_bcrypt(hash))
		return wrong(r, value, _("a password is its hash by bcrypt, of cost 4 to 14"));
	if (strchr(text_of(name), ':') || c->nusers == USERS)
		return wrong(r, name, _("at most 64 users, and no colon in their names"));
	c->users = mem_realloc(c->users, (c->nusers + 1) * sizeof(*c->users));
	c->users[c->nusers++] = (struct web_user){ mem_strdup(text_of(name)), mem_strdup(hash) };
	return 0;
}

static int top_key(struct reading *r, const yaml_node_t *name, const yaml_node_t *value)
{
	const char *key = text_of(name);
	int done;

	if (!strcmp(key, "basic_auth_users"))
		return each_pair(r, value, user_key);
	if (strcmp(key, "tls_server_config"))
		return wrong(r, name, _("iotop serve cannot do this; it knows tls_server_config "
					"and basic_auth_users"));
	done = each_pair(r, value, tls_key);
	if (done >= 0 && (!r->config->cert || !r->config->key))
		return wrong(r, name, _("cert_file and key_file are both needed"));
	return done;
}

static bool has_more(yaml_parser_t *parser)
{
	yaml_document_t next;
	bool more;

	if (!yaml_parser_load(parser, &next))
		return true;
	more = yaml_document_get_root_node(&next) != NULL;
	yaml_document_delete(&next);
	return more;
}

static int read_document(struct reading *r, const struct buf *text)
{
	yaml_parser_t parser;
	const yaml_node_t *root;
	int done = 0;

	if (!yaml_parser_initialize(&parser))
		mem_exhausted();
	yaml_parser_set_input_string(&parser,
				     (const unsigned char *)(text->data ? text->data : ""),
				     text->len);
	if (!yaml_parser_load(&parser, &r->doc)) {
		done = err_set(r->err, EINVAL, "%s:%zu: %s", r->path,
			       parser.problem_mark.line + 1,
			       parser.problem ? parser.problem : "");
		yaml_parser_delete(&parser);
		return done;
	}
	root = yaml_document_get_root_node(&r->doc);
	/* What is not understood would leave the door open. */
	if (root && root->type != YAML_MAPPING_NODE)
		done = wrong(r, root, _("names and values are expected here"));
	else if (root)
		done = each_pair(r, root, top_key);
	yaml_document_delete(&r->doc);
	if (done >= 0 && root && has_more(&parser))
		done = err_set(r->err, EINVAL, "%s: %s", r->path,
			       _("there is more in it than one document"));
	yaml_parser_delete(&parser);
	return done;
}

int web_config_read(const char *path, struct web_config *ret, struct err *err)
{
	struct web_config config = { 0 };
	struct reading r = { .config = &config, .path = path, .err = err };
	struct buf text = { 0 };
	int done = buf_read_file(&text, AT_FDCWD, path, FILE_MOST);

	if (done < 0)
		err_set(err, -done, "%s: %m", path);
	else
		done = read_document(&r, &text);
	if (text.data)
		explicit_bzero(text.data, text.len);
	buf_release(&text);
	if (done < 0)
		web_config_release(&config);
	else
		*ret = config;
	return done;
}

static void forget(char *secret)
{
	if (secret)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}

void web_config_release(struct web_config *c)
{
	for (size_t i = 0; i < c->nusers; i++) {
		free(c->users[i].name);
		forget(c->users[i].hash);
	}
	free(c->users);
	forget(c->key);
	free(c->cert);
	*c = (struct web_config){ 0 };
}
