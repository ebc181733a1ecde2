// Placeholder until the first file of PagewireServer lands.
