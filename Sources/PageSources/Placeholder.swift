// Placeholder until the first file of PageSources lands.
