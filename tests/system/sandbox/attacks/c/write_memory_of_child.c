/* Write into the memory of another process. */
#include <signal.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "attack.h"

static char there[] = "untouched";

int main(void)
{
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    char here[] = "written!!";
    struct iovec from = {here, sizeof here}, to = {there, sizeof there};
    ssize_t written = process_vm_writev(child, &from, 1, &to, 1, 0);
    int why = errno;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    errno = why;
    if (written == -1)
        held();
    escaped("memory written");
}
