// SPDX-License-Identifier: GPL-2.0-or-later
#include <libintl.h>
#include <locale.h>
#include <stdio.h>

#define _(text) gettext(text)

int main(void)
{
	setlocale(LC_ALL, "");
	bindtextdomain(PACKAGE, LOCALEDIR);
	textdomain(PACKAGE);
	printf(_("%s, version %s\n"), PACKAGE_NAME, PACKAGE_VERSION);
	return 0;
}
