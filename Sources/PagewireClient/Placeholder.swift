// Placeholder until the first file of PagewireClient lands.
