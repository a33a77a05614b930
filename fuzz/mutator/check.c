/* The library as a C program sees it. Prints what it measured; ends with 1 where something is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "formwork_mutator.h"

#define ROOM 4096

static int failed = 0;

static void check(int holds, const char *what) {
    if (!holds && !failed++) {
        fprintf(stderr, "check: %s\n", what);
    }
}

/* {"name": "player", "hp": 100, "at": Vector3(1, 2, 3), "items": ["sword", "rope"], "seen": [1, 2.5, null, true]},
 * as Godot 3 writes it. */
static size_t packet(uint8_t *to) {
    static const uint8_t bytes[] =
        "\x12\0\0\0\5\0\0\0"
        "\4\0\0\0\4\0\0\0name" "\4\0\0\0\6\0\0\0player\0\0"
        "\4\0\0\0\2\0\0\0hp\0\0" "\2\0\0\0\x64\0\0\0"
        "\4\0\0\0\2\0\0\0at\0\0" "\7\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40"
        "\4\0\0\0\5\0\0\0items\0\0\0" "\x13\0\0\0\2\0\0\0" "\4\0\0\0\5\0\0\0sword\0\0\0" "\4\0\0\0\4\0\0\0rope"
        "\4\0\0\0\4\0\0\0seen" "\x13\0\0\0\4\0\0\0" "\2\0\0\0\1\0\0\0" "\3\0\0\0\0\0\x20\x40" "\0\0\0\0"
        "\1\0\0\0\1\0\0\0";
    memcpy(to, bytes, sizeof bytes - 1);
    return sizeof bytes - 1;
}

static uint32_t word(const uint8_t *at) {
    return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Passes one value of a type without parts; 0 where it is none. */
static size_t pass(const uint8_t *at, size_t left) {
    size_t size;
    if (left < 4) return 0;
    switch (word(at)) {
    case 0: size = 4; break;
    case 1: case 2: case 3: size = 8; break;
    case 4:
        if (left < 8 || word(at + 4) > left) return 0;
        size = 8 + ((size_t)word(at + 4) + 3) / 4 * 4;
        break;
    default: return 0;
    }
    return size <= left ? size : 0;
}

/* A small decoder with a bug: an array of exactly three of which the third is the int -7. What a
 * fuzzer sees of it: which branches were taken, and how often a loop ran. */
enum { NO_ARRAY, EMPTY, ONE, TWO, MORE, THREE, THIRD_IS_INT, THE_BUG, ALL };

static int seen_by_coverage(const uint8_t *data, size_t size) {
    size_t at = 8, third = 0, passed;
    uint32_t count, i;
    if (size < 8 || word(data) != 19) return NO_ARRAY;
    count = word(data + 4);
    for (i = 0; i < count; i++) {
        third = at;
        passed = pass(data + at, size - at);
        if (passed == 0) return NO_ARRAY;
        at += passed;
    }
    if (count != 3) return count > 3 ? MORE : EMPTY + (int)count;
    if (word(data + third) != 2) return THREE;
    return word(data + third + 4) == (uint32_t)-7 ? THE_BUG : THIRD_IS_INT;
}

/* Executions until the bug is found. Inputs that show something first are kept and changed further, the
 * last more often, as fuzzers do. */
static long find(unsigned seed, long most) {
    static uint8_t corpus[ALL][ROOM];
    size_t sizes[ALL] = {8};
    int seen[ALL] = {1}, count = 1;
    static const uint8_t seven[8] = {2, 0, 0, 0, 7, 0, 0, 0};
    memcpy(corpus[0], seven, 8);
    for (long execution = 1; execution <= most; execution++) {
        uint8_t data[ROOM];
        int chosen = (int)(execution % (2 * count));
        if (chosen >= count) chosen = count - 1;
        memcpy(data, corpus[chosen], sizes[chosen]);
        size_t size = formwork_mutate("godot3", data, sizes[chosen], 256,
                                      (uint64_t)seed << 32 | (uint64_t)execution);
        int shown = seen_by_coverage(data, size);
        if (shown == THE_BUG) return execution;
        if (!seen[shown]) {
            seen[shown] = 1;
            memcpy(corpus[count], data, size);
            sizes[count++] = size;
        }
    }
    return -1;
}

int main(void) {
    uint8_t data[ROOM], again[ROOM], *out = NULL;
    size_t size = packet(data), original = size, made;
    long different = 0;

    clock_t start = clock();
    for (unsigned seed = 0; seed < 10000; seed++) {
        size_t room = seed % 2 ? ROOM : original - seed % 100;
        size_t one = (packet(data), formwork_mutate("godot3", data, original, room, seed));
        size_t two = (packet(again), formwork_mutate("godot3", again, original, room, seed));
        check(one <= room, "a result is larger than there is room");
        check(one == two && !memcmp(data, again, one), "the same seed gave other bytes");
        packet(again);
        different += one != original || memcmp(data, again, one);
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    check(different > 9900, "few results differ from the packet");
    printf("mutations of a packet of %zu bytes: %.0f a second\n", original, 20000 / seconds);

    check(formwork_mutate("godot9", data, 8, 8, 1) == SIZE_MAX, "a format that there is not was known");
    check(formwork_mutate("godot3", NULL, 0, 0, 1) == 0, "nothing became something");

    for (unsigned seed = 1; seed <= 5; seed++) {
        long found = find(seed, 100000);
        check(found > 0, "the planted bug was not found");
        printf("planted bug found after %ld executions\n", found);
    }

    /* What libFuzzer calls, one mutation after the other, as long as they like. */
    size = packet(data);
    for (unsigned seed = 0; seed < 10000; seed++) {
        size = LLVMFuzzerCustomMutator(data, size, 1000, seed);
        check(size <= 1000, "libFuzzer's result is larger than there is room");
        size_t crossed = LLVMFuzzerCustomCrossOver(data, size, again, packet(again), again + 1024, 500, seed);
        check(crossed <= 500, "libFuzzer's crossing is larger than there is room");
    }

    void *state = afl_custom_init(NULL, 1);
    check(state != NULL, "AFL++ got no state");
    size = packet(data);
    for (int i = 0; i < 10000; i++) {
        made = afl_custom_fuzz(state, data, size, &out, i % 2 ? again : NULL, i % 2 ? original : 0, 1000);
        check(made <= 1000 && out != NULL, "AFL++'s result is larger than there is room");
        check(strlen(afl_custom_describe(state, 20)) < 20, "a name is too long");
        if (i % 5 == 0) memcpy(data, out, size = made);
    }
    afl_custom_deinit(state);
    if (!failed) printf("the C interface holds\n");
    return failed != 0;
}
