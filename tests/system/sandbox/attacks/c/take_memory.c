/* Take more memory than it may have, in pages that it has mapped itself. */
#include <sys/mman.h>
#include "attack.h"

int main(void)
{
    const size_t size = 192u << 20;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        held();
    for (size_t page = 0; page < size; page += 4096)
        memory[page] = 1;
    escaped("192 MiB held");
}
