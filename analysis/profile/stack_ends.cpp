#include "analysis/profile/stack_ends.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <sys/mman.h>

#include "base/hash.h"

namespace perfsift::analysis {
namespace {

using reader::CpuMode;
using Frame = StackEnds::LastFrames::Frame;
namespace context = reader::callchain_context;

// Functions that threads start with, by their names in symbol tables.
constexpr std::string_view start_functions[] = {
    "_start",
    "__start",
    "_start_c",
    "_dl_start",
    "_dl_start_user",  // programs and the loader
    "generic_start_main",
    "__libc_init",
    "libc_start_main_stage2",  // callers of main(): glibc, bionic, musl
    "start_thread",
    "__start_thread",
    "__pthread_start",
    "start_c11",  // threads: glibc, bionic, musl
    "runtime.goexit",
    "runtime.mstart",
    "runtime.mstart0",
    "runtime.mstart1",
    "runtime.rt0_go",
    "runtime.mcall",  // Go
};
// Functions in which a thread or a vfork() child starts. The parent enters the kernel here too.
constexpr std::string_view clone_functions[] = {"clone", "clone3", "__clone", "__clone3", "__bionic_clone"};

template <std::size_t Count>
bool is_in(const std::string_view (&names)[Count], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

bool is_start_function(std::string_view name, bool return_address) {
  constexpr std::string_view go_assembly = ".abi0";
  name = name.substr(0, name.find('@'));  // __libc_start_main@@GLIBC_2.34
  if (name.ends_with(go_assembly)) name.remove_suffix(go_assembly.size());
  if (name.starts_with("__libc_start_") || name.starts_with("_rt0_")) return true;
  return is_in(start_functions, name) || (return_address && is_in(clone_functions, name));
}

}  // namespace

StackEnds::LastFrames StackEnds::last_frames(reader::Words words, const reader::CallchainPart& first) {
  LastFrames frames;
  reader::for_each_part(words, first, [&](const reader::CallchainPart& part) {
    if (part.mode != CpuMode::user) return;
    const std::size_t count = part.addresses.size();
    const auto frame_at = [&](std::size_t i) {
      return Frame{.ip = part.addresses[i], .return_address = i > 0 || !part.starts_a_call};
    };
    frames.before = count > 1 ? std::optional(frame_at(count - 2)) : frames.last;
    frames.last = frame_at(count - 1);
  });
  if (!frames.last) {
    frames.user_part_missing =
        std::ranges::find_if(words, [](std::uint64_t word) { return word == context::user_deferred; }) != words.end();
  }
  return frames;
}

std::uint32_t StackEnds::of(reader::MapsVersion maps, StackTail tail, const LastFrames& frames) {
  const EndPlace place = place_of(maps, tail, frames);
  return place.tail == StackTail::complete ? 0 : intern(place);
}

EndPlace StackEnds::place_of(reader::MapsVersion maps, StackTail tail, const LastFrames& frames) {
  if (frames.user_part_missing) return {.tail = StackTail::user_part_missing};
  const bool to_be_estimated = tail == StackTail::by_frame_pointers || tail == StackTail::by_calls;
  if (!frames.last) return {.tail = to_be_estimated ? StackTail::complete : tail};

  const auto address_of = [&](const Frame& frame) {
    return timeline_.resolve({.maps = maps}, CpuMode::user, frame.ip, frame.return_address);
  };
  const CodeAddress last = address_of(*frames.last);
  const auto before = frames.before ? std::optional(address_of(*frames.before)) : std::nullopt;
  // If the last address is not code, the frame that led there is to blame, so its binary is reported.
  const reader::Mapping* const mapping = timeline_.find(maps, frames.last->ip);
  const bool is_code = mapping != nullptr && (mapping->protection & PROT_EXEC) != 0;
  const std::uint32_t binary = !is_code && before ? before->binary : last.binary;
  if (!to_be_estimated) return {.binary = binary, .tail = tail};
  const StackTail otherwise = tail == StackTail::by_calls ? StackTail::calls_missing : StackTail::frame_pointer_missing;
  return {.binary = binary, .tail = is_code ? estimate(last, before, otherwise) : otherwise};
}

StackTail StackEnds::estimate(const CodeAddress& last, const std::optional<CodeAddress>& before, StackTail otherwise) {
  const symbolize::Symbol* const symbol = symbol_at(last);
  if (symbol != nullptr && is_start_function(symbol->name, last.return_address)) return StackTail::complete;
  const symbolize::Symbol* const called = before ? symbol_at(*before) : nullptr;
  if (called != nullptr && called->name == "main") return StackTail::complete;
  if (symbol != nullptr) return otherwise;
  const symbolize::SymbolFile* const file = file_of(last);
  if (file != nullptr && file->is_entry(last.lookup_offset())) return StackTail::complete;
  // A sampled instruction is hardly ever in the code that starts a thread.
  return last.return_address ? StackTail::unknown : otherwise;
}

const symbolize::SymbolFile* StackEnds::file_of(const CodeAddress& address) {
  if (address.binary == CodeAddress::no_binary) return nullptr;
  auto file = files_.find(address.binary);
  if (!file) file = files_.insert(address.binary, &symbolizer_.file(timeline_.binaries()[address.binary]));
  return *file;
}

const symbolize::Symbol* StackEnds::symbol_at(const CodeAddress& address) {
  const symbolize::SymbolFile* const file = file_of(address);
  return file == nullptr ? nullptr : file->find(address.lookup_offset());
}

std::uint32_t StackEnds::intern(const EndPlace& place) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = numbers_.try_emplace(place, static_cast<std::uint32_t>(places_.size()));
  if (is_new) places_.push_back(place);
  return known->second;
}

void StackEnds::count(const EndCounts& counts, Quality& quality) const {
  for (std::size_t i = 1; i < counts.all().size(); ++i) {
    if (counts.all()[i] == 0) continue;
    const EndPlace& place = places_[i];
    if (place.tail == StackTail::unknown) {
      quality.unjudged_stacks += counts.all()[i];
      continue;
    }
    const bool mapped = place.binary != CodeAddress::no_binary;
    std::string path = mapped ? timeline_.binaries()[place.binary].path : "[unknown]";
    quality.incomplete[{.binary = std::move(path), .reason = place.tail}] += counts.all()[i];
  }
}

std::uint32_t StackEndFinder::of(const CallchainOwner& owner, reader::Words words, const reader::CallchainPart& first) {
  const auto tail = static_cast<StackTail>(owner.tail);
  if (tail == StackTail::complete) return 0;
  const StackEnds::LastFrames frames = StackEnds::last_frames(words, first);
  if (!frames.last) return ends_.of(owner.maps, tail, frames);
  RecentEnd& recent = recent_[spread(frames.last->ip) >> 56];
  const bool same =
      recent.last == frames.last && recent.before == frames.before && recent.maps == owner.maps && recent.tail == tail;
  if (!same) {
    recent = {.maps = owner.maps,
              .tail = tail,
              .last = frames.last,
              .before = frames.before,
              .end = ends_.of(owner.maps, tail, frames)};
  }
  return recent.end;
}

}  // namespace perfsift::analysis
