#pragma once

/// `LIPIZZ_MULTIVERSION` compiles a function for AVX-512, AVX2 and the baseline and picks one when
/// the program starts. All give the same bits: contraction is off, and every reduction in such a
/// function has a fixed lane order. Sanitizers do not get on with the resolver, so they take the
/// baseline.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define LIPIZZ_MULTIVERSION \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
/// Where it is defined, overloads that these mark are written one by one for a function whose code
/// differs by instruction set (widths of vectors, registers in use), never by its results.
#define LIPIZZ_AVX512 __attribute__((target("arch=x86-64-v4")))
#define LIPIZZ_AVX2 __attribute__((target("arch=x86-64-v3")))
#define LIPIZZ_BASELINE __attribute__((target("default")))
#else
#define LIPIZZ_MULTIVERSION
#define LIPIZZ_BASELINE
#endif

/// Into whatever calls it, so that it is compiled for the same instruction set.
#define LIPIZZ_INLINE inline __attribute__((always_inline))

/// The same for a lambda, behind its parameters.
#define LIPIZZ_INLINE_LAMBDA __attribute__((always_inline))

/// Before a loop none of whose turns reads what another one writes.
#if defined(__GNUC__) && !defined(__clang__)
#define LIPIZZ_INDEPENDENT _Pragma("GCC ivdep")
#else
#define LIPIZZ_INDEPENDENT
#endif
