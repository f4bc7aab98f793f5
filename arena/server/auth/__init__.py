"""Who calls, what they may do, and how much: authentication, permissions, rate limits and quotas."""
