"""Pictures drawn by our own code: cards as shapes, hands, tables. Pure functions to PNG bytes."""
