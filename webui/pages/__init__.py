"""The pages: what a phone asks and is shown, one file for each story."""
