// What the page of perfsift view asks its server.
//
//   (nothing)        the page
//   data             what the page shows: see output/page/page_data.h
//   fields           the fields of filters, as JSON
//   explain?filter=  what a filter means, or why it is refused, as JSON; of all recordings or of &recording=
//   rows?filter=     the samples that a filter keeps, of all recordings or of &recording=: see filtered_rows.h
//   waits?filter=    the intervals off the CPU that it keeps, in the same form
//   save?as=data&recording=&filter=
//                    the recording with only the samples that the filter keeps
//   save?as=svg&recording=&filter=&unit=&shape=&palette=&search=&upwards=
//                    their flame graph; the unit is samples, time or periods, the rest is as in the page's links
//   save?as=pprof&recording=&filter=
//                    a profile of them for pprof
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "filter/filter.h"
#include "reader/recording.h"
#include "tools/http/http_server.h"
#include "tools/view/access.h"
#include "tools/view/filtered_rows.h"
#include "tools/view/work_queue.h"

namespace perfsift::tools {

// answer() is for one thread. Everything given must live longer.
class LiveView {
 public:
  LiveView(const Access& access, const ProfileCommand& inputs, const PageReading& reading,
           symbolize::Symbolizer& symbolizer, const analysis::StackOptions& stacks);
  // Work in progress is given up.
  ~LiveView();
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  void answer(const HttpRequest& request, HttpAnswer answer);

 private:
  HttpResponse page() const;
  HttpResponse data() const;
  // Once a page has its data, the server has time until the first question.
  void prepare();
  // Answers on the thread of the queue: body() makes the bytes.
  void answer_later(const HttpRequest& request, HttpAnswer answer, std::function<std::string()> body);
  void remember(const std::shared_ptr<analysis::StopFlag>& gone);
  HttpResponse explanation(const HttpRequest& request);
  // Throws UsageError if a recording of the request does not have what the filter asks for.
  void check(const filter::Filter& filter, const HttpRequest& request);
  // Throws UsageError if the page has no recording of that number.
  std::size_t recording_of(const HttpRequest& request) const;
  // Nothing: all are asked.
  std::optional<std::size_t> only_recording_of(const HttpRequest& request) const;
  std::string saved(const HttpRequest& request);

  const Access& access_;
  const ProfileCommand& inputs_;
  const PageReading& reading_;
  symbolize::Symbolizer& symbolizer_;
  const analysis::StackOptions& stacks_;
  FilteredRows rows_;
  std::map<std::size_t, std::unique_ptr<reader::Recording>> checked_;  // opened once more: the queue's work has its own
  const std::string data_;
  analysis::StopFlag ends_;
  std::vector<std::weak_ptr<analysis::StopFlag>> waiting_;  // of requests without an answer
  bool is_prepared_ = false;
  WorkQueue work_;  // ends first: its work uses the others
};

}  // namespace perfsift::tools
