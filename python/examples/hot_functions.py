#!/usr/bin/env python3
"""A tour of the Python package on one recording: hot_functions.py [perf.data]

What takes the time, which threads, when, and on which stacks, with numpy alone.
"""

import sys

import numpy as np

import perfsift

recording = perfsift.open(sys.argv[1] if len(sys.argv) > 1 else "perf.data")
info = recording.info
print(f"{info.samples} samples of {', '.join(event.name for event in recording.events)} on {info.hostname}")
print(f"lost: {info.lost_samples} samples, {info.lost_records} records")

# Every sample, as columns. Nothing is copied, and no loop of Python runs over samples.
samples = recording.samples()
total = samples.weight.sum()

print("\nThe functions that ran:")
by_function = np.bincount(samples.leaf, weights=samples.weight, minlength=len(samples.names))
for number in np.argsort(-by_function, kind="stable")[:5]:
    if by_function[number] > 0:
        print(f"{by_function[number] / total:7.1%}  {samples.names[number]}")

print("\nThe threads, and how many stacks each has:")
for comm in np.unique(samples.comm):
    mine = samples.comm == comm
    print(f"{samples.weight[mine].sum() / total:7.1%}  {samples.names[comm]}, {len(np.unique(samples.stack[mine]))} stacks")

print("\nSamples in each tenth of the time:")
print(" ".join(str(count) for count in np.histogram(samples.time, bins=10)[0]))

print("\nThe stack with the most samples, from the leaf:")
stacks, counts = np.unique(samples.stack[samples.stack != samples.NO_STACK], return_counts=True)
if len(stacks) > 0:
    for frame in samples.stack_of(int(stacks[counts.argmax()])):
        print(f"  {frame.function}  ({frame.binary})")

# Filters are written as on the command line; a mistake raises perfsift.FilterError with its column.
print("\nSamples that have more than two frames:", len(recording.samples("depth > 2", stacks=False)))
