/* See by a lock on a file that all bots are shown what another program tells it. */
#include <fcntl.h>
#include <sys/file.h>
#include "attack.h"

int main(void)
{
    int file = open("/bot/locked", O_RDONLY);
    if (file == -1)
        return 2;
    if (flock(file, LOCK_SH | LOCK_NB) == -1 && errno != EWOULDBLOCK)
        held();
    escaped("lock seen");
}
