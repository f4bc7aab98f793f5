/* Attach shared memory of the host and read it. */
#include <sys/shm.h>
#include "attack.h"

int main(void)
{
    int shared = shmget(atoi(setting("IPC_KEY")), 0, 0);
    if (shared == -1)
        held();
    const char *address = shmat(shared, NULL, SHM_RDONLY);
    if (address == (void *)-1)
        held();
    escaped(address);
}
