"""The list of all command lines: the forms and their inputs."""

import forms
import values

FEW = ("demo", "mixed", "fp", "dwarf", "events", "unrecorded_cpus", "model_intel", "model_spe", "cgroup_model",
       "corpus_quipper_callgraph-3.8", "corpus_simpleperf_lbr__perf_lbr")
OF_EXPRESSIONS = ("mixed", "dwarf", "events", "unrecorded_cpus", "model_intel", "corpus_quipper_callgraph-3.8")
OF_MEMORY = ("faults", "model_intel", "model_amd", "model_hybrid", "model_spe", "model_ibs", "model_ibs_fields")
OF_WAITS = ("switches", "sched_model", "unrecorded_cpus", "switch_events")
OF_PAIRS = (("fp", "again"), ("dwarf", "short"), ("mixed", "demo"), ("before0.txt", "after0.txt"),
            ("before1.txt", "before2.txt"), ("demo.folded", "mixed.folded"))
THREADS = ("-j1", "-j4")


def command_lines(inputs):
    """All lines, each once, in an order that depends on the inputs alone."""
    there = inputs.recordings()
    found = forms.lines(forms.ALONE)
    found += [f"perfsift {command} --help" for command in values.COMMANDS]
    found += [f"perfsift help {command}" for command in values.COMMANDS]
    found += [f"perfsift {command} {wrong}" for command in values.COMMANDS for wrong in values.WRONG]
    for name in there:
        found += [filled(line, inputs, name, own_kernel(name)) for line in forms.lines(forms.CORE)]
    more = ((FEW, whole()), (OF_EXPRESSIONS, of_expressions()), (OF_MEMORY, of_memory()), (OF_WAITS, of_waits()))
    for names, some in more:
        for name in names:
            if name in there:
                found += [filled(line, inputs, name, finding(name)) for line in some]
    found += of_shared_options(inputs)
    for first, second in OF_PAIRS:
        names = [(inputs.folder / file).exists() for file in (file_of(first), file_of(second))]
        if all(names):
            found += [of_pair(line, first, second) for line in forms.lines(forms.PAIRS)]
    return list(dict.fromkeys(number for line in found for number in with_threads(line)))


def whole():
    """The forms for the recordings that differ most."""
    found = forms.lines(forms.WHOLE) + forms.lines(forms.SCRIPT)
    profile, frames = forms.lines(values.PROFILE), forms.lines(values.FRAMES)
    found += [f"perfsift fold -jN {options} {{in}}" for options in profile + frames]
    found += [f"perfsift report -jN {options} {{in}}" for options in profile]
    found += [f"perfsift export -jN --to folded {options} {{in}}" for options in frames]
    found += [f"perfsift flame -jN {options} {{in}}" for options in frames[:6] + profile[:6]]
    found += [f"perfsift view -jN --save page.html {options} {{in}}" for options in (frames[4], frames[12], profile[8])]
    found += [f"perfsift report -jN --sort {key} {{in}}" for key in values.SORT_KEYS]
    found += [f"perfsift flame --palette {palette} {{in}}" for palette in values.PALETTES]
    return found + [f"perfsift export -jN --to pprof --labels {labels} -o out.pb {{in}}" for labels in values.LABELS]


def of_expressions():
    """A run of fold and of the module for each expression."""
    found = []
    for expression in forms.lines(values.EXPRESSIONS):
        quoted = expression.replace("'", "'\\''")
        found += [f"perfsift fold -jN --filter '{quoted}' {{in}}",
                  f"perfsift script -G --dlfilter perfsift-filter.so --dlarg '{quoted}' {{in}}"]
    return found


def of_memory():
    """The forms for recordings of memory accesses."""
    found = [f"perfsift mem -jN --sort {key} {{in}}" for key in values.MEMORY_KEYS]
    found += [f"perfsift report -jN --sort {key} {{in}}" for key in values.SORT_KEYS if "local" in key or key == "addr"]
    return found + forms.lines(forms.MEMORY)


def of_waits():
    """The forms for recordings with switches of threads."""
    found = [f"perfsift offcpu -jN --sort {key} {{in}}" for key in values.OFFCPU_KEYS]
    return found + forms.lines(forms.OFFCPU)


def of_shared_options(inputs):
    """A form for each command and each option that many commands have. Some commands refuse some options."""
    found = []
    for command, name in values.SHARING.items():
        if (inputs.folder / file_of(name)).exists():
            tail = values.SHARING_TAILS.get(command, "")
            found += [filled(f"perfsift {command} {options} {{in}} {tail}".rstrip(), inputs, name, own_kernel(name))
                      for options in forms.lines(values.SHARED)]
    return found


def file_of(name):
    """The name of the file of an input."""
    return name if "." in name and not name.startswith("corpus_") else f"{name}.data"


def filled(line, inputs, name, find):
    """The line for a recording, with the options that find its files."""
    file = f"../../in/{file_of(name)}"
    process, thread = inputs.threads(name) if "{process}" in line or "{thread}" in line else ("", "")
    for mark, text in (("{in}", f"{find} {file}".strip()), ("{file}", file), ("{find}", find), ("{process}", process),
                       ("{thread}", thread)):
        line = line.replace(mark, text)
    return line


def own_kernel(name):
    """The options that find the files of a recording. Functions of the kernel come from this machine."""
    if name.endswith("mixed"):
        return "--symfs ../../in/symfs --kallsyms ../../in/mixed.kallsyms"
    if name.endswith("demo"):
        return "--symfs ../../in/symfs"
    return "--symfs ../../in/nothing" if name.startswith("corpus_") else ""


def finding(name):
    """The options of own_kernel(), but with a short list of kernel functions: see Inputs."""
    return own_kernel(name) or ("" if "model" in name else "--kallsyms ../../in/kallsyms")


def of_pair(line, first, second):
    """The line for two inputs."""
    return line.replace("{a}", f"../../in/{file_of(first)}").replace("{b}", f"../../in/{file_of(second)}")


def with_threads(line):
    """The line for each number of threads."""
    return [line.replace("-jN", threads) for threads in THREADS] if "-jN" in line else [line]
