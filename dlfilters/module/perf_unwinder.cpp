#include "dlfilters/module/perf_unwinder.h"

#include <sys/utsname.h>

#include "analysis/samples/joined_stack.h"
#include "analysis/samples/user_state.h"
#include "base/path.h"
#include "dlfilters/module/sample_record.h"
#include "reader/timeline/user_names.h"

namespace perfsift::dlfilter {
namespace {

// A dlfilter does not learn the machine of the recording, so this machine counts.
std::string this_machine() {
  utsname names{};
  return uname(&names) == 0 ? names.machine : "";
}

// Registers that this machine does not have come from another machine. (perf's numbers from 32 on are not general
// registers here.)
bool are_of_machine(const reader::Registers& registers, std::string_view machine) {
  constexpr std::uint64_t abi_64 = 2;
  const auto architecture = symbolize::architecture_of(machine, abi_64);
  if (!architecture) return false;
  const std::size_t known = symbolize::facts_of(*architecture).from_perf.size();
  return known >= 32 || (registers.mask & 0xffffffff) >> known == 0;
}

BinaryKind kind_of(std::string_view dso) {
  return is_perf_map(dso) ? BinaryKind::perf_map : reader::user_name_kind(dso);
}

}  // namespace

// The mappings of the process, as perf has them while it shows a sample.
class PerfUnwinder::Space : public symbolize::AddressSpace {
 public:
  Space(PerfUnwinder& owner, void* context) : owner_(owner), context_(context) {}

  // perf does not say when a process maps something else, so each sample has a space of its own.
  std::uint32_t version() const override { return owner_.samples_; }

  // perf answers for single addresses only, so this address is the known part of the mapping.
  std::optional<symbolize::MappedPart> find(std::uint64_t address) const override {
    std::optional<symbolize::MappedPart> part;
    owner_.perf_.resolve(context_, address, [&](const AddressLocation& found) {
      if (found.dso == nullptr || found.is_kernel_ip != 0) return;
      const std::uint32_t number = owner_.number_of(found);
      part = {.start = address, .end = address + 1, .page_offset = found.addr, .binary = number};
      part->executable = owner_.is_code(owner_.dsos_[number], found.addr);
    });
    return part;
  }
  const Binary& binary(std::uint32_t number) const override { return owner_.dsos_[number].binary; }

 private:
  PerfUnwinder& owner_;
  void* const context_;
};

PerfUnwinder::PerfUnwinder(const PerfFunctions& perf, TextCopies& texts)
    : perf_(perf), texts_(texts), machine_(this_machine()) {}

PerfUnwinder::Outcome PerfUnwinder::unwind(const Sample& sample, const reader::Event& event, void* context) {
  const auto record = record_of(sample, event.attr);
  const bool is_seen = record && decoder_.decode(*record, event, decoded_) &&
                       static_cast<const void*>(decoded_.callchain.data()) == sample.raw_callchain;
  if (!is_seen) return Outcome::not_seen;
  const auto state = analysis::user_state(decoded_, machine_);
  if (!state || !are_of_machine(decoded_.user_registers, machine_)) return Outcome::no_registers;
  ++samples_;
  unwinder_.unwind(*state, Space(*this, context), stack_);
  analysis::join(decoded_.callchain, stack_, words_);
  return Outcome::unwound;
}

std::uint32_t PerfUnwinder::number_of(const AddressLocation& location) {
  const std::string_view path = texts_.of(location.dso);
  BuildId id;
  if (location.buildid != nullptr) {
    id = BuildId(std::as_bytes(std::span(location.buildid, location.buildid_size)));
  }
  const auto [known, is_new] = numbers_.try_emplace({path.data(), id}, static_cast<std::uint32_t>(dsos_.size()));
  if (is_new) {
    Dso& dso = dsos_.emplace_back(Dso{.binary = {.path = std::string(path), .build_id = id, .kind = kind_of(path)}});
    dso.table = &tables_.table(dso.binary);
  }
  return known->second;
}

// perf does not give the protection of a mapping: in a file, a segment that can be written to is no code.
bool PerfUnwinder::is_code(const Dso& dso, std::uint64_t offset) const {
  if (dso.binary.kind == BinaryKind::anonymous) return false;
  const auto address = dso.table->address_of(offset);
  return !address || !dso.table->read_only(*address).empty();
}

}  // namespace perfsift::dlfilter
