/* Take a port in the address family between virtual machines. */
#include <linux/vm_sockets.h>
#include <sys/socket.h>
#include "attack.h"

int main(void)
{
    int server = socket(AF_VSOCK, SOCK_STREAM, 0);
    if (server == -1)
        held();
    struct sockaddr_vm address = {
        .svm_family = AF_VSOCK, .svm_cid = VMADDR_CID_ANY, .svm_port = VMADDR_PORT_ANY};
    if (bind(server, (struct sockaddr *)&address, sizeof address) == -1)
        held();
    escaped("bound");
}
