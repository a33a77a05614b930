/* Answers formwork's decoder protocol: put your decoder in the place of `take`. This one reads what is
 * simplest in packets of Godot 3 and 4, and skips the rest.   cc -O2 -o responder responder.c */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACCEPTED, REJECTED, SKIPPED };

static uint32_t word(const uint8_t *bytes)
{
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Reads the value that the packet starts with: how many bytes it takes, or why it is not read. */
static int take(const uint8_t *packet, uint32_t length, uint32_t *taken, const char **why)
{
    uint32_t size = 4, text;
    *why = "the packet is cut";
    if (length < 4)
        return REJECTED;
    switch (word(packet) & 0xff) {
    case 0: break;                                         /* null */
    case 1: size += 4; break;                              /* bool */
    case 2: case 3: size += packet[2] & 1 ? 8 : 4; break;  /* int, float: the flag says 64 bits */
    case 4:                                                /* String, padded to 4 bytes */
        if (length < 8 || (text = word(packet + 4)) > length - 8)
            return REJECTED;
        size += 4 + text + (-text & 3);
        for (uint32_t at = 8; at < 8 + text; at++)
            if (packet[at] & 0x80)  /* not ASCII: may be no UTF-8 */
                return *why = "a text that is not ASCII", SKIPPED;
        break;
    default:
        *why = "a type that is not read here";
        return (word(packet) & 0xff) < 39 ? SKIPPED : REJECTED;
    }
    if (size > length)
        return REJECTED;
    return *taken = size, ACCEPTED;
}

static void put_word(uint32_t number)
{
    for (int shift = 0; shift < 32; shift += 8) putchar(number >> shift & 0xff);
}

int main(void)
{
    uint8_t head[4], *packet;
    while (fread(head, 1, 4, stdin) == 4) { /* the end of the input is the end */
        uint32_t length = word(head), taken = 0xffffffff; /* not known */
        const char *why = "there is no memory";
        if (!(packet = malloc(length ? length : 1)) || fread(packet, 1, length, stdin) != length)
            return 1;
        int status = take(packet, length, &taken, &why);
        /* Where your decoder has an encoder, send what that makes of the value. */
        putchar(status), put_word(taken), put_word(status == ACCEPTED ? 0 : strlen(why));
        fputs(status == ACCEPTED ? "" : why, stdout);
        fflush(stdout), free(packet);
    }
}
