// Placeholder until the first file of PagewireClientTests lands.
