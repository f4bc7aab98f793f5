"""Is started, and never says hello."""

import time

if __name__ == "__main__":
    time.sleep(86_400)
