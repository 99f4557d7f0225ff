#include "record/synthesis/bpf_programs.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include <linux/bpf.h>

#include "base/owned.h"
#include "base/page_size.h"
#include "base/text_scanner.h"
#include "base/whole_file.h"
#include "reader/writer/records/kernel_code.h"
#include "record/bpf/bpf_objects.h"

namespace perfsift::record {

namespace {

using reader::BpfProgram;

template <typename T>
std::uint64_t address_of(std::vector<T>& list) {
  return reinterpret_cast<std::uintptr_t>(list.data());
}

// The first question gives the numbers of functions, the second their addresses.
std::optional<BpfProgram> read_program(int fd) {
  bpf_prog_info sizes{};
  if (!read_bpf_info(BpfKind::program, fd, &sizes, sizeof sizes) || sizes.nr_jited_ksyms == 0) return std::nullopt;
  BpfProgram program;
  program.ksyms.resize(sizes.nr_jited_ksyms);
  program.lengths.resize(sizes.nr_jited_func_lens);
  program.tags.resize(sizes.nr_prog_tags);

  bpf_prog_info info{};
  info.nr_jited_ksyms = sizes.nr_jited_ksyms, info.jited_ksyms = address_of(program.ksyms);
  info.nr_jited_func_lens = sizes.nr_jited_func_lens, info.jited_func_lens = address_of(program.lengths);
  info.nr_prog_tags = sizes.nr_prog_tags, info.prog_tags = address_of(program.tags);
  if (!read_bpf_info(BpfKind::program, fd, &info, sizeof info)) return std::nullopt;
  program.type = info.type;
  program.id = info.id;
  program.name = std::string(info.name, strnlen(info.name, sizeof info.name));
  return program;
}

// bpf_prog_ksym_set_name() in the kernel: "bpf_prog_", the tag, and the name of the program.
std::string made_up_name(const BpfProgram& program, std::size_t function) {
  std::string name = "bpf_prog_";
  const auto& tag = program.tags[std::min(function, program.tags.size() - 1)];
  for (const std::byte byte : tag) {
    constexpr char digits[] = "0123456789abcdef";
    name += digits[std::to_integer<unsigned>(byte) >> 4];
    name += digits[std::to_integer<unsigned>(byte) & 15];
  }
  if (function == 0 && !program.name.empty()) return name + "_" + program.name;
  return function == 0 ? name : name + "_F";
}

// "ffffffffc0001000 t bpf_prog_6deef7357e7b4530_sd_devices	[bpf]".
std::map<std::uint64_t, std::string> bpf_symbols(const std::string& kallsyms) {
  std::map<std::uint64_t, std::string> symbols;
  constexpr std::size_t size_of_type = 3;
  const std::string text = read_whole_file(kallsyms).value_or("");
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = take_line(rest);
    if (!line.ends_with("\t[bpf]")) continue;
    const auto address = take_hex(line);
    if (!address || *address == 0 || line.size() <= size_of_type) continue;
    line.remove_prefix(size_of_type);
    symbols.emplace(*address, line.substr(0, line.find('\t')));
  }
  return symbols;
}

class BpfRecords {
 public:
  BpfRecords(std::map<std::uint64_t, std::string> symbols, const reader::Encoding& encoding)
      : symbols_(std::move(symbols)), encoding_(encoding) {}

  void add(const BpfProgram& program) {
    if (program.tags.empty()) return;
    for (std::size_t i = 0; i < std::min(program.ksyms.size(), program.lengths.size()); ++i) {
      const auto symbol = symbols_.find(program.ksyms[i]);
      const auto name = symbol != symbols_.end() ? symbol->second : made_up_name(program, i);
      add_symbol(program.ksyms[i], program.lengths[i], reader::Ksymbol::Kind::bpf, name);
    }
    append(encode_bpf_event(
        {.kind = reader::BpfEvent::Kind::program_load, .flags = 0, .id = program.id, .tag = program.tags.front()},
        encoding_));
  }

  // Trampolines and dispatchers have a page: process_bpf_image() in tools/perf/util/bpf-event.c.
  void add_images() {
    const auto page = static_cast<std::uint32_t>(page_size());
    for (const auto& [address, name] : symbols_) {
      if (name.starts_with("bpf_trampoline_") || name.starts_with("bpf_dispatcher_"))
        add_symbol(address, page, reader::Ksymbol::Kind::bpf, name);
    }
  }

  std::vector<std::byte> take() { return std::move(records_); }

 private:
  void add_symbol(std::uint64_t address, std::uint32_t length, reader::Ksymbol::Kind kind, std::string_view name) {
    append(encode_ksymbol({.address = address, .length = length, .kind = kind, .name = name}, encoding_));
  }
  void append(const std::vector<std::byte>& record) { records_.insert(records_.end(), record.begin(), record.end()); }

  std::map<std::uint64_t, std::string> symbols_;
  const reader::Encoding& encoding_;
  std::vector<std::byte> records_;
};

}  // namespace

std::vector<BpfProgram> loaded_bpf_programs() {
  std::vector<BpfProgram> programs;
  for (auto id = bpf_object_after(BpfKind::program, 0); id; id = bpf_object_after(BpfKind::program, *id)) {
    const FileDescriptor file = open_bpf_object(BpfKind::program, *id);
    if (!file) continue;  // unloaded meanwhile
    if (auto program = read_program(file.get())) programs.push_back(std::move(*program));
  }
  return programs;
}

std::vector<std::byte> bpf_records(const std::vector<BpfProgram>& programs, const std::string& kallsyms,
                                   const reader::Encoding& encoding) {
  if (programs.empty()) return {};
  BpfRecords records(bpf_symbols(kallsyms), encoding);
  for (const BpfProgram& program : programs) records.add(program);
  records.add_images();
  return records.take();
}

}  // namespace perfsift::record
