// perfsift view: profiles as a page with all views, live or in a file.

#include <iostream>
#include <memory>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/printable.h"
#include "options/folded_stack_options.h"
#include "options/number_option.h"
#include "output/files/output_file.h"
#include "tools/command.h"
#include "tools/page/page_reading.h"
#include "tools/profile/profile_command.h"
#include "tools/shorter_inputs.h"
#include "tools/terminal.h"
#include "tools/view/live_view.h"

namespace perfsift::tools {
namespace {

// The options of the command line.
struct ViewCommand : CommandRun {
  ProfileCommand inputs;
  analysis::StackOptions stacks;
  std::string save;        // empty: a server shows the page
  std::uint16_t port = 0;  // any free one
  bool opens = false;

  void add_to(options::po::options_description& description) override;
  int run(const options::Arguments& words) override;

 private:
  void prepare();

  options::FoldedStackOptions folding_{options::FoldedStackOptions::NamedBy::perfsift};
};

void ViewCommand::add_to(options::po::options_description& description) {
  auto add = description.add_options();
  add("save", options::po::value(&save)->value_name("FILE"), "write the page with all its data to FILE, and exit");
  add("port", options::whole_number(port), "the port of the server (any free port)");
  add("open", options::po::bool_switch(&opens), "open the page in the browser");
  folding_.add_to(description);
  inputs.add_to(description);
}

void ViewCommand::prepare() {
  if (!save.empty() && (port != 0 || opens))
    throw UsageError("--port and --open are for the server, which --save does not start");
  if (!save.empty()) inputs.fail_if_empty();
  stacks = folding_.stacks();
  inputs.prepare();
}

// Why the browser was not opened; empty: it was.
std::string open_in_browser(const std::string& link) {
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") && !is_set("BROWSER")) return "there is no display";
  std::string program = "xdg-open", argument = link;
  char* const words[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ) != 0) return "xdg-open is not installed";
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : "xdg-open could not open the link";
}

std::unique_ptr<HttpServer> listen(std::uint16_t port) {
  try {
    return std::make_unique<HttpServer>("127.0.0.1", port);
  } catch (const std::system_error& error) {
    throw UsageError(fmt::format("--port {}: cannot listen there: {}; without --port any free port is taken", port,
                                 error.code().message()));
  }
}

void serve(ViewCommand& command, const PageReading& reading) {
  read_zeros_of_shorter_inputs();  // each answer says whether its recording has changed
  const std::unique_ptr<HttpServer> server = listen(command.port);
  server->stop_at_signals();
  const Access access(server->port());
  LiveView live(access, {.inputs = command.inputs, .reading = reading, .stacks = command.stacks});
  command.inputs.run().end_progress();
  std::cout << access.link() << std::endl;  // for a reader in a pipe, too
  if (!command.inputs.quiet())
    std::cerr << "perfsift: showing " << printable(reading.contents().title) << " until Ctrl-C\n";
  if (command.opens) {
    if (const std::string why = open_in_browser(access.link()); !why.empty())
      std::cerr << "perfsift: warning: " << why << ": open the link yourself\n";
  }
  server->run([&](const HttpRequest& request, HttpAnswer answer) { live.answer(request, std::move(answer)); });
}

int ViewCommand::run(const options::Arguments& words) {
  prepare();
  if (!save.empty()) inputs.check_output(save);
  const PageReading reading(inputs, stacks, "perfsift view " + command_line(words));
  if (!save.empty() && inputs.any_kept()) write_page(inputs, reading, save);
  const int status = inputs.conclude();
  if (!save.empty() || !inputs.any_usable() || status == check_failed) return status;
  if (reading.is_empty()) throw InputError("there are no samples to show");
  serve(*this, reading);
  return status;
}

}  // namespace

extern const Command view_command{
    .name = "view",
    .summary = "show profiles as a page: graphs, tables, time",
    .usage =
        "Usage: perfsift view [OPTIONS] [FILE|DIRECTORY...]\n\nShows recordings in the browser: flame graphs, tables, "
        "callers and callees, time.\nPrints a link, and answers until Ctrl-C; only this machine can connect. Two "
        "inputs\nare compared.\n",
    .positional = ReadingOptions::positional,
    .start = start<ViewCommand>,
};

}  // namespace perfsift::tools
