// Placeholder until the first file of PagewireBrowse lands.
