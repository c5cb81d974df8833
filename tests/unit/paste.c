/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A paste is read in pieces; nothing of it is lost, whatever its pieces end with. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tui/paste.h"
#include "unit.h"

#define LETTERS 30000

static const wchar_t letters[] = L"a\u00fc\u2026\u6f22\U0001f600";

static int ends[2];

static void setup(void)
{
	ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
	ck_assert_int_eq(pipe(ends), 0);
}

static void teardown(void)
{
	close(ends[0]);
	close(ends[1]);
}

static void write_text(const char *text, size_t n)
{
	ck_assert_int_eq(write(ends[1], text, n), (ssize_t)n);
}

static void note(struct paste *p, unsigned n)
{
	while (n--)
		paste_note(p, true);
}

/* In pieces that end within characters. */
static void write_letters(void)
{
	static char text[LETTERS * 4 + PASTE_PLAIN];
	size_t len = 0;

	for (unsigned i = 0; i < LETTERS; i++)
		len += (size_t)wctomb(text + len, letters[i % 5]);
	memset(text + len, 'z', PASTE_PLAIN);
	len += PASTE_PLAIN;
	for (size_t sent = 0, piece; sent < len; sent += piece) {
		piece = MIN((size_t)1237, len - sent);
		if (write(ends[1], text + sent, piece) != (ssize_t)piece)
			_exit(1);
	}
	_exit(0);
}

START_TEST(nothing_is_lost)
{
	struct paste p = { 0 };
	pid_t child = fork();
	unsigned got = 0;
	wint_t code;

	ck_assert_int_ge(child, 0);
	if (!child)
		write_letters();
	while (got < LETTERS) {
		p.plain = PASTE_PLAIN;
		if (paste_next(&p, ends[0], &code))
			ck_assert_uint_eq(code, (wint_t)letters[got++ % 5]);
	}
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
}
END_TEST

/* What somebody types is left to the other reader, which knows keys. */
START_TEST(typing_is_left_alone)
{
	struct paste p = { 0 };
	char text[PASTE_PLAIN];
	wint_t code;

	memset(text, 'x', sizeof(text));
	note(&p, PASTE_PLAIN);
	write_text(text, sizeof(text) - 1);
	ck_assert(!paste_next(&p, ends[0], &code));
	write_text(text, 1);
	/* It may have read more than it gave. */
	note(&p, PASTE_PLAIN - 1);
	ck_assert(!paste_next(&p, ends[0], &code));
	paste_note(&p, false);
	note(&p, PASTE_PLAIN - 1);
	ck_assert(!paste_next(&p, ends[0], &code));
	note(&p, 1);
	ck_assert(paste_next(&p, ends[0], &code));
	ck_assert_uint_eq(code, 'x');
	ck_assert(paste_waits(&p));
}
END_TEST

START_TEST(one_is_given_back)
{
	char text[PASTE_PLAIN + 8];
	struct paste p = { 0 };
	wint_t code;

	ck_assert(!paste_back(&p, 'x'));
	memset(text, 'x', sizeof(text));
	memcpy(text, "\xc3\xbc\xff", 3);
	note(&p, PASTE_PLAIN);
	write_text(text, sizeof(text));
	ck_assert(paste_next(&p, ends[0], &code));
	ck_assert_uint_eq(code, 0xfc);
	ck_assert(paste_back(&p, code));
	ck_assert(!paste_back(&p, code));
	ck_assert(paste_next(&p, ends[0], &code));
	ck_assert_uint_eq(code, 0xfc);
	/* What is no character is left out. */
	ck_assert(paste_next(&p, ends[0], &code));
	ck_assert_uint_eq(code, 'x');
}
END_TEST

UNIT_FIXTURE_MAIN("paste", setup, teardown, nothing_is_lost, typing_is_left_alone,
		  one_is_given_back)
