#!/usr/bin/env python3
"""Runs the queries of deploy/grafana/fleet.json on a store, in the real engine, and compares their rows with what perfsift prints
for the same store: fold for the flame graph and the functions, list for the hosts and what was lost.

  deploy_grafana.py PERFSIFT

Exit status: 0 equal, 1 different, 77 without libchdb. Grafana itself is not run: this program puts its macros and variables
into the queries.
"""
import collections
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DASHBOARD = json.loads((HERE.parents[1] / "deploy/grafana/fleet.json").read_text())
TESTDATA = HERE.parents[1] / "testdata"
SMALLEST = 2000  # a box with less than this part of the cost is not drawn
perfsift = pathlib.Path(sys.argv[1]).resolve()
EVENTS = {"shop": "cpu-clock:u", "mail": "cpu-clock"}  # of services
failures = []


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def quoted(values):
    """Grafana's format singlequote."""
    return ",".join("'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'" for value in values)


def rows(store, title, services, hosts, event):
    panel, = (each for each in DASHBOARD["panels"] if each["title"] == title)
    sql = panel["targets"][0]["rawSql"]
    for name, values in {"service": services, "host": hosts, "event": [event]}.items():
        sql = sql.replace(f"${{{name}:singlequote}}", quoted(values))
    sql = sql.replace("$__fromTime", "toDateTime(0)").replace("$__toTime", "toDateTime(4294967295)")
    sql = re.sub(r"\$__timeInterval\((\w+)\)", r"toStartOfInterval(toDateTime(\1), INTERVAL 10 second)", sql)
    if "$" in sql:
        sys.exit(f"{title}: what Grafana replaces is not known: {sql}")
    return [line.split("\t") for line in run(HERE / "chdb_sql.py", store, sql).splitlines()]


def escaped(rows_):
    """As the engine writes texts between tabs."""
    return [type(row)(each.replace("\\", "\\\\").replace("'", "\\'") if isinstance(each, str) else each for each in row) for row in rows_]


def expect(what, actual, expected):
    if actual == expected and expected:
        print(f"equal: {what} ({len(expected)} rows)")
        return
    failures.append(what)
    print(f"DIFFERENT: {what}: {len(actual)} rows, {len(expected)} expected")
    for each in [row for row in actual if row not in expected][:3]:
        print("  only in the query:", each)
    for each in [row for row in expected if row not in actual][:3]:
        print("  only expected:", each)


def stacks_of(url, *options):
    """Stacks with the thread first, and their costs, as fold has them."""
    for line in run(perfsift, "fold", *options, url).splitlines():
        stack, _, cost = line.rpartition(" ")
        yield tuple(stack.split(";")), int(cost)


def costs_of(url, event):
    return stacks_of(f"{url}{'&' if '?' in url else '?'}event={event}", "--weight", "period")


def nested(stacks):
    value, own = collections.Counter(), collections.Counter()
    for stack, cost in stacks:
        path = ("total", *stack)
        for level in range(len(path)):
            value[path[:level + 1]] += cost
        own[path] += cost
    total = value[("total",)]
    return [[str(len(path) - 1), path[-1], str(value[path]), str(own[path])]
            for path in sorted(value, key=lambda path: [name.encode() for name in path]) if value[path] * SMALLEST >= total]


def functions(stacks, service):
    own, total = collections.Counter(), collections.Counter()
    for stack, cost in stacks:
        frames = stack[1:]
        for name in set(frames):
            total[name] += cost
        if frames:
            own[frames[-1]] += cost
    return {(service, name): own[name] for name in total}


def compare_flames(store, url, services, hosts):
    for service, event in EVENTS.items():
        expect(f"flame graph of {service}", rows(store, "Flame graph", services, hosts, event), escaped(nested(costs_of(url, event))))
    expect("flame graph of a host", rows(store, "Flame graph", services, ["b'c"], "cpu-clock"), escaped(nested(costs_of(f"{url}?host=b'c", "cpu-clock"))))


def compare_functions(store, url, services, hosts):
    """The query tells functions of the same name in several binaries apart, the text of fold does not."""
    for service, event in EVENTS.items():
        expected = functions(costs_of(f"{url}?service={service}", event), service)
        actual = collections.Counter()
        for found, name, _, own, _ in rows(store, "Functions by their own cost", services, hosts, event):
            actual[found, name] += int(own)
        # The table has the first 100.
        expect(f"functions of {service}", sorted(actual.items()), sorted((key, own) for key, own in expected.items() if own or key in actual))


def listed(url):
    return json.loads(run(perfsift, "store", "list", "--json", url))


def compare_hosts(store, url, services, hosts, event):
    cost = collections.Counter()
    for _, host, value in rows(store, "Cost by host", services, hosts, event):
        cost[host] += int(value)
    expected = sorted((host, sum(value for _, value in costs_of(f"{url}?host={host}", event))) for host in hosts)
    expect(f"{event} by host", sorted(cost.items()), escaped(expected))


def compare_losses(store, url, services, hosts):
    expected = collections.defaultdict(lambda: [0, 0, 0])
    for recording in json.loads(run(perfsift, "store", "list", "--json", url)):
        of_host = expected[recording["labels"]["host"]]
        for place, value in enumerate((1, recording["samples"], recording["lost"])):
            of_host[place] += value
    actual = [[row[0], *map(int, row[1:4])] for row in rows(store, "Lost samples by host", services, hosts, "")]
    expect("lost samples by host", sorted(actual), sorted(escaped([host, *facts] for host, facts in expected.items())))


def main():
    library = os.environ.setdefault("PERFSIFT_CHDB", str(HERE.parents[1] / "build/npm/node_modules/@chdb/lib-linux-x64-gnu/libchdb.so"))
    if platform.machine() != "x86_64" or not os.path.exists(library):
        print("skipped: no libchdb" if platform.machine() == "x86_64" else "skipped: libchdb is built for x86-64")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ |= {"HOME": scratch, "DEBUGINFOD_URLS": "", "PERFSIFT_CACHE_SIZE": "0"}
        store = scratch + "/store"
        url = "chdb:" + store
        symfs = ["--symfs", str(TESTDATA / "symfs"), "--kallsyms", str(TESTDATA / "oracle/mixed.kallsyms")]
        hosts, services = ["a", "b'c"], ["shop", "mail"]
        for host in hosts:
            for service, file in zip(services, ("demo.data", "oracle/mixed.data")):
                run(perfsift, "store", "add", "--quiet", *symfs, "--label", f"host={host}", "--label", f"service={service}", url, TESTDATA / file)
        # A stack without frames, names with quotes, and boxes that are too small.
        odd = pathlib.Path(scratch, "odd.folded")
        odd.write_text("main;f'\"\\;g 3000\nmain;f'\"\\ 10\nidle 7\nmain;small;smaller 1\nmain;main;main 100\n")
        run(perfsift, "store", "add", "--quiet", "--label", "host=a", "--label", "service=odd", url, odd)

        compare_flames(store, url, services, hosts)
        event = run(HERE / "chdb_sql.py", store, "SELECT DISTINCT event FROM samples WHERE service = 'odd'").strip()
        expect("flame graph of odd names", rows(store, "Flame graph", ["odd"], ["a"], event), escaped(nested(stacks_of(f"{url}?service=odd"))))
        compare_functions(store, url, services, hosts)
        run(perfsift, "store", "remove", "--quiet", f"{url}?service=odd")
        for event in EVENTS.values():
            compare_hosts(store, url, services, hosts, event)
        compare_losses(store, url, services, hosts)
    sys.exit(1 if failures else 0)



main()
