// Placeholder until the first file of JSONRPCTransportTests lands.
