#!/usr/bin/env python3
"""Servers of HTTP over TLS, each with an oddity, by Python's ssl module: for tests of a client.

  tls_servers.py NAME=KIND:CERTIFICATE ...

CERTIFICATE.pem and CERTIFICATE.key are files. Prints "NAME PORT" for each server, and answers until it is ended. A kind is

  whole      the answer has no length: it ends with TLS's close_notify
  cut        the same, but the connection ends without close_notify
  large      whole, with 3 MB, in records of TLS of different sizes
  old        speaks TLS 1.1 only
  plain      speaks no TLS
  closing    closes each connection when the client has said hello
  silent     never says anything
"""
import socket
import ssl
import sys
import threading
import time

ANSWER = b"HTTP/1.1 500 Odd\r\nContent-Type: text/plain\r\n\r\nit was answered\n"


def context_of(kind, certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if kind == "old":
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.load_cert_chain(certificate + ".pem", certificate + ".key")
    return context


def request_of(connection):
    """All of a request that has a Content-Length."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(65536)


def answer(kind, client, context):
    if kind == "silent":
        time.sleep(600)
    if kind == "closing":
        client.recv(65536)
        return
    connection = client if kind == "plain" else context.wrap_socket(client, server_side=True, suppress_ragged_eofs=True)
    if kind == "plain":
        connection.recv(65536)
    else:
        request_of(connection)
    connection.sendall(ANSWER)
    for size in range(1, 2000 if kind == "large" else 1):
        connection.sendall(b"x" * size)
    if kind in ("whole", "large"):
        connection.unwrap()
    connection.close()


def serve_client(kind, client, context):
    with client:
        try:
            answer(kind, client, context)
        except OSError as error:  # many clients of these tests end the connection
            print(kind, error, file=sys.stderr)


def serve(kind, listener, context):
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve_client, args=(kind, client, context), daemon=True).start()


def main():
    threads = []
    for argument in sys.argv[1:]:
        name, _, what = argument.partition("=")
        kind, _, certificate = what.partition(":")
        listener = socket.create_server(("127.0.0.1", 0))
        threads.append(threading.Thread(target=serve, args=(kind, listener, context_of(kind, certificate)), daemon=True))
        print(name, listener.getsockname()[1], flush=True)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


main()
