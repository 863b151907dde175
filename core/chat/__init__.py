"""Chat models: endpoints, what is known of them, calls and their cost."""
