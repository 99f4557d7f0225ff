#!/usr/bin/env python3
"""Runs SQL in DuckDB, without any code of perfsift or ClickHouse: duckdb_sql.py LIBDUCKDB SQL... prints each answer as
lines of columns between tabs. Texts are printed as they are: ask for hex(text) where they may have tabs or newlines.
"""
import ctypes
import sys
import tempfile

library = ctypes.CDLL(sys.argv[1])
library.duckdb_result_error.restype = ctypes.c_char_p
database, connection = ctypes.c_void_p(), ctypes.c_void_p()
if library.duckdb_open(None, ctypes.byref(database)) or library.duckdb_connect(database, ctypes.byref(connection)):
    sys.exit("no connection")


def run(sql):
    result = ctypes.create_string_buffer(256)  # larger than a duckdb_result
    failed = library.duckdb_query(connection, sql.encode(), result)
    message = library.duckdb_result_error(result) if failed else b""
    library.duckdb_destroy_result(result)
    if failed:
        sys.exit((message or b"DuckDB fails").decode(errors="replace"))


for statement in sys.argv[2:]:
    with tempfile.NamedTemporaryFile() as answer:
        run(f"COPY ({statement}) TO '{answer.name}' (FORMAT csv, DELIMITER '\t', HEADER false, QUOTE '')")
        sys.stdout.buffer.write(open(answer.name, "rb").read())  # DuckDB has replaced the file
library.duckdb_disconnect(ctypes.byref(connection))
library.duckdb_close(ctypes.byref(database))
