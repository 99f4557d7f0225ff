#!/usr/bin/env python3
"""A debuginfod server on this machine: debuginfod_server.py FOLDER LOG

Serves FOLDER/buildid/ID/debuginfo and the like, writes the path of each request to LOG, and its port to standard output.
Paths that begin with /slow/ are answered after five minutes, those with /drops/ in small pieces, those with /broken/ by
status 503, and those with /moved/ by a redirection.
"""
import http.server
import sys
import time

folder, log_path = sys.argv[1:]


class Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments):
        super().__init__(*arguments, directory=folder)

    def do_GET(self):
        with open(log_path, "a", encoding="utf-8") as log:
            log.write(self.path + "\n")
        if self.path.startswith("/slow/"):
            time.sleep(300)
        if self.path.startswith("/broken/"):
            self.send_error(503)
        elif self.path.startswith("/moved/"):
            self.send_response(302)
            self.send_header("Location", self.path.removeprefix("/moved"))
            self.end_headers()
        else:
            super().do_GET()

    def translate_path(self, path):
        return super().translate_path(path.removeprefix("/drops"))

    def copyfile(self, source, outputfile):
        if not self.path.startswith("/drops/"):
            super().copyfile(source, outputfile)
            return
        while piece := source.read(2000):  # small pieces, so that the client can stop in between
            outputfile.write(piece)
            time.sleep(0.5)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
