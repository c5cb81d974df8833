// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "completions bash|zsh|fish NAME" writes what completes the command line of NAME in that shell,
 * from the table of options. The build runs it; it is not installed.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/macro.h"
#include "data/entity.h"
#include "options/table.h"
#include "tui/screen.h"

/* What an option's argument is, beyond what its kind says. */
enum offer {
	OFFER_NONE,	/* no argument, or one that nobody can guess */
	OFFER_WORD,	/* one of its choices */
	OFFER_WORDS,	/* some of them, with commas between */
	OFFER_SCREEN,
	OFFER_COLUMN,
	OFFER_COLUMNS,	/* with commas between, each maybe with + or - before it */
	OFFER_FILE,
	OFFER_FOLDER,
	OFFER_GROUP,	/* a folder of control groups */
	OFFER_COMMAND,
	OFFER_DISK,
	OFFER_PID,
	OFFER_USER,
};

#define GROUPS_AT "/sys/fs/cgroup"

static enum offer offer_of(const struct option_info *info)
{
	static const struct {
		const char *name;
		enum offer offer;
	} named[] = {
		{ "screen", OFFER_SCREEN },	{ "list-columns", OFFER_SCREEN },
		{ "columns", OFFER_COLUMNS },	{ "sort", OFFER_COLUMN },
		{ "disk", OFFER_DISK },		{ "cgroup", OFFER_GROUP },
		{ "store", OFFER_FOLDER },	{ "exec", OFFER_COMMAND },
	};

	if (!info->arg)
		return OFFER_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(named); i++)
		if (!strcmp(info->name, named[i].name))
			return named[i].offer;
	if (!strcmp(info->arg, "FILE"))
		return OFFER_FILE;
	switch (info->kind) {
	case OPT_CHOICE:
		return OFFER_WORD;
	case OPT_WORDS:
		return OFFER_WORDS;
	case OPT_PIDS:
		return OFFER_PID;
	case OPT_USERS:
		return OFFER_USER;
	case OPT_FLAG:
	case OPT_COUNT:
	case OPT_SET:
	case OPT_TEXT:
	case OPT_NUMBER:
	case OPT_SECONDS:
	case OPT_TIME:
	case OPT_SIZE:
	case OPT_ACTION:
		break;
	}
	return OFFER_NONE;
}

/* "--store" alone is a whole option, too: its argument begins with "=". */
static bool is_optional(const struct option_info *info)
{
	return info->arg && *info->arg == '[';
}

static unsigned commands_of(const struct option_info *info)
{
	unsigned set = 0;

	for (int c = 0; c < COMMAND_COUNT; c++)
		if (option_acts_with(info, (enum command)c))
			set |= 1u << c;
	return set;
}

/* Those of the options that the program was built with. */
#define each_option(info)                                                                  \
	for (const struct option_info *info = option_table; info < option_table + option_count; \
	     info++)                                                                       \
		if (option_available(info))

enum shell {
	BASH,
	ZSH,
	FISH,
	SHELLS,
};

static const char *const shell_names[SHELLS] = { "bash", "zsh", "fish" };

/* What offers values: bash sets words or the answer, zsh and fish are given an action. */
static const char *const actions[][SHELLS] = {
	[OFFER_NONE] = { "return", " ", "" },
	[OFFER_WORD] = { "words='%s'", "(%s)", "%s" },
	[OFFER_WORDS] = { "list=, words='%s'", "_values -s , list %s",
			  "(__fish_complete_list , 'printf %%s\\\\n %s')" },
	[OFFER_SCREEN] = { "words='%s'", "(%s)", "%s" },
	[OFFER_COLUMN] = { "words=$(_iotop_columns)", "_iotop_column", "(__iotop_columns)" },
	[OFFER_COLUMNS] = { "list=, words=$(_iotop_columns)", "_iotop_column",
			    "(__fish_complete_list , __iotop_columns)" },
	[OFFER_FILE] = { "_iotop_files -f; return", "_files", NULL },
	[OFFER_FOLDER] = { "_iotop_files -d; return", "_files -/",
			   "(__fish_complete_directories)" },
	[OFFER_GROUP] = { "words=$(cd " GROUPS_AT " 2>/dev/null && compgen -d -- \"$cur\")",
			  "_files -W " GROUPS_AT " -/",
			  "(cd " GROUPS_AT " 2>/dev/null; and __fish_complete_directories)" },
	[OFFER_COMMAND] = { "words=$(compgen -c -- \"$cur\")", "_command_names -e",
			    "(__fish_complete_command)" },
	[OFFER_DISK] = { "words=$(ls /sys/block 2>/dev/null)",
			 "compadd -- /sys/block/*(N\\:t)", "(path basename /sys/block/*)" },
	[OFFER_PID] = { "list=, words=$(cd /proc && echo [0-9]*)", "_pids",
			"(__fish_complete_pids)" },
	[OFFER_USER] = { "list=, words=$(compgen -u)", "_users", "(__fish_complete_users)" },
};

