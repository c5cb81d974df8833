#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# File systems of servers: NFS over loopback, its calls against the kernel's own counts and its
# silence when the server is stopped; a FUSE process that sleeps; what is blocked on them says so.
# screens: mounts offcpu
. "$(dirname "$0")/../devices.sh"
. "$(dirname "$0")/../watch.sh"
need_command python3
need_module fuse
need_module nfs
need_module nfsv4
need_module nfsd
ip link set lo up
mkdir -p "$work/export" "$work/nfs" "$work/fuse"

# What mountd would answer: the client, the export with the id of the root, and its handle.
mount -t tmpfs export "$work/export"
later umount "$work/export"
mount -t nfsd nfsd /proc/fs/nfsd
later umount /proc/fs/nfsd
later eval 'echo 0 > /proc/fs/nfsd/threads || :'
allow() {
	local until=$(($(date +%s) + 100000))
	echo "nfsd 127.0.0.1 $until local" > /proc/net/rpc/auth.unix.ip/channel
	# Read and write, from any port, asynchronous, without a check of the path, fsid 0.
	echo "local $work/export $until $((0x2 | 0x4 | 0x10 | 0x400 | 0x2000)) 0 0 0" > \
		/proc/net/rpc/nfsd.export/channel
	printf 'local 1 \\x00000000 %s %s\n' "$until" "$work/export" > \
		/proc/net/rpc/nfsd.fh/channel
}
serve() {
	echo 10 > /proc/fs/nfsd/nfsv4gracetime
	# The older versions want rpcbind and lockd.
	for version in -2 -3 +4; do
		echo "$version" > /proc/fs/nfsd/versions 2> /dev/null || :
	done
	allow
	echo "tcp 2049" > /proc/fs/nfsd/portlist
	echo 2 > /proc/fs/nfsd/threads
	# No client has anything to reclaim.
	echo Y > /proc/fs/nfsd/v4_end_grace 2> /dev/null || :
	allow
}
serve || fail "nfsd does not start"
mount -i -t nfs4 -o addr=127.0.0.1,clientaddr=127.0.0.1,vers=4.2,sec=sys,hard,timeo=600,noac \
	127.0.0.1:/ "$work/nfs" || skip "NFS over loopback cannot be mounted"
later umount -l "$work/nfs"

mount -t fusectl fusectl /sys/fs/fuse/connections
later umount /sys/fs/fuse/connections
python3 "$top_srcdir/tests/bpf/fuse.py" "$work/fuse" 100000 &
server=$!
later eval "umount -l '$work/fuse' 2> /dev/null; kill $server; wait $server || :"
wait_until mountpoint -q "$work/fuse"

echo 3 > "$work/nfs/warm"
watch mounts --screen=mounts -a --columns=mount,fs,calls,avg,waiting,silent,read,write
watch offcpu --screen=offcpu --group=process --state=DS --columns=comm,blocked,cause \
	--filter 'comm = "head"'
reports 2
calls() { awk -v on="$work/nfs" '$1 == "device" { here = $5 == on; ops = 0 }
	here && ops { n += $2 } here && /per-op/ { ops = 1 } END { print n }' \
	/proc/self/mountstats; }
before=$(calls)
dd if=/dev/zero of="$work/nfs/file" bs=64k count=20 conv=fsync status=none
echo 3 > /proc/sys/vm/drop_caches
cat "$work/nfs/file" > /dev/null
done=$(($(calls) - before))
head -c 10 "$work/fuse/file" > /dev/null &
more_reports
cp "$work/mounts.all" "$work/calm.all"
# The client has calls of its own: at least those of the programs, at most all until now.
most=$(($(calls) - before))
echo "calls $done to $most"

# The server is stopped: a reader waits for it.
echo 0 > /proc/fs/nfsd/threads
echo 3 > /proc/sys/vm/drop_caches
head -c 10 "$work/nfs/file" > /dev/null &
reader=$!
for _ in 1 2 3; do more_reports; done
cp "$work/mounts.all" "$work/silent.all"
cp "$work/offcpu.all" "$work/blocked.all"
serve
wait "$reader"
more_reports
end_watching
counted=$(grep -c '__traceiter_fuse_request_end' /proc/kallsyms || :)
python3 - "$work" "$done" "$most" "$counted" << 'END'
import json, os, sys
work, least, most = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
def reports(name):
    return [json.loads(line) for line in open("%s/%s.all" % (work, name))]
def row(report, on):
    return [r for r in report["rows"] if r["mount"] == "%s/%s" % (work, on)][0]
def check(what, ok):
    if not ok:
        print(what)
        sys.exit(1)
first, calm = row(reports("calm")[0], "nfs"), row(reports("calm")[-1], "nfs")
silent, fuse = row(reports("silent")[-1], "nfs"), row(reports("silent")[-1], "fuse")
healed = row(reports("mounts")[-1], "nfs")
causes = {r["cause"] for r in reports("blocked")[-1]["rows"]}
told = reports("silent")[-1]["sources"]["mounts"]
print("calm", calm, "silent", silent, "fuse", fuse, "healed", healed, "causes", causes, told)
check("kinds", calm["fs"] == "nfs4" and fuse["fs"] == "fuse")
calls = calm["calls"] - (first["calls"] or 0)
check("calls: %d, not %d to %d" % (calls, least, most), least <= calls <= most)
check("bytes", calm["write"] >= 20 << 16 and calm["read"] >= 20 << 16)
check("a fast server is silent: %s" % calm, calm["silent"] in (0, None))
# Before 6.11 the calls of FUSE are not told.
counted = sys.argv[4] != "0"
check("FUSE: %s" % fuse, fuse["waiting"] == 1 and (fuse["calls"] is not None) == counted)
check("FUSE is silent: %s" % fuse, (fuse["silent"] or 0) >= 1e9 if counted else
      fuse["silent"] is None)
# Before 5.14 it is not told what waits for NFS.
waits = os.path.isdir("/sys/kernel/sunrpc")
check("told: %s" % told, (told == "on") == (counted and waits))
if waits:
    check("silent: %s" % silent, silent["waiting"] >= 1 and silent["silent"] >= 1e9)
    check("healed: %s" % healed, healed["silent"] == 0)
else:
    check("not told, and not said: %s" % told, silent["silent"] is None)
check("causes: %s" % causes, causes >= {"nfs server", "fuse server"})
END
