#include "symbolize/unwind/unwind_tables.h"

#include <tuple>
#include <utility>

#include "base/loaded_once.h"
#include "symbolize/search/debug_files.h"
#include "symbolize/search/vdso.h"

namespace perfsift::symbolize {

namespace {

// All members of a Binary that the choice of its file depends on, apart from those that grow while a stream is read.
auto unwound_file(const Binary& binary) {
  const RecordedFile& file = binary.file;
  return std::tie(binary.packed, binary.path, binary.build_id, binary.kind, binary.pid, binary.same_kernel,
                  file.identity.inode, file.identity.inode_generation, file.recorded_seconds);
}

struct ByUnwoundFile {
  bool operator()(const Binary& a, const Binary& b) const { return unwound_file(a) < unwound_file(b); }
};

FoundFiles files_of(const Binary& binary, const SymbolizeOptions& options) {
  if (binary.kind == BinaryKind::elf) return find_files(binary, options);
  FoundFiles found;
  if (binary.kind == BinaryKind::vdso) found.runtime = find_vdso(binary, options, found.missing);
  return found;
}

std::unique_ptr<UnwindTable> load(const Binary& binary, const SymbolizeOptions& options) {
  const FoundFiles files = files_of(binary, options);
  if (!files.runtime) return std::make_unique<UnwindTable>();
  return std::make_unique<UnwindTable>(files.runtime, files.symbols, options);
}

}  // namespace

struct UnwindTables::State {
  SymbolizeOptions options;
  LoadedOnce<UnwindTable, ByUnwoundFile> tables;
  LoadedOnce<JitUnwindTables, ByUnwoundFile> jit_tables;
};

UnwindTables::UnwindTables(SymbolizeOptions options) : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
}

UnwindTables::~UnwindTables() {
  if (state_->options.cache) state_->options.cache->write_all();
}

const UnwindTable& UnwindTables::table(const Binary& binary) {
  return state_->tables.get(binary, [&] { return load(binary, state_->options); });
}

const JitUnwindTables& UnwindTables::jit_tables(const Binary& binary) {
  return state_->jit_tables.get(binary, [&] { return load_jit_unwind_tables(binary, state_->options); });
}

}  // namespace perfsift::symbolize
