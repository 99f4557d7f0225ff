#!/usr/bin/env python3
"""Runs a program in another root that may have no other program: enter.py ROOT USER COMMAND...

The folder is /recordings, and the environment has no more than a HOME that does not exist. Needs root.
"""
import os
import sys

root, user, *command = sys.argv[1:]
os.chroot(root)
os.chdir("/recordings")
os.setgroups([])
os.setgid(int(user))
os.setuid(int(user))
os.execve(command[0], command, {"HOME": "/nonexistent", "PATH": "/usr/bin:/bin"})
