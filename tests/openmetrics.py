# SPDX-License-Identifier: GPL-2.0-or-later
"""
A strict reader of OpenMetrics 1.0 and of the text format of Prometheus: what is not as the format
says raises Wrong, with the line. And a service to scrape.
"""
import http.client
import os
import re
import socket
import subprocess
import time

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(r"^(%s)(\{(.*)\})? (\S+)$" % NAME)
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)')
SUFFIXES = {
    "counter": ("_total",),
    "gauge": ("",),
    "info": ("_info",),
    "histogram": ("_bucket", "_sum", "_count"),
}
NEWER = "application/openmetrics-text; version=1.0.0"


class Wrong(Exception):
    pass


def labels_of(text):
    labels, at = {}, 0
    while at < len(text):
        m = LABEL.match(text, at)
        if not m or m.group(1) in labels or (m.group(3) and m.end() == len(text)):
            raise Wrong("labels: %s" % text)
        labels[m.group(1)] = m.group(2)
        at = m.end()
    return labels


def check_histogram(family, series):
    """Each set of labels: buckets that grow up to +Inf, which is the count."""
    sets = {}
    for (name, labels), value in series.items():
        if name.startswith(family):
            rest = dict(labels)
            le = rest.pop("le", None)
            sets.setdefault(tuple(sorted(rest.items())), {})[le or name[len(family) :]] = value
    for labels, parts in sets.items():
        count, total = parts.pop("_count"), parts.pop("_sum")
        buckets = sorted((float(le), v) for le, v in parts.items())
        values = [v for _, v in buckets]
        if values != sorted(values) or buckets[-1] != (float("inf"), count) or total < 0:
            raise Wrong("histogram %s%s: %s, count %s" % (family, labels, buckets, count))
        if len(buckets) > 16:
            raise Wrong("%d buckets" % len(buckets))


def parse(text, newer):
    """{(name, labels): value} of a whole exposition."""
    series, done, types, family = {}, set(), {}, None
    lines = text.split("\n")
    if lines.pop() != "" or (lines.pop() != "# EOF" if newer else False):
        raise Wrong("it does not end as it should")
    for line in lines:
        meta = re.match(r"^# (TYPE|UNIT|HELP) (%s) (.*)$" % NAME, line)
        if meta:
            what, name, rest = meta.groups()
            if what == "TYPE":
                if name in done:
                    raise Wrong("a family twice: " + line)
                done.add(name)
                family = name
                types[name] = rest
                if rest not in SUFFIXES or (rest == "info" and not newer):
                    raise Wrong(line)
            if name != family:
                raise Wrong("families are mixed: " + line)
            if what == "UNIT" and (not newer or not name.endswith("_" + rest)):
                raise Wrong(line)
            continue
        m = SAMPLE.match(line)
        if not m or not family:
            raise Wrong(line)
        kind = types[family]
        suffixes = SUFFIXES[kind] if newer or kind == "histogram" else ("",)
        if m.group(1) not in [family + s for s in suffixes]:
            raise Wrong("%s is not of %s" % (line, family))
        if not newer and kind == "counter" and not family.endswith("_total"):
            raise Wrong(line)
        labels = labels_of(m.group(3) or "")
        key = (m.group(1), tuple(sorted(labels.items())))
        if key in series:
            raise Wrong("twice: " + line)
        series[key] = float(m.group(4))
    for name, kind in types.items():
        if kind == "histogram":
            check_histogram(name, series)
    return series, types


def listens():
    """Whether this build of iotop serve can listen at all; without a library it says so."""
    answer = subprocess.run([os.environ["IOTOP"], "serve", "--web-config=/none"],
                            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return "without libmicrohttpd" not in answer.stderr


class Service:
    """iotop serve, on a socket of its own."""

    def __init__(self, folder, *args, **more):
        self.path = os.path.join(folder, "s")
        self.errors = open(os.path.join(folder, "errors"), "w+")
        self.process = subprocess.Popen(
            [os.environ["IOTOP"], "serve", "--listen=unix:" + self.path] + list(args),
            stdin=subprocess.DEVNULL,
            stderr=self.errors,
            **more
        )

    def connect(self):
        s = socket.socket(socket.AF_UNIX)
        s.connect(self.path)  # waits while many others do
        s.settimeout(60)
        return s

    def request(self, path="/metrics", method="GET", **headers):
        c = http.client.HTTPConnection("localhost")
        c.sock = self.connect()
        c.request(method, path, headers=headers)
        answer = c.getresponse()
        body = answer.read()
        c.close()
        return answer, body

    def running(self):
        return self.process.poll() is None

    def said(self):
        self.errors.seek(0)
        return self.errors.read()

    def wait(self, seconds=120):
        """Until it has a sample; what it said, when it ends before."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.running():
            try:
                if self.request("/healthz")[0].status == 200:
                    return ""
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.05)
        return self.said() or "no sample came"

    def scrape(self, newer=True):
        answer, body = self.request(Accept=NEWER if newer else "text/plain")
        kind = answer.getheader("Content-Type")
        if kind.startswith("application/openmetrics-text") != newer:
            raise Wrong(kind)
        return parse(body.decode("utf-8"), newer)

    def samples(self, n):
        """The series once n more samples were taken."""
        first = None
        while True:
            series, types = self.scrape()
            taken = series[("iotop_samples_total", ())]
            first = taken if first is None else first
            if taken >= first + n:
                return series, types
            time.sleep(0.05)
