"""Writes the text of `perf script` for a program with the functions work and rest.

    ci_profiles.py FILE REST WORK

REST and WORK are numbers of samples. The samples are mixed evenly, so that each part of the time has the same shares.
"""

import sys


def main():
    path, rest, work = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    samples = rest + work
    with open(path, "w", encoding="ascii") as out:
        done = 0
        for number in range(samples):
            is_work = (number + 1) * work // samples > done
            done += is_work
            leaf = "work" if is_work else f"rest{(number - done) % 4}"
            seconds = 100 + number / 1000
            out.write(f"app 7/7 {seconds:.6f}: 1 cycles:\n\t401000 {leaf}+0x1 (/opt/app)\n\t402000 main+0x2 (/opt/app)\n\n")


main()
