// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The written forms of a spec: what they have in common, and what they refuse.

#include "relayout/Spec/Fields.h"
#include "relayout/Spec/GuardedJson.h"
#include "relayout/Support/Text.h"

#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace relayout;

namespace {

Result<Spec> fromJson(llvm::StringRef text) {
  Result<llvm::json::Value> value = parseGuardedJson(text);
  if (!value)
    return value.error();
  return parseSpecJson(*value->getAsObject());
}

/// The words of a command line without quotes, as flags.
Result<Spec> fromWords(const std::vector<std::string> &words) {
  FlagList flags;
  for (size_t i = 1; i < words.size(); ++i) {
    llvm::StringRef word = words[i];
    if (!word.consume_front("--"))
      flags.emplace_back("pattern", words[i]);
    else
      flags.emplace_back(word.split('=').first.str(), word.split('=').second.str());
  }
  return parseSpecFlags(words[0], flags);
}

/// The words of a command line, quotes taken away.
std::vector<std::string> splitWords(llvm::StringRef text) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (char c : text) {
    if (c == '\'')
      quoted = !quoted;
    else if (c == ' ' && !quoted)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

struct Form {
  std::vector<std::string> words;
  const char *json;
  std::vector<int64_t> resultShape;
};

const std::vector<Form> &forms() {
  static const std::vector<Form> all = {
      {{"depth_to_space", "--shape=1x2x3x12xf32", "--layout=NHWC", "--mode=blocks_first",
        "--block-size=2"},
       R"({"spec":1,"op":"depth_to_space","shape":[1,2,3,12],"dtype":"f32","layout":"NHWC",
           "block_size":2,"mode":"blocks_first"})",
       {1, 4, 6, 3}},
      {{"depth_to_space", "--shape=2x12x5x7xbf16", "--layout=NCHW", "--mode=depth_first",
        "--block-size=3,2", "--result-layout=NHWC"},
       R"({"op":"depth_to_space","shape":"2x12x5x7","dtype":"bf16","layout":"NCHW",
           "result_layout":"NHWC","block_size":[3,2],"mode":"depth_first"})",
       {2, 15, 14, 2}},
      {{"space_to_depth", "--shape=2x7x5xu8", "--layout=NWC", "--mode=depth_first",
        "--block-size=1"},
       R"({"op":"space_to_depth","shape":[2,7,5],"dtype":"u8","layout":"NWC","mode":"depth_first",
           "block_size":1})",
       {2, 7, 5}},
      {{"space_to_batch", "--shape=3x33x35x7xf32", "--block-shape=2,4", "--paddings=1:0,2:3",
        "--pad-value=-1.5"},
       R"({"op":"space_to_batch","shape":[3,33,35,7],"dtype":"f32","block_shape":[2,4],
           "paddings":[[1,0],[2,3]],"pad_value":-1.5})",
       {24, 17, 10, 7}},
      {{"batch_to_space", "--shape=4x2x2x1xc64", "--block-shape=2,2", "--crops=0:0,2:0"},
       R"({"op":"batch_to_space","shape":[4,2,2,1],"dtype":"complex<f32>","block_shape":[2,2],
           "crops":[[0,0],[2,0]]})",
       {1, 4, 2, 1}},
      {{"rearrange", "n (by bx c) h w -> n c (h by) (w bx)", "--sizes=by=2,bx=2",
        "--crop=0:0,0:0,1:0,0:1", "--shape=1x12x3x5xu8"},
       R"json({"op":"rearrange","pattern":"n (by bx c) h w -> n c (h by) (w bx)",
           "sizes":{"by":2,"bx":2},"crop":[[0,0],[0,0],[1,0],[0,1]],"shape":[1,12,3,5],
           "dtype":"u8"})json",
       {1, 3, 5, 9}},
      {{"rearrange", "a b -> b a", "--pad=0:1,-1:2", "--pad-value=1.5,-2", "--shape=2x3xc128"},
       R"({"op":"rearrange","pattern":"a b -> b a","pad":[[0,1],[-1,2]],"pad_value":[1.5,-2],
           "shape":[2,3],"dtype":"c128"})",
       {4, 3}},
      {{"transpose", "--perm=2,0,1", "--shape=2x3x5xi64"},
       R"({"op":"transpose","perm":[2,0,1],"shape":[2,3,5],"dtype":"i64"})",
       {5, 2, 3}},
      {{"transpose", "--perm=", "--shape=f32"},
       R"({"op":"transpose","perm":[],"shape":[],"dtype":"f32"})",
       {}},
      {{"pixel_shuffle", "--shape=12x3x5xf16", "--block-size=2"},
       R"({"op":"pixel_shuffle","shape":[12,3,5],"dtype":"f16","block_size":2})",
       {3, 6, 10}},
      {{"pixel_unshuffle", "--shape=2x3x6x10xb128", "--block-size=2"},
       R"({"op":"pixel_unshuffle","shape":[2,3,6,10],"dtype":"b128","block_size":[2]})",
       {2, 12, 3, 5}},
      {{"channel_shuffle", "--shape=2x6x5xbool", "--groups=3"},
       R"({"op":"channel_shuffle","shape":[2,6,5],"dtype":"i1","groups":3,"axis":1})",
       {2, 6, 5}},
      {{"transpose", "--perm=1,0", "--shape=3x5xf32", "--input-strides=1,7",
        "--output-strides=6,2"},
       R"({"op":"transpose","perm":[1,0],"shape":[3,5],"dtype":"f32","input_strides":[1,7],
           "output_strides":[6,2]})",
       {5, 3}},
  };
  return all;
}

