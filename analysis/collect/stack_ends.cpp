#include "analysis/collect/stack_ends.h"

#include <algorithm>
#include <string>

#include <sys/mman.h>

#include "base/hash.h"

namespace perfsift::analysis {
namespace {

using reader::CpuMode;
using Frame = StackEnds::LastFrames::Frame;
namespace context = reader::callchain_context;

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

CodeAddress StackEnds::address_of(reader::MapsVersion maps, const Frame& frame) const {
  return timeline_.resolve({.maps = maps}, CpuMode::user, frame.ip, frame.return_address);
}

std::uint32_t StackEnds::of(reader::MapsVersion maps, StackTail tail, const LastFrames& frames) {
  const EndPlace place = place_of(maps, tail, frames);
  return place.tail == StackTail::complete ? 0 : intern(place);
}

EndPlace StackEnds::place_of(reader::MapsVersion maps, StackTail tail, const LastFrames& frames) {
  if (frames.user_part_missing) return {.tail = StackTail::user_part_missing};
  const bool to_be_estimated = is_to_be_estimated(tail);
  if (!frames.last) return {.tail = to_be_estimated ? StackTail::complete : tail};

  const CodeAddress last = address_of(maps, *frames.last);
  const auto before = frames.before ? std::optional(address_of(maps, *frames.before)) : std::nullopt;
  // If the last address is not code, the frame before it led there, so the binary of that frame is reported.
  const reader::Mapping* const mapping = timeline_.find(maps, frames.last->ip);
  const bool is_code = mapping != nullptr && (mapping->protection & PROT_EXEC) != 0;
  const std::uint32_t binary = !is_code && before ? before->binary : last.binary;
  if (!to_be_estimated) return {.binary = binary, .tail = tail};
  const StackTail otherwise = tail == StackTail::by_calls ? StackTail::calls_missing : StackTail::frame_pointer_missing;
  return {.binary = binary, .tail = is_code ? estimate(last, before, otherwise) : otherwise};
}

StackTail StackEnds::estimate(const CodeAddress& last, const std::optional<CodeAddress>& before, StackTail otherwise) {
  const StartSign sign = sign_of(last);
  const ThreadBody called = before ? sign_of(*before).body : ThreadBody::none;
  if (starts(sign, called, last) || called == ThreadBody::main_function) return StackTail::complete;
  // A sampled instruction is hardly ever in the code that starts a thread.
  return sign.named || !last.return_address ? otherwise : StackTail::unknown;
}

bool StackEnds::starts(const StartSign& sign, ThreadBody called, const CodeAddress& at) const {
  if (sign.starts) return true;
  if (sign.named || at.binary == CodeAddress::no_binary) return false;
  return starts_body(called, timeline_.binaries()[at.binary].path);
}

StackEnds::StartSign StackEnds::sign_of(const CodeAddress& address) {
  const symbolize::SymbolFile* const file = file_of(address);
  if (file == nullptr) return {};
  const symbolize::Symbol* const symbol = file->find(address.lookup_offset());
  if (symbol == nullptr) return {.starts = file->is_entry(address.lookup_offset())};
  return {.starts = is_thread_start(symbol->name, address.return_address),
          .named = true,
          .body = thread_body(symbol->name)};
}

const symbolize::SymbolFile* StackEnds::file_of(const CodeAddress& address) {
  if (address.binary == CodeAddress::no_binary) return nullptr;
  auto file = files_.find(address.binary);
  if (!file) file = files_.insert(address.binary, &symbolizer_.file(timeline_.binaries()[address.binary]));
  return *file;
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
    if (place.tail == StackTail::unknown || place.tail == StackTail::beyond_start) {
      (place.tail == StackTail::unknown ? quality.unjudged_stacks : quality.beyond_start) += counts.all()[i];
      continue;
    }
    const bool mapped = place.binary != CodeAddress::no_binary;
    std::string path = mapped ? timeline_.binaries()[place.binary].path : "[unknown]";
    const StackTail reason =
        place.tail == StackTail::no_rules && lacks_file(place.binary) ? StackTail::no_file : place.tail;
    quality.incomplete[{.binary = std::move(path), .reason = reason}] += counts.all()[i];
  }
}

// Unwinding rules and names come from the same files.
bool StackEnds::lacks_file(std::uint32_t binary) const {
  if (binary == CodeAddress::no_binary) return false;
  switch (symbolizer_.file(timeline_.binaries()[binary]).why_missing()) {
    case symbolize::Missing::file_missing:
    case symbolize::Missing::file_unreadable:
    case symbolize::Missing::not_elf:
    case symbolize::Missing::build_id_differs:
    case symbolize::Missing::file_differs:
    case symbolize::Missing::foreign_kernel:
    case symbolize::Missing::unknown_kernel:
      return true;
    default:
      return false;
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
  if (recent.end == 0 || !is_to_be_estimated(tail) || !passes_start(owner.maps, words, first)) return recent.end;
  return ends_.beyond_start();
}

bool StackEndFinder::passes_start(reader::MapsVersion maps, reader::Words words, const reader::CallchainPart& first) {
  bool found = false;
  ThreadBody called = ThreadBody::none;
  reader::for_each_part(words, first, [&](const reader::CallchainPart& part) {
    if (part.mode != CpuMode::user) return;
    for (std::size_t i = 0; i < part.addresses.size() && !found; ++i) {
      const Frame frame{.ip = part.addresses[i], .return_address = i > 0 || !part.starts_a_call};
      const std::uint64_t context = std::uint64_t{maps} << 1 | static_cast<std::uint64_t>(frame.return_address);
      const auto [known, is_new] = frames_.try_emplace({.ip = frame.ip, .context = context});
      if (is_new) {
        const CodeAddress at = ends_.address_of(maps, frame);
        known = {.sign = ends_.sign_of(at), .at = at};
      }
      found = ends_.starts(known.sign, called, known.at);
      called = known.sign.body;
    }
  });
  return found;
}

}  // namespace perfsift::analysis
