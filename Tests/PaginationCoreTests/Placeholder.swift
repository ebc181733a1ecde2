// Placeholder until the first file of PaginationCoreTests lands.
