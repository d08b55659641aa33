"""Training of Assay's text models: encode once, ask many."""
