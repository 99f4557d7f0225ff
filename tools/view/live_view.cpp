#include "tools/view/live_view.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "analysis/samples/sample_filter.h"
#include "base/error.h"
#include "base/number_in.h"
#include "base/printable.h"
#include "base/random_key.h"
#include "filter/predicate.h"
#include "output/json.h"
#include "output/page/page.h"
#include "tools/filter/explanation.h"
#include "tools/view/selected_files.h"

namespace perfsift::tools {
namespace {

using output::Json;

constexpr std::string_view bytes_type = "application/octet-stream";

HttpResponse json_response(const Json& json, unsigned status = 200) {
  return {
      .status = status, .type = "application/json", .body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

HttpResponse wrong_question(std::string_view why) { return json_response({{"error", printable_lines(why)}}, 422); }

std::string parameter(const HttpRequest& request, const std::string& name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? std::string() : found->second;
}

PictureLooks looks_of(const HttpRequest& request) {
  const std::string unit = parameter(request, "unit"), shape = parameter(request, "shape"),
                    palette = parameter(request, "palette");
  return {.samples = unit == "samples",
          .times = unit == "time",
          .reversed = shape == "reversed",
          .threads = shape != "joined",
          .upwards = parameter(request, "upwards") != "0",
          .palette = output::palette_named(palette == "binary" ? "dso" : palette).value_or(output::PaletteName::kind),
          .search = parameter(request, "search")};
}

}  // namespace

const LiveView::Question LiveView::questions[] = {
    {.name = "", .answer_now = &LiveView::page},
    {.name = "data", .answer_now = &LiveView::data},
    {.name = "fields", .answer_now = &LiveView::fields},
    {.name = "explain", .answer_now = &LiveView::explanation},
    {.name = "rows", .answer_later = &LiveView::kept_rows},
    {.name = "waits", .answer_later = &LiveView::kept_waits},
    {.name = "save", .answer_later = &LiveView::saved},
};

LiveView::LiveView(const Access& access, const Viewed& viewed)
    : access_(access),
      viewed_(viewed),
      rows_(viewed),
      data_(output::PageData(viewed.reading.contents(), viewed.inputs.threads()).bytes()) {}

LiveView::~LiveView() {
  ends_.stop();
  for (const auto& waiting : waiting_) {
    if (const auto gone = waiting.lock()) gone->stop();
  }
}

void LiveView::answer(const HttpRequest& request, HttpAnswer answer) {
  std::string name;
  if (auto refusal = access_.refusal(request, name)) return answer(std::move(*refusal));
  const auto* const question = std::ranges::find(questions, name, &Question::name);
  if (question == std::end(questions)) return answer({.status = 404, .body = "there is no such page\n"});
  if (question->answer_later != nullptr) return add_to_queue(*question, request, std::move(answer));
  answer((this->*question->answer_now)(request));
  if (name == "data") prepare();
}

void LiveView::prepare() {
  if (std::exchange(is_prepared_, true)) return;
  work_.add([this] {
    try {
      rows_.prepare(ends_);
    } catch (const analysis::Stopped&) {  // the server ends
    } catch (const std::exception&) {  // the recording has changed, or memory is short: the first question reports it
    }
  });
}

void LiveView::add_to_queue(const Question& question, const HttpRequest& request, HttpAnswer answer) {
  std::erase_if(waiting_, [](const auto& known) { return known.expired(); });
  waiting_.push_back(request.gone);
  work_.add([this, &question, request, answer = std::move(answer)] {
    try {
      request.gone->check();
      answer({.type = std::string(bytes_type), .body = (this->*question.answer_later)(request)});
    } catch (const analysis::Stopped&) {
      answer({.status = 499, .body = "the client has gone\n"});
    } catch (const Error& error) {
      answer(wrong_question(error.what()));
    } catch (const std::exception& error) {  // memory or another resource is short: a later question may be answered
      answer({.status = 503, .body = fmt::format("this cannot be answered now: {}\n", printable(error.what()))});
    }
  });
}

HttpResponse LiveView::page(const HttpRequest& /*request*/) {
  const std::string nonce = fmt::format("{:016x}", random_key()[0]);
  return {.type = "text/html; charset=utf-8",
          .body = output::live_page(viewed_.reading.contents().title, nonce),
          .headers = {{"Content-Security-Policy", output::live_page_policy(nonce)}, {"X-Frame-Options", "DENY"}}};
}

HttpResponse LiveView::data(const HttpRequest& /*request*/) { return {.type = std::string(bytes_type), .body = data_}; }

HttpResponse LiveView::fields(const HttpRequest& /*request*/) {
  Json all = Json::array();
  for (const filter::Field& field : filter::fields()) {
    Json words = Json::array();
    for (const filter::Word& word : field.words) words.push_back(word.name);
    all.push_back({{"name", field.name},
                   {"type", name_of(field.type)},
                   {"cost", name_of(field.cost)},
                   {"help", field.help},
                   {"words", std::move(words)}});
  }
  return json_response(all);
}

std::string LiveView::kept_rows(const HttpRequest& request) {
  return rows_.kept_bits(parameter(request, "filter"), only_recording_of(request), *request.gone);
}

std::string LiveView::kept_waits(const HttpRequest& request) {
  return rows_.kept_wait_bits(parameter(request, "filter"), *request.gone);
}

HttpResponse LiveView::explanation(const HttpRequest& request) {
  try {
    const filter::Filter filter = filter::Filter::parse(parameter(request, "filter"));
    check(filter, request);
    Json parts = Json::array();
    if (filter.root() != nullptr) {
      for (const ExplainedPart& part : explained(*filter.root())) {
        parts.push_back({{"depth", part.depth}, {"text", part.text}, {"type", part.type}, {"cost", part.cost}});
      }
    }
    return json_response({{"parts", std::move(parts)}});
  } catch (const Error& error) {
    return json_response({{"error", printable_lines(error.what())}});
  }
}

void LiveView::check(const filter::Filter& filter, const HttpRequest& request) {
  const auto only = only_recording_of(request);
  for (std::size_t i = 0; i < viewed_.reading.contents().recordings.size(); ++i) {
    if (only && *only != i) continue;
    const std::string& path = filtered_path(viewed_.reading, i);
    auto& recording = checked_[i];
    if (recording == nullptr) recording = reader::Recording::open(path);
    analysis::check_filter(filter, *recording);
  }
}

std::optional<std::size_t> LiveView::only_recording_of(const HttpRequest& request) const {
  if (parameter(request, "recording").empty()) return {};
  return recording_of(request);
}

std::size_t LiveView::recording_of(const HttpRequest& request) const {
  const auto recording = number_in<std::size_t>(parameter(request, "recording"));
  if (!recording || *recording >= viewed_.reading.contents().recordings.size())
    throw UsageError("recording: there is no such number");
  return *recording;
}

std::string LiveView::saved(const HttpRequest& request) {
  const std::size_t recording = recording_of(request);
  const std::string format = parameter(request, "as"), filter = parameter(request, "filter");
  std::string file;
  if (format == "data") {
    file = selected_recording(viewed_, recording, filter);
  } else if (format == "svg") {
    file = selected_picture(viewed_, recording, filter, looks_of(request));
  } else if (format == "pprof") {
    file = selected_profile(viewed_, recording, filter);
  } else {
    throw UsageError("as: there are data, svg and pprof");
  }
  viewed_.reading.expect_unchanged(recording);
  return file;
}

}  // namespace perfsift::tools
