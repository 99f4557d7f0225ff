#include "reader/auxtrace/spe_cpu.h"

#include <algorithm>
#include <span>

#include "base/data_source.h"
#include "base/number_in.h"

namespace perfsift::reader {
namespace {

using Source = DataSource;

// The meaning of a code in the data source packet: parts of perf_mem_data_src.
struct SourceCode {
  std::uint16_t code;
  unsigned level;
  unsigned level_number;
  unsigned snoop = 0;
  unsigned snoop_extended = 0;
  unsigned remote = 0;
};

constexpr unsigned l1_hit = Source::level_l1 | Source::level_hit;
constexpr unsigned l2_hit = Source::level_l2 | Source::level_hit;
constexpr unsigned l3_hit = Source::level_l3 | Source::level_hit;
constexpr unsigned near_ram_hit = Source::level_local_ram | Source::level_hit;

// Arm's own cores: "Data source packet" in their Technical Reference Manuals.
constexpr SourceCode arm_sources[] = {
    {0x0, l1_hit, 1, Source::snoop_none},
    {0x8, l2_hit, 2, Source::snoop_none},
    {0x9, l2_hit, 2, 0, Source::snoop_peer},  // another core
    {0xa, l3_hit, 3, 0, Source::snoop_peer},  // the cluster
    {0xb, l3_hit, 3, Source::snoop_hit},      // the system cache
    {0xc, l3_hit, 3, 0, Source::snoop_peer},  // another cluster
    {0xd, Source::level_na, Source::number_na, 0, Source::snoop_peer, 1},
    {0xe, near_ram_hit, Source::number_ram, Source::snoop_none},
};

constexpr SourceCode ampere_sources[] = {
    {0x0, l2_hit, 2, 0, Source::snoop_peer},  // a cache of the chip, or a device
    {0x3, l3_hit, 3, Source::snoop_hit},
    {0x5, Source::level_na, Source::number_na, 0, Source::snoop_peer, 1},
    {0x7, near_ram_hit, Source::number_ram, Source::snoop_none},
    {0x8, l1_hit, 1, Source::snoop_none},
    {0x9, l2_hit, 2, Source::snoop_none},
};

constexpr SourceCode hisilicon_sources[] = {
    {0, l2_hit, 2, 0, Source::snoop_peer},
    {1, l2_hit, 2, Source::snoop_hitm, Source::snoop_peer},
    {2, l3_hit, 3, Source::snoop_hit},
    {3, l3_hit, 3, Source::snoop_hitm},
    {4, Source::level_remote_cache_1_hop | Source::level_hit, 3, 0, Source::snoop_peer},
    {5, Source::level_remote_cache_1_hop | Source::level_hit, 3, Source::snoop_hitm, Source::snoop_peer},
    {6, Source::level_remote_cache_2_hops, Source::number_any_cache, 0, Source::snoop_peer, 1},
    {7, Source::level_remote_cache_2_hops, Source::number_any_cache, Source::snoop_hitm, Source::snoop_peer, 1},
    {8, near_ram_hit, Source::number_ram, Source::snoop_none},
    {9, Source::level_remote_ram_1_hop | Source::level_hit, Source::number_ram, 0, 0, 1},
    {13, Source::level_io | Source::level_hit, Source::number_io, Source::snoop_none},
    {16, l2_hit, 2, Source::snoop_none},
    {17, l2_hit, 2, Source::snoop_hitm},
    {18, l1_hit, 1, Source::snoop_none},
};

// Implementer, architecture and part of a MIDR, without variant and revision: MIDR_CPU_MODEL_MASK.
constexpr std::uint64_t model(std::uint64_t implementer, std::uint64_t part) {
  return implementer << 24 | 0xfu << 16 | part << 4;
}
constexpr std::uint64_t model_mask = model(0xff, 0xfff);
constexpr std::uint64_t arm = 0x41, hisilicon = 0x48, nvidia = 0x4e, ampere = 0xc0;

}  // namespace

struct SpeEncoding {
  std::uint64_t model;
  std::span<const SourceCode> sources;
  // Whether perf ignores the unknown code of a store. Other stores have no source, with any code.
  bool knows_stores = false;
};

namespace {

constexpr SpeEncoding encodings[] = {
    {model(arm, 0xd0c), arm_sources},              // Neoverse N1
    {model(arm, 0xd40), arm_sources},              // Neoverse V1
    {model(arm, 0xd44), arm_sources},              // Cortex-X1
    {model(arm, 0xd49), arm_sources},              // Neoverse N2
    {model(arm, 0xd4b), arm_sources},              // Cortex-A78C
    {model(arm, 0xd4c), arm_sources},              // Cortex-X1C
    {model(arm, 0xd4d), arm_sources},              // Cortex-A715
    {model(arm, 0xd4e), arm_sources},              // Cortex-X3
    {model(arm, 0xd4f), arm_sources},              // Neoverse V2
    {model(arm, 0xd81), arm_sources},              // Cortex-A720
    {model(arm, 0xd82), arm_sources},              // Cortex-X4
    {model(arm, 0xd84), arm_sources},              // Neoverse V3
    {model(arm, 0xd85), arm_sources},              // Cortex-X925
    {model(arm, 0xd87), arm_sources},              // Cortex-A725
    {model(arm, 0xd89), arm_sources},              // Cortex-A720AE
    {model(nvidia, 0x010), arm_sources},           // Olympus
    {model(ampere, 0xac4), ampere_sources, true},  // AmpereOne A
    {model(hisilicon, 0xd06), hisilicon_sources},  // HIP12
};

// nullptr: the processor's codes are not known.
const SpeEncoding* encoding_of(std::uint64_t midr) {
  const auto* found = std::ranges::find(encodings, midr & model_mask, &SpeEncoding::model);
  return found == std::end(encodings) ? nullptr : found;
}

void set_place(DataSource& source, const SourceCode& found) {
  source.level = found.level;
  source.level_number = found.level_number;
  source.snoop = found.snoop;
  source.snoop_extended = found.snoop_extended;
  source.remote = found.remote;
}

// Decodes the data source packet. These processors have no data sources for stores.
void take_packet(const SpeRecord& record, const SpeEncoding& encoding, DataSource& source) {
  const auto found = std::ranges::find(encoding.sources, record.data_source, &SourceCode::code);
  if (record.store && (found != encoding.sources.end() || !encoding.knows_stores)) {
    return set_place(
        source, {.code = 0, .level = Source::level_na, .level_number = Source::number_na, .snoop = Source::snoop_na});
  }
  if (found != encoding.sources.end()) set_place(source, *found);
}

// The caches in the events packet.
struct Cache {
  std::uint64_t access, miss;
  unsigned level, number;
};
constexpr Cache caches[] = {
    {spe_event::l1_access, spe_event::l1_refill, Source::level_l1, 1},
    {spe_event::l2_access, spe_event::l2_miss, Source::level_l2, 2},
    {spe_event::last_level_access, spe_event::last_level_miss, Source::level_l3, 3},
};

void set_cache(const Cache& cache, unsigned outcome, DataSource& source) {
  source.level = cache.level | outcome;
  source.level_number = cache.number;
}

// A load: the nearest cache that had the data, otherwise the farthest cache that had not.
void take_events_of_load(std::uint64_t events, DataSource& source) {
  for (const Cache& cache : caches) {
    if ((events & (cache.access | cache.miss)) == cache.access) return set_cache(cache, Source::level_hit, source);
    if (cache.number == 1 && (events & spe_event::recently_fetched) != 0) {
      source.level = Source::level_lfb | Source::level_hit;
      source.level_number = Source::number_lfb;
      return;
    }
  }
  for (auto cache = std::rbegin(caches); cache != std::rend(caches); ++cache) {
    if ((events & cache->miss) != 0) return set_cache(*cache, Source::level_miss, source);
  }
}

// A store: the farthest cache that the store reached.
void take_events_of_store(std::uint64_t events, DataSource& source) {
  for (auto cache = std::rbegin(caches); cache != std::rend(caches); ++cache) {
    if ((events & (cache->access | cache->miss)) == 0) continue;
    return set_cache(*cache, (events & cache->miss) != 0 ? Source::level_miss : Source::level_hit, source);
  }
}

unsigned snoop_of(std::uint64_t events, std::uint64_t recordable_events) {
  if ((events & spe_event::snooped) == 0)
    return (recordable_events & spe_event::snooped) != 0 ? Source::snoop_none : Source::snoop_na;
  return (events & spe_event::modified_data) != 0 ? Source::snoop_hitm : Source::snoop_hit;
}

void take_events(const SpeRecord& record, std::uint64_t recordable_events, DataSource& source) {
  if (source.level == 0) {
    if (record.load) {
      take_events_of_load(record.events, source);
    } else if (record.store) {
      take_events_of_store(record.events, source);
    }
  }
  if (source.level == 0) {
    source.level = Source::level_na;
    source.level_number = Source::number_na;
  }
  if (source.snoop == 0) source.snoop = snoop_of(record.events, recordable_events);
  if ((record.events & spe_event::remote_access) != 0) source.remote = 1;
  if ((record.events & (spe_event::tlb_access | spe_event::tlb_walk)) != 0) {
    const bool walked = (record.events & spe_event::tlb_walk) != 0;
    source.tlb = Source::tlb_walker | (walked ? Source::tlb_miss : Source::tlb_hit);
  }
}

unsigned operation_of(const SpeRecord& record) {
  if (record.load) return Source::op_load;
  return record.store ? Source::op_store : Source::op_na;
}

std::optional<std::uint64_t> midr_from(std::string_view cpu_id) {
  if (cpu_id.starts_with("0x")) cpu_id.remove_prefix(2);
  return take_number<std::uint64_t>(cpu_id, 16);
}

}  // namespace

// arm_spe__alloc_metadata(): two words in the first version; later a header with its own length, then equally
// long descriptions of CPUs.
std::optional<SpeSettings> decode_spe_settings(const AuxtraceInfo& info) {
  constexpr std::size_t first_version_words = 2, least_header_words = 4, least_cpu_words = 6;
  const auto& words = info.settings;
  if (words.size() < first_version_words) return std::nullopt;
  if (words.size() == first_version_words) return SpeSettings{.pmu_type = static_cast<std::uint32_t>(words[0])};

  if (words.size() < least_header_words) return std::nullopt;
  const std::uint64_t header_words = words[1], cpus = words[3];
  SpeSettings settings{.pmu_type = static_cast<std::uint32_t>(words[2])};
  if (header_words < least_header_words || header_words > words.size()) return std::nullopt;
  const std::uint64_t rest = words.size() - header_words;
  if (cpus == 0 || cpus > rest / least_cpu_words) return std::nullopt;
  const auto words_of_cpu = static_cast<std::size_t>(rest / cpus);
  for (std::size_t at = header_words; settings.cpus.size() < cpus; at += words_of_cpu) {
    const bool tells_events = words_of_cpu > least_cpu_words;
    settings.cpus.push_back({.number = words[at + 1],
                             .midr = words[at + 3],
                             .recordable_events = tells_events ? words[at + least_cpu_words] : 0});
  }
  return settings;
}

SpeProcessor spe_processor(const SpeSettings& settings, std::string_view cpu_id, std::int32_t cpu) {
  const auto& cpus = settings.cpus;
  if (cpus.empty()) {
    const auto midr = midr_from(cpu_id);
    return {.encoding = midr ? encoding_of(*midr) : nullptr};
  }
  auto found = cpus.end();
  if (cpu >= 0) {
    found = std::ranges::find(cpus, static_cast<std::uint64_t>(cpu), &SpeCpu::number);
  } else if (std::ranges::all_of(
                 cpus, [&](std::uint64_t midr) { return midr == cpus.front().midr; }, &SpeCpu::midr)) {
    found = cpus.begin();
  }
  if (found == cpus.end()) return {};
  return {.encoding = encoding_of(found->midr), .recordable_events = found->recordable_events};
}

std::uint64_t spe_data_source(const SpeRecord& record, const SpeProcessor& processor) {
  if (!record.load && !record.store && !record.vector) return 0;
  DataSource source(0);
  source.operation = operation_of(record);
  if (processor.encoding != nullptr) take_packet(record, *processor.encoding, source);
  take_events(record, processor.recordable_events, source);
  return source.bits();
}

}  // namespace perfsift::reader
