#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes recordings and journals that iotop did not make.

  journals.py super DB NAME   a journal beside DB; rolling it back removes NAME
  journals.py hot DB TO       TO and its journal: DB in the middle of a sample
  journals.py wal DB          DB in WAL mode, with the files it has then
  journals.py long DB         many more samples
  journals.py hold DB MODE    prints a line, then holds DB until stdin ends;
                              MODE: shared, exclusive
"""
import os
import shutil
import sqlite3
import struct
import sys

MAGIC = bytes.fromhex('d9d505f920a163d7')
LOCK_BYTE = 0x40000000


def connect(path):
    return sqlite3.connect(path, isolation_level=None)


def super_journal(path, name):
    with open(path, 'rb') as f:
        size = struct.unpack('>H', f.read(18)[16:])[0] or 1
    size = 65536 if size == 1 else size
    pages = os.path.getsize(path) // size
    name = os.fsencode(name)
    head = MAGIC + struct.pack('>IIIII', 0, 1, pages, 512, size)
    checksum = sum(struct.unpack('%db' % len(name), name)) & 0xffffffff
    with open(path + '-journal', 'wb') as f:
        f.write(head.ljust(512, b'\0') + struct.pack('>I', LOCK_BYTE // size + 1) + name +
                struct.pack('>II', len(name), checksum) + MAGIC)


def hot(path, to):
    scratch = to + '.tmp'
    shutil.copy(path, scratch)
    db = connect(scratch)
    db.execute('PRAGMA journal_mode = TRUNCATE').fetchall()
    db.execute('PRAGMA synchronous = OFF')
    # So that pages get into the file before the end.
    db.execute('PRAGMA cache_size = 1')
    db.execute('BEGIN')
    db.execute("UPDATE task SET comm = 'half'")
    db.execute('DELETE FROM disk')
    db.execute('INSERT INTO sample SELECT id + 1000000000, mono + 1000000000000000, boot, real, 1,'
               ' lacks FROM sample')
    for i in range(100):
        db.execute('CREATE TABLE more%d (a)' % i)
    shutil.copy(scratch, to)
    shutil.copy(scratch + '-journal', to + '-journal')
    os.chmod(to, 0o600)
    db.execute('ROLLBACK')
    db.close()
    for name in scratch, scratch + '-journal':
        if os.path.exists(name):
            os.unlink(name)
    if os.path.getsize(to + '-journal') < 1000:
        sys.exit('the journal is not hot')


def wal(path):
    db = connect(path)
    db.execute('PRAGMA journal_mode = WAL').fetchall()
    db.execute('CREATE TABLE more (a)')
    db.execute('SELECT * FROM sample').fetchall()
    # Not closed: both files stay.
    sys.stdout.flush()
    os._exit(0)


def long(path):
    db = connect(path)
    db.execute('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)'
               ' INSERT INTO sample SELECT id + i, mono + i * 1000000000, boot, real, 0, lacks'
               ' FROM n, (SELECT * FROM sample ORDER BY id DESC LIMIT 1)')
    db.close()


def hold(path, mode):
    db = connect(path)
    if mode == 'exclusive':
        db.execute('BEGIN EXCLUSIVE')
    else:
        db.execute('BEGIN')
        db.execute('SELECT * FROM sample').fetchone()
    print('held', flush=True)
    sys.stdin.read()


{'super': super_journal, 'hot': hot, 'wal': wal, 'long': long, 'hold': hold}[sys.argv[1]](
    *sys.argv[2:])
