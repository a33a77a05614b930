/* Typed mutation of Variant packets (Godot, Pandemonium) and ALB1 files, behind a C interface.
 *
 * A format is a name as on formwork's command line: "godot3", "godot4.3", "pandemonium", "alb1".
 * The functions that libFuzzer and AFL++ call take it from the environment variable
 * FORMWORK_FORMAT, and end the process with status 2 where that names none.
 *
 * Inputs are plain packets or files, any bytes will do, and the same bytes and seed always give
 * the same result. */
#ifndef FORMWORK_MUTATOR_H
#define FORMWORK_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Mutates the `size` bytes at `data`, where there is room for `max_size` bytes. Returns the new size,
 * at most `max_size`; SIZE_MAX, and nothing changed, where there is no such format. */
size_t formwork_mutate(const char *format, uint8_t *data, size_t size, size_t max_size, uint64_t seed);

/* libFuzzer: https://llvm.org/docs/LibFuzzer.html. Link the static library to the target, with
 * -Wl,-u,LLVMFuzzerCustomMutator -Wl,-u,LLVMFuzzerCustomCrossOver: libFuzzer's references are weak, and take
 * nothing out of an archive. One mutation in four is left to LLVMFuzzerMutate. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
                                 size_t size2, uint8_t *out, size_t max_out_size, unsigned int seed);

/* AFL++: AFL_CUSTOM_MUTATOR_LIBRARY=libformwork_mutator.so. What is at `*out` stays there until the
 * next call. Not for several threads. */
void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *state, uint8_t *data, size_t size, uint8_t **out, uint8_t *add,
                       size_t add_size, size_t max_size);
const char *afl_custom_describe(void *state, size_t max_length);
void afl_custom_deinit(void *state);

#ifdef __cplusplus
}
#endif

#endif
