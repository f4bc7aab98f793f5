/* Read a file by way of an io_uring, whose work no filter of system calls sees. */
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "attack.h"

int main(void)
{
    struct io_uring_params parameters = {0};
    int ring = syscall(SYS_io_uring_setup, 4, &parameters);
    if (ring == -1)
        held();
    void *queue = mmap(NULL, parameters.sq_entries * sizeof(struct io_uring_sqe), PROT_READ | PROT_WRITE, MAP_SHARED,
                       ring, IORING_OFF_SQES);
    if (queue == MAP_FAILED)
        held();
    if (syscall(SYS_io_uring_enter, ring, 0, 0, 0, NULL, 0) == -1)
        held();
    escaped("ring used");
}
