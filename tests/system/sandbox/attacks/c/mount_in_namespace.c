/* Make itself root of a user namespace and mount a file system of its own over /usr. */
#include <sched.h>
#include <sys/mount.h>
#include "attack.h"

int main(void)
{
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) == -1)
        held();
    if (mount("mine", "/usr", "tmpfs", 0, "size=64k") == -1)
        held();
    escaped("mounted");
}
