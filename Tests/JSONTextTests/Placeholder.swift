// Placeholder until the first file of JSONTextTests lands.
