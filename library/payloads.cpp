#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <perfsift/payloads.h>

#include "base/error.h"
#include "library/access.h"
#include "library/payload_reader_state.h"
#include "library/translated.h"
#include "reader/format/sample.h"
#include "record/bpf/map_users.h"
#include "record/bpf/payload_format.h"
#include "record/bpf/ring_map.h"
#include "record/bpf/typed_payloads.h"

namespace perfsift::v0 {
namespace detail {
namespace {

record::RingMap open_map(const PayloadOptions& options) {
  if (options.map.empty() == (options.descriptor < 0))
    throw UsageError("a map, or the descriptor of a map: one of them");
  record::RingMap map =
      options.map.empty() ? record::open_ring_map(options.descriptor) : record::open_ring_map(options.map);
  if (options.peek && map.info.kind != record::RingMapKind::ring_buffer)
    throw UsageError(fmt::format("{}: a perf event array cannot be peeked at: it has one reader", map.info.name));
  if (options.peek || options.take_over) return map;
  const std::vector<std::string> readers = record::readers_of_map(map.info, record::KernelRoots().proc);
  if (readers.empty()) return map;
  throw UsageError(fmt::format("{} is read by {}, which would get no payloads any more: stop it, or set take_over",
                               map.info.name, fmt::join(readers, ", ")));
}

PayloadField public_field(const record::PayloadField& from) {
  return {.name = from.name,
          .form = static_cast<PayloadForm>(from.form),
          .offset = from.offset,
          .size = from.size,
          .is_signed = from.is_signed,
          .names = from.names};
}

PayloadCounts public_counts(const record::PayloadCounts& from) {
  PayloadCounts counts;
  if (from.cpu) counts.cpu = static_cast<std::int32_t>(*from.cpu);
  counts.received = from.received;
  counts.lost = from.lost;
  counts.overwritten = from.overtaken_bytes;
  counts.damaged = from.damaged;
  counts.cut = from.cut;
  return counts;
}

}  // namespace

PayloadTypeState::PayloadTypeState(record::PayloadLayout from) : layout(std::move(from)) {
  for (const record::PayloadField& field : layout.fields) fields.push_back(public_field(field));
}

const record::PayloadField* PayloadTypeState::find(std::string_view name) const {
  const auto found = std::ranges::find(layout.fields, name, &record::PayloadField::name);
  return found != layout.fields.end() ? &*found : nullptr;
}

PayloadReaderState::PayloadReaderState(const PayloadOptions& options)
    : PayloadReaderState(options, open_map(options)) {}

PayloadReaderState::PayloadReaderState(const PayloadOptions& options, record::RingMap map)
    : types_(map.info.name, record::programs_of_map(map.info.id), options.type) {
  record::PayloadSourcePlan plan;
  plan.ring_bytes = options.ring_bytes;
  plan.peek = options.peek;
  source_ = record::open_payload_source(std::move(map), plan);
  event_.attr = source_->attr();
  notes_ = source_->left_out();
  if (types_.is_named()) choose_type({});
}

const std::vector<PayloadField>& PayloadReaderState::fields() const {
  static const std::vector<PayloadField> none;
  return type_ ? type_->fields : none;
}

void PayloadReaderState::choose_type(const SampleCopy& arrived) {
  std::optional<std::size_t> raw_size;
  arrived.for_each([&](Bytes record) {
    if (!raw_size) raw_size = record::raw_size_of(event_.attr, record);
  });
  record::TypeChoice::Chosen chosen = types_.choose(raw_size.value_or(0));
  has_chosen_ = true;
  if (!chosen.why.empty()) notes_.push_back(std::move(chosen.why));
  if (!chosen.layout) return;
  notes_.insert(notes_.end(), chosen.layout->left_out.begin(), chosen.layout->left_out.end());
  type_ = std::make_shared<const PayloadTypeState>(std::move(*chosen.layout));
}

PayloadsState PayloadReaderState::take() {
  source_->drain(arrived_);
  if (!has_chosen_ && !arrived_.empty()) choose_type(arrived_);
  PayloadsState result{.records = std::exchange(arrived_, {}), .type = type_, .payloads = {}};
  reader::SampleDecoder decoder;
  reader::Sample sample;
  result.records.for_each([&](Bytes record) {
    if (decoder.decode(record::record_in(record), event_, sample))
      result.payloads.push_back(Access::payload(sample, type_.get()));
  });
  return result;
}

Payload Access::payload(const reader::Sample& sample, const PayloadTypeState* type) {
  Payload payload;
  payload.time_ = sample.time;
  payload.pid_ = sample.pid, payload.tid_ = sample.tid, payload.cpu_ = sample.cpu;
  payload.bytes_ = sample.raw;
  if (type != nullptr) payload.bytes_ = sample.raw.first(std::min(sample.raw.size(), type->layout.size));
  payload.type_ = type;
  return payload;
}

}  // namespace detail

namespace {

// The value of a field that is read in one of the `forms`; nothing for other forms.
record::PayloadValue value_of(const detail::PayloadTypeState* type, std::string_view name, Bytes payload,
                              std::initializer_list<record::PayloadForm> forms) {
  const record::PayloadField* const field = type != nullptr ? type->find(name) : nullptr;
  if (field == nullptr || std::ranges::find(forms, field->form) == forms.end()) return {};
  return record::payload_value(*field, payload);
}

}  // namespace

std::optional<std::uint64_t> Payload::number(std::string_view name) const noexcept {
  using Form = record::PayloadForm;
  const record::PayloadValue value = value_of(type_, name, bytes_, {Form::number, Form::truth, Form::address});
  const auto* const number = std::get_if<filter::Number>(&value);
  return number != nullptr ? std::optional(number->bits) : std::nullopt;
}

std::optional<std::string_view> Payload::text(std::string_view name) const noexcept {
  const record::PayloadValue value = value_of(type_, name, bytes_, {record::PayloadForm::text});
  const auto* const text = std::get_if<std::string_view>(&value);
  return text != nullptr ? std::optional(*text) : std::nullopt;
}

std::vector<std::uint64_t> Payload::numbers(std::string_view name) const {
  return detail::translated([&] {
    const record::PayloadValue value = value_of(type_, name, bytes_, {record::PayloadForm::numbers});
    std::vector<std::uint64_t> numbers;
    if (const auto* const found = std::get_if<std::vector<filter::Number>>(&value); found != nullptr) {
      for (const filter::Number& number : *found) numbers.push_back(number.bits);
    }
    return numbers;
  });
}

std::span<const std::byte> Payload::bytes(std::string_view name) const noexcept {
  const record::PayloadField* const field = type_ != nullptr ? type_->find(name) : nullptr;
  if (field == nullptr || field->offset > bytes_.size() || field->size > bytes_.size() - field->offset) return {};
  return bytes_.subspan(field->offset, field->size);
}

Payloads::Payloads(std::shared_ptr<const detail::PayloadsState> state) : state_(std::move(state)) {}
Payloads::Payloads(const Payloads&) = default;
Payloads& Payloads::operator=(const Payloads&) = default;
Payloads::~Payloads() = default;

std::span<const Payload> Payloads::payloads() const noexcept { return state_->payloads; }

PayloadReader::PayloadReader(const PayloadOptions& options)
    : state_(detail::available([&] { return std::make_shared<detail::PayloadReaderState>(options); })) {}
PayloadReader::PayloadReader(const PayloadReader&) = default;
PayloadReader& PayloadReader::operator=(const PayloadReader&) = default;
PayloadReader::~PayloadReader() = default;

void PayloadReader::wait(std::chrono::milliseconds longest) {
  detail::available([&] { state_->source().wait(longest); });
}

Payloads PayloadReader::take() {
  return detail::translated(
      [&] { return detail::Access::payloads(std::make_shared<const detail::PayloadsState>(state_->take())); });
}

std::vector<PayloadCounts> PayloadReader::counts() const {
  return detail::translated([&] {
    std::vector<PayloadCounts> counts;
    for (const record::PayloadCounts& from : state_->source().counts()) counts.push_back(detail::public_counts(from));
    return counts;
  });
}

const std::vector<PayloadField>& PayloadReader::fields() const noexcept { return state_->fields(); }
const std::vector<std::string>& PayloadReader::notes() const noexcept { return state_->notes(); }

}  // namespace perfsift::v0