TEST(SpecForms, FlagsAndJsonMeanTheSame) {
  for (const Form &form : forms()) {
    Result<Spec> words = fromWords(form.words), json = fromJson(form.json);
    ASSERT_TRUE(words) << form.words[0] << ": " << words.error().message;
    ASSERT_TRUE(json) << form.json << ": " << json.error().message;
    EXPECT_EQ(printSpecFlags(*words), printSpecFlags(*json));
    Result<Rearrangement> meaning = toRearrangement(*json);
    ASSERT_TRUE(meaning) << meaning.error().message;
    EXPECT_EQ(meaning->resultShape(), form.resultShape) << form.json;
  }
}

TEST(SpecForms, PrintedFlagsGiveTheSpecAgain) {
  for (const Form &form : forms()) {
    std::string text = printSpecFlags(*fromJson(form.json));
    Result<Spec> again = fromWords(splitWords(text));
    ASSERT_TRUE(again) << text << ": " << again.error().message;
    EXPECT_EQ(printSpecFlags(*again), text);
    EXPECT_EQ(again->padValue, fromJson(form.json)->padValue);
    EXPECT_EQ(again->shape, fromJson(form.json)->shape);
  }
}

TEST(SpecForms, PrintedJsonGivesTheSpecAgain) {
  for (const Form &form : forms()) {
    Spec spec = *fromJson(form.json);
    std::string text = printSpecJson(spec);
    Result<Spec> again = fromJson(text);
    ASSERT_TRUE(again) << text << ": " << again.error().message;
    EXPECT_EQ(printSpecFlags(*again), printSpecFlags(spec));
    EXPECT_EQ(printSpecJson(*again), text);
  }
}

TEST(SpecForms, TheInverseUndoes) {
  Result<Spec> spec = fromJson(R"({"op":"transpose","perm":[1,2,0],"shape":[3,5,7],"dtype":"u8",
                                   "input_strides":[40,8,1]})");
  Result<Spec> back = invertSpec(*spec, *toRearrangement(*spec));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->shape, (std::vector<int64_t>{5, 7, 3}));
  EXPECT_EQ(back->outputStrides, spec->inputStrides);
  EXPECT_TRUE(back->inputStrides.empty());
  EXPECT_EQ(toRearrangement(*back)->resultShape(), spec->shape);
  Result<Spec> broadcast = fromJson(R"({"op":"transpose","perm":[1,0],"shape":[3,5],"dtype":"u8",
                                        "input_strides":[0,1]})");
  EXPECT_EQ(invertSpec(*broadcast, *toRearrangement(*broadcast)).error().code, ErrorCode::Layout);
}

