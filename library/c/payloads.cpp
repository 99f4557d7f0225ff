#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "library/c/boundary.h"
#include "library/c/objects.h"

namespace perfsift::v0::detail {
namespace {

PayloadOptions payload_options(const perfsift_payload_options* given) {
  const perfsift_payload_options from = options_from(given, PERFSIFT_PAYLOAD_OPTIONS_INIT);
  PayloadOptions options;
  options.map = text_or_empty(from.map);
  options.descriptor = from.descriptor;
  options.type = text_or_empty(from.type);
  if (from.ring_bytes != 0) options.ring_bytes = from.ring_bytes;
  options.take_over = from.take_over != 0;
  options.peek = from.peek != 0;
  return options;
}

perfsift_payload_counts c_counts(const PayloadCounts& from) {
  return {.size = sizeof(perfsift_payload_counts),
          .received = from.received,
          .lost = from.lost.value_or(PERFSIFT_NONE),
          .overwritten = from.overwritten,
          .damaged = from.damaged,
          .cut = from.cut,
          .cpu = from.cpu};
}

perfsift_payload_field c_field(const PayloadField& from) {
  return {.size = sizeof(perfsift_payload_field),
          .name = from.name.c_str(),
          .offset = from.offset,
          .byte_count = from.size,
          .form = static_cast<int>(from.form),
          .is_signed = from.is_signed ? 1 : 0};
}

perfsift_payload c_payload(const Payload& from) {
  return {.size = sizeof(perfsift_payload),
          .time = from.time(),
          .bytes = from.bytes().data(),
          .byte_count = from.bytes().size(),
          .pid = from.pid(),
          .tid = from.tid(),
          .cpu = from.cpu()};
}

const Payload& payload_at(const Payloads& payloads, std::size_t index) {
  require_index("payload", index, payloads.size());
  return payloads[index];
}

// The value of a field; throws Error (usage) where it is `nothing`.
template <typename Value>
Value required(const std::optional<Value>& value, const char* kind, const char* name) {
  if (value) return *value;
  throw Error(ErrorCode::usage, std::string(name) + ": the payload has no such field that is " + kind);
}

}  // namespace
}  // namespace perfsift::v0::detail

using namespace perfsift::v0::detail;

perfsift_payload_reader* perfsift_payload_reader_new(const perfsift_payload_options* options, perfsift_error** error) {
  return guarded_pointer(error, [&] {
    return Handles::all().add<perfsift_payload_reader>(
        perfsift_payload_reader{perfsift::v0::PayloadReader(payload_options(options))});
  });
}

void perfsift_payload_reader_free(perfsift_payload_reader* reader) { Handles::all().remove(reader); }

int perfsift_payload_reader_wait(perfsift_payload_reader* reader, uint32_t milliseconds, perfsift_error** error) {
  return guarded(error, [&] {
    constexpr std::uint32_t most = INT32_MAX;
    object_of(reader, "payload reader")->reader.wait(std::chrono::milliseconds(std::min(milliseconds, most)));
  });
}

perfsift_payloads* perfsift_payload_reader_take(perfsift_payload_reader* reader, perfsift_error** error) {
  return guarded_pointer(error, [&] {
    return Handles::all().add<perfsift_payloads>(perfsift_payloads{object_of(reader, "payload reader")->reader.take()});
  });
}

const char* perfsift_payload_reader_note(perfsift_payload_reader* reader, size_t index) {
  const auto object = Handles::all().find(reader);
  if (object == nullptr || index >= object->reader.notes().size()) return nullptr;
  return object->reader.notes()[index].c_str();
}

size_t perfsift_payload_reader_rings(perfsift_payload_reader* reader) {
  std::size_t rings = 0;
  guarded(nullptr, [&] { rings = object_of(reader, "payload reader")->reader.counts().size(); });
  return rings;
}

int perfsift_payload_reader_counts(perfsift_payload_reader* reader, size_t index, perfsift_payload_counts* counts,
                                   perfsift_error** error) {
  return guarded(error, [&] {
    const auto all = object_of(reader, "payload reader")->reader.counts();
    require_index("ring", index, all.size());
    fill_result(counts, c_counts(all[index]));
  });
}

size_t perfsift_payload_reader_fields(perfsift_payload_reader* reader) {
  const auto object = Handles::all().find(reader);
  return object != nullptr ? object->reader.fields().size() : 0;
}

int perfsift_payload_reader_field(perfsift_payload_reader* reader, size_t index, perfsift_payload_field* field,
                                  perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(reader, "payload reader");
    require_index("field", index, object->reader.fields().size());
    fill_result(field, c_field(object->reader.fields()[index]));
  });
}

void perfsift_payloads_free(perfsift_payloads* payloads) { Handles::all().remove(payloads); }

size_t perfsift_payloads_count(perfsift_payloads* payloads) {
  const auto object = Handles::all().find(payloads);
  return object != nullptr ? object->payloads.size() : 0;
}

int perfsift_payloads_get(perfsift_payloads* payloads, size_t index, perfsift_payload* payload,
                          perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(payloads, "payloads");
    fill_result(payload, c_payload(payload_at(object->payloads, index)));
  });
}

int perfsift_payloads_number(perfsift_payloads* payloads, size_t index, const char* name, uint64_t* number,
                             perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(payloads, "payloads");
    require(name, "name"), require(number, "number");
    *number = required(payload_at(object->payloads, index).number(name), "a number", name);
  });
}

int perfsift_payloads_text(perfsift_payloads* payloads, size_t index, const char* name, const char** text,
                           size_t* length, perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(payloads, "payloads");
    require(name, "name"), require(text, "text"), require(length, "length");
    const std::string_view found = required(payload_at(object->payloads, index).text(name), "a text", name);
    *text = found.data(), *length = found.size();
  });
}
