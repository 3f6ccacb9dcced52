"""What Alembic runs: the migrations, on the connection that `storage.migrate` opened."""

from alembic import context

connection, advance = (context.config.attributes[name] for name in ("connection", "advance"))
context.configure(
    connection=connection,
    target_metadata=None,
    transactional_ddl=True,
    on_version_apply=lambda **_: advance(1),
)
with context.begin_transaction():
    context.run_migrations()
