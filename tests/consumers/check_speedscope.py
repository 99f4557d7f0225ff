"""The rules of speedscope's file-format-schema.json, and of its importer: weights above 0, and valid indices of
frames."""

import collections
import json

PROGRAMS = []

PROFILE = {"type", "name", "unit", "startValue", "endValue", "samples", "weights"}


def check(export, expect):
    with open(export.path, encoding="utf-8") as text:
        file = json.load(text)
    expect("members", set(file), {"$schema", "exporter", "name", "activeProfileIndex", "shared", "profiles"})
    expect("the profile to begin with", 0 <= file["activeProfileIndex"] < len(file["profiles"]), True)
    frames = file["shared"]["frames"]
    expect("members of frames", all(set(frame) <= {"name", "file", "line"} for frame in frames), True)
    own, names = collections.defaultdict(collections.Counter), list(export.totals)
    for profile in file["profiles"]:
        expect("members of a profile", set(profile), PROFILE)
        expect("type", profile["type"], "sampled")
        expect("weights", all(weight > 0 for weight in profile["weights"]), True)
        expect("lengths", len(profile["weights"]), len(profile["samples"]))
        expect("end", profile["endValue"] - profile["startValue"], sum(profile["weights"]))
        event = next((name for name in names if profile["name"].endswith(", " + name)), names[0])
        for stack, weight in zip(profile["samples"], profile["weights"]):
            expect("frames", all(0 <= frame < len(frames) for frame in stack), True)
            if stack:  # speedscope counts time without a frame as idle, without a cost
                own[event][frames[stack[-1]]["name"]] += weight
    for event, (_, periods) in export.totals.items():
        expect(f"weights of {event}", sum(own[event].values()), periods)
        expect(f"costs of {event}", own[event], export.functions(event)[0])
