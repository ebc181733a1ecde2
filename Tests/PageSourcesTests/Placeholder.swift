// Placeholder until the first file of PageSourcesTests lands.
