#include "facts/tracepoint_value.h"

namespace perfsift::facts {

const reader::TracepointField* find_field(const reader::TracepointFormat& format,
                                          const filter::TracepointField& field) {
  const bool is_meant = field.event.empty() || field.event == format.system + ":" + format.name;
  return is_meant ? format.find(field.name) : nullptr;
}

filter::TracepointValue tracepoint_value(const reader::TracepointFormats& formats, const reader::TracepointField& field,
                                         Bytes raw, std::string& store) {
  if (!field.is_string && !field.is_array) {
    const auto number = formats.number(field, raw);
    if (!number) return {};
    return field.is_signed ? filter::Number::of_signed(static_cast<std::int64_t>(*number))
                           : filter::Number::of(*number);
  }
  store = formats.text(field, raw);
  return std::string_view(store);
}

}  // namespace perfsift::facts
