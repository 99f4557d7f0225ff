#include "symbolize/unwind/unwind_table.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include <libelf.h>

#include "base/binary.h"
#include "symbolize/elf/compression.h"
#include "symbolize/symbols/symbol_file.h"
#include "symbolize/unwind/rule_compiler.h"

namespace perfsift::symbolize {

namespace {

// libelf would allocate any size that the section claims.
bool reasonable_when_unpacked(Elf_Scn* section) {
  GElf_Chdr header;
  return gelf_getchdr(section, &header) != nullptr && header.ch_size <= max_unpacked_size;
}

Bytes unpacked_bytes(const ElfFile& file, const ElfFile::Section& section) {
  if ((section.header.sh_flags & SHF_COMPRESSED) != 0) {
    if (!reasonable_when_unpacked(section.handle) || elf_compress(section.handle, 0, 0) < 0) return {};
  }
  return file.bytes(section);
}

std::uint64_t address_of_section(const ElfFile& file, std::string_view name) {
  const auto* section = file.section(name);
  return section == nullptr ? 0 : section->header.sh_addr;
}

bool holds(const GElf_Phdr& segment, std::uint64_t address) {
  return address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz;
}

// The bytes of the file from an address to the end of the segment.
Bytes contents(Bytes image, const GElf_Phdr& segment, std::uint64_t address) {
  const std::uint64_t skipped = address - segment.p_vaddr;
  if (segment.p_offset > image.size() || skipped > image.size() - segment.p_offset) return {};
  const Bytes rest = image.subspan(segment.p_offset + skipped);
  return rest.first(std::min<std::uint64_t>(rest.size(), segment.p_filesz - skipped));
}

}  // namespace

UnwindTable::UnwindTable(std::shared_ptr<ElfFile> runtime, std::shared_ptr<ElfFile> symbols,
                         const SymbolizeOptions& options) {
  architecture_ = architecture_of_elf(runtime->header().e_machine);
  if (!architecture_ || runtime->header().e_ident[EI_DATA] != ELFDATA2LSB) return;
  image_ = runtime->image();
  for (const char* const functions_of_go : {".gopclntab", ".data.rel.ro.gopclntab"})
    has_go_ = has_go_ || runtime->section(functions_of_go) != nullptr;
  entry_ = runtime->header().e_entry;
  base_ = ~std::uint64_t{0};
  for (const GElf_Phdr& segment : runtime->segments()) {
    if (segment.p_type != PT_LOAD) continue;
    segments_.push_back(segment);
    base_ = std::min(base_, segment.p_vaddr);
  }
  add_sections(runtime, false);
  if (symbols && symbols != runtime) add_sections(symbols, true);
  find_functions(options, *runtime, symbols.get());
}

UnwindTable::UnwindTable(Bytes code, std::uint64_t start, const CfiSection& cfi, Architecture architecture)
    : architecture_(architecture),
      segments_{{.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = start, .p_filesz = code.size()}},
      image_(code),
      base_(start),
      sections_{cfi},
      functions_(index()) {
  groups_ = std::vector<Group>(group_count());
}

void UnwindTable::find_functions(const SymbolizeOptions& options, const ElfFile& runtime, const ElfFile* symbols) {
  const auto key = cache_key(options, "unwind_rules", {&runtime, symbols});
  if (key) cached_ = CachedRules::open(options.cache->find(*key), group_size);
  functions_ = cached_ ? cached_->functions() : FlatArray(index());
  groups_ = std::vector<Group>(group_count());
  if (key) options.cache->write_later(*key, [this](CacheFileWriter& writer) { return write_cache(writer); });
}

bool UnwindTable::write_cache(CacheFileWriter& writer) const {
  if (std::ranges::none_of(groups_, &Group::compiled)) return false;
  CachedRules::add_functions(functions_, writer);
  for (std::size_t number = 0; number < groups_.size(); ++number) {
    if (groups_[number].compiled)
      CachedRules::add_group(groups_[number].rules, writer);
    else if (cached_)
      cached_->add_unchanged(number, writer);
    else
      writer.add_missing();
  }
  return true;
}

void UnwindTable::add_sections(const std::shared_ptr<ElfFile>& file, bool debug_only) {
  files_.push_back(file);
  const CfiSection common{
      .text_address = address_of_section(*file, ".text"),
      .data_address = address_of_section(*file, ".got"),
      .address_size = static_cast<std::uint8_t>(file->header().e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8),
  };
  const auto add = [&](std::string_view name, bool eh_frame) {
    const auto* section = file->section(name);
    if (section == nullptr) return false;
    const Bytes bytes = unpacked_bytes(*file, *section);
    if (bytes.empty()) return false;
    sections_.push_back(common);
    sections_.back().bytes = bytes;
    sections_.back().eh_frame = eh_frame;
    sections_.back().address = section->header.sh_addr;
    return true;
  };
  if (!debug_only && !add(".eh_frame", true)) add_eh_frame_of_segment(*file);
  add(".debug_frame", false);
}

// A file may have lost its section headers. Its .eh_frame_hdr starts with version, three encodings, and then the
// address of .eh_frame. Nothing else is taken from it: its search table may be missing, or wrong.
void UnwindTable::add_eh_frame_of_segment(const ElfFile& file) {
  const auto& all = file.segments();
  const auto header = std::ranges::find(all, PT_GNU_EH_FRAME, &GElf_Phdr::p_type);
  if (header == all.end()) return;
  CfiSection frame{.data_address = header->p_vaddr};
  if (file.header().e_ident[EI_CLASS] == ELFCLASS32) frame.address_size = 4;

  constexpr std::uint64_t fixed_part = 4;
  ByteReader in(read_only(header->p_vaddr));
  const std::uint8_t version = in.u8(), encoding = in.u8();
  in.skip(2);
  const auto address = read_encoded(in, encoding, frame.address_size, header->p_vaddr + fixed_part, frame);
  if (version != 1 || !address) return;
  frame.address = *address;
  frame.bytes = read_only(*address);
  if (!frame.bytes.empty()) sections_.push_back(frame);
}

void UnwindTable::index_section(std::uint32_t number, std::vector<Function>& functions) const {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  CfiReader(sections_[number]).for_each_fde([&](std::uint64_t offset, const Fde& fde) {
    // Functions that the linker dropped are left at address 0, or at the largest ones.
    if (fde.start == 0 || fde.size == 0 || fde.start < base_ || fde.start - base_ > most) return;
    const std::uint64_t start = fde.start - base_;
    functions.push_back({.start = static_cast<std::uint32_t>(start),
                         .end = static_cast<std::uint32_t>(std::min(most, start + std::min(fde.size, most))),
                         .fde = offset,
                         .section = number});
  });
}

// Where several functions cover an address, the first section counts, and within a section the function that starts
// last.
std::vector<UnwindTable::Function> UnwindTable::index() const {
  std::vector<Function> functions;
  for (std::uint32_t number = 0; number < sections_.size(); ++number) {
    std::vector<Function> found;
    index_section(number, found);
    if (!std::ranges::is_sorted(found, {}, &Function::start)) std::ranges::stable_sort(found, {}, &Function::start);
    const auto known = static_cast<std::ptrdiff_t>(functions.size());
    for (const Function& function : found) {
      const auto after = std::upper_bound(functions.begin(), functions.begin() + known, function.start,
                                          [](std::uint32_t start, const Function& f) { return start < f.start; });
      const bool covered = after != functions.begin() && std::prev(after)->end > function.start;
      if (number == 0 || !covered) functions.push_back(function);
    }
    std::ranges::inplace_merge(functions, functions.begin() + known, {}, &Function::start);
  }
  const auto same_start = [](const Function& a, const Function& b) { return a.start == b.start; };
  functions.erase(std::unique(functions.begin(), functions.end(), same_start), functions.end());
  for (std::size_t i = 1; i < functions.size(); ++i)
    functions[i - 1].end = std::min(functions[i - 1].end, functions[i].start);
  return functions;
}

RuleTable UnwindTable::compile(std::size_t first, std::size_t last) const {
  RuleCompiler compiler(facts_of(*architecture_), base_);
  std::vector<CfiReader> readers;
  for (const CfiSection& section : sections_) readers.emplace_back(section);
  for (std::size_t i = first; i < last; ++i) {
    const Function& function = functions_[i];
    if (function.section >= sections_.size()) continue;  // a cache file that lies
    if (const auto fde = readers[function.section].fde_at(function.fde))
      compiler.add(*fde, base_ + function.end, sections_[function.section]);
  }
  return compiler.take();
}

RuleTable UnwindTable::compile_all() const { return compile(0, functions_.size()); }

const UnwindTable::Function* UnwindTable::function_at(std::uint64_t address) const {
  const std::uint64_t relative = address - base_;
  if (address < base_ || relative >= std::numeric_limits<std::uint32_t>::max()) return nullptr;
  const auto after = std::ranges::upper_bound(functions_, relative, {}, &Function::start);
  if (after == functions_.begin() || relative >= std::prev(after)->end) return nullptr;
  return &*std::prev(after);
}

void UnwindTable::look_for_rules(std::size_t number, Group& group) const {
  if (auto kept = cached_ ? cached_->group(number) : std::nullopt) {
    group.rules = std::move(*kept);
    return;
  }
  group.rules = compile(number * group_size, std::min((number + 1) * group_size, functions_.size()));
  group.compiled = true;
}

UnwindTable::Found UnwindTable::find(std::uint64_t address) const {
  const Function* function = function_at(address);
  if (function == nullptr) return {};
  const auto number = static_cast<std::size_t>(function - functions_.data()) / group_size;
  Group& group = groups_[number];
  std::call_once(group.looked_for, [&] { look_for_rules(number, group); });
  return {.table = &group.rules, .rule = group.rules.find(static_cast<std::uint32_t>(address - base_))};
}

bool UnwindTable::is_frameless(std::uint64_t address) const {
  const Found found = find(address);
  if (found.rule == nullptr || !architecture_) return false;
  const FrameRule& rule = *found.rule;
  if (rule.is(FrameRule::outermost) || rule.is(FrameRule::impossible) || rule.is(FrameRule::signal_frame)) return false;
  const ArchitectureFacts& facts = facts_of(*architecture_);
  if (!facts.link_register) {
    if (rule.cfa_register != facts.stack_pointer) return false;
    // Go describes functions with a frame by the stack pointer, too. One without has only its return address there
    // (obj6.go: bpsize).
    return !is_of_go(address) || rule.cfa_offset == facts.word;
  }
  // With a link register, compilers describe functions with a frame by the stack pointer, too.
  const std::span saved(found.table->registers.data() + rule.first_register, rule.register_count);
  return std::ranges::find(saved, rule.return_register, &RegisterRule::number) == saved.end();
}

// Code in C in the same file has .eh_frame.
bool UnwindTable::is_of_go(std::uint64_t address) const {
  const Function* const function = has_go_ ? function_at(address) : nullptr;
  return function != nullptr && function->section < sections_.size() && !sections_[function->section].eh_frame;
}

bool UnwindTable::signal_frame_starts(std::uint64_t address) const {
  const Function* function = function_at(address);
  if (function == nullptr || base_ + function->start != address) return false;
  const FrameRule* rule = find(address).rule;
  return rule != nullptr && rule->is(FrameRule::signal_frame);
}

bool UnwindTable::is_entry(std::uint64_t address) const { return entry_ != 0 && is_start_code(entry_, address); }

std::optional<std::uint64_t> UnwindTable::address_of(std::uint64_t file_offset) const {
  return files_.empty() ? std::nullopt : files_.front()->address(file_offset);
}

const GElf_Phdr* UnwindTable::read_only_segment(std::uint64_t address) const {
  for (const GElf_Phdr& segment : segments_)
    if (holds(segment, address)) return (segment.p_flags & PF_W) != 0 ? nullptr : &segment;
  return nullptr;
}

Bytes UnwindTable::read_only(std::uint64_t address) const {
  const GElf_Phdr* segment = read_only_segment(address);
  return segment == nullptr ? Bytes{} : contents(image_, *segment, address);
}

CodeAround UnwindTable::code_around(std::uint64_t address, bool return_address) const {
  const GElf_Phdr* segment = read_only_segment(call_site(address, return_address));
  if (segment == nullptr) return {};
  const std::uint64_t before = std::min<std::uint64_t>(CodeAround::most_before, address - segment->p_vaddr);
  return {.bytes = contents(image_, *segment, address - before), .before = before};
}

}  // namespace perfsift::symbolize
