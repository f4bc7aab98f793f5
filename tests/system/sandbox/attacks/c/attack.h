/* What every attack in C shares: one line about how it ended, `HELD <errno>` or `ESCAPED <what it got>`. */
#ifndef ATTACK_H
#define ATTACK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Says that the attack was refused, for the reason in errno, and ends the program. */
static inline void held(void)
{
    printf("HELD %s %s\n", strerrorname_np(errno), strerror(errno));
    exit(0);
}

/* Says what the attack got, and ends the program. */
static inline void escaped(const char *what)
{
    printf("ESCAPED %s\n", what);
    exit(0);
}

/* What the test has told the attack: the name of something of the host's. */
static inline const char *setting(const char *name)
{
    const char *value = getenv(name);
    if (value == NULL) {
        printf("no setting %s\n", name);
        exit(2);
    }
    return value;
}

#endif
