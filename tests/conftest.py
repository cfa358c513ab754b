"""What all tests share."""

from hypothesis import settings

# Machines differ; a slow example is no failure, and CI must not depend on luck.
settings.register_profile("masinfira", deadline=None, derandomize=True)
settings.load_profile("masinfira")
