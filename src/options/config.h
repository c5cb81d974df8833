/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configuration file: options as lines "long-option=value". */
#ifndef IOTOP_OPTIONS_CONFIG_H
#define IOTOP_OPTIONS_CONFIG_H

#include "base/buf.h"
#include "options/options.h"

/* The lines of a configuration file over o. name is for messages. */
int options_read_config(struct options *o, const char *text, const char *name, struct buf *why);
/* The user's file over o, when there is one. */
int options_read_config_file(struct options *o, struct buf *why);
/*
 * The file of --settings over o, which has options of iotop record: one that is not there says
 * nothing. 0, or -EINVAL and one line in why.
 */
int options_read_settings(struct options *o, const char *path, struct buf *why);
/* Screen, columns, order, filter and condition, as the next start would read them. */
int options_check_config(const struct options *o, struct buf *why);
/* Adds those lines of a file whose options may be saved and are not decided by who writes it. */
void options_carry_config(struct buf *out, const char *text, bool (*decided)(const char *name));
/* The options that differ from the defaults and may be saved, as a configuration file. */
void options_write_config(const struct options *o, struct buf *out);

#endif
