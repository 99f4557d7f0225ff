#include "library/c/boundary.h"
#include "library/c/objects.h"
#include "library/c/sample_options.h"

namespace perfsift::v0::detail {
namespace {

SymbolizerOptions symbolizer_options(const perfsift_symbolizer_options* given) {
  const perfsift_symbolizer_options from = options_from(given, PERFSIFT_SYMBOLIZER_OPTIONS_INIT);
  SymbolizerOptions options;
  options.symfs = text_or_empty(from.symfs);
  if (from.debug_dir != nullptr) options.debug_dirs = {from.debug_dir};
  options.build_id_dir = text_or_empty(from.build_id_dir);
  options.vmlinux = text_or_empty(from.vmlinux);
  options.kallsyms = text_or_empty(from.kallsyms);
  options.cache_dir = text_or_empty(from.cache_dir);
  options.any_owner = from.any_owner != 0;
  return options;
}

}  // namespace
}  // namespace perfsift::v0::detail

using namespace perfsift::v0::detail;

perfsift_symbolizer* perfsift_symbolizer_new(const perfsift_symbolizer_options* options, perfsift_error** error) {
  return guarded_pointer(error, [&] {
    return Handles::all().add<perfsift_symbolizer>(
        perfsift_symbolizer{perfsift::v0::Symbolizer(symbolizer_options(options))});
  });
}

void perfsift_symbolizer_free(perfsift_symbolizer* symbolizer) { Handles::all().remove(symbolizer); }

int perfsift_symbolizer_frames(perfsift_symbolizer* symbolizer, const char* elf_file, uint64_t address,
                               perfsift_frame_function visit, void* data, perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(symbolizer, "symbolizer");
    require(elf_file, "elf_file");
    require(reinterpret_cast<const void*>(visit), "visit");
    for (const perfsift::v0::Frame& frame : object->symbolizer.frames(elf_file, address)) {
      const perfsift_frame shown = c_frame(frame);
      visit(data, &shown);
    }
  });
}
