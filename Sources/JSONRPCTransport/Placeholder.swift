// Placeholder until the first file of JSONRPCTransport lands.
