/* A decoder of Godot 3 packets as games have them, small enough to read, with a planted bug: what to replace by
 * a decoder of your own. libFuzzer and AFL++ call LLVMFuzzerTestOneInput with each input.
 *
 * The bug is behind a packet that is valid as a whole: values are used only when the last byte has been read. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { NIL, BOOL, INT, REAL, STRING, DICTIONARY = 18, ARRAY };

/* Containers inside each other. */
enum { DEEPEST = 16 };

static uint32_t word(const uint8_t *at) {
    return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Reads one value. Returns its size; 0 where it is cut, or of a type that is not known here. */
static size_t read(const uint8_t *at, size_t left, int depth) {
    size_t size = 8;
    if (left < 4 || depth > DEEPEST) return 0;
    uint32_t type = word(at);
    if (type == NIL) return 4;
    if (left < 8) return 0;
    uint32_t number = word(at + 4);
    switch (type) {
    case BOOL: case INT: case REAL:
        return 8;
    case STRING:
        if (number > left) return 0;
        size += ((size_t)number + 3) / 4 * 4;
        return size <= left ? size : 0;
    case DICTIONARY: case ARRAY:
        number &= 0x7fffffff;
        if (number > left) return 0;
        for (uint32_t i = 0; i < number * (type == ARRAY ? 1 : 2); i++) {
            size_t element = read(at + size, left - size, depth + 1);
            if (element == 0) return 0;
            size += element;
        }
        return size;
    default:
        return 0;
    }
}

/* Uses a value that was read. In a message (a Dictionary), a list (an Array) with a name of eight letters or more
 * behind its first element crashes it. Returns the value's size. */
static size_t use(const uint8_t *at, int in_message) {
    uint32_t type = word(at), number = type == NIL ? 0 : word(at + 4) & 0x7fffffff;
    size_t size = 8;
    switch (type) {
    case NIL:
        return 4;
    case STRING:
        return 8 + ((size_t)number + 3) / 4 * 4;
    case DICTIONARY: case ARRAY:
        for (uint32_t i = 0; i < number * (type == ARRAY ? 1 : 2); i++) {
            const uint8_t *element = at + size;
#ifndef NO_BUG
            if (in_message && type == ARRAY && i > 0 && word(element) == STRING && word(element + 4) >= 8) abort();
#endif
            size += use(element, type == DICTIONARY);
        }
        return size;
    default:
        return 8;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0 && read(data, size, 0) == size) use(data, 0);
    return 0;
}
