"""Who may use the chat over the network, and how long its history is kept."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class ServingSettings(BaseModel):
    """The chat as a server: log-in with accounts elsewhere (youju users makes own ones), and the history."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    oauth_users: str = Field(
        "",
        description="Who may log in through a provider (OAUTH_GITHUB_CLIENT_ID ...: see Chainlit): names or "
        "addresses with commas between; * lets everybody in who has an account there.",
    )
    oauth_domains: str = Field(
        "", description="The same by the part behind the @ of their addresses, for example example.org."
    )
    api_per_minute: int = Field(
        120, ge=0, le=100_000, description="Most requests of one user to the API in a minute; 0: no limit."
    )
    history_url: SecretStr = Field(
        SecretStr(""),
        description="PostgreSQL for chats (extra postgres), for example postgresql://user:password@host/youju; "
        "empty: an SQLite file under YOUJU_HOME.",
    )
    history_days: int = Field(
        0, ge=0, le=36500, description="Days until an unused chat is deleted with its files; 0: kept."
    )
