// Objects that code examples in comments use without creating them. Only examples.py includes this file.
#pragma once

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <libelf.h>

#include "analysis/offcpu/scheduler.h"
#include "dlfilters/host/filter_chain.h"
#include "filter/filter.h"
#include "options/command_line.h"
#include "reader/recording.h"
#include "reader/writer/byte_sink.h"
#include "record/session.h"
#include "symbolize/symbolizer.h"
#include "tests/support/temporary.h"
#include "tools/command.h"
#include "tools/offcpu/offcpu_options.h"
#include "tools/reading_options.h"

namespace perfsift::test {

// Every example is compiled as a member function of a struct derived from this struct: names that the example declares
// itself hide these members, and the members hide namespaces with the same name.
struct ExampleObjects {
  const std::unique_ptr<reader::Recording> recording;
  const reader::Sample& sample;
  reader::ByteSink& sink;
  reader::OrderedVisitor& printer;
  const record::SessionPlan& plan;
  record::RecordSink& records;
  symbolize::Symbolizer& symbolizer;
  const perfsift::filter::Filter& filter;
  perfsift::filter::SampleFacts& facts;
  offcpu::SchedulerListener& listener;
  dlfilter::FilterRun& run;
  const tools::OffcpuOptions& offcpu_options;
  const tools::ReadingOptions& reading;
  const TemporaryDirectory& directory;

  const perfsift::options::Arguments& arguments;
  boost::program_options::options_description& options;
  const std::string usage, path, output;
  const std::vector<std::string> inputs;
  const unsigned threads;
  const std::uint32_t pid, tid;
  const int fd;
  const double share;
  std::uint64_t kept;
};

}  // namespace perfsift::test