TEST(SpecSides, SayWhereElementsLie) {
  Result<Spec> spec = fromJson(R"({"op":"transpose","perm":[1,0],"shape":[3,5],"dtype":"f64",
                                   "input_strides":[1,4]})");
  Result<std::pair<SpecSide, SpecSide>> sides = specSides(*spec, *toRearrangement(*spec));
  ASSERT_TRUE(sides);
  EXPECT_EQ(sides->first.bytes, (2 * 1 + 4 * 4 + 1) * 8);
  EXPECT_EQ(sides->second.strides, (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(sides->second.bytes, 15 * 8);
}

TEST(SpecSides, RefuseStridesThatAreNotTaken) {
  const std::pair<const char *, const char *> refusals[] = {
      {R"("input_strides":[1])",
       "expects input_strides to have one number for each of the 2 dimensions, but it has 1"},
      {R"("input_strides":[-5,1])", "expects input_strides of 0 or more, but got [-5,1]"},
      {R"("output_strides":[3,-1])", "expects output_strides of 0 or more, but got [3,-1]"},
      {R"("output_strides":[0,1])",
       "expects output_strides that keep elements apart, each larger than the span of those below "
       "it, but got [0,1] for shape [5,3]"},
      {R"("output_strides":[2,1])",
       "expects output_strides that keep elements apart, each larger than the span of those below "
       "it, but got [2,1] for shape [5,3]"},
      {R"("input_strides":[4611686018427387904,1])",
       "expects input_strides of a tensor of less than 2^63 bytes, but got "
       "[4611686018427387904,1] for shape [3,5]"},
  };
  for (const auto &[key, message] : refusals) {
    Result<Spec> spec = fromJson(
        std::string(R"({"op":"transpose","perm":[1,0],"shape":[3,5],"dtype":"u8",)") + key + "}");
    ASSERT_TRUE(spec) << spec.error().message;
    Result<Rearrangement> r = toRearrangement(*spec);
    ASSERT_FALSE(r) << key;
    EXPECT_EQ(r.error().message, message);
  }
}

struct Refusal {
  const char *json;
  ErrorCode code;
  const char *message; ///< whole, or null where the Layout library words it
};

const Refusal kEmptyLists[] = {
    {R"({"op":"space_to_batch","shape":[1,2],"dtype":"u8","block_shape":[2],"paddings":[]})",
     ErrorCode::Pad, "expects paddings to have entries or to be left out, but got an empty list"},
    {R"({"op":"rearrange","pattern":"a -> a","crop":[],"shape":[2],"dtype":"u8"})", ErrorCode::Crop,
     "expects crop to have entries or to be left out, but got an empty list"},
    {R"({"op":"transpose","perm":[0],"input_strides":[],"shape":[2],"dtype":"u8"})",
     ErrorCode::Layout,
     "expects input_strides to have entries or to be left out, but got an empty list"},
    {R"({"op":"rearrange","pattern":"-> 1","crop":[],"shape":[],"dtype":"u8"})", ErrorCode::Crop,
     "expects crop to have entries or to be left out, but got an empty list"},
    {R"({"op":"rearrange","pattern":"-> 1","output_strides":[],"shape":[],"dtype":"u8"})",
     ErrorCode::Layout,
     "expects output_strides to have entries or to be left out, but got an empty list"},
};

const Refusal kRefusals[] = {
    {R"({})", ErrorCode::Usage, "expects op, the name of an operation"},
    {R"({"op":3})", ErrorCode::Usage, "expects op to be a string, but got 3"},
    {R"({"op":"depth_to_spcae"})", ErrorCode::Usage,
     "expects an operation, one of depth_to_space, space_to_depth, space_to_batch, "
     "batch_to_space, rearrange, transpose, pixel_shuffle, pixel_unshuffle, channel_shuffle, "
     "but got 'depth_to_spcae'; did you mean depth_to_space?"},
    {R"({"spec":2,"op":"transpose"})", ErrorCode::Unsupported,
     "expects spec to be 1, the only version, but got 2"},
    {R"({"op":"transpose","shape":[2],"dtype":"f32"})", ErrorCode::Permutation,
     "transpose expects perm"},
    {R"({"op":"transpose","perm":[0],"dtype":"f32"})", ErrorCode::Shape,
     "transpose expects shape, as in 1x2x3xf32"},
    {R"({"op":"transpose","perm":[0],"shape":[2]})", ErrorCode::Type, nullptr},
    {R"({"op":"transpose","perm":[0],"shape":[2],"dtype":"f33"})", ErrorCode::Type, nullptr},
    {R"({"op":"transpose","perm":[0],"shape":"2xf32","dtype":"f64"})", ErrorCode::Type,
     "expects dtype to be that of shape, but f64 is not f32"},
    {R"({"op":"transpose","perm":[1,0],"shape":"2,3xf32"})", ErrorCode::Syntax,
     "expects shape to be extents and a type, as in 1x2x3xf32, but got '2,3xf32'"},
    {R"({"op":"transpose","perm":[0],"shape":["?"],"dtype":"f32"})", ErrorCode::Unsupported,
     "expects static extents, but dimension 0 is '?'; dynamic dimensions are not supported in "
     "this version"},
    {R"({"op":"transpose","perm":[0],"shape":[-1],"dtype":"f32"})", ErrorCode::Shape, nullptr},
    {R"({"op":"transpose","perm":[0],"shape":[2.5],"dtype":"f32"})", ErrorCode::Syntax,
     "expects shape to be a list of integers of 64 bits, but got 2.5"},
    {R"({"op":"transpose","perm":["0"],"shape":[2],"dtype":"f32"})", ErrorCode::Syntax,
     "expects perm to be a list of integers of 64 bits, but got \"0\""},
    {R"({"op":"transpose","perm":[0],"shape":[2],"dtype":"f32","block_size":2})", ErrorCode::Usage,
     "transpose takes no block_size, only shape, dtype, perm, input_strides, output_strides"},
    {R"({"op":"transpose","prem":[0],"shape":[2],"dtype":"f32"})", ErrorCode::Usage,
     "expects a key, one of shape, dtype, layout, result_layout, mode, block_size, block_shape, "
     "paddings, crops, pattern, sizes, pad, crop, pad_value, perm, groups, axis, input_strides, "
     "output_strides, spec, op, but got 'prem'; did you mean perm?"},
    {R"({"op":"transpose","id":"A1"})", ErrorCode::Usage,
     "expects a key, one of shape, dtype, layout, result_layout, mode, block_size, block_shape, "
     "paddings, crops, pattern, sizes, pad, crop, pad_value, perm, groups, axis, input_strides, "
     "output_strides, spec, op, but got 'id'"},
    {R"({"op":"pixel_shuffle","block_size":2,"block-size":2,"shape":[1],"dtype":"u8"})",
     ErrorCode::Usage, "expects block_size once, but it is given twice"},
    {R"({"op":"depth_to_space","shape":[1,2,3,4],"dtype":"u8","mode":"depth_first"})",
     ErrorCode::Layout,
     "depth_to_space expects layout, which has no default, one of NHWC, NCHW, NCHW_VECT_C, NWC, "
     "NCW, NDHWC, NCDHW, channels_first, channels_last"},
    {R"({"op":"depth_to_space","shape":[1,2,3,4],"dtype":"u8","layout":"NHWC"})", ErrorCode::Mode,
     "depth_to_space expects mode, which has no default, one of blocks_first (DCR), depth_first "
     "(CRD)"},
    {R"({"op":"depth_to_space","shape":[1,2,3,4],"dtype":"u8","layout":"NHWC",
          "block_size":2,"mode":"dcr"})",
     ErrorCode::Mode, "expects a mode among blocks_first (DCR), depth_first (CRD), but got 'dcr'"},
    {R"({"op":"channel_shuffle","shape":[2,4],"dtype":"u8"})", ErrorCode::Block,
     "channel_shuffle expects groups"},
    {R"({"op":"space_to_batch","shape":[2,4],"dtype":"u8"})", ErrorCode::Block,
     "space_to_batch expects block_shape"},
    {R"({"op":"space_to_batch","shape":[1,2],"dtype":"u8","block_shape":[2],"pad_value":256})",
     ErrorCode::Type, "expects an element of u8, an integer from 0 to 255, but got '256'"},
    {R"({"op":"space_to_batch","shape":[1,2],"dtype":"c64","block_shape":[2],
         "pad_value":[1,"0x7F800001"]})",
     ErrorCode::Type, "expects no signalling NaN in a complex number, but got '1,0x7F800001'"},
};

