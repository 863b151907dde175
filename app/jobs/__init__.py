"""Files being added on behalf of a chat: the work belongs to the process, whoever looks at it just now."""
