"""Prints the answers of the server of perfsift view: ask_view.py ARGUMENTS.. of perfsift view."""

import hashlib
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request

QUESTIONS = [
    "", "data", "fields", "nothing", "explain?filter=cpu+%3D%3D+0", "explain?filter=nonsense", "explain",
    "rows?filter=depth+%3E+1", "rows?filter=cpu+%3D%3D+0&recording=0", "rows?filter=(",
    "rows?filter=cpu+%3D%3D+0&recording=9",
    "waits?filter=blocked+%3E+1us", "save?as=data&recording=0&filter=cpu+%3D%3D+0",
    "save?as=svg&recording=0&filter=&unit=samples&shape=flame&palette=kind&search=main&upwards=",
    "save?as=svg&recording=0&filter=&unit=time&shape=icicle&palette=hot&search=&upwards=1",
    "save?as=pprof&recording=0&filter=depth+%3E+1", "save?as=nonsense&recording=0&filter=",
]

server = subprocess.Popen(["perfsift", "view", "-q", *sys.argv[1:]], stdout=subprocess.PIPE, text=True)
link = server.stdout.readline().strip()
print(re.sub(r"[0-9]+/[^/]+/?$", "PORT/TOKEN/", link))
for question in QUESTIONS if link else []:
    try:
        with urllib.request.urlopen(link.rstrip("/") + "/" + question, timeout=60) as response:
            status, kind, body = response.status, response.headers["Content-Type"], response.read()
    except urllib.error.HTTPError as error:
        status, kind, body = error.code, error.headers["Content-Type"], error.read()
    text = body.decode(errors="replace") if len(body) < 2000 else hashlib.sha256(body).hexdigest()
    print(f"{question}: {status} {kind} {len(body)} bytes\n{text}")
server.send_signal(signal.SIGTERM)
print("exit status", server.wait(60))
