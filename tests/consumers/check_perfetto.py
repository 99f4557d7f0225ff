"""The fields of Perfetto's trace, by the numbers of protos/perfetto/trace (trace_packet, interned_data, perf_sample,
profile_common, track_descriptor) of v55.3. They are read as trace_processor reads them, with interned data by packet
sequence. perfetto_shows.py compares the numbers with the schema, and lets trace_processor itself read the traces."""

import collections

from protobuf import fields, one

PROGRAMS = []

INTERNED = {5: "functions", 6: "frames", 7: "callstacks", 16: "build_ids", 17: "paths", 18: "sources", 19: "mappings"}


class Sequence:
    """The interned data to which packets of a sequence refer."""

    def __init__(self):
        self.event, self.tables = None, {name: {} for name in INTERNED.values()}
        self.samples, self.own, self.counts = 0, collections.Counter(), {}

    def intern(self, data, expect):
        for field, values in fields(data).items():
            table = self.tables[INTERNED[field]]
            for value in values:
                entry = fields(value)
                iid = one(entry, 1)
                expect("interned ids are new", iid not in table and iid > 0, True)
                table[iid] = entry

    def leaf(self, callstack):
        frames = self.tables["callstacks"][callstack][2]
        for iid in frames:
            frame = self.tables["frames"][iid]
            if one(frame, 3) is not None:
                mapping = self.tables["mappings"][one(frame, 3)]
                assert one(mapping, 7) in self.tables["paths"] and one(mapping, 2) in self.tables["build_ids"]
                assert one(frame, 4) is not None
        return one(self.tables["functions"][one(self.tables["frames"][frames[-1]], 2)], 2).decode()


def check(export, expect):
    with open(export.path, "rb") as file:
        trace = fields(file.read())
    expect("fields of the trace", list(trace), [1])
    sequences, threads, last_time = collections.defaultdict(Sequence), {}, {}
    for data in trace[1]:
        packet = fields(data)
        number = one(packet, 10)
        sequence, flags = sequences[number], one(packet, 13, 0)
        if 60 in packet:
            thread = one(fields(one(packet, 60)), 4)
            if thread is not None:
                thread = fields(thread)
                threads[one(thread, 2)] = one(thread, 5).decode()
        if flags & 1:
            defaults = fields(one(fields(one(packet, 59)), 12))
            sequence.event = one(fields(one(defaults, 1)), 10).decode()
        if 12 in packet:
            sequence.intern(one(packet, 12), expect)
        if 66 not in packet:
            continue
        expect("samples need interned data", flags & 2, 2)
        sample, time = fields(one(packet, 66)), one(packet, 8)
        expect("order of times", time >= last_time.get(number, 0), True)
        last_time[number] = time
        expect("the thread has a name", one(sample, 3) in threads, True)
        cpu = one(sample, 1, -1)
        period = one(sample, 6) - sequence.counts.get(cpu, 0)
        sequence.counts[cpu] = one(sample, 6)
        sequence.samples += 1
        sequence.own[sequence.leaf(one(sample, 4))] += period
    by_event = {sequence.event: sequence for sequence in sequences.values() if sequence.event}
    expect("events", sorted(by_event), sorted(export.totals))
    for event, (samples, periods) in export.totals.items():
        expect(f"samples of {event}", by_event[event].samples, samples)
        expect(f"periods of {event}", sum(by_event[event].counts.values()), periods)
        expect(f"costs of {event}", by_event[event].own, export.functions(event)[0])