/// Values of JSON that are none of a key's.
const Refusal kWrongForms[] = {
    {R"({"op":"space_to_batch","shape":[1,2],"dtype":"u8","block_shape":[2],"paddings":[1,2]})",
     ErrorCode::Syntax,
     "expects paddings to be a list of [low, high] pairs of integers, but got 1"},
    {R"({"op":"rearrange","pattern":"a -> a","sizes":[2],"shape":[2],"dtype":"u8"})",
     ErrorCode::Syntax, "expects sizes to be an object of integers, but got [2]"},
    {R"({"op":"rearrange","pattern":"a -> a","sizes":{"a":null},"shape":[2],"dtype":"u8"})",
     ErrorCode::Syntax, "expects sizes to be an object of integers of 64 bits, but a is null"},
    {R"({"op":"rearrange","pattern":7,"shape":[2],"dtype":"u8"})", ErrorCode::Syntax,
     "expects pattern to be a string, but got 7"},
    {R"({"op":"channel_shuffle","groups":[2],"shape":[2],"dtype":"u8"})", ErrorCode::Syntax,
     "expects groups to be an integer of 64 bits, but got [2]"},
    // To TensorFlow, a block of one number is one of two dimensions.
    {R"({"op":"space_to_batch","shape":[2,4,4],"dtype":"u8","block_shape":2})", ErrorCode::Syntax,
     "expects block_shape to be a list of integers of 64 bits, but got 2"},
    {R"({"op":"pixel_shuffle","shape":[4,2,2],"dtype":"u8","block_size":"2"})", ErrorCode::Syntax,
     "expects block_size to be an integer of 64 bits or a list of them, but got \"2\""},
};

