// --annotate on broken code: the ELF file of a function, with samples at any of its offsets. Two bytes select the
// offsets, and whether the file is a program, a vmlinux or a module. The rest is the file.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "analysis/annotation/annotation.h"
#include "output/annotation/annotation_text.h"
#include "symbolize/symbolizer.h"
#include "tests/fuzz/memory_file.h"
#include "tools/report/code_listing.h"

using namespace perfsift;

namespace {

// Functions of the seeds, and offsets at which a file may have symbols or nothing.
analysis::AnnotatedCode annotated(const std::string& path, BinaryKind kind, std::uint8_t first, std::uint8_t distance) {
  analysis::AnnotatedCode code{.function = "f", .kind = analysis::FrameKind::user, .binary = {}, .addresses = {}};
  code.binary = {
      .path = path, .build_id = {}, .recorded = std::make_shared<const Binary>(Binary{.path = path, .kind = kind})};
  constexpr std::uint64_t count = 64, page = 0x1000;
  for (std::uint64_t i = 0; i < count; ++i) {
    code.addresses[std::uint64_t{first} * 16 + i * distance] = {.samples = 1, .value = i};
    code.addresses[page + std::uint64_t{first} + i * distance] = {.samples = 1, .value = i};
  }
  code.addresses[~std::uint64_t{0}] = {.samples = 1, .value = 1};
  return code;
}

// The first function of a kernel or module, whose samples are at its start.
void annotate_kernel(const symbolize::SymbolFile& names, analysis::AnnotatedCode& code) {
  code.kind = analysis::FrameKind::kernel;
  if (names.symbols().empty()) return;
  const symbolize::Symbol& function = names.symbols().front();
  code.function = function.name;
  for (std::uint64_t i = 0; i < 16; ++i) code.addresses[function.start + i] = {.samples = 1, .value = i};
}

analysis::Amount sum_of(const output::CodeListing& listing) {
  analysis::Amount sum;
  for (const output::CodeLine& line : listing.lines) sum += line.amount;
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const test::MemoryFile file({data + 2, size - 2});
  constexpr std::array kinds = {BinaryKind::elf, BinaryKind::kernel, BinaryKind::kernel_module};
  const BinaryKind kind = kinds[(data[0] ^ data[1]) % kinds.size()];
  analysis::AnnotatedCode code = annotated(file.path(), kind, data[0], data[1]);
  symbolize::SymbolizeOptions options{.debug_dirs = {}, .build_id_dir = "/nowhere"};
  if (kind == BinaryKind::kernel) options.vmlinux = file.path();
  symbolize::Symbolizer symbolizer(options);
  if (kind != BinaryKind::elf) annotate_kernel(symbolizer.file(*code.binary.recorded), code);
  analysis::Amount wanted;
  for (const auto& [address, amount] : code.addresses) wanted += amount;
  std::vector<output::CodeListing> listings;
  for (const bool whole : {true, false}) {
    listings.push_back(tools::list_code(code, whole, symbolizer, options));
    if (sum_of(listings.back()) != wanted) __builtin_trap();
  }
  analysis::Annotation annotation{
      .event = "cycles", .all = wanted, .self = wanted, .inlined = {}, .lines = {}, .code = {}};
  const output::AnnotationContents contents{
      .function = "f", .annotation = annotation, .code = std::move(listings), .source = [](auto, auto) { return ""; }};
  output::TextWriter text([](std::string_view) {});
  output::write_annotation_text(contents, {}, text);
  text.flush();
  output::annotation_json(contents).dump(2, ' ', true, output::Json::error_handler_t::replace);
  return 0;
}
