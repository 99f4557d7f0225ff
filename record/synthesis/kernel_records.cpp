#include "record/synthesis/kernel_records.h"

#include <algorithm>
#include <functional>
#include <map>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/owned.h"
#include "base/path.h"
#include "base/text_scanner.h"
#include "base/whole_file.h"
#include "reader/writer/records/mmap.h"
#include "record/machine/number_text.h"

namespace perfsift::record {

namespace {

struct Kallsym {
  std::uint64_t address = 0;
  std::string_view name;
};

// "ffffffff81000000 T _text".
std::optional<Kallsym> parse_kallsym(std::string_view line) {
  constexpr std::size_t size_of_type = 3;
  const auto address = take_hex(line);
  if (!address || line.size() <= size_of_type) return std::nullopt;
  line.remove_prefix(size_of_type);
  return Kallsym{*address, line.substr(0, line.find('\t'))};
}

// Calls take(symbol) until it returns false. Reads no more than a piece behind that symbol.
void each_kallsym(const std::string& path, const std::function<bool(const Kallsym&)>& take) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string piece(1 << 14, '\0'), text;
  for (ssize_t got; file && (got = read(file.get(), piece.data(), piece.size())) > 0;) {
    text.append(piece, 0, static_cast<std::size_t>(got));
    std::string_view rest = text;
    while (rest.find('\n') != std::string_view::npos) {
      const auto symbol = parse_kallsym(take_line(rest));
      if (symbol && !take(*symbol)) return;
    }
    text.erase(0, text.size() - rest.size());
  }
}

// The symbols are sorted by address. _text is perf's first choice, and never behind _stext.
std::optional<KernelText> find_start(const std::string& kallsyms) {
  std::optional<KernelText> found;
  each_kallsym(kallsyms, [&](const Kallsym& symbol) {
    if (found && symbol.address != found->start) return false;
    if (symbol.name == "_text" || (symbol.name == "_stext" && !found))
      found = KernelText{std::string(symbol.name), symbol.address, 0};
    return symbol.name != "_text";
  });
  return found && found->start != 0 ? found : std::nullopt;
}

// "  01000000-02276f47 : Kernel code"; zeros without privileges.
std::uint64_t length_by_iomem(const std::string& proc) {
  const std::string iomem = read_whole_file(proc + "/iomem").value_or("");
  for (std::string_view rest = iomem; !rest.empty();) {
    std::string_view line = take_line(rest);
    if (!line.ends_with(" : Kernel code")) continue;
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
    const auto first = take_hex(line);
    line.remove_prefix(1);
    const auto last = take_hex(line);
    return first && last && *last > *first ? *last - *first + 1 : 0;
  }
  return 0;
}

std::uint64_t length_by_symbols(const std::string& kallsyms, std::uint64_t start) {
  std::uint64_t end = 0;
  each_kallsym(kallsyms, [&](const Kallsym& symbol) {
    if (symbol.name == "_etext") end = symbol.address;
    return end == 0;
  });
  return end > start ? end - start : ~start;  // perf's map of an unknown end goes up to the last address
}

// The name of a module in /proc/modules has underscores where the name of the file may have hyphens.
std::string module_name_of(std::string_view path) {
  std::string name(base_name(path));
  name.resize(std::min(name.size(), name.find(".ko")));
  std::ranges::replace(name, '-', '_');
  return name;
}

// The paths in modules.dep ("kernel/fs/ext4/ext4.ko.xz: …"), by the names of the modules.
std::map<std::string, std::string> module_files(const std::string& folder) {
  std::map<std::string, std::string> files;
  const std::string list = read_whole_file(folder + "/modules.dep").value_or("");
  for (std::string_view rest = list; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::string_view path = line.substr(0, line.find(':'));
    files.emplace(module_name_of(path), folder + "/" + std::string(path));
  }
  return files;
}

class KernelRecords {
 public:
  KernelRecords(const KernelRoots& roots, bool build_ids, const reader::Encoding& encoding)
      : roots_(roots), build_ids_(build_ids), encoding_(encoding) {}

  void add_kernel() {
    const auto text = kernel_text(roots_.proc);
    if (!text) return;
    add({text->symbol, text->start, text->length}, "[kernel.kallsyms]" + text->symbol, text->start,
        roots_.sysfs + "/kernel/notes");
  }

  void add_modules(const std::string& folder) {
    const auto modules = kernel_modules(roots_.proc);
    if (modules.empty()) return;
    const auto files = module_files(folder);
    for (const KernelModule& module : modules) {
      const auto file = files.find(module.name);
      add(module, file != files.end() ? file->second : "[" + module.name + "]", 0,
          roots_.sysfs + "/module/" + module.name + "/notes/.note.gnu.build-id");
    }
  }

  std::vector<std::byte> take() { return std::move(records_); }

 private:
  void add(const KernelModule& code, const std::string& path, std::uint64_t page_offset, const std::string& notes) {
    reader::Mmap mmap{.pid = -1, .tid = 0, .start = code.start, .length = code.size, .page_offset = page_offset};
    mmap.protection = PROT_READ | PROT_EXEC;
    mmap.path = path;
    if (build_ids_) mmap.build_id = build_id_of_notes_file(notes);
    const auto record =
        (build_ids_ ? reader::encode_mmap2 : reader::encode_mmap)(mmap, reader::CpuMode::kernel, encoding_);
    records_.insert(records_.end(), record.begin(), record.end());
  }

  const KernelRoots& roots_;
  bool build_ids_;
  const reader::Encoding& encoding_;
  std::vector<std::byte> records_;
};

}  // namespace

std::optional<KernelText> kernel_text(const std::string& proc) {
  auto text = find_start(proc + "/kallsyms");
  if (!text) return std::nullopt;
  text->length = length_by_iomem(proc);
  if (text->length == 0) text->length = length_by_symbols(proc + "/kallsyms", text->start);
  return text;
}

// "ext4 983040 1 - Live 0xffffffffc0000000". The size counts all memory of a module, also data elsewhere, so a module
// ends where the next begins.
std::vector<KernelModule> kernel_modules(const std::string& proc) {
  std::vector<KernelModule> modules;
  const std::string list = read_whole_file(proc + "/modules").value_or("");
  for (std::string_view rest = list; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::size_t end_of_name = line.find(' '), at_address = line.find(" 0x");
    if (at_address == std::string_view::npos) continue;
    std::string_view size = line.substr(end_of_name + 1), address = line.substr(at_address + 3);
    const auto start = take_hex(address);
    const auto bytes = read_number(size.substr(0, size.find(' ')));
    if (start && *start != 0 && bytes) modules.push_back({std::string(line.substr(0, end_of_name)), *start, *bytes});
  }
  std::ranges::sort(modules, {}, &KernelModule::start);
  for (std::size_t i = 0; i + 1 < modules.size(); ++i)
    modules[i].size = std::min(modules[i].size, modules[i + 1].start - modules[i].start);
  return modules;
}

std::vector<std::byte> kernel_records(const KernelRoots& roots, const std::string& modules_folder, bool build_ids,
                                      const reader::Encoding& encoding) {
  KernelRecords records(roots, build_ids, encoding);
  records.add_kernel();
  records.add_modules(modules_folder);
  return records.take();
}

}  // namespace perfsift::record
