// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Streams.h"

#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace relayout;

static const char *programName = nullptr;

/// Opens standard error where it is closed: a file that is opened would take its place, and get
/// the text of errors and events.
static void openStandardError() {
  if (::fcntl(STDERR_FILENO, F_GETFD) != -1)
    return;
  int null = ::open("/dev/null", O_WRONLY);
  if (null == -1 || null == STDERR_FILENO)
    return;
  ::dup2(null, STDERR_FILENO);
  ::close(null);
}

/// LLVM's streams end the process as they are destroyed if an error of theirs is left: that of
/// help or of a version, which LLVM writes.
static void reportStreams() {
  llvm::errs().clear_error();
  llvm::outs().flush();
  std::error_code lost = llvm::outs().error();
  if (!lost)
    return;
  llvm::errs() << programName << ": error: standard stream: " << lost.message() << '\n';
  std::_Exit(3); // an error of the environment
}

void driver::prepareStreams(const char *program) {
  programName = program;
  openStandardError();
  // A reader that goes away and a file that may not grow are errors of the environment, no signals.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // What is registered after the streams are made is called before they are destroyed.
  llvm::outs();
  llvm::errs();
  std::atexit(reportStreams);
}
