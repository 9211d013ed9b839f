// Placeholder until the shim lands.
