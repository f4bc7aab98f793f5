/* Read a file of the host that everybody may read. */
#include "attack.h"

int main(void)
{
    FILE *file = fopen(setting("HOST_FILE"), "r");
    if (file == NULL)
        held();
    char said[100] = {0};
    if (fread(said, 1, sizeof said - 1, file) == 0)
        held();
    escaped(said);
}
