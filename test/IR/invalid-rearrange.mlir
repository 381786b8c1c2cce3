// RUN: relayout-opt %s --split-input-file --verify-diagnostics

// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every diagnostic of rearrange, by the labels of Spec.md.

// R1: no arrow.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects one '->' in a pattern, but got none}}
  %0 = relayout.rearrange %x "a b c"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R1: two arrows.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects one '->' in a pattern, but got more}}
  %0 = relayout.rearrange %x "a -> b -> c"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R1: not a name.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects names, 1, '...' and brackets, but got ';' at column 4}}
  %0 = relayout.rearrange %x "a b; c -> c b a"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R1: numbers.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects 1 as the only number, but got '2'}}
  %0 = relayout.rearrange %x "a b 2 -> a b"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R1: a number before a name.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects 1 as the only number, but got '1a'}}
  %0 = relayout.rearrange %x "1a b c -> 1a b c"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R1: nested brackets.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects one level of brackets, but got nested brackets}}
  %0 = relayout.rearrange %x "a ((b c)) d -> a b c d"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R1: an open bracket.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects every '(' to be closed}}
  %0 = relayout.rearrange %x "a (b c -> a b c"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R1: a closing bracket.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects every ')' to follow a '('}}
  %0 = relayout.rearrange %x "a b) c -> a b c"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R1: twice left.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects every name once a side, but 'b' stands twice left of '->'}}
  %0 = relayout.rearrange %x "a (b b) c -> a b c"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R1: twice right.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects every name once a side, but 'b' stands twice right of '->'}}
  %0 = relayout.rearrange %x "a b c -> a b c b"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R1: left only.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects every name on both sides, but 'c' stands only left of '->'}}
  %0 = relayout.rearrange %x "a b c -> a b"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R1: right only.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects every name on both sides, but 'd' stands only right of '->'}}
  %0 = relayout.rearrange %x "a b c -> a b c d"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R2: in brackets.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects '...' outside brackets left of '->'}}
  %0 = relayout.rearrange %x "a (...) -> a ..."
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R2: twice.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects '...' at most once a side}}
  %0 = relayout.rearrange %x "a ... ... -> a ..."
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R2: one side.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects every name on both sides, but '...' stands only left of '->'}}
  %0 = relayout.rearrange %x "a ... -> a"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R3.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects a tensor of rank 2 for the pattern 'a b -> b a', but the rank is 3}}
  %0 = relayout.rearrange %x "a b -> b a"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R3: ellipsis.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects a tensor of rank 4 or more for the pattern 'a b c d ... -> ... d c b a', but the rank is 3}}
  %0 = relayout.rearrange %x "a b c d ... -> ... d c b a"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R4.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects sizes of names in the pattern 'a b c -> c b a', but got one of 'd'}}
  %0 = relayout.rearrange %x "a b c -> c b a" sizes {d = 2}
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R4: negative.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects sizes of 0 or more, but the size of 'd' is -2}}
  %0 = relayout.rearrange %x "(a d) b c -> c b a d" sizes {d = -2}
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R4: twice.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects each name once in sizes, but 'd' is given twice}}
  %0 = relayout.rearrange %x "(a d) b c -> c b a d" sizes {d = 2, d = 3}
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R5: two unknown.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects at most one unknown size in (a d) of dimension 0, but 'a' and 'd' have none}}
  %0 = relayout.rearrange %x "(a d) b c -> c b a d"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R5: divisible.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects padded dimension 0 to be divisible by the sizes in (a d), but 6 is not divisible by 4}}
  %0 = relayout.rearrange %x "(a d) b c -> c b a d" sizes {d = 4}
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R5: product.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects the sizes in (a d) of dimension 0 to multiply to its padded extent, but the product is 8 and the padded extent is 6}}
  %0 = relayout.rearrange %x "(a d) b c -> c b a d" sizes {a = 4, d = 2}
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R5: 1 is an extent.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects the sizes in 1 of dimension 1 to multiply to its padded extent, but the product is 1 and the padded extent is 10}}
  %0 = relayout.rearrange %x "a 1 c -> c a"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R5: 0 beside an unknown.
func.func @f(%x: tensor<0x10x3xf32>) {
  // expected-error@+1 {{expects no size of 0 beside the unknown size of 'a' in (a d) of dimension 0}}
  %0 = relayout.rearrange %x "(a d) b c -> c b a d" sizes {d = 0}
      : tensor<0x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R5: overflow.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects the product of the sizes in (a d e) of dimension 0 to fit 63 bits, but got 4294967296 * 4294967296}}
  %0 = relayout.rearrange %x "(a d e) b c -> c b a d e" sizes {d = 4294967296, e = 4294967296}
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R6.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects one pad for each of the 3 dimensions of the operand, but got 2}}
  %0 = relayout.rearrange %x "a b c -> c b a" pad [0:0, 0:0]
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R6: crop.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects one crop for each of the 2 dimensions of the result, but got 3}}
  %0 = relayout.rearrange %x "a b c -> (c b) a" crop [0:0, 0:0, 0:0]
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R7.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects the pad of operand dimension 0 to leave an extent of 0 or more, but 6 + (-4) + (-3) is -1}}
  %0 = relayout.rearrange %x "a b c -> c b a" pad [-4:-3, 0:0, 0:0]
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R7: crop.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects the crop of result dimension 0 to leave an extent of 0 or more, but 3 - (2) - (2) is -1}}
  %0 = relayout.rearrange %x "a b c -> c b a" crop [2:2, 0:0, 0:0]
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R8: dimensions.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects at most 32 dimensions a side of a pattern, but got 33}}
  %0 = relayout.rearrange %x "a b c -> a b c 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}

// -----

// R8: names.
func.func @f(%x: tensor<6x10x3xf32>) {
  // expected-error@+1 {{expects at most 64 names in a pattern}}
  %0 = relayout.rearrange %x "(d0 d1 d2 d3 d4 d5 d6 d7 d8 d9 d10 d11 d12 d13 d14 d15 d16 d17 d18 d19 d20 d21 d22 d23 d24 d25 d26 d27 d28 d29 d30 d31 d32 d33 d34 d35 d36 d37 d38 d39 d40 d41 d42 d43 d44 d45 d46 d47 d48 d49 d50 d51 d52 d53 d54 d55 d56 d57 d58 d59 d60 d61 d62 d63 d64) b c -> b c"
      : tensor<6x10x3xf32> -> tensor<1xf32>
  return
}
