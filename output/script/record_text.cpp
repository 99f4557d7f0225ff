#include "output/script/record_text.h"

#include <string>

#include <sys/mman.h>

#include "base/printable.h"
#include "reader/format/record_names.h"
#include "reader/records/auxtrace.h"
#include "reader/records/kernel_code.h"
#include "reader/records/loss.h"
#include "reader/records/mmap.h"
#include "reader/records/process.h"

namespace perfsift::output {
namespace {

using reader::RecordType;

// printf's %#x: zero has no prefix.
std::string hex(std::uint64_t value) { return value == 0 ? "0" : fmt::format("{:#x}", value); }

void print(TextWriter& out, const reader::Comm& comm) {
  out.format("{}: {}:{}/{}\n", comm.exec ? " exec" : "", printable(comm.name), comm.pid, comm.tid);
}

void print(TextWriter& out, const reader::Task& task) {
  out.format("({}:{}):({}:{})\n", task.pid, task.tid, task.parent_pid, task.parent_tid);
}

void print_mapped_range(TextWriter& out, const reader::Mmap& mmap) {
  out.format(" {}/{}: [{}({}) @ {}", mmap.pid, mmap.tid, hex(mmap.start), hex(mmap.length), hex(mmap.page_offset));
}

void print_mmap(TextWriter& out, const reader::Mmap& mmap) {
  print_mapped_range(out, mmap);
  out.format("]: {} {}\n", mmap.data ? 'r' : 'x', printable(mmap.path));
}

void print_mmap2(TextWriter& out, const reader::Mmap& mmap) {
  print_mapped_range(out, mmap);
  if (mmap.file) {
    const FileIdentity& file = *mmap.file;
    out.format(" {:02x}:{:02x} {} {}", file.device_major, file.device_minor, file.inode, file.inode_generation);
  } else {
    out.format(" <{}>", mmap.build_id.hex());
  }
  out.format("]: {}{}{}{} {}\n", (mmap.protection & PROT_READ) != 0 ? 'r' : '-',
             (mmap.protection & PROT_WRITE) != 0 ? 'w' : '-', (mmap.protection & PROT_EXEC) != 0 ? 'x' : '-',
             (mmap.flags & MAP_SHARED) != 0 ? 's' : 'p', printable(mmap.path));
}

void print(TextWriter& out, const reader::Namespaces& namespaces) {
  constexpr std::string_view names[] = {"net", "uts", "ipc", "pid", "user", "mnt", "cgroup"};
  const auto& links = namespaces.links;
  out.format(" {}/{} - nr_namespaces: {}\n\t\t[", namespaces.pid, namespaces.tid, links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i != 0) out.text(i % 4 == 0 ? ", \n\t\t " : ", ");
    out.format("{}/{}: {}/{}", i, i < std::size(names) ? names[i] : "UNKNOWN", links[i].device, hex(links[i].inode));
  }
  out.text("]\n");
}

void print(TextWriter& out, const reader::Cgroup& cgroup) {
  out.format(" cgroup: {} {}\n", cgroup.id, printable(cgroup.path));
}

void print(TextWriter& out, const reader::Switch& change) {
  const char* const direction = !change.out ? "IN         " : change.preempted ? "OUT preempt" : "OUT        ";
  out.format(" {}", direction);
  if (change.other) {
    out.format("  {} pid/tid: {:5}/{:<5}", change.out ? "next" : "prev", change.other->pid, change.other->tid);
  }
  out.character('\n');
}

void print(TextWriter& out, const reader::Lost& lost) { out.format(" lost {}\n", lost.lost); }

void print(TextWriter& out, const reader::Ksymbol& symbol) {
  out.format(" addr {:x} len {} type {} flags 0x{:x} name {}\n", symbol.address, symbol.length,
             static_cast<unsigned>(symbol.kind), symbol.unregistered ? 1 : 0, printable(symbol.name));
}

void print(TextWriter& out, const reader::BpfEvent& event) {
  out.format(" type {}, flags {}, id {}\n", static_cast<unsigned>(event.kind), event.flags, event.id);
}

void print(TextWriter& out, const reader::Aux& aux) {
  out.format(" offset: {} size: {} flags: {} [{}{}{}]\n", hex(aux.offset), hex(aux.size), hex(aux.flags),
             aux.truncated() ? "T" : "", aux.overwrite() ? "O" : "", aux.partial() ? "P" : "");
}

void print_code_bytes(TextWriter& out, std::string_view when, Bytes bytes) {
  constexpr std::size_t per_line = 16;
  while (!bytes.empty()) {
    const Bytes line = bytes.first(std::min(per_line, bytes.size()));
    out.format("            {} bytes:", when);
    for (const std::byte byte : line) out.format(" {:02x}", static_cast<unsigned>(byte));
    out.character('\n');
    bytes = bytes.subspan(line.size());
  }
}

void print_text_poke(TextWriter& out, const reader::TextPoke& poke, std::string_view poked_symbol) {
  out.format(" {:x} {} old len {} new len {}\n", poke.address, poked_symbol, poke.before.size(), poke.after.size());
  print_code_bytes(out, "Old", poke.before);
  print_code_bytes(out, "New", poke.after);
}

template <typename Decoded>
void print_decoded(TextWriter& out, const Decoded& decoded, const auto& print_it) {
  if (decoded) {
    print_it(out, *decoded);
  } else {
    out.text(" (malformed)\n");
  }
}

}  // namespace

void print_record(TextWriter& out, const reader::Record& record, std::string_view poked_symbol) {
  const auto plain = [](TextWriter& to, const auto& decoded) { print(to, decoded); };
  out.text("PERF_RECORD_");
  out.text(reader::record_name(record.header.type));
  switch (record.header.type) {
    case RecordType::comm:
      return print_decoded(out, reader::decode_comm(record), plain);
    case RecordType::fork:
    case RecordType::exit:
      return print_decoded(out, reader::decode_task(record), plain);
    case RecordType::mmap:
      return print_decoded(out, reader::decode_mmap(record), print_mmap);
    case RecordType::mmap2:
      return print_decoded(out, reader::decode_mmap2(record), print_mmap2);
    case RecordType::namespaces:
      return print_decoded(out, reader::decode_namespaces(record), plain);
    case RecordType::cgroup:
      return print_decoded(out, reader::decode_cgroup(record), plain);
    case RecordType::switch_:
    case RecordType::switch_cpu_wide:
      return print_decoded(out, reader::decode_switch(record), plain);
    case RecordType::lost:
      return print_decoded(out, reader::decode_lost(record), plain);
    case RecordType::ksymbol:
      return print_decoded(out, reader::decode_ksymbol(record), plain);
    case RecordType::bpf_event:
      return print_decoded(out, reader::decode_bpf_event(record), plain);
    case RecordType::aux:
      return print_decoded(out, reader::decode_aux(record), plain);
    case RecordType::text_poke:
      return print_decoded(out, reader::decode_text_poke(record), [&](TextWriter& to, const reader::TextPoke& poke) {
        print_text_poke(to, poke, poked_symbol);
      });
    default:
      out.character('\n');
  }
}

}  // namespace perfsift::output
