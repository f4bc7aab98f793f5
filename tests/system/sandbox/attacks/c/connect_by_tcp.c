/* Connect by TCP to a server on the host. */
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>
#include "attack.h"

int main(void)
{
    int client = socket(AF_INET, SOCK_STREAM, 0);
    if (client == -1)
        held();
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(atoi(setting("TCP_PORT"))), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (connect(client, (struct sockaddr *)&address, sizeof address) == -1)
        held();
    char said[100] = {0};
    if (read(client, said, sizeof said - 1) <= 0)
        held();
    escaped(said);
}
