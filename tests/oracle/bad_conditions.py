"""perfsift under bad conditions: see bad_conditions.sh.

    bad_conditions.py PERFSIFT [TEST...]

Servers whose recordings change and whose clients leave, inputs that become shorter while they are read, outputs that two
programs write, SIGKILL, few descriptors, little memory, and home, working and cache folders that are missing, read-only or
another user's.
"""

import gzip
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

PERFSIFT = sys.argv[1]
TESTDATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata")
DEMO = os.path.join(TESTDATA, "demo.data")
SYMFS = ("--symfs", os.path.join(TESTDATA, "symfs"))
LONG = bool(os.environ.get("LONG"))
NOBODY = 65534
failures = 0


def expect(holds, what):
    global failures
    if not holds:
        failures += 1
        print("WRONG:", what, flush=True)


def recording(samples, distinct=500):
    """A perf.data with `samples` samples and `distinct` distinct stacks of eight frames, which name no file."""
    def record(kind, misc, content):
        return struct.pack("<IHH", kind, misc, 8 + len(content)) + content

    bits = 1 | 2 | 4 | 0x20 | 0x100  # ip, tid, time, callchain, period
    attr = struct.pack("<IIQQQQQ", 1, 128, 0, 1000, bits, 0, 1 << 18).ljust(128, b"\0") + bytes(16)
    callers = b"".join(struct.pack("<Q", 0x500000 + 64 * i) for i in range(7))
    stacks = [struct.pack("<QQ", 2**64 - 512, 0x400000 + 64 * i) + callers for i in range(distinct)]
    data = [record(3, 0, struct.pack("<II8sIIQ", 7, 7, b"app", 7, 7, 1))]
    data += [record(9, 2, struct.pack("<QIIQQQ", 0x400000, 7, 7, 10 + i, 100, 9) + stacks[i % len(stacks)]) for i in range(samples)]
    data = b"".join(data)
    return struct.pack("<8s8Q4Q", b"PERFILE2", 104, len(attr), 104, len(attr), 104 + len(attr), len(data), 0, 0, 0, 0, 0, 0) + attr + data


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def environment(**changes):
    changed = {**os.environ, "DEBUGINFOD_URLS": "", **changes}
    return {name: value for name, value in changed.items() if value is not None}


def run(*words, seconds=120, env=None, **options):
    return subprocess.run([PERFSIFT, *words], capture_output=True, timeout=seconds, stdin=subprocess.DEVNULL,
                          env=env or environment(), **options)


