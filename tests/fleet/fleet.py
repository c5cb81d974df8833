# SPDX-License-Identifier: GPL-2.0-or-later
"""
A fleet of exporters, each in a network namespace of its own, and a Prometheus that scrapes them.
Times of the rules that are shipped are divided, so that a test sees alerts in its own time.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.join(os.environ["top_srcdir"], "tests/bpf"))
from lib import *

TOP = os.path.abspath(os.environ["top_srcdir"])
PROMETHEUS = os.environ.get("IOTOP_PROMETHEUS") or shutil.which("prometheus")
PROMTOOL = os.environ.get("IOTOP_PROMTOOL") or shutil.which("promtool")
PATIENCE = 120
os.environ["no_proxy"] = "*"
# Of the network for benchmarks (RFC 2544): no machine is there.
ADDRESS = "198.18.%d.%d"
# Seconds between scrapes, and between the samples of an exporter.
SCRAPE, SAMPLE = 1, 0.5
UNITS = {"s": 1, "m": 60, "h": 3600}


def until(what, condition, patience=PATIENCE):
    end = time.monotonic() + patience
    while True:
        got = condition()
        if got:
            return got
        if time.monotonic() > end:
            sys.exit("FAIL: never came to be: " + what)
        time.sleep(0.2)


def namespace(n):
    """With one address, which is reached from here."""
    name, here, there = "iotop-%d-%d" % (os.getpid(), n), "iot%dh%d" % (os.getpid() % 10000, n), \
        "iot%dt%d" % (os.getpid() % 10000, n)
    try:
        run("ip", "netns", "add", name)
    except subprocess.CalledProcessError as e:
        skip("no network namespaces: " + e.stdout.strip())
    undo(lambda: run("ip", "netns", "del", name))
    run("ip", "link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
    run("ip", "addr", "add", ADDRESS % (n, 1) + "/30", "dev", here)
    run("ip", "link", "set", here, "up")
    run("ip", "-n", name, "addr", "add", ADDRESS % (n, 2) + "/30", "dev", there)
    run("ip", "-n", name, "link", "set", there, "up")
    return name


class Exporter:
    def __init__(self, n):
        self.namespace, self.instance = namespace(n), ADDRESS % (n, 2) + ":9963"
        self.process = None
        undo(self.end)

    def start(self, *options, by=()):
        """by: what starts it, with fewer privileges."""
        # "ip netns exec" would hide the control groups.
        self.process = subprocess.Popen(
            ["nsenter", "--net=/run/netns/" + self.namespace, *by, os.environ["IOTOP"], "serve",
             "-d", str(SAMPLE), "--listen=" + self.instance, *options], stdin=subprocess.DEVNULL)

    def end(self):
        if self.process:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            self.process.wait()
        self.process = None


def divided(rules, by):
    """The rules with all their times so many times shorter; expressions stay as they are."""
    def shorter(m):
        return "%s%dms" % (m.group(1), round(int(m.group(2)) * UNITS[m.group(3)] * 1000 / by))
    rules = re.sub(r"((?:\[|for: ))(\d+)([smh])\b", shorter, rules)
    return re.sub(r"(seconds > )(\d+)", lambda m: m.group(1) + str(int(m.group(2)) / by), rules)


class Prometheus:
    def __init__(self, folder, instances, by):
        self.port = free_port()
        self.url = "http://127.0.0.1:%d" % self.port
        with open(os.path.join(TOP, "contrib/prometheus/iotop.rules.yml")) as f:
            rules = f.read()
        with open(os.path.join(folder, "rules.yml"), "w") as f:
            f.write(divided(rules, by))
        config = os.path.join(folder, "prometheus.yml")
        with open(config, "w") as f:
            json.dump({
                "global": {"scrape_interval": "%ds" % SCRAPE,
                           "evaluation_interval": "%ds" % SCRAPE},
                "rule_files": [os.path.join(folder, "rules.yml")],
                "scrape_configs": [{"job_name": "iotop", "static_configs": [
                    {"targets": instances}]}],
            }, f)
        log = open(os.path.join(folder, "log"), "w+")
        self.process = subprocess.Popen(
            [PROMETHEUS, "--config.file=" + config,
             "--storage.tsdb.path=" + os.path.join(folder, "data"),
             "--web.listen-address=127.0.0.1:%d" % self.port], stdout=log, stderr=subprocess.STDOUT)
        undo(lambda: (self.process.terminate(), self.process.wait()))

    def ask(self, path, **query):
        url = "%s%s?%s" % (self.url, path, urllib.parse.urlencode(query))
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return json.load(answer)["data"]
        except (OSError, ValueError) as e:
            return {"error": "%s: %s" % (e, e.read() if hasattr(e, "read") else "")}

    def answers(self):
        return "result" in self.ask("/api/v1/query", query="up")

    def query(self, text, when):
        """{labels: value} at that time; none where it was refused."""
        got = self.ask("/api/v1/query", query=text, time=when)
        if "result" not in got:
            failed("%s: %s" % (text, got["error"]))
            return {}
        rows = got["result"] if got["resultType"] == "vector" else []
        return {tuple(sorted(r["metric"].items())): float(r["value"][1]) for r in rows}

    def fired(self, until, seconds):
        """Labels of each alert that fired in the seconds before."""
        return [dict(labels) for labels in self.query(
            'max_over_time(ALERTS{alertstate="firing"}[%ds])' % max(1, seconds), until)]

    def rules(self):
        return [r for g in self.ask("/api/v1/rules")["groups"] for r in g["rules"]]
