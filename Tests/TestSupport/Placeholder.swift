// Placeholder until the first file of TestSupport lands.
