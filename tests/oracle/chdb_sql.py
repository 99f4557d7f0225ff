#!/usr/bin/env python3
"""Runs SQL on the folder of a store, without any code of perfsift: chdb_sql.py FOLDER SQL... prints the answers as text.

Needs $PERFSIFT_CHDB, the path of libchdb.so.
"""
import ctypes
import os
import sys

library = ctypes.CDLL(os.environ["PERFSIFT_CHDB"])
library.chdb_connect.restype = ctypes.POINTER(ctypes.c_void_p)
library.chdb_query.restype = ctypes.c_void_p
library.chdb_query.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
library.chdb_result_error.restype = ctypes.c_char_p
library.chdb_result_error.argtypes = [ctypes.c_void_p]
library.chdb_result_buffer.restype = ctypes.c_void_p
library.chdb_result_buffer.argtypes = [ctypes.c_void_p]
library.chdb_result_length.restype = ctypes.c_size_t
library.chdb_result_length.argtypes = [ctypes.c_void_p]

arguments = (ctypes.c_char_p * 2)(b"sql", b"--path=" + os.fsencode(sys.argv[1]))
connection = library.chdb_connect(2, arguments)
if not connection:
    sys.exit("no connection")
status = 0
for sql in sys.argv[2:]:
    result = library.chdb_query(connection[0], os.fsencode(sql), b"TSV")
    error = library.chdb_result_error(result)
    if error:
        print(error.decode(errors="replace"), file=sys.stderr)
        status = 1
        break
    size = library.chdb_result_length(result)
    sys.stdout.buffer.write(ctypes.string_at(library.chdb_result_buffer(result), size) if size else b"")
sys.stdout.flush()
library.chdb_close_conn(connection)
sys.exit(status)