class Server:
    """A running perfsift view."""

    def __init__(self, *words, **options):
        self.process = subprocess.Popen([PERFSIFT, "view", "--quiet", "--no-cache", *words], stdout=subprocess.PIPE, text=True,
                                        env=environment(), **options)
        link = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.port, self.path = link.port, link.path

    def __enter__(self):
        return self

    def __exit__(self, *_):
        started = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        try:
            status = self.process.wait(60)
            expect(status == 0, f"view ended with {status}")
        except subprocess.TimeoutExpired:
            expect(False, "view did not end")
            self.process.kill()
        self.seconds_to_end = time.monotonic() - started

    def connect(self, name, **query):
        connection = socket.create_connection(("127.0.0.1", self.port), 120)
        target = self.path + name + ("?" + urllib.parse.urlencode(query) if query else "")
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        return connection

    def ask(self, name, **query):
        """The status and the body. The status is 0 if there is no answer."""
        with self.connect(name, **query) as connection:
            answer = b""
            try:
                while piece := connection.recv(1 << 16):
                    answer += piece
            except ConnectionResetError:
                pass
        head, _, body = answer.partition(b"\r\n\r\n")
        match = re.match(rb"HTTP/1.1 (\d+)", head)
        return int(match[1]) if match else 0, body

    def leave(self, name, taken, **query):
        """Sends a question, reads a few bytes of the answer, and resets the connection."""
        with self.connect(name, **query) as connection:
            if taken:
                connection.recv(taken)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def memory(self):
        """Resident memory in KiB."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- perfsift view ---

QUESTIONS = (("", {}), ("data", {}), ("fields", {}), ("explain", {"filter": "comm == 'a' && stack has (sym == 'x')"}),
             ("rows", {"filter": "cpu >= 0"}), ("rows", {"filter": "stack has (dso == 'demo')", "recording": "0"}),
             ("rows", {"filter": "wrong("}), ("waits", {"filter": "blocked > 1us"}), ("nothing", {}),
             ("save", {"as": "svg", "recording": "0"}), ("save", {"as": "data", "recording": "0", "filter": "tid > 0"}),
             ("save", {"as": "pprof", "recording": "0"}))


def a_server_does_not_grow(_folder):
    count = 2000 if LONG else 150
    with Server(*SYMFS, DEMO) as server:
        for i in range(count // 3):
            name, query = QUESTIONS[i % len(QUESTIONS)]
            server.ask(name, **query)
        before = server.memory(), server.descriptors()
        for i in range(count - count // 3):
            name, query = QUESTIONS[i % len(QUESTIONS)]
            expect(server.ask(name, **query)[0] in (200, 404, 422), f"no answer to {name} {query}")
        time.sleep(0.1)
        after = server.memory(), server.descriptors()
        expect(after[1] <= before[1], f"{before[1]} descriptors became {after[1]} after {count} requests")
        expect(after[0] < before[0] + 6000, f"{before[0]} KiB became {after[0]} after {count} requests")


def a_recording_changes_while_it_is_shown(folder):
    path = os.path.join(folder, "changes.data")
    for change in ("shorter", "longer", "replaced", "removed", "empty"):
        write(path, recording(2000))
        with Server(path) as server:
            expect(server.ask("rows", filter="period > 1")[0] == 200, "no rows of an unchanged recording")
            if change in ("shorter", "empty"):
                os.truncate(path, 5000 if change == "shorter" else 0)
            elif change == "longer":
                write(path, recording(3000))
            elif change == "replaced":
                write(path + ".new", recording(2000))
                os.rename(path + ".new", path)
            else:
                os.unlink(path)
            for name, query in (("rows", {"filter": "period > 1"}), ("save", {"as": "svg", "recording": "0"})):
                status, body = server.ask(name, **query)
                expect(status == 422 and b"has changed" in body, f"{change}: {name} is answered with {status} {body[:200]}")
            expect(server.ask("data")[0] == 200, f"{change}: the page has no data any more")


def a_recording_becomes_shorter_while_a_question_is_answered(folder):
    path = os.path.join(folder, "large.data")
    content = recording(200_000)
    for pause in (0, 0.01, 0.03, 0.1) * (10 if LONG else 1):
        write(path, content)
        with Server(path) as server:
            with server.connect("rows", filter="stack has (sym =~ 'a.*b' || ip == 7) || period == 5"):
                time.sleep(pause)
                os.truncate(path, 8192)
            status, body = server.ask("rows", filter="period > 1")
            expect(status == 422 and b"has changed" in body, f"answered with {status} {body[:200]}")


def clients_leave(folder):
    path = os.path.join(folder, "large.data")
    write(path, recording(200_000))
    with Server(path) as server:
        server.ask("data")
        server.ask("rows", filter="stack has (ip == 1)")
        before = server.descriptors()
        for taken in (0, 1, 5000) * (20 if LONG else 4):
            for name, query in (("data", {}), ("rows", {"filter": "stack has (sym =~ 'a.*b' || ip == 7)"}),
                                ("save", {"as": "data", "recording": "0"} if taken else {"as": "x"})):
                server.leave(name, taken if name == "data" else 0, **query)
        expect(server.ask("rows", filter="period > 1")[0] == 200, "no answer after clients have left")
        for _ in range(100):
            if server.descriptors() <= before:
                break
            time.sleep(0.1)
        expect(server.descriptors() <= before, f"{before} descriptors became {server.descriptors()}")


# If nobody waits for a filter, its work is stopped. Otherwise a question after ten such filters, and the end, would
# take ten times as long as one filter.
def long_filters_are_given_up(folder):
    path = os.path.join(folder, "longer.data")
    write(path, recording(200_000, distinct=200_000))
    slow = {"filter": " || ".join(f"stack has (dso =~ '(a|b)*c{i}$' && ip == {i})" for i in range(20))}
    with Server("-j", "1", path) as server:
        server.ask("rows", filter="stack has (ip == 1)")
        started = time.monotonic()
        server.ask("rows", **slow)
        whole = time.monotonic() - started
        for _ in range(10):
            server.leave("rows", 0, **slow)
        started = time.monotonic()
        expect(server.ask("rows", filter="period > 1")[0] == 200, "no answer behind filters that were given up")
        waited = time.monotonic() - started
        print(f"       a slow filter takes {whole:.2f} s, a fast one behind ten of them that were given up {waited:.2f} s")
        expect(waited < 3 * whole + 1, f"{waited:.1f} s behind ten filters that were given up, each of {whole:.1f} s")
        waiting = server.connect("rows", **slow)
        time.sleep(0.1)
    waiting.close()
    expect(server.seconds_to_end < whole / 2 + 0.5, f"the end took {server.seconds_to_end:.1f} s, the filter {whole:.1f} s")


def a_server_has_few_descriptors(_folder):
    with Server(*SYMFS, DEMO, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))) as server:
        expect(server.ask("data")[0] == 200, "no data")
        waiting = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(30)]
        time.sleep(0.2)
        before = server.cpu_seconds()
        time.sleep(1)
        used = server.cpu_seconds() - before
        expect(used < 0.05, f"{used:.2f} s on a CPU in 1 s of waiting for a descriptor")
        for connection in waiting:
            connection.close()
        expect(server.ask("rows", filter="cpu >= 0")[0] == 200, "no answer once there are descriptors again")


def a_server_has_little_memory(folder):
    path = os.path.join(folder, "large.data")
    write(path, recording(200_000))
    limit = 400 << 20
    with Server("-j", "2", path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))) as server:
        waiting = [server.connect("data") for _ in range(40)] + [server.connect("save", **{"as": "data", "recording": "0"})]
        expect(server.ask("fields")[0] in (0, 200, 503), "an odd answer")
        for connection in waiting:
            connection.close()
        expect(server.ask("rows", filter="period > 1")[0] == 200, "no answer once there is memory again")


# --- commands ---

def commands(path, folder):
    """The commands that read a recording, and the places where they write."""
    def at(name):
        return os.path.join(folder, name)
    yield "report", path
    yield "report", "--tree", path
    yield "fold", path
    yield "script", path
    yield "info", path
    yield "flame", "-o", at("x.svg"), path
    yield "flame", "--flamechart", "-o", at("x.html"), path
    for form in ("pprof", "speedscope", "firefox", "perfetto", "callgrind", "jsonl", "csv", "folded"):
        yield "export", "--to", form, "-o", at("x." + form), path
    yield "view", "--save", at("y.html"), path
    yield "filter", "-o", at("x.data"), path
    yield "filter", "--split", "by=time:1ms", "-o", at("part.data"), path
    yield "merge", "-o", at("x.pb.gz"), path, path
    yield "diff", path, path
    yield "check", "--allow", "few", "--baseline", path, "--candidate", path


def limits_are_enough(folder):
    little, few = 400 << 20, 16
    for what, limit, most in (("descriptors", resource.RLIMIT_NOFILE, few), ("bytes of address space", resource.RLIMIT_AS, little)):
        for path in (DEMO, os.path.join(folder, "large.data")) if LONG else (DEMO,):
            for words in commands(path, folder):
                if path != DEMO and "--split" in words:  # thousands of files
                    continue
                outcome = run(*words, "-q", preexec_fn=lambda: resource.setrlimit(limit, (most, most)))
                expect(outcome.returncode in (0, 5), f"{most} {what}: {' '.join(words)}: {outcome.returncode} {outcome.stderr[:300]}")


def an_input_becomes_shorter(folder):
    path = os.path.join(folder, "shorter.data")
    write(path, recording(100_000))
    process = subprocess.Popen([PERFSIFT, "script", "-q", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    process.stdout.read(1000)  # the pipe is soon full, and the program waits
    time.sleep(0.3)
    os.truncate(path, 4096)
    _, messages = process.communicate(timeout=60)
    expect(process.returncode == 3 and b"shorter" in messages, f"exit status {process.returncode}: {messages}")


def two_write_one_output(folder):
    place = os.path.join(folder, "race")
    os.mkdir(place)
    output = os.path.join(place, "out")
    wholes = [run("fold", *SYMFS, DEMO, *options).stdout for options in ((), ("--with-pid",))]
    for _ in range(100 if LONG else 10):
        both = [subprocess.Popen([PERFSIFT, "fold", *SYMFS, DEMO, *options, "-o", output], env=environment())
                for options in ((), ("--with-pid",))]
        expect([one.wait() for one in both] == [0, 0], "one of two that write one file failed")
        expect(read(output) in wholes, "two programs have written into one file")
    expect(os.listdir(place) == ["out"], f"left behind: {os.listdir(place)}")


def sigkill_leaves_no_half(folder):
    place = os.path.join(folder, "killed")
    os.mkdir(place)
    path = os.path.join(folder, "large.data")
    dice = random.Random(1)
    for words, name in ((("flame",), "x.svg"), (("export", "--to", "pprof"), "x.pb.gz"), (("filter",), "x.data"), (("view", "--save"), "x.html")):
        output = os.path.join(place, name)
        options = ("-o",) if words[0] != "view" else ()
        started = time.monotonic()
        run(*words, *options, output, "-q", path)
        length = time.monotonic() - started
        whole = read(output)
        for i in range(60 if LONG else 6):
            if i % 2 == 0:
                os.unlink(output)
            process = subprocess.Popen([PERFSIFT, *words, *options, output, "-q", path], env=environment())
            time.sleep(dice.random() * length)
            process.kill()
            process.wait()
            is_whole = not os.path.exists(output) or same(read(output), whole, name)
            expect(is_whole, f"{words}: half a file after SIGKILL")
            if not os.path.exists(output):
                write(output, whole)
        expect(os.listdir(place) == [name] or not has_nameless_files(place), f"left behind: {os.listdir(place)}")
        os.unlink(output)


def has_nameless_files(place):
    """Not every file system has O_TMPFILE. Without it, a file has a temporary name until it is complete."""
    try:
        os.close(os.open(place, os.O_TMPFILE | os.O_RDWR))
    except OSError:
        return False
    return True


def same(content, whole, name):
    if name.endswith(".gz"):
        return gzip.decompress(content) == gzip.decompress(whole)
    return content == whole


# --- places ---

def folders_are_bad(folder):
    """Runs as nobody, if possible, because root may write everywhere."""
    is_root = os.geteuid() == 0
    place = tempfile.mkdtemp(dir=folder)
    program = shutil.copy(PERFSIFT, os.path.join(place, "perfsift"))
    demo = shutil.copy(DEMO, os.path.join(place, "perf.data"))
    os.chmod(folder, 0o755), os.chmod(place, 0o755), os.chmod(program, 0o755), os.chmod(demo, 0o644)
    if is_root:  # jitdumps, perf maps and caches of other users are not read; recordings are
        os.chown(demo, NOBODY, NOBODY)

    def made(name, mode, owner=None, file=False):
        path = os.path.join(place, name)
        write(path, b"") if file else os.mkdir(path)
        if is_root and owner is not None:
            os.chown(path, owner, owner)
        os.chmod(path, mode)
        return path

    readable = made("readable", 0o555, NOBODY)
    of_root = made("of_root", 0o755)
    locked = made("locked", 0o000, NOBODY)
    file = made("file", 0o644, NOBODY, file=True)
    fine = made("fine", 0o755, NOBODY)
    others_cache = os.path.join(fine, "others")
    os.makedirs(os.path.join(others_cache, "perfsift"), mode=0o700)
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if is_root else {}

    def outcome(cwd, **changes):
        words = [program, "fold", *SYMFS, demo]
        return subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=120, env=environment(**changes), cwd=cwd, **user)

    for path in (TESTDATA, SYMFS[1]):  # other users cannot read a checkout in a home of root
        if is_root and subprocess.run(["ls", path], capture_output=True, check=False, **user).returncode != 0:
            print("as another user: left out, the test data cannot be read")
            return
    expected = outcome(fine, HOME=fine, XDG_CACHE_HOME=None)
    expect(expected.returncode == 0, f"folded with {expected.returncode}: {expected.stderr}")
    for home in (None, "", "/nowhere", "relative", readable, of_root, locked, file):
        for cache in (None, "/nowhere/cache", readable, of_root, locked, file, others_cache):
            found = outcome(fine, HOME=home, XDG_CACHE_HOME=cache)
            expect((found.returncode, found.stdout, found.stderr) == (0, expected.stdout, expected.stderr),
                   f"HOME {home}, cache {cache}: {found.returncode} {found.stderr[:300]}")
    for temporary in ("/nowhere", readable, locked, file):
        found = outcome(fine, HOME=fine, TMPDIR=temporary)
        expect((found.returncode, found.stdout) == (0, expected.stdout), f"TMPDIR {temporary}: {found.returncode} {found.stderr[:300]}")
    for cwd in (readable, of_root):
        found = outcome(cwd, HOME=fine)
        expect((found.returncode, found.stdout) == (0, expected.stdout), f"in {cwd}: {found.returncode} {found.stderr[:300]}")
    for cwd, output in ((readable, "out"), (of_root, "out"), (fine, os.path.join(locked, "out")), (fine, "/nowhere/out"), (fine, readable)):
        found = subprocess.run([program, "fold", *SYMFS, demo, "-o", output], capture_output=True, env=environment(HOME=fine), cwd=cwd, **user)
        refused = found.returncode == 3 and re.fullmatch(rb"perfsift: [^\n]+: [^\n]+\n", found.stderr)
        expect(refused or not is_root, f"writing {output} in {cwd}: {found.returncode} {found.stderr[:300]}")
    gone = os.path.join(place, "gone")
    os.mkdir(gone)
    script = f"cd {gone} && rmdir {gone} && exec {program} fold {' '.join(SYMFS)} {demo}"
    found = subprocess.run(["sh", "-c", script], capture_output=True, env=environment(HOME=place))
    expect((found.returncode, found.stdout) == (0, expected.stdout), f"in a folder that is gone: {found.returncode} {found.stderr[:300]}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        write(os.path.join(folder, "large.data"), recording(200_000))
        for test in (folders_are_bad, limits_are_enough, an_input_becomes_shorter, two_write_one_output, sigkill_leaves_no_half,
                     a_server_does_not_grow, a_recording_changes_while_it_is_shown,
                     a_recording_becomes_shorter_while_a_question_is_answered, clients_leave, long_filters_are_given_up,
                     a_server_has_few_descriptors, a_server_has_little_memory):
            if sys.argv[2:] and test.__name__ not in sys.argv[2:]:
                continue
            started = time.monotonic()
            try:
                test(folder)
            except (OSError, subprocess.TimeoutExpired) as error:
                expect(False, repr(error))
            print(f"{time.monotonic() - started:5.1f} s  {test.__name__}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