void expectRefusals(llvm::ArrayRef<Refusal> refusals) {
  for (const Refusal &test : refusals) {
    Result<Spec> spec = fromJson(test.json);
    ASSERT_FALSE(spec) << test.json;
    EXPECT_EQ(spec.error().code, test.code) << test.json << ": " << spec.error().message;
    if (test.message)
      EXPECT_EQ(spec.error().message, test.message);
  }
}

TEST(SpecForms, RefusalsNameRuleAndChoice) { expectRefusals(kRefusals); }
TEST(SpecForms, RefuseValuesOfOtherForms) { expectRefusals(kWrongForms); }
TEST(SpecForms, RefuseEmptyLists) { expectRefusals(kEmptyLists); }

TEST(SpecForms, TakeEmptyListsOfSidesWithoutDimensions) {
  const char *const taken[] = {
      R"({"op":"rearrange","pattern":"1 ->","crop":[],"shape":[1],"dtype":"u8"})",
      R"({"op":"rearrange","pattern":"1 ->","output_strides":[],"shape":[1],"dtype":"u8"})",
      R"({"op":"rearrange","pattern":"-> 1","pad":[],"input_strides":[],"shape":"u8"})"};
  for (const char *json : taken) {
    Result<Spec> spec = fromJson(json);
    ASSERT_TRUE(spec) << spec.error().message;
    EXPECT_TRUE(toRearrangement(*spec));
  }
}

