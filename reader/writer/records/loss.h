// Encoders of records about what is missing: see reader/records/loss.h.
#pragma once

#include <cstddef>
#include <vector>

#include "reader/records/loss.h"
#include "reader/writer/records/encoded_record.h"

namespace perfsift::reader {

std::vector<std::byte> encode_lost(const Lost& lost, const Encoding& encoding);
std::vector<std::byte> encode_lost_samples(const LostSamples& lost, const Encoding& encoding);
std::vector<std::byte> encode_throttle(const Throttle& throttle, const Encoding& encoding);
std::vector<std::byte> encode_unthrottle(const Throttle& throttle, const Encoding& encoding);

}  // namespace perfsift::reader
