/* Start processes until it is refused one. */
#include <signal.h>
#include <unistd.h>
#include "attack.h"

int main(void)
{
    pid_t children[80];
    int count = 0, why = 0;
    for (; count < 80; count++) {
        pid_t child = fork();
        if (child == -1) {
            why = errno;
            break;
        }
        if (child == 0) {
            pause();
            _exit(0);
        }
        children[count] = child;
    }
    for (int one = 0; one < count; one++)
        kill(children[one], SIGKILL);
    errno = why;
    if (why)
        held();
    escaped("80 processes");
}
