"""The pages: what a phone asks and is shown, one folder for each story; what stories share lies beside them."""
