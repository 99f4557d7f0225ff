#include "reader/tracepoint.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <traceevent/event-parse.h>

#include "base/owned.h"
#include "reader/tracepoint/description.h"
#include "reader/tracepoint/field_content.h"
#include "reader/tracepoint/kernel_names.h"
#include "reader/tracepoint/print/format.h"
#include "reader/tracepoint/tracing_data.h"

namespace perfsift::reader {

namespace {

using TepHandle = Owned<tep_handle, tep_free>;

// libtraceevent uses global variables while it parses.
std::mutex& libtraceevent() {
  static std::mutex mutex;
  return mutex;
}

// The kernel may have a larger long than the perf that recorded. The `commit` counter in the header of a ring buffer
// page has the size of the kernel's long (tools/perf/util/trace-event-read.c, read_header_files()).
unsigned long_size(const TracingData& data) {
  for (const unsigned size : {4U, 8U})
    if (data.header_page.find(fmt::format("commit;\toffset:8;\tsize:{};", size)) != std::string_view::npos) return size;
  return data.long_size == 4 ? 4 : 8;
}

// libtraceevent treats every array of single bytes as a string, also hardware addresses and the like.
bool holds_text(std::string_view type) {
  return type.find("char") != std::string_view::npos && type.find("unsigned") == std::string_view::npos;
}

void append_fields(const tep_format_field* list, bool common, std::vector<TracepointField>& fields) {
  for (; list != nullptr; list = list->next) {
    const auto has = [list](unsigned long flag) { return (list->flags & flag) != 0; };
    fields.push_back({
        .name = list->name,
        .type = list->type,
        .offset = static_cast<std::size_t>(std::max(list->offset, 0)),
        .size = static_cast<std::size_t>(std::max(list->size, 0)),
        .element_size = list->elementsize,
        .is_signed = has(TEP_FIELD_IS_SIGNED),
        .is_string = has(TEP_FIELD_IS_STRING) && holds_text(list->type),
        .is_array = has(TEP_FIELD_IS_ARRAY),
        .is_dynamic = has(TEP_FIELD_IS_DYNAMIC),
        .is_relative = has(TEP_FIELD_IS_RELATIVE),
        .is_common = common,
    });
  }
}

struct Described {
  TracepointFormat format;
  std::string_view print;  // what follows `print fmt:`
};

// libtraceevent reads the fields, but gets no print format. Its versions compute with unsigned numbers of 64 bits
// whatever the types are (`REC->ret < 0` is never true), take unknown names for 0, and fail on parts of C.
// print/expression.h evaluates print formats instead.
std::optional<Described> described(tep_handle& tep, const TracingData::Format& text) {
  const auto description = read_description(text.text);
  if (!description) return std::nullopt;
  const std::string fields = description->declarations + "\nprint fmt: \"\"\n";
  tep_event* event = nullptr;  // belongs to the handle
  const auto error = tep_parse_format(&tep, &event, fields.data(), fields.size(), std::string(text.system).c_str());
  if (error != TEP_ERRNO__SUCCESS || event == nullptr) return std::nullopt;

  Described result{.format = {.id = event->id, .system = event->system, .name = event->name},
                   .print = description->print};
  append_fields(event->format.common_fields, true, result.format.fields);
  append_fields(event->format.fields, false, result.format.fields);
  return result;
}

// Nothing for a tracepoint that can only be shown by its fields.
std::optional<print::Format> print_format(const Described& described, unsigned long_size) {
  // The arguments of trace_printk() are packed into the raw data by a format string that is not in the raw data.
  if (described.format.system == "ftrace" && described.format.name == "bprint") return std::nullopt;
  return print::Format::parse(described.print, described.format.fields, long_size);
}

}  // namespace

struct TracepointFormats::State {
  ByteOrder order = ByteOrder::native;
  unsigned long_size = 8;
  bool whole = false;
  std::size_t malformed = 0;
  std::vector<TracepointFormat> formats;
  std::vector<std::optional<print::Format>> prints;  // of the formats
  KernelNames kernel;
};

TracepointFormats::TracepointFormats(std::unique_ptr<State> state) : state_(std::move(state)) {}
TracepointFormats::~TracepointFormats() = default;
TracepointFormats::TracepointFormats(TracepointFormats&&) noexcept = default;
TracepointFormats& TracepointFormats::operator=(TracepointFormats&&) noexcept = default;

namespace {

std::vector<Described> all_described(const TracingData& data) {
  const std::scoped_lock turn(libtraceevent());
  tep_set_loglevel(TEP_LOG_NONE);  // otherwise libtraceevent writes to stderr
  const TepHandle tep(tep_alloc());
  tep_set_file_bigendian(tep.get(), data.big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
  tep_set_long_size(tep.get(), static_cast<int>(long_size(data)));
  std::vector<Described> all;
  for (const auto& format : data.formats)
    if (auto description = described(*tep, format)) all.push_back(std::move(*description));
  std::ranges::stable_sort(all, {}, [](const Described& one) { return one.format.id; });
  return all;
}

}  // namespace

std::optional<TracepointFormats> TracepointFormats::parse(Bytes tracing_data) {
  const auto data = read_tracing_data(tracing_data);
  return data ? std::optional(of(*data)) : std::nullopt;
}

TracepointFormats TracepointFormats::describe(const std::vector<TracepointDescription>& descriptions) {
  TracingData data{.big_endian = std::endian::native == std::endian::big, .whole = true};
  for (const TracepointDescription& one : descriptions) data.formats.push_back({one.system, one.text});
  return of(data);
}

TracepointFormats TracepointFormats::of(const TracingData& data) {
  auto state = std::make_unique<State>();
  state->order = data.order;
  state->long_size = long_size(data);
  state->whole = data.whole;
  auto all = all_described(data);
  state->malformed = data.formats.size() - all.size();
  for (Described& one : all) {
    state->prints.push_back(print_format(one, state->long_size));
    state->formats.push_back(std::move(one.format));
  }
  state->kernel.add_functions(data.kallsyms);
  state->kernel.add_texts(data.printk_formats);
  return TracepointFormats(std::move(state));
}

bool TracepointFormats::whole() const { return state_->whole; }
ByteOrder TracepointFormats::order() const { return state_->order; }
std::size_t TracepointFormats::malformed() const { return state_->malformed; }
const std::vector<TracepointFormat>& TracepointFormats::all() const { return state_->formats; }

const TracepointField* TracepointFormat::find(std::string_view field) const {
  const auto found = std::ranges::find(fields, field, &TracepointField::name);
  return found != fields.end() ? &*found : nullptr;
}

const TracepointFormat* TracepointFormats::find(std::int32_t id) const {
  const auto found = std::ranges::lower_bound(state_->formats, id, {}, &TracepointFormat::id);
  return found != state_->formats.end() && found->id == id ? &*found : nullptr;
}

const TracepointFormat* TracepointFormats::find(std::string_view system, std::string_view name) const {
  const auto found = std::ranges::find_if(
      state_->formats, [&](const TracepointFormat& format) { return format.system == system && format.name == name; });
  return found != state_->formats.end() ? &*found : nullptr;
}

std::optional<std::uint64_t> TracepointFormats::number(const TracepointField& field, Bytes raw) const {
  const auto bytes = content(field, raw, state_->order);
  if (!bytes || field.is_array || field.is_dynamic) return std::nullopt;
  return field_number(*bytes, field.is_signed, state_->order);
}

std::string TracepointFormats::text(const TracepointField& field, Bytes raw) const {
  const auto bytes = content(field, raw, state_->order);
  if (!bytes) return {};
  if (field.is_string) return std::string(c_string(*bytes));
  if (const auto value = number(field, raw))
    return field.is_signed ? std::to_string(static_cast<std::int64_t>(*value)) : std::to_string(*value);
  std::vector<unsigned> values;
  for (const std::byte byte : *bytes) values.push_back(std::to_integer<unsigned>(byte));
  return fmt::format("ARRAY[{:02x}]", fmt::join(values, ", "));
}

namespace {

// How perf shows a field without a print format (print_field_raw() of libtraceevent): addresses, and longs, which are
// mostly addresses, in hexadecimal.
std::string raw_text(const TracepointFormats& formats, const TracepointField& field, Bytes raw) {
  const auto value = formats.number(field, raw);
  const bool address = field.type.ends_with('*') || (field.type.find("long") != std::string::npos && !field.is_signed);
  return value && address ? fmt::format("0x{:x}", *value) : formats.text(field, raw);
}

std::string as_fields(const TracepointFormats& formats, const TracepointFormat& format, Bytes raw) {
  std::string text = "[fields only]";
  for (const TracepointField& field : format.fields)
    if (!field.is_common) text += fmt::format(" {}={}", field.name, raw_text(formats, field, raw));
  return text;
}

}  // namespace

std::string TracepointFormats::print(const TracepointFormat& format, Bytes raw) const {
  const auto* const known = find(format.id);
  const auto* const type = format.find("common_type");
  // The raw data begins with the id of its tracepoint.
  const bool agree = type != nullptr && number(*type, raw) == static_cast<std::uint64_t>(format.id);
  if (known != nullptr && agree) {
    const auto& print = state_->prints[static_cast<std::size_t>(known - state_->formats.data())];
    const print::Sample sample{.fields = known->fields,
                               .kernel = state_->kernel,
                               .raw = raw,
                               .order = state_->order,
                               .long_size = state_->long_size};
    if (auto text = print ? print->print(sample) : std::nullopt) return std::move(*text);
  }
  return as_fields(*this, format, raw);
}

void TracepointFormats::set_function_resolver(FunctionResolver resolver) {
  state_->kernel.set_resolver(std::move(resolver));
}

}  // namespace perfsift::reader
