#include "dlfilters/host/context.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace perfsift::dlfilter {
namespace {

constexpr std::array<const char*, function_count> names = {
    "resolve_ip", "resolve_addr", "args", "resolve_address", "insn", "srcline", "attr", "object_code", "al_cleanup"};

// An exception must not pass through the filter, which may be written in C.
template <typename Result, typename Ask>
Result guarded(Result failed, Ask&& ask) noexcept {
  try {
    return ask();
  } catch (...) {
    return failed;
  }
}

}  // namespace

const char* name_of(Function function) { return names[static_cast<std::size_t>(function)]; }

// The functions in tools/perf/util/dlfilter.c with the same names.
struct Context::Table {
  static std::uint64_t& of(std::array<std::uint64_t, function_count>& counts, Function function) {
    return counts[static_cast<std::size_t>(function)];
  }

  static Context* context(void* context) {
    auto* const known = static_cast<Context*>(context);
    return known != nullptr && known->mark_ == mark ? known : nullptr;
  }

  // The context, while a filter is being called and may ask; otherwise nullptr.
  static Context* asking(void* asked, Function function) {
    Context* const known = context(asked);
    if (known == nullptr) return nullptr;
    ++of(known->usage_.calls, function);
    if (known->stage_ == Stage::filtering) return known;
    ++of(known->usage_.out_of_place, function);
    return nullptr;
  }

  static bool given(void* asked, Function function, const void* pointer) {
    if (pointer != nullptr) return true;
    if (Context* const known = context(asked)) ++of(known->usage_.null_pointers, function);
    return false;
  }

  static const AddressLocation* resolve_ip(void* asked) {
    Context* const known = asking(asked, Function::resolve_ip);
    if (known == nullptr) return nullptr;
    return guarded<const AddressLocation*>(nullptr, [&] { return known->answers_->ip(); });
  }

  static const AddressLocation* resolve_addr(void* asked) {
    Context* const known = asking(asked, Function::resolve_addr);
    if (known == nullptr) return nullptr;
    return guarded<const AddressLocation*>(nullptr, [&] { return known->answers_->addr(); });
  }

  static char** args(void* asked, int* count) {
    if (!given(asked, Function::args, count)) return nullptr;
    *count = 0;
    Context* const known = context(asked);
    if (known == nullptr) return nullptr;
    ++of(known->usage_.calls, Function::args);
    if (known->stage_ == Stage::outside) return ++of(known->usage_.out_of_place, Function::args), nullptr;
    *count = static_cast<int>(known->arguments_.size());
    return known->argv_.data();
  }

  // Writes at most as many bytes as the caller's size says, and leaves that size as it is.
  static std::int32_t resolve_address(void* asked, std::uint64_t address, AddressLocation* location) {
    Context* const known = asking(asked, Function::resolve_address);
    if (known == nullptr || !given(asked, Function::resolve_address, location)) return -1;
    return guarded<std::int32_t>(-1, [&] {
      AddressLocation found = known->answers_->address(address);
      const std::uint32_t size = location->size;
      if (size != AddressLocation::size_v0 && size != AddressLocation::size_v2) ++known->usage_.odd_sizes;
      const std::uint32_t written = std::min(size, found.size);
      if (written == AddressLocation::size_v2) {
        found.cleanup_data = known;
        ++known->usage_.cleanable;
      }
      std::memcpy(static_cast<void*>(location), &found, written);
      if (size < sizeof location->size) return 0;
      location->size = size;
      return 0;
    });
  }

  static const std::uint8_t* insn(void* asked, std::uint32_t* length) {
    if (!given(asked, Function::insn, length)) return nullptr;
    *length = 0;
    Context* const known = asking(asked, Function::insn);
    if (known == nullptr) return nullptr;
    return guarded<const std::uint8_t*>(nullptr, [&]() -> const std::uint8_t* {
      const Bytes instruction = known->answers_->instruction();
      if (instruction.empty()) return nullptr;
      *length = static_cast<std::uint32_t>(instruction.size());
      return reinterpret_cast<const std::uint8_t*>(instruction.data());
    });
  }

  static const char* srcline(void* asked, std::uint32_t* line) {
    Context* const known = asking(asked, Function::srcline);
    if (known == nullptr || !given(asked, Function::srcline, line)) return nullptr;
    return guarded<const char*>(nullptr, [&] { return known->answers_->source_line(*line); });
  }

  static const void* attr(void* asked) {
    Context* const known = asking(asked, Function::attr);
    if (known == nullptr) return nullptr;
    return guarded<const void*>(nullptr, [&] { return &known->answers_->attr(); });
  }

  static std::int32_t object_code(void* asked, std::uint64_t address, void* buffer, std::uint32_t size) {
    Context* const known = asking(asked, Function::object_code);
    if (known == nullptr || !given(asked, Function::object_code, buffer)) return -1;
    return guarded<std::int32_t>(-1, [&] {
      const auto copied = known->answers_->code(address, {static_cast<std::byte*>(buffer), size});
      return copied ? static_cast<std::int32_t>(*copied) : -1;
    });
  }

  // There is nothing to free; a test of a filter counts the calls.
  static void al_cleanup(void* asked, AddressLocation* location) {
    if (!given(asked, Function::al_cleanup, location)) return;
    Context* const known = context(asked);
    if (known == nullptr) return;
    ++of(known->usage_.calls, Function::al_cleanup);
    if (location->size < AddressLocation::size_v2 || location->cleanup_data == nullptr) return;
    location->cleanup_data = nullptr;
    ++known->usage_.cleaned;
  }
};

Context::Context(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {
  for (std::string& argument : arguments_) argv_.push_back(argument.data());
  if (!argv_.empty()) argv_.push_back(nullptr);
}

Functions Context::functions(ApiVersion api) {
  return {.resolve_ip = Table::resolve_ip,
          .resolve_addr = Table::resolve_addr,
          .args = Table::args,
          .resolve_address = Table::resolve_address,
          .insn = Table::insn,
          .srcline = Table::srcline,
          .attr = Table::attr,
          .object_code = Table::object_code,
          .al_cleanup = api == ApiVersion::v2 ? Table::al_cleanup : nullptr,
          .reserved = {}};
}

}  // namespace perfsift::dlfilter
