/* Wait until it is ended; other attacks start it. */
#include <unistd.h>

int main(void)
{
    pause();
    return 0;
}
