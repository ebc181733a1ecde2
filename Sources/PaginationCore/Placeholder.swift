// Placeholder until the first file of PaginationCore lands.
