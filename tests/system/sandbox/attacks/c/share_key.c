/* Leave a key in the kernel under the user's name and find it again. */
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "attack.h"

int main(void)
{
    if (syscall(SYS_add_key, "user", "note from c", "secret", 6, KEY_SPEC_USER_KEYRING) == -1)
        held();
    long found = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", "note from c", 0);
    if (found == -1)
        held();
    syscall(SYS_keyctl, KEYCTL_CLEAR, KEY_SPEC_USER_KEYRING);
    escaped("key found");
}
