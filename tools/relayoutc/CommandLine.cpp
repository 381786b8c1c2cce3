// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandLine.h"

#include "relayout/Spec/Fields.h"
#include "relayout/Support/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace relayout;
using namespace relayout::driver;
namespace cl = llvm::cl;
using llvm::StringRef;

Result<llvm::SmallVector<const char *>> driver::wordsOf(Words arguments,
                                                        llvm::BumpPtrAllocator &memory) {
  llvm::SmallVector<const char *> words(arguments);
  cl::ExpansionContext expansion(memory, cl::TokenizeGNUCommandLine);
  if (llvm::Error error = expansion.expandResponseFiles(words))
    return Error{ErrorCode::Usage, "response file: " + llvm::toString(std::move(error))};
  return words;
}

/// The error for a flag that does not exist, with the one of `options` that is like it.
static Error unknownFlag(StringRef argument, const cl::SubCommand &options,
                         const std::string &program) {
  std::string message =
      "expects a flag that " + program + " --help lists, but got '" + beginning(argument) + "'";
  llvm::SmallVector<StringRef> names;
  for (const auto &[name, option] : options.OptionsMap)
    if (name.size() > 1 && option->getOptionHiddenFlag() == cl::NotHidden)
      names.push_back(name);
  llvm::sort(names);
  if (StringRef nearest = nearestWord(argument.ltrim('-').split('=').first, names);
      !nearest.empty())
    message += "; did you mean --" + nearest.str() + "?";
  return Error{ErrorCode::Usage, message};
}

/// True for flags that are there or not: those of the program that say so, and LLVM's own.
static bool takesNoValue(const cl::Option &option) {
  return option.getValueExpectedFlag() == cl::ValueDisallowed ||
         option.Subs.contains(&cl::SubCommand::getAll());
}

/// Refuses flags that do not exist, lack their value or have one too many. To LLVM, an unknown
/// flag may be a group of flags of one letter.
static Status checkFlags(Words words, const cl::SubCommand &options, const std::string &program) {
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i], flag = word;
    if (word == "--")
      break;
    if (word == "-" || !flag.consume_front("-"))
      continue;
    flag.consume_front("-");
    // LLVM adds this one as it parses.
    if (flag == "h")
      continue;
    auto found = options.OptionsMap.find(flag.split('=').first);
    if (found == options.OptionsMap.end())
      return unknownFlag(word, options, program);
    const cl::Option &option = *found->second;
    if (flag.contains('=')) {
      if (takesNoValue(option))
        return Error{ErrorCode::Usage, "expects --" + found->first.str() +
                                           " without a value, but got '" + beginning(word) + "'"};
      continue;
    }
    // The value may be the next word, whatever that begins with.
    if (option.getValueExpectedFlag() == cl::ValueRequired && ++i == words.size())
      return Error{ErrorCode::Usage, "expects a value after " + word.str() + ", but got none"};
  }
  return Status::success();
}

/// LLVM takes the last of two. The first by name is told, since the map has no order.
static Status checkOnce(const cl::SubCommand &options) {
  const cl::Option *repeated = nullptr;
  for (const auto &[name, option] : options.OptionsMap)
    // A list counts its entries.
    if (option->getNumOccurrencesFlag() == cl::Optional && option->getNumOccurrences() > 1 &&
        (!repeated || option->ArgStr < repeated->ArgStr))
      repeated = option;
  if (!repeated)
    return Status::success();
  return Error{ErrorCode::Usage, "expects --" + repeated->ArgStr.str() + " once, but it is given " +
                                     std::to_string(repeated->getNumOccurrences()) + " times"};
}

Status driver::parseCommandLine(Words words, size_t first, const cl::SubCommand &options,
                                const std::string &program, StringRef overview) {
  if (Status status = checkFlags(words.drop_front(first), options, program); !status)
    return status;
  std::string complaints;
  llvm::raw_string_ostream stream(complaints);
  if (cl::ParseCommandLineOptions(words.size(), words.data(), overview, &stream))
    return checkOnce(options);
  StringRef text = StringRef(complaints).trim();
  text.consume_front((llvm::sys::path::filename(words[0]) + ": ").str());
  return Error{ErrorCode::Usage, text.str()};
}

Result<int64_t> driver::integerOf(const cl::opt<std::string> &flag, int64_t least, int64_t most) {
  int64_t value;
  if (!StringRef(flag).getAsInteger(10, value) && least <= value && value <= most)
    return value;
  return Error{ErrorCode::Usage, "expects --" + flag.ArgStr.str() + " to be an integer from " +
                                     std::to_string(least) + " to " + std::to_string(most) +
                                     ", but got '" + beginning(flag) + "'"};
}

Status driver::checkWord(const cl::opt<std::string> &flag, llvm::ArrayRef<StringRef> words) {
  if (llvm::is_contained(words, flag.getValue()))
    return Status::success();
  return unknownWord(("--" + flag.ArgStr).str().c_str(), flag.getValue(), words);
}
