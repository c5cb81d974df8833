// SPDX-License-Identifier: GPL-2.0-or-later
/* The process that asks name services, which may wait for a server of the network. */
#include <pwd.h>
#include <string.h>

#include "base/buf.h"
#include "collect/helper/process.h"

#define PASSWD_MAX 4096

static void put_name(struct buf *out, uint32_t uid)
{
	char room[PASSWD_MAX];
	struct passwd pw, *found = NULL;
	bool named =
		getpwuid_r(uid, &pw, room, sizeof(room), &found) == 0 && found && pw.pw_name[0];

	wire_put_text(out, named ? pw.pw_name : "", named ? strlen(pw.pw_name) : 0);
}

void users_run(int requests)
{
	static struct wire_packet packet;
	struct buf out = { 0 };

	while (wire_recv(requests, &packet, NULL, true) == 1) {
		struct wire_reader r = wire_reader(packet.data, packet.head.len);
		uint32_t uid = wire_u32(&r);

		buf_reset(&out);
		if (packet.head.kind == MESSAGE_USER && !r.short_)
			put_name(&out, uid);
		else if (packet.head.kind != MESSAGE_READY)
			break;
		if (wire_send_all(requests, packet.head.kind, packet.head.id, out.data, out.len) <
		    0)
			break;
	}
	buf_release(&out);
}
