"""From what photos show to a state the rules allow: the observation, its decoding, what was played since."""
