#!/usr/bin/env python3
"""Folded profiles of the hosts of a made-up fleet: HOST/SERVICE-VERSION.folded, of which fleet.sh fills stores.

  fleet_hosts.py FOLDER SEED [--hosts N] [--samples N] [--slower FRACTION] [--rogue]

Hosts differ: in their number of samples by up to four times, and in what they spend in each function by some percent. With
--slower, a tenth of the hosts of the service `shop` runs version 1.2, in which `shop_sort` costs this much more. With --rogue, one
host of `mail` spends two fifths of its samples in `mine`.
"""
import argparse
import collections
import pathlib
import random

# Stacks, and their shares in percent.
SHOP = {"main;serve;shop_parse": 18, "main;serve;shop_sort": 12, "main;serve;shop_price": 9, "main;serve;send;copy": 22, "main;serve;send": 8,
        "main;serve;log;format": 6, "main;serve;log": 3, "main;idle_work": 5, "main;serve;decode;inflate": 14, "main;start": 0.5,
        "main;serve;session;hash": 2.5}
MAIL = {"main;accept;mail_filter": 30, "main;accept;mail_filter;match": 25, "main;deliver;write": 20, "main;deliver;copy": 15, "main;scan;inflate": 10}


def counts_of(shares, samples, random_numbers):
    """How many of the samples are in each stack, on a host with habits of its own."""
    own = {stack: share * random_numbers.gauss(1, 0.04) for stack, share in shares.items()}
    return collections.Counter(random_numbers.choices(list(own), [max(share, 0) for share in own.values()], k=samples))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("seed", type=int)
    parser.add_argument("--hosts", type=int, default=40)
    parser.add_argument("--samples", type=int, default=4000)
    parser.add_argument("--slower", type=float, default=0)
    parser.add_argument("--rogue", action="store_true")
    wanted = parser.parse_args()
    random_numbers = random.Random(wanted.seed)
    for host in range(wanted.hosts):
        folder = wanted.folder / f"web-{host}"
        folder.mkdir(parents=True)
        samples = int(wanted.samples * random_numbers.choice([0.5, 1, 2]))
        new = host % 10 == 3
        shop, mail = dict(SHOP), dict(MAIL)
        if new:
            shop["main;serve;shop_sort"] *= 1 + wanted.slower
        if wanted.rogue and host == wanted.hosts // 2:
            mail["main;mine"] = 200 / 3
        for service, shares in (("shop", shop), ("mail", mail)):
            version = "1.2" if new and service == "shop" else "1.1"
            counts = counts_of(shares, samples, random_numbers)
            text = "".join(f"{stack} {count}\n" for stack, count in sorted(counts.items()))
            (folder / f"{service}-{version}.folded").write_text(text)


if __name__ == "__main__":
    main()
