/* The protocol's machine-readable description, as it was when this was built: `pagewire schema` prints it. */
#ifndef CPROTOCOL_TEXT_H
#define CPROTOCOL_TEXT_H

#include <stddef.h>

/* The bytes of protocol/pagewire.openrpc.json and their number. */
const unsigned char *cprotocol_openrpc(void);
size_t cprotocol_openrpc_size(void);

#endif