/// A block of 1, which forgetting it would be, gives a copy without a word.
TEST(SpecForms, BlockSizeHasNoDefault) {
  for (const char *name : {"depth_to_space", "space_to_depth", "pixel_shuffle"}) {
    std::string keys = std::string(R"({"op":")") + name + R"(","shape":[1,2,3,4],"dtype":"u8")";
    if (llvm::StringRef(name) != "pixel_shuffle")
      keys += R"(,"layout":"NHWC","mode":"depth_first")";
    Result<Spec> spec = fromJson(keys + "}");
    ASSERT_FALSE(spec) << keys;
    EXPECT_EQ(spec.error().code, ErrorCode::Block);
    EXPECT_EQ(spec.error().message,
              name + std::string(" expects block_size, which has no default, as in 2"));
  }
}

/// ONNX's words for the modes are read wherever a spec is, and printed as the project's.
TEST(SpecForms, TakeOnnxsWordsForModes) {
  for (auto [word, mode] : {std::pair("DCR", "blocks_first"), {"CRD", "depth_first"}}) {
    std::string printed = std::string("depth_to_space --shape=1x2x3x4xu8 --layout=NHWC --mode=") +
                          mode + " --block-size=2";
    Result<Spec> json = fromJson(R"({"op":"depth_to_space","shape":[1,2,3,4],"dtype":"u8",)"
                                 R"("layout":"NHWC","block_size":2,"mode":")" +
                                 std::string(word) + "\"}");
    ASSERT_TRUE(json) << json.error().message;
    EXPECT_EQ(printSpecFlags(*json), printed);
    Result<Spec> flags = fromWords({"depth_to_space", "--shape=1x2x3x4xu8", "--layout=NHWC",
                                    std::string("--mode=") + word, "--block-size=2"});
    ASSERT_TRUE(flags) << flags.error().message;
    EXPECT_EQ(printSpecFlags(*flags), printed);
  }
}

TEST(ShellQuoted, IsOneWordOnOneLine) {
  EXPECT_EQ(shellQuoted("--perm=1,0"), "--perm=1,0");
  EXPECT_EQ(shellQuoted(""), "''");
  EXPECT_EQ(shellQuoted("a b\\'"), R"('a b\'\''')");
  EXPECT_EQ(shellQuoted("a\n\x1b\x7f\\'\xc3\xa9"), "$'a\\012\\033\\177\\\\\\'\xc3\xa9'");
  // U+009B, a byte that is no UTF-8, U+202E
  EXPECT_EQ(shellQuoted("\xc2\x9b_\x9b_\xe2\x80\xae"), "$'\\302\\233_\\233_\\342\\200\\256'");
  EXPECT_EQ(shellQuoted("\xc3\xa9"), "'\xc3\xa9'");
}

TEST(Printable, ShowsCharactersAndEscapesTheRest) {
  EXPECT_EQ(printable("a b\u00e9\u4e2d"), "a b\u00e9\u4e2d");
  EXPECT_EQ(printable("\x1b[2J\n\x7f\xff\xc3"), "\\x1b[2J\\x0a\\x7f\\xff\\xc3");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");
}

TEST(SpecForms, CutTextAtWholeCharacters) {
  std::string word(59, 'a');
  Result<Spec> spec = parseSpecFlags(word + "\u00e9", {});
  ASSERT_FALSE(spec);
  EXPECT_NE(spec.error().message.find("but got '" + word + "...'"), std::string::npos);
  // What is no text is cut anywhere.
  EXPECT_EQ(beginning(std::string(100, '\x80')), std::string(60, '\x80'));
}

