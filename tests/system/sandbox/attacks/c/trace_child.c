/* Trace a child of its own that has not asked for it, and change its memory. */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include "attack.h"

static volatile long answer = 1;

int main(void)
{
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    int refused = ptrace(PTRACE_ATTACH, child, NULL, NULL) == -1;
    int why = errno;
    if (!refused) {
        waitpid(child, NULL, 0);
        refused = ptrace(PTRACE_POKEDATA, child, (void *)&answer, 42L) == -1;
        why = errno;
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    errno = why;
    if (refused)
        held();
    escaped("memory changed");
}
