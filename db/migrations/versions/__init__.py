"""One file a change of the schema, each able to go up and down."""
