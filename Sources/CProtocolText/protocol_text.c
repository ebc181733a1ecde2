#include "CProtocolText.h"

/* Embedded, so that there is no copy that could disagree with the file in protocol/. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char openrpc[] = {
#embed "../../protocol/pagewire.openrpc.json"
};

const unsigned char *cprotocol_openrpc(void) { return openrpc; }

size_t cprotocol_openrpc_size(void) { return sizeof openrpc; }
