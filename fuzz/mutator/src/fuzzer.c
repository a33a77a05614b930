/* LLVMFuzzerMutate is libFuzzer's own mutator. It is in every program that libFuzzer is linked to, and in no
 * other: AFL++ has none. So it is asked for weakly, which stable Rust cannot do. */
#include <stddef.h>
#include <stdint.h>

extern size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak));

/* Lets libFuzzer mutate the bytes at `data`. Returns the new size; SIZE_MAX, and nothing changed, where there
 * is no libFuzzer. */
size_t formwork_fuzzer_mutate(uint8_t *data, size_t size, size_t max_size) {
    return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, max_size) : SIZE_MAX;
}