TEST(SpecForms, FlagsRefuseWhatDoesNotParse) {
  const std::string notIntegers = "expects perm to be made of integers of 64 bits, but got ";
  const std::string many(10000, '1');
  const struct {
    std::vector<std::string> words;
    std::string message; ///< whole, or empty where the Layout library words it
  } cases[] = {
      {{"transpose", "--perm=0,,1", "--shape=2x3xf32"}, notIntegers + "''"},
      {{"transpose", "--perm=0,1,", "--shape=2x3xf32"}, notIntegers + "''"},
      {{"transpose", "--perm=99999999999999999999", "--shape=2xf32"},
       notIntegers + "'99999999999999999999'"},
      {{"transpose", "--perm=0", "--perm=0", "--shape=2xf32"},
       "expects perm once, but it is given twice"},
      {{"transpose", "--perm=0", "--shape=2xf32x"}, ""},
      {{"transpose", "--perm=0", "--shape=2x"},
       "expects an extent or a type after the last 'x' of shape"},
      {{"transpose", "--perm=0", "--shape=x2xf32"}, ""},
      {{"transpose", "--perm=0", "--shape=?xf32"},
       "expects static extents, but dimension 0 is '?'; dynamic dimensions are not supported in "
       "this version"},
      {{"transpose", "--perm=0", "--shape=-2xf32"}, ""},
      {{"transpose", "--perm=0", "--shape=99999999999999999999xf32"},
       "expects extents of 64 bits, but got '99999999999999999999'"},
      {{"transpose", "--perm=0", "--shape=*xf32"}, ""},
      {{"space_to_batch", "--block-shape=2", "--paddings=1", "--shape=2x4xf32"},
       "expects paddings to be low:high pairs as in 1:0,2:3, but got '1'"},
      {{"space_to_batch", "--block-shape=2", "--paddings=1:2:3", "--shape=2x4xf32"},
       "expects paddings to be made of integers of 64 bits, but got '2:3'"},
      {{"rearrange", "a -> a", "--sizes=a", "--shape=2xf32"},
       "expects sizes to be name=extent pairs as in by=2,bx=3, but got 'a'"},
      {{"rearrange", "a -> a", "--sizes==2", "--shape=2xf32"},
       "expects sizes to be name=extent pairs as in by=2,bx=3, but got '=2'"},
      {{"rearrange", "a -> a", "--sizes=a=2,a=2", "--shape=2xf32"},
       "expects each name in sizes once, but 'a' stands twice"},
      {{"channel_shuffle", "--groups=1,2", "--shape=2x4xf32"},
       "expects groups to be one integer, but got '1,2'"},
      {{"channel_shuffle", "--groups=", "--shape=2x4xf32"},
       "expects groups to be one integer, but got ''"},
      {{"transpose", "--perm=" + many, "--shape=2xf32"},
       "expects perm to have at most 8192 characters, but it has 10000"},
  };
  for (const auto &test : cases) {
    Result<Spec> spec = fromWords(test.words);
    ASSERT_FALSE(spec) << test.words[0] << ' ' << test.words[1];
    if (!test.message.empty())
      EXPECT_EQ(spec.error().message, test.message);
  }
}

TEST(Fields, HelpNamesAllWords) {
  auto expectNamed = [](const char *key, const std::string &word) {
    Result<const SpecField *> field = parseFieldKey(key);
    ASSERT_TRUE(field);
    std::string help = std::string((*field)->help) + " ";
    std::replace(help.begin(), help.end(), '\n', ' ');
    EXPECT_NE(help.find(" " + word + " "), std::string::npos) << key << " " << word;
  };
  for (const auto &[word, layout] : tensorLayouts())
    expectNamed("layout", word);
  for (const ElementType &type : elementTypes())
    expectNamed("dtype", type.name);
}

TEST(Fields, EveryKeyIsTakenAndNoOtherIsNamed) {
  for (const SpecField &field : specFields())
    EXPECT_TRUE(llvm::any_of(operations(), [&](const OperationInfo &operation) {
      return operation.takes(field.key);
    })) << field.key;
  for (const OperationInfo &operation : operations()) {
    EXPECT_EQ(&operationInfo(operation.operation), &operation);
    for (llvm::StringRef key : operation.required)
      EXPECT_TRUE(parseFieldKey(key)) << key.str();
    for (llvm::StringRef key : operation.optional)
      EXPECT_TRUE(parseFieldKey(key)) << key.str();
  }
}

TEST(NearestWord, FindsNearAndNothingFar) {
  EXPECT_EQ(nearestWord("layuot", {"mode", "layout", "perm"}), "layout");
  EXPECT_EQ(nearestWord("zzzzzzzz", {"mode", "layout", "perm"}), "");
}

} // namespace
