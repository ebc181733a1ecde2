// Placeholder until the first file of PagewireServerTests lands.
