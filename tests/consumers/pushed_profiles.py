#!/usr/bin/env python3
"""Profiles of a store are what Pyroscope and Parca take. Neither server can be had from Debian or npm, so this stands in for both:
it runs the command of docs/fleet.md, receives the push, and checks what the servers check.

  pushed_profiles.py PERFSIFT FOLDER_OF_NPM

Pyroscope's `push.v1.PusherService/Push` and what Parca refuses (ValidatePprofProfile) are those of their documents and sources; the
numbers are compared with Go's pprof and with `perfsift fold`.
"""
import base64
import gzip
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import uuid

from protobuf import fields, one, varint

PROFILE = {"sample_type": 1, "sample": 2, "mapping": 3, "location": 4, "function": 5, "string_table": 6, "time_nanos": 9,
           "duration_nanos": 10, "period_type": 11}
ROOT = pathlib.Path(__file__).resolve().parents[2]
BEGAN = 1795867200  # 2026-11-28 12:00 UTC


def check(what, right):
    if not right:
        raise SystemExit(f"BAD: {what}")


def packed(values):
    """Numbers that are packed into one value, or not."""
    numbers = []
    for value in values:
        if isinstance(value, int):
            numbers.append(value)
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            numbers.append(number)
    return numbers


def check_profile(raw):
    """What both servers need. Returns the sums by sample type."""
    profile = fields(gzip.decompress(raw))
    part = {name: profile[number] for name, number in PROFILE.items()}
    texts = [text.decode() for text in part["string_table"]]
    check("the first string is empty", texts[0] == "")
    for table in ("mapping", "function", "location"):
        ids = [one(fields(each), 1) for each in part[table]]
        check(f"ids of {table}s are sequential", ids == list(range(1, len(ids) + 1)))
    for location in map(fields, part["location"]):
        check("a location has a known mapping", one(location, 3, 0) <= len(part["mapping"]))
        for line in map(fields, location[4]):
            check("a line has a known function", 0 < one(line, 1, 0) <= len(part["function"]))
    types = [[texts[one(fields(each), number, 0)] for number in (1, 2)] for each in part["sample_type"]]
    check("there are sample types", types)
    sums = [0] * len(types)
    for sample in map(fields, part["sample"]):
        values = packed(sample[2])
        check("a sample has a value for each type", len(values) == len(types))
        check("a stack has known locations", all(0 < each <= len(part["location"]) for each in packed(sample[1])))
        check("a label has a key", all(one(fields(label), 1, 0) for label in sample[3]))
        sums = [a + b for a, b in zip(sums, values)]
    period = [texts[one(fields(part["period_type"][0]), number, 0)] for number in (1, 2)]
    # Both name a profile as name:type:unit:period_type:period_unit.
    for texts_of_type in types + [period]:
        check(f"names of types are there, without a colon: {texts_of_type}", all(texts_of_type) and ":" not in "".join(texts_of_type))
    check("the time is that of the recordings", one(profile, PROFILE["time_nanos"], 0) // 10**9 == BEGAN)
    check("there is a duration", one(profile, PROFILE["duration_nanos"], 0) > 0)
    return dict(zip((name for name, unit in types), sums))


class Server(http.server.BaseHTTPRequestHandler):
    pushes = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.pushes.append((self.path, self.headers["Content-Type"], body))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *arguments):
        pass


def commands_of_docs(server):
    """The commands of docs/fleet.md that push a profile."""
    text = (ROOT / "docs/fleet.md").read_text()
    blocks = [block for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) if "PusherService" in block]
    check("docs/fleet.md has the commands", len(blocks) == 1)
    return blocks[0].replace("http://pyroscope.example.net:4040", server)


def make_store(perfsift):
    """Recordings of two hosts that began at BEGAN, as pprof says."""
    demo = ROOT / "testdata/oracle/mixed.data"
    for host in ("a", "b"):
        subprocess.run([perfsift, "export", "-q", "-e", "cpu-clock", "--to", "pprof", "-o", f"{host}.pb.gz", demo], check=True)
        profile = gzip.decompress(pathlib.Path(f"{host}.pb.gz").read_bytes())
        began, varint = BEGAN * 10**9, b""
        while began >= 0x80:
            varint, began = varint + bytes([began & 0x7F | 0x80]), began >> 7
        pathlib.Path(f"{host}.pb").write_bytes(profile + bytes([PROFILE["time_nanos"] << 3]) + varint + bytes([began]))
        subprocess.run([perfsift, "store", "add", "-q", "--label", "service=shop", "--label", f"host={host}", "chdb:fleet", f"{host}.pb"],
                       check=True, stdout=subprocess.DEVNULL)


def main():
    perfsift, packages = sys.argv[1:]
    library = os.path.join(os.path.abspath(packages), "@chdb/lib-linux-x64-gnu/libchdb.so")
    os.environ.setdefault("PERFSIFT_CHDB", library)
    if not os.path.exists(os.environ["PERFSIFT_CHDB"]):
        print("skipped: no libchdb")
        sys.exit(77)
    perfsift = os.path.abspath(perfsift)
    with tempfile.TemporaryDirectory() as folder, http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        os.chdir(folder)
        os.symlink(perfsift, "perfsift")
        os.environ["PATH"] = folder + ":" + os.environ["PATH"]
        make_store("perfsift")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        subprocess.run(["bash", "-euo", "pipefail", "-c", commands_of_docs(f"http://127.0.0.1:{server.server_address[1]}")], check=True)
        server.shutdown()
        check("one push came", len(Server.pushes) == 1)
        path, kind, body = Server.pushes[0]
        check("the path", path == "/push.v1.PusherService/Push")
        check("the type", kind == "application/json")
        series, = json.loads(body)["series"]
        labels = {label["name"]: label["value"] for label in series["labels"]}
        check(f"labels: {labels}", labels == {"__name__": "process_cpu", "service_name": "shop"})
        sample, = series["samples"]
        uuid.UUID(sample["ID"])
        raw = base64.b64decode(sample["rawProfile"], validate=True)
        sums = check_profile(raw)
        folded = subprocess.run([perfsift, "fold", "-q", "--weight", "samples", "chdb:fleet?service=shop"], check=True,
                                stdout=subprocess.PIPE, text=True).stdout
        samples = sum(int(line.rsplit(" ", 1)[1]) for line in folded.splitlines())
        check(f"the samples of fold, {samples}: {sums}", samples > 0 and sums["cpu-clock_sample"] == samples)
        pathlib.Path("pushed.pb.gz").write_bytes(raw)
        shown = subprocess.run(["go", "tool", "pprof", "-raw", "pushed.pb.gz"], check=True, stdout=subprocess.PIPE, text=True,
                               stderr=subprocess.DEVNULL).stdout
        for line in ("Time: 2026-11-28 12:00:00 +0000 UTC", "PeriodType: cpu-clock count", "Duration: "):
            check(f"pprof shows '{line}'", f"\n{line}" in shown)
    print(f"pushed {samples} samples of {len(raw)} bytes: {sums}")


if __name__ == "__main__":
    main()