static void put_action(enum shell shell, const struct option_info *info)
{
	struct buf words = { 0 };
	enum offer offer = offer_of(info);

	for (unsigned i = 0; offer == OFFER_SCREEN && screens[i]; i++)
		buf_printf(&words, "%s%s", i ? " " : "", screens[i]->name);
	for (unsigned i = 0; offer != OFFER_SCREEN && i < info->nchoices; i++)
		if (info->choices[i])
			buf_printf(&words, "%s%s", words.len ? " " : "", info->choices[i]);
	printf(actions[offer][shell], words.data);
	buf_release(&words);
}

/* A text in single quotes; each of `special' gets a backslash before it. */
static void put_quoted(const char *text, const char *special)
{
	for (; *text; text++) {
		if (strchr(special, *text))
			putchar('\\');
		if (*text == '\'' && !strchr(special, '\''))
			fputs("'\\''", stdout);
		else
			putchar(*text);
	}
}

/* The function _iotop_columns of bash and zsh: the columns of the screen that was asked for. */
static void put_columns(const char *words)
{
	printf("_iotop_columns()\n{\n\tlocal word before= screen=%s\n"
	       "\tfor word in \"%s\"; do\n"
	       "\t\tcase $before$word in\n"
	       "\t\t--screen=?*) screen=${word#--screen=} ;;\n"
	       "\t\tesac\n"
	       "\t\tcase $word in\n"
	       "\t\t--screen | --screen=) before=--screen= ;;\n"
	       "\t\t=) ;;\n"
	       "\t\t*) before= ;;\n"
	       "\t\tesac\n"
	       "\tdone\n"
	       "\tcase $screen in\n", screens[0]->name, words);
	for (unsigned i = 0; screens[i]; i++) {
		printf("\t%s) echo", screens[i]->name);
		entity_each_column(entities[screens[i]->entity], col)
			printf(" %s", col->key);
		printf(" ;;\n");
	}
	printf("\tesac\n}\n\n");
}

static void put_options(enum command command)
{
	each_option(info) {
		if (!(commands_of(info) & 1u << command))
			continue;
		printf(" --%s%s", info->name, info->arg && !is_optional(info) ? "=" : "");
		if (info->letter)
			printf(" -%c", info->letter);
	}
}

/* What is completed, and which option it belongs to. "=" may be a word of its own. */
static const char bash_begin[] =
	"_iotop_files()\n{\n"
	"\tcompopt -o filenames\n"
	"\tmapfile -t COMPREPLY < <(compgen \"$1\" -- \"$cur\")\n}\n\n"
	"_iotop()\n{\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}\n"
	"\tlocal list= words= joined= before=\n"
	"\tCOMPREPLY=()\n"
	"\tif [[ $cur == = ]]; then cur= joined=1\n"
	"\telif [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]} joined=1\n"
	"\telif [[ $cur == --*=* ]]; then\n"
	"\t\toption=${cur%%=*} before=${cur%%=*}= cur=${cur#*=} joined=1\n"
	"\tfi\n"
	"\tcase $option$joined in\n";
static const char bash_end[] =
	"\tif [[ $list ]]; then\n"
	"\t\tbefore+=${cur%\"${cur##*,}\"} cur=${cur##*,}\n"
	"\t\tif [[ $cur == [+-]* ]]; then before+=${cur:0:1} cur=${cur:1}; fi\n"
	"\tfi\n"
	"\tmapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$words\" -- \"$cur\")\n"
	"\tif [[ $list || ${COMPREPLY[*]} == --*= ]]; then compopt -o nospace; fi\n"
	"\treturn 0\n}\n";

static void bash_options(const char *pattern, enum command command)
{
	printf("\t\t%s) words='", pattern);
	put_options(command);
	printf("' ;;\n");
}

static void put_bash(const char *name)
{
	put_columns("${COMP_WORDS[@]}");
	fputs(bash_begin, stdout);
	each_option(info) {
		if (!info->arg)
			continue;
		printf("\t--%s1", info->name);
		if (!is_optional(info))
			printf(" | --%s", info->name);
		if (info->letter)
			printf(" | -%c", info->letter);
		printf(") ");
		put_action(BASH, info);
		printf(" ;;\n");
	}
	printf("\t*)\n\t\tcase ${COMP_WORDS[1]} in\n");
	for (int c = COMMAND_LIVE + 1; c < COMMAND_COUNT; c++)
		bash_options(command_names[c], (enum command)c);
	bash_options("*", COMMAND_LIVE);
	printf("\t\tesac\n\t\tif [[ $COMP_CWORD == 1 ]]; then words+='");
	for (int c = COMMAND_LIVE + 1; c < COMMAND_COUNT; c++)
		printf(" %s", command_names[c]);
	printf("'; fi ;;\n\tesac\n%scomplete -F _iotop %s\n", bash_end, name);
}

static void zsh_option(const struct option_info *info)
{
	const char *arg = !info->arg ? "" : is_optional(info) ? "=-" : "=";
	bool again = info->kind == OPT_PIDS || info->kind == OPT_USERS || info->kind == OPT_COUNT;

	printf("\t\t");
	if (info->letter && again)
		printf("'*'{-%c%s,--%s%s}'", info->letter, *arg ? "+" : "", info->name, arg);
	else if (info->letter)
		printf("'(-%c --%s)'{-%c%s,--%s%s}'", info->letter, info->name, info->letter,
		       *arg ? "+" : "", info->name, arg);
	else
		printf("'--%s%s", info->name, arg);
	printf("[");
	put_quoted(info->help, "[]:\\");
	printf("]");
	if (info->arg) {
		printf("%s:", is_optional(info) ? ":" : "");
		put_quoted(info->arg, "[]:\\");
		printf(":");
		put_action(ZSH, info);
	}
	printf("' \\\n");
}

static void put_zsh(const char *name)
{
	printf("#compdef %s\n\n", name);
	put_columns("${words[@]}");
	printf("_iotop_column()\n{\n\tcompset -P '*,'\n\tcompset -P '[+-]'\n"
	       "\tcompadd -S '' -- $(_iotop_columns)\n}\n\n_iotop()\n{\n\tcase $words[2] in\n");
	for (int c = COMMAND_COUNT - 1; c >= COMMAND_LIVE; c--) {
		printf("\t%s)\n\t\t_arguments -s \\\n", c ? command_names[c] : "*");
		each_option(info)
			if (commands_of(info) & 1u << c)
				zsh_option(info);
		printf("\t\t'1::command:(");
		for (int k = COMMAND_LIVE + 1; k < COMMAND_COUNT; k++)
			printf("%s%s", k > 1 ? " " : "", command_names[k]);
		printf(")' ;;\n");
	}
	printf("\tesac\n}\n\n_iotop \"$@\"\n");
}

/* Which of the commands were not named: a condition, unless the option is for all of them. */
static void fish_where(const struct option_info *info)
{
	unsigned set = commands_of(info);
	const char *negated = set & 1u << COMMAND_LIVE ? "not " : "";

	if (set == (1u << COMMAND_COUNT) - 1)
		return;
	printf(" -n '%s__fish_seen_subcommand_from", negated);
	for (int c = COMMAND_LIVE + 1; c < COMMAND_COUNT; c++)
		if (!(set & 1u << c) == (*negated != 0))
			printf(" %s", command_names[c]);
	printf("'");
}

static void fish_option(const char *name, const struct option_info *info)
{
	printf("complete -c %s -l %s", name, info->name);
	if (info->letter)
		printf(" -s %c", info->letter);
	fish_where(info);
	if (info->arg && !actions[offer_of(info)][FISH]) {
		printf(" -rF");
	} else if (info->arg) {
		printf(is_optional(info) ? " -f -a \"" : " -x -a \"");
		put_action(FISH, info);
		printf("\"");
	}
	printf(" -d '");
	put_quoted(info->help, "'\\");
	printf("'\n");
}

static void put_fish(const char *name)
{
	printf("function __iotop_columns\n"
	       "\tset -l screen (string match -r -g -- '--screen[= ]([a-z]+)' (commandline))[-1]\n"
	       "\tswitch \"$screen\"\n");
	for (unsigned i = 0; screens[i]; i++) {
		printf("\t\tcase %s%s\n\t\t\tprintf '%%s\\n'", screens[i]->name,
		       i ? "" : " ''");
		entity_each_column(entities[screens[i]->entity], col)
			printf(" %s", col->key);
		printf("\n");
	}
	printf("\tend\nend\n\ncomplete -c %s -f\n", name);
	for (int c = COMMAND_LIVE + 1; c < COMMAND_COUNT; c++)
		printf("complete -c %s -n __fish_use_subcommand -a %s\n", name, command_names[c]);
	each_option(info)
		fish_option(name, info);
}

int main(int argc, char **argv)
{
	static void (*const put[SHELLS])(const char *name) = { put_bash, put_zsh, put_fish };

	for (int i = 0; argc == 3 && i < SHELLS; i++)
		if (!strcmp(argv[1], shell_names[i])) {
			put[i](argv[2]);
			return ferror(stdout) || fflush(stdout) != 0;
		}
	fprintf(stderr, "usage: completions bash|zsh|fish NAME\n");
	return 2;
}
